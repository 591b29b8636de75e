"""Forms of the pages of sheets."""

"""Services that every part's actions use."""

"""Files that the tournament gives out."""

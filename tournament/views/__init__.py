"""Pages of the tournament, by audience."""

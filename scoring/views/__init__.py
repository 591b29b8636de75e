"""Pages that show hands or points, by audience."""

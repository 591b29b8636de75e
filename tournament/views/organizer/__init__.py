"""The organizer's pages."""

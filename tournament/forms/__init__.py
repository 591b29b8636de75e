"""Forms of the organizer's pages: input validated, what was typed kept."""

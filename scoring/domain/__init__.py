"""What referees and players do to sheets, each action a function and one transaction."""

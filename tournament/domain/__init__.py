"""Every action of the tournament as a function named by a verb, one transaction each."""

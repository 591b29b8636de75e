"""The API of the tournament: thin functions that read by `queries` and write by `domain`."""

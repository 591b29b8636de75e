"""The pages of referees, tables and players at a sheet."""

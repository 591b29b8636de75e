"""Lists of entrants as people send them: spreadsheets, CSV files, pasted tables (no database).

`reading` makes lines of cells, `columns` says what they mean, `cells` reads each value, `judging`
compares the rows with the entries that are there, `writing` gives files out.
"""

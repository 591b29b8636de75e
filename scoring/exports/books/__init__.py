"""秩序册 and 成绩册: what their parts say, from the same queries and shown values as the pages.

`programme` and `results` are lists of parts, `render` makes the text of an edition of them,
`shown` hides names in it, `pdf` prints it.
"""

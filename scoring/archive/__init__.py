"""The archive of a competition (docs/archive.md): what is in it, and how rows become plain values.

`parts` lists every column, `ids` renames them, `rows` reads, `package` is the zip file. It is
written back by `scoring.domain.archives`.
"""

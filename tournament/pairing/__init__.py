"""Who meets whom: plans, draws and their published proof. Plain Python on plain values, no
database.
"""

"""Who plays whom, where and when: competitions, entrants, draws, rounds, tables."""

"""What happened at the tables: sheets, hands, rulings, ranking, standings."""

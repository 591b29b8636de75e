"""What the API of both apps shares: problems, cached answers, pages, reading JSON."""

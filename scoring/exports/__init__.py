"""Files handed out: lists, hands, brackets and the archive."""

"""Pages of `core`: the site itself and accounts."""

"""Tools for everyone, without account: nothing that is typed there is kept."""

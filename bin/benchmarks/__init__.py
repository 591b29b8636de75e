"""The suites of `bin/bench`: each module's `run()` gives its figures as name, value, unit."""

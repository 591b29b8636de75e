"""Production settings with two more addresses for the benchmark: a bare view, and how often this
process has rendered a body."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.web_urls"

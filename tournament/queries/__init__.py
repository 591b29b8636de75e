"""Reads shared by pages and API, each with its query count under test."""

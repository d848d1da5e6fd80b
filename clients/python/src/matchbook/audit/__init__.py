"""Verifies Matchbook log files, except for the rules of the games.

Written from docs/audit.md alone, in plain Python 3.11.
"""

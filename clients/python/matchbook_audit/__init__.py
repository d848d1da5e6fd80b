"""Checks log files of Matchbook from docs/audit.md alone: all but the rules of the games. Plain Python 3.11, no dependencies."""

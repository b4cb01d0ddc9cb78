"""Talks to people: options, progress, messages, exit codes. It decides nothing."""

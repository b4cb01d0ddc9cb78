"""Minimal changes: a change as hunks, which of them nothing asked for, and the smallest part that still passes."""

"""Providers answer requests. Only this folder knows how a server spells messages."""

"""Checks: a fixed catalogue, a small grammar for the model's commands, and what their findings mean."""

"""Reads source code without running it: bytes in, values out, on tree-sitter."""

"""What tests and checks promise, read from sources and settings, so that the guard `tests` can see a promise broken.

Pure: bytes in, values out, on tree-sitter. Nothing here judges; `tests_kept` does.
"""

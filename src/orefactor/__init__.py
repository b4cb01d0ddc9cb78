"""git orefactor: refactor code with a language model, and get back a patch that is proven."""

__version__ = "0.1.0"

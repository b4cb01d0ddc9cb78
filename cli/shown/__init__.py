"""The parts of the page that `show` prints; `page.py` puts them together."""

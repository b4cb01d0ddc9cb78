"""The report of a run: one HTML file that needs nothing else. Its page is put together in `page.py`."""

"""Says what a task is about, before any model is asked: pure functions on its text and on the code."""

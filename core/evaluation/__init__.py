"""Evaluation: tasks with a check that decides success, run over several settings, and compared by their figures."""

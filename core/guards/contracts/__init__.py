"""Contracts: what kind of change is promised, told to the model at the start and proven of the result.

`parsing` reads one, `table` tells it, `verdict` judges. Nothing is loaded here: only the first is needed at the start.
"""

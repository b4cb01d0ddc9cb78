"""Reviews of a change: the model reads the diff, asks for evidence within hard limits, and gives findings."""

"""One file a check: how its command line is built and how its output is read. `catalogue` names them all."""

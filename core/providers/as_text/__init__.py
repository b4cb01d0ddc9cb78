"""Function calling over plain text: what goes out, and how calls that stand in a text are read."""

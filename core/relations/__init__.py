"""What names mean, and how the definitions and files of a tree hang together; pure questions to an index."""

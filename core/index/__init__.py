"""What is known of a tree's symbols: read from its files, kept in the git directory, asked by name."""

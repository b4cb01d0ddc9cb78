"""Touches the world safely: git, worktrees, files under a root, processes in isolation. It knows no model."""

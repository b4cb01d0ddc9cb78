"""What leaves a run: the patch, or a commit on a branch."""

"""One task over many files, side by side: each file is a shard, which is a run of its own; their changes become one.

`plan` says which shards there are, `whole` tells the story, `pool` runs them, `merging` puts their trees together.
What they share lies in `share`: one ledger (`shard_ledger`) and one rest for a crowded server (`pacing`).
"""

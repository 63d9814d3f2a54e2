"""Mining a corpus into a context set: ``bvf mine``. `bvf.mine.job.mine` does it."""

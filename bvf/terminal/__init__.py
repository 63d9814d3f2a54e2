"""Building blocks of commands of bvf and plugins: options, progress, and output in four formats."""

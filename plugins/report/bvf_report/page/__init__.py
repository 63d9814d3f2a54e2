"""The page of a report: one HTML file that opens from a disk, without network or server."""

"""A package per question; each imports only what plugins may import too."""

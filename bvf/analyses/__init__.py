"""The analyses that come with bvf, one package each. They import only what plugins may import too."""

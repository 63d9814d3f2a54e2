"""The analyses that come with bvf, a package each; they import only what plugins may import too."""

"""Figures for papers, drawn by matplotlib from what `bvf.views` says that they show."""

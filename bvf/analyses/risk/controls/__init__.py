"""Is that about groups, or about words?"""

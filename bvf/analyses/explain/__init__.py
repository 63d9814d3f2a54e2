"""What drives R: groups, contexts, words?"""

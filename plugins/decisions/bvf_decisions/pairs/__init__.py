"""Two people in one text: who is meant, by group and by place, and whether each alone says the same."""

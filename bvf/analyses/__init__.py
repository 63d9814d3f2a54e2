"""One room per question; a room imports what a plugin may."""

"""Stored answers under choices, as numbers: what every analysis computes from; no stored result is known here."""

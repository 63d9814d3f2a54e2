"""Sentences on whether figures can be trusted, from candidate words' probability mass and rounding errors."""

from bvf.domain.measurement import CandidateMass, ScoreCheck

MASS_FLOOR = 0.01
SMALLEST_SHARE = 0.0001


def warnings_of(check: ScoreCheck) -> list[str]:
    """Return a warning if candidate words have too little probability mass; empty if they have enough."""
    low = low_mass(check.candidate_mass)
    return [f"{low}: the figures describe words that this model would hardly say here"] if low else []


def low_mass(mass: CandidateMass) -> str:
    """Return a phrase on the small probability mass of candidate words; empty if it is large enough."""
    if mass.mean >= MASS_FLOOR:
        return ""
    return f"the compared words have {small_share(mass.mean)} of the probability on average"


def notes_of(check: ScoreCheck) -> list[str]:
    """Return a note on the backend's rounding error; empty if that was not measured."""
    if check.rounding is None:
        return []
    return [f"on a handful of prompts class probabilities differ by {check.rounding:.2g} at most from float32"]


def small_share(share: float) -> str:
    """Return a fraction as text in percent. Small ones have more digits.

    >>> small_share(0.0123), small_share(0.000234), small_share(4e-8)
    ('1.2%', '0.02%', 'less than 0.01%')
    """
    if share < SMALLEST_SHARE:
        return f"less than {SMALLEST_SHARE:.2%}"
    return f"{share:.1%}" if share >= MASS_FLOOR else f"{share:.2%}"

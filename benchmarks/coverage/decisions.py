"""How often decisions are right: ``python benchmarks/coverage/decisions.py [SCENE ...] [--repetitions N]``.

Scenes are highest, gates, planned and slopes; all if none is named. Measured cells are kept in build/coverage, and are
not measured again with as many repetitions. Writes docs/evidence/coverage/decisions.json, and the tables
of docs/evidence/decisions.md.
"""

from decision_scenes import decision_cells
from decision_tables import page
from one_page import measured_and_written

REPETITIONS = 200

if __name__ == "__main__":
    measured_and_written("decisions", list(decision_cells()), page, REPETITIONS, __doc__)

"""What is no array of real numbers, by what it is."""

import numpy as np

NO_NUMBERS = {
    "text": "high",
    "texts": ["0.5", "0.5"],
    "None": None,
    "a list of None": [None, None],
    "ragged lists": [[1.0], [1.0, 2.0]],
    "complex numbers": [1j, 2j],
    "complex objects": np.array([1j, 2.0], dtype=object),
    "a long number": [10**400, 1],
    "an object": {"a": 1},
}

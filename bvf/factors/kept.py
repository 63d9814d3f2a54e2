"""An analysis of factors that was printed as JSON, read again."""

from pathlib import Path

from pydantic import ValidationError

from bvf.errors import BvfError
from bvf.factors.run import FactorsResult
from bvf.files.parsing import is_file, parse_json, read_text

AS_PRINTED = "it takes a file that `bvf factors analyse TABLE --factors FILE --format json` has printed"


def read_factors(file: Path) -> FactorsResult:
    """Return the analysis that a file holds; one without a title has the name of its file.

    Raises:
        BvfError: It is no file, or holds something else.
    """
    if not is_file(file):
        raise BvfError(f"{file}: no file", AS_PRINTED)
    raw = parse_json(read_text(file), str(file))
    try:
        analysis = FactorsResult.model_validate(raw)
    except ValidationError as error:
        raise BvfError(f"{file}: no analysis of factors", AS_PRINTED) from error
    return analysis if analysis.title else analysis.model_copy(update={"title": file.stem})

"""Checks that a licence is named as lists of licences and hubs know it."""

from bvf.errors import BvfError, shortened

KNOWN_NAMES = "write its SPDX identifier, such as CC-BY-4.0 or Apache-2.0 (https://spdx.org/licenses)"


def checked_licence(text: str, where: str) -> str:
    """Return an SPDX expression in its usual spelling.

    >>> checked_licence("cc-by-sa-4.0 and mit", "--licence")
    'CC-BY-SA-4.0 AND MIT'

    Raises:
        BvfError: It is none; the message begins with ``where``.
    """
    from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

    try:
        return str(canonicalize_license_expression(text))
    except InvalidLicenseExpression as error:
        raise BvfError(f'{where} is "{shortened(text)}", which names no known licence', KNOWN_NAMES) from error

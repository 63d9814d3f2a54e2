"""A licence as the header of a data card and as an address."""

ON_HUB = """
afl-3.0 agpl-3.0 apache-2.0 artistic-2.0 bsd-2-clause bsd-3-clause bsd-3-clause-clear bsl-1.0 cc-by-2.0 cc-by-2.5
cc-by-3.0 cc-by-4.0 cc-by-nc-2.0 cc-by-nc-3.0 cc-by-nc-4.0 cc-by-nc-nd-3.0 cc-by-nc-nd-4.0 cc-by-nc-sa-2.0
cc-by-nc-sa-3.0 cc-by-nc-sa-4.0 cc-by-nd-4.0 cc-by-sa-3.0 cc-by-sa-4.0 cc0-1.0 cdla-permissive-1.0 cdla-permissive-2.0
cdla-sharing-1.0 ecl-2.0 epl-1.0 epl-2.0 etalab-2.0 eupl-1.1 gpl-2.0 gpl-3.0 isc lgpl-2.1 lgpl-3.0 lppl-1.3c mit
mpl-2.0 ms-pl ncsa ofl-1.1 osl-3.0 postgresql unlicense wtfpl zlib
"""
"""Licences that the Hugging Face hub names as SPDX does, in lower case."""
OTHERWISE_ON_HUB = {"odbl-1.0": "odbl", "odc-by-1.0": "odc-by", "pddl-1.0": "pddl", "c-uda-1.0": "c-uda"}


def licence_header(licence: str) -> dict[str, str]:
    """Return a licence, an SPDX expression, as the header of a card on the hub has it.

    >>> licence_header("CC-BY-SA-4.0"), licence_header("ODbL-1.0")
    ({'license': 'cc-by-sa-4.0'}, {'license': 'odbl'})
    >>> licence_header("OGL-UK-3.0")["license_name"]
    'ogl-uk-3.0'
    """
    name = licence.lower()
    if name in ON_HUB.split() or name in OTHERWISE_ON_HUB:
        return {"license": OTHERWISE_ON_HUB.get(name, name)}
    named = {"license": "other", "license_name": name.replace(" ", "-")}
    return {**named, "license_link": licence_address(licence)} if _has_address(licence) else named


def licence_address(licence: str) -> str:
    """Return the address of a licence at SPDX; an expression of several is returned unchanged.

    >>> licence_address("CC-BY-4.0"), licence_address("MIT AND CC-BY-4.0")
    ('https://spdx.org/licenses/CC-BY-4.0.html', 'MIT AND CC-BY-4.0')
    """
    return f"https://spdx.org/licenses/{licence}.html" if _has_address(licence) else licence


def _has_address(licence: str) -> bool:
    return not any(each in licence for each in (" ", "(", "+", "LicenseRef-"))

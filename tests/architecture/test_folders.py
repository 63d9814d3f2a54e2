"""Files of folders that bvf owns are opened by one class, `bvf.files.folder.Folder`."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("analyses", "asking", "files", "measuring", "results", "running", "study")
"""Packages of the core that handle runs."""
DOOR = "files/folder.py"
DIRECT = {
    *("open", "read_text", "write_text", "read_bytes", "write_bytes", "read_table", "mkdir", "touch", "replacing"),
    *("unlink", "rename", "rmdir", "rmtree", "glob", "rglob", "iterdir", "copyfile", "scandir", "listdir"),
}
"""Functions and methods that open, list, make or delete what is at a path."""
OF_A_FOLDER = {"read_bytes", "replacing"}
"""Those that are methods of `Folder`, too. Unlike a path's, they take the name of a file."""
PAST_THE_DOOR = {
    "analyses/gate/config.py": {"read_text"},
    "asking/folders.py": {"glob"},
    "asking/model.py": {"read_bytes"},
    "files/contexts/frames.py": {"read_text"},
    "files/contexts/openings.py": {"read_text"},
    "files/contexts/origins.py": {"read_text"},
    "files/contexts/replicates.py": {"read_bytes"},
    "files/contexts/sampling.py": {"read_text"},
    "files/contexts/sets.py": {"read_bytes", "read_text"},
    "files/digests.py": {"open"},
    "files/machine.py": {"read_text"},
    "files/packages/content.py": {"open"},
    "files/packages/distributions.py": {"read_text"},
    "files/packages/models.py": {"read_text"},
    "files/parsing.py": {"iterdir", "read_bytes", "read_text"},
    "files/pictures.py": {"iterdir", "open", "read_bytes"},
    "files/table_files.py": {"read_bytes", "read_text"},
    "files/topics.py": {"read_text"},
    "files/writing.py": {"iterdir", "mkdir", "open", "replacing", "write_text"},
    "results/plugin_files.py": {"glob", "read_text"},
    "running/config.py": {"read_text"},
}
"""What still opens paths: files that the user names, of packages, and of the machine. It may only become shorter."""


def direct(source):
    """The names of direct access that a module calls."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        function = node.func if isinstance(node, ast.Call) else None
        name = getattr(function, "id", None) or getattr(function, "attr", "")
        if name in DIRECT and not (isinstance(function, ast.Attribute) and name in OF_A_FOLDER and node.args):
            found.add(name)
    return found


def test_modules_that_handle_runs_open_files_by_the_door():
    files = [file for room in ROOMS for file in sorted((ROOT / "bvf" / room).rglob("*.py"))]
    found = {str(file.relative_to(ROOT / "bvf")): direct(file.read_text()) for file in files}
    found.pop(DOOR)
    assert {name: names for name, names in found.items() if names} == PAST_THE_DOOR, "open it by `Folder`"


def test_direct_access_is_seen():
    assert direct("open(file)\nPath(x).read_text()\nos.unlink(x)\n(folder / RECORD).read_bytes()") == {
        "open", "read_text", "unlink", "read_bytes",
    }  # fmt: skip
    assert direct("folder.read_bytes(name)\nfolder.replacing(name)\nfolder.write(name, text)") == set()
    assert direct("with replacing(file) as out:\n    read_bytes(file)") == {"replacing", "read_bytes"}

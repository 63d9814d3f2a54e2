"""Files of folders that bvf owns are opened by one class, `bvf.files.folder.Folder`; the rest is in ``opened.toml``."""

import ast
import re
import tomllib
from pathlib import Path

from architecture.doors import ROOT, SOURCES

DIRECT = {
    *("open", "read_text", "write_text", "read_bytes", "write_bytes", "touch", "truncate", "replacing", "in_place_of"),
    *("mkdir", "makedirs", "unlink", "rename", "renames", "rmdir", "removedirs", "rmtree", "copyfile", "copytree"),
    *("glob", "iglob", "rglob", "iterdir", "walk", "scandir", "listdir", "files_below", "symlink_to", "hardlink_to"),
    *("read_rows", "read_lists", "sha256_of", "read_table", "read_csv", "read_parquet", "read_schema", "read_metadata"),
    *("ParquetFile", "ParquetDataset", "ParquetWriter", "write_table", "memory_map", "memmap", "fromfile", "tofile"),
    *("loadtxt", "genfromtxt", "savetxt", "savez", "savefig", "to_csv", "to_parquet", "to_pickle", "ZipFile"),
    *("FileLock", "safe_open", "load_file", "save_file", "load_dataset", "from_pretrained", "snapshot_download"),
}
"""Functions and methods that open, list, make or delete what is at a path, of Python, of libraries and of bvf."""
OF_MODULES = re.compile(r"(shutil|tempfile)\.\w+|os\.(remove|replace|link|symlink)|(np|torch)\.(load|save)|pd\.read_.+")
"""Those with names that are common."""
OF_A_FOLDER = {"read_bytes", "replacing"}
"""Those that are methods of `Folder`, too. Unlike a path's, they take the name of a file."""
LISTED = tomllib.loads(Path(__file__).with_name("opened.toml").read_text("utf-8"))


def is_of_a_path(call):
    """Whether a call of a method is one of a path, by its arguments."""
    name, given = call.func.attr, len(call.args)
    return given == 1 and not call.keywords if name == "replace" else not (name in OF_A_FOLDER and given)


def direct(source):
    """The functions of direct access that a module calls, or hands to something that does."""
    nodes = list(ast.walk(ast.parse(source)))
    methods = [node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    of_others = {id(each.func) for each in methods if not is_of_a_path(each)}
    found = {"replace" for each in methods if each.func.attr == "replace" and is_of_a_path(each)}
    for node in nodes:
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load) and id(node) not in of_others:
            name, whole = getattr(node, "id", None) or node.attr, ast.unparse(node)
            found |= {name} & DIRECT or set(filter(OF_MODULES.fullmatch, [whole]))
        elif isinstance(node, ast.ImportFrom):
            found |= set(filter(OF_MODULES.fullmatch, (f"{node.module}.{alias.name}" for alias in node.names)))
    return found


def test_files_are_opened_by_the_door_or_for_a_reason():
    files = sorted({*ROOT.glob("bvf/**/*.py"), *SOURCES})
    found = {(str(file.relative_to(ROOT)), name) for file in files for name in direct(file.read_text("utf-8"))}
    of_modules = [each for modules in LISTED.values() for each in modules.items()]
    listed = {(module, name) for module, names in of_modules for name in names.split()}
    assert found - listed == set(), "open it by `Folder`; if it is below no folder of bvf, say whose in opened.toml"
    assert listed - found == set(), "take it out of opened.toml"


def test_direct_access_is_seen():
    assert direct("open(file)\nPath(x).read_text()\nos.unlink(x)\n(folder / RECORD).read_bytes()") == {
        "open", "read_text", "unlink", "read_bytes",
    }  # fmt: skip
    assert direct("folder.read_bytes(name)\nfolder.replacing(name)\nfolder.write(name, text)") == set()
    assert direct("with replacing(file) as out:\n    read_bytes(file)") == {"replacing", "read_bytes"}
    assert direct("half.replace(whole)\ntext.replace(a, b)\nreplace(run, kind=RUN)") == {"replace"}
    assert direct("list(map(read_text, files))\nall(map(Path.unlink, files))") == {"read_text", "unlink"}
    assert direct("shutil.move(a, b)\nnp.load(x)\nnames.remove(x)\nos.remove(x)\npd.read_excel(x)") == {
        "shutil.move", "np.load", "os.remove", "pd.read_excel",
    }  # fmt: skip
    assert direct("from os import remove as gone\nfrom shutil import which") == {"os.remove", "shutil.which"}

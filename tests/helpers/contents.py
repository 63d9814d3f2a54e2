"""What lies in a folder, to the last byte and to the name."""


def bytes_in(folder, *without):
    """The bytes of every file below a folder by its path there, but for those below folders of these names."""
    paths = ((file, file.relative_to(folder)) for file in sorted(folder.rglob("*")))
    return {str(path): file.read_bytes() for file, path in paths if file.is_file() and not {*without} & {*path.parts}}


def everything_in(folder):
    """The bytes of every file below a folder by its path; None for folders, pipes and links that lead nowhere."""
    return {str(each): each.read_bytes() if each.is_file() else None for each in sorted(folder.rglob("*"))}

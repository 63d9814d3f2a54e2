"""The section of a page that shows a JSON file of a plugin."""

from bvf.errors import BvfError
from bvf.interfaces.reported_file import ReportedFile
from bvf_report.page.content import Block, Part


def file_part(file: ReportedFile, number: int) -> Part:
    """Return the section with a file's pictures and tables. A sentence names pictures that cannot be drawn.

    Args:
        file: The file.
        number: Number of the file on the page, for the anchor.
    """
    blocks: list[Block] = []
    for each in file.pictures:
        try:
            blocks.append(file.picture(each))
        except BvfError as error:
            blocks.append(f"Not drawn: {error.message}.")
    return Part(f"file-{number}", f"{file.what}: {file.title}", (*blocks, *file.sections()))

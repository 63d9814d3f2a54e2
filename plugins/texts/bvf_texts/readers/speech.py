"""Takes speech in quotation marks out of a text: what somebody says is of others than the speaker."""

import re

BLANK = "\u00a6"
OPENS = re.compile(r'(?:^|(?<=[\s(\[\u2014\u2013:\u00a6-]))"(?=[^\s,.;:!?)\u2014-])')
"""A straight quotation mark that opens; others close."""
SINGLE = re.compile(r"(?<![\w'])['\u2018](?=\w)((?:[^'\u2018\n]|'(?=\w)){0,400}[,.!?\u2026])'(?!\w)")
SPEECH = re.compile(
    r"\u201c[^\u201c\u201d]*(?:\u201d|$)|^[^\u201c\u201d]*\u201d(?=\s*[a-z\u4e00-\u9fff])"
    r"|\u00ab[^\u00bb]*\u00bb|[\u300c\u300e][^\u300d\u300f]*(?:[\u300d\u300f]|$)"
)
"""Speech between marks, or to the end of the text, or from its beginning if the sentence goes on after it."""
CLOSED = re.compile(r"[\u201d\u00bb\u300d\u300f]\s*$")
WORK = re.compile("\u300a[^\u300b]*\u300b")
"""The title of a Chinese work."""
UNMARKED = dict.fromkeys(map(ord, "\u201c\u201d\u300c\u300d\u300e\u300f\u00ab\u00bb"), " ")
LETTER = re.compile(r"[^\W_]")


def without_speech(text: str, speaker: re.Pattern[str]) -> str:
    """Return a text with blanks in place of speech but for what `speaker` finds in it. The length stays.

    A text that is one closed speech from end to end is read without its marks: so models put an answer into them.
    """

    def blanked(match: re.Match[str]) -> str:
        kept = list(match[0].translate(UNMARKED)) if (found := speaker.search(match[0])) else []
        begin, end = found.span() if found else (0, 0)
        return BLANK * begin + "".join(kept[begin:end]) + BLANK * (len(match[0]) - end)

    curled = OPENS.sub("\u201c", SINGLE.sub("\u201c\\1\u201d", text)).replace('"', "\u201d")
    marked = WORK.sub(lambda each: BLANK * len(each[0]), curled)
    left = SPEECH.sub(blanked, marked)
    return left if LETTER.search(left) or not CLOSED.search(marked) else marked.translate(UNMARKED)

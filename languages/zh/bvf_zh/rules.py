"""Chinese wording: classifiers, full-width punctuation, no spaces between words, and one of the two scripts."""

import re
from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files

from bvf import BvfError, Prompt, Template
from bvf.files import LanguageInFiles, parse_toml, read_text

CONVERT = "convert one of them: pip install opencc; opencc -c t2s.json -i FILE -o SIMPLIFIED"
OTHER_SCRIPT = "in traditional characters, which the miner does not read (opencc -c t2s.json converts them)"
SHOWN = 5
CLAUSE = "已经……"
"""The text right of a ``[Y]`` that is a subject, so that models that read it do not take the word for an object.

It means *already*, and fits every verb and every word of a person.
"""
WIDE = "\u3000-\u303f\u4e00-\u9fff\uff00-\uffef”’…"
SPACE = re.compile(rf"(?<=[{WIDE}]) +(?=[{WIDE}\[])|(?<=\]) +(?=[{WIDE}])")
HALF_WIDTH = re.compile(rf"(?<=[{WIDE}\]])[,.:;?!](?![0-9A-Za-z]) *")
FULL_WIDTH = str.maketrans(",.:;?!", "，。：；？！", " ")
SLOT = re.compile(r"\[([^\[\]]+)\]")
STOPS = ("。", "…")
YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?=年)")
LATIN = re.compile(r"[0-9A-Za-z]")
NUMBER = "一二两兩三四五六七八九十百千万萬几幾数數多半0-9"
CLASSIFIER = re.compile(
    rf"(?P<there_is>有?)(?P<determiner>[这這那哪某每各另同]?第?[{NUMBER}]*)(?P<classifier>[位名个個])\[X\]"
)
# Endings and beginnings of groups without classifier: plurals, and groups that already have a determiner.
COLLECTIVE = ("们", "人群", "群体", "大众", "民众", "公众", "夫妇", "夫妻", "父母", "双方", "师生")
OWN_DETERMINER = re.compile(
    rf"[这那每各]|[{NUMBER}]+[些位名个种群]|某|该|所有|全体|一些|许多|很多|多数|大多数|其他|[我你他她]们?的"
)
# Endings of groups that 位, which honours, does not fit; of those that only 个 fits; and of groups of things.
NOT_HONOURED = (
    *("犯", "凶手", "嫌疑人", "小偷", "贼", "强盗", "海盗", "土匪", "绑匪", "劫匪", "骗子", "贩子", "流氓", "混混"),
    *("恶棍", "歹徒", "暴徒", "匪徒", "叛徒", "赌徒", "恐怖分子", "杀手", "酒鬼", "瘾君子", "乞丐"),
)
ONLY_GENERAL = (
    *("孩子", "小孩", "婴儿", "娃娃", "男孩", "女孩", "男孩儿", "女孩儿", "小伙子", "姑娘", "丫头", "家伙", "傻瓜"),
    *("笨蛋", "坏蛋", "混蛋", "胖子", "瘦子", "矮子", "疯子", "傻子", "瞎子", "聋子", "哑巴", "男人", "女人", "坏人"),
)
TRADITIONAL = str.maketrans("个只", "個隻")
"""Classifiers that are written in another way in traditional characters."""
ANYBODY = "人"
NO_PERSON = {
    "家": ("公司", "企业", "银行", "医院", "工厂", "商店", "超市", "酒店", "餐厅", "报社", "电视台", "机构"),
    "所": ("学校", "大学", "中学", "小学", "学院", "幼儿园", "监狱"),
    "座": ("城市", "山", "桥", "岛", "教堂", "寺庙", "清真寺"),
    "支": ("军队", "部队", "球队", "乐队", "团队"),
    "只": ("狗", "猫", "鸟", "鸡", "羊", "老虎", "猴子"),
    "个": ("国家", "国", "省", "县", "村", "镇", "民族", "部门", "组织", "政府", "家庭"),
}


def traditional_in(text: str) -> str:
    """Return the characters of a text that are traditional and not simplified ones.

    >>> traditional_in("這位[X]說"), traditional_in("这位[X]说"), traditional_in("著名的作者")
    ('這說', '', '')
    """
    return "".join(filter(_characters("traditional").__contains__, text))


def refuse_two_scripts(template: str, group: str) -> None:
    """Raise `BvfError` if a template and a group together have characters of both scripts."""
    text = template + group
    traditional = traditional_in(text)
    if not traditional:
        return
    simplified = "".join(filter(_characters("simplified").__contains__, text))
    if simplified:
        message = f'the template "{template}" with the group "{group}" has traditional characters'
        raise BvfError(f"{message} ({traditional[:SHOWN]}) beside simplified ones ({simplified[:SHOWN]})", CONVERT)


def simplified(text: str) -> str:
    """Return a text with its traditional characters replaced one by one, enough to recognise words by their endings.

    >>> simplified("醫生們")
    '医生们'
    """
    return text.translate(_table())


@cache
def _characters(name: str) -> frozenset[str]:
    return frozenset(_lists()[name])


@cache
def _table() -> dict[int, int]:
    lists = _lists()
    return str.maketrans(lists["traditional"], lists["simplified_of_these"])


@cache
def _lists() -> dict[str, str]:
    file = files(__package__) / "scripts.toml"
    return parse_toml(read_text(file), str(file))


class Chinese(LanguageInFiles):
    """The wording rules of Chinese.

    A template is worded as for a person who is spoken of politely: ``这位[X]说[Y]``, ``一名[X]说[Y]``.
    Where 位, 名 or 个 precedes ``[X]`` directly, after a demonstrative, a number or 有, it is replaced by the
    classifier that the group needs; classifier and demonstrative are dropped if the group is a plural or has its own.
    In ``[X]说[Y]`` no group gets a classifier.

    Half-width punctuation after Chinese becomes full-width, and spaces next to Chinese are removed. The only space
    inserted is between Latin letters: ``NBA[X]`` with MVP.

    A topic and its contexts may be in traditional characters; both must be in the same script.
    """

    code = "zh"
    default_topic = "gender"
    default_model = "bundled:zh-causal"
    between_words = ""

    def render(self, template: Template, group: str) -> Prompt:
        """Fill ``[X]``, adapt its classifier, normalise punctuation and spaces, and split at ``[Y]``.

        Raises:
            BvfError: Template and group have characters of both scripts, traditional and simplified ones.
        """
        refuse_two_scripts(template.text, group)
        text = HALF_WIDTH.sub(lambda mark: mark[0].translate(FULL_WIDTH), SPACE.sub("", template.text))
        text = CLASSIFIER.sub(lambda phrase: _determined(phrase, group), text)
        left, _, right = (_filled(part, group) for part in text.partition("[Y]"))
        return Prompt(left.rstrip(), right, group, template.text, spaced=left != left.rstrip())

    def as_read(self, text: str) -> str:
        """Return a text in usual and simplified characters, full-width letters as usual ones."""
        return simplified(super().as_read(text))

    def alone(self, letters: Collection[str]) -> re.Pattern[str]:
        """Return an expression that finds words of one letter where they are in none of the longer words.

        >>> Chinese().alone("他").findall("他们说其他人和他都来")
        ['他']
        """
        parts = [each.partition(letter) for each in self.longer_words() for letter in letters if letter in each]
        inside = [f"(?!(?<={re.escape(left + letter)}){re.escape(right)})" for left, letter, right in parts]
        return re.compile(f"[{''.join(sorted(letters))}]{''.join(inside)}")

    def harmless(self, template: str) -> Mapping[str, str]:
        """Add or remove the full stop (of a final ellipsis remove half), or change a year to the next."""
        changed = {
            "stop": template[:-1] if template.endswith(STOPS) else f"{template}。",
            "year": YEAR.sub(lambda year: str(int(year[0]) + 1), template),
        }
        return {swap: text for swap, text in changed.items() if text != template}

    def phrase(self, pattern: str, words: Mapping[str, str]) -> str:
        """Fill a pattern such as ``"[region][gender]"``. Only two Latin words get a space between them."""
        text = ""
        for index, part in enumerate(SLOT.split(pattern)):
            piece = words[part] if index % 2 else part
            text += f"{_between(text, piece)}{piece}"
        return text


def classifier(group: str, polite: str = "位") -> str:
    """Return the classifier of a group; empty if it has none. ``polite`` is the one in the template: 位, 名 or 个.

    >>> classifier("医生"), classifier("医生", "名"), classifier("医生", "个")
    ('位', '名', '个')
    >>> classifier("小偷"), classifier("小偷", "名"), classifier("孩子"), classifier("孩子", "名")
    ('个', '名', '个', '个')
    >>> classifier("医生们"), classifier("三名医生"), classifier("大学"), classifier("大学生")
    ('', '', '所', '位')
    """
    if group.endswith(COLLECTIVE) or OWN_DETERMINER.match(group):
        return ""
    for other, endings in NO_PERSON.items():
        if group.endswith(endings):
            return other
    if group == ANYBODY or group.endswith(ONLY_GENERAL) or (polite == "位" and group.endswith(NOT_HONOURED)):
        return "个"
    return polite


def _determined(phrase: re.Match[str], group: str) -> str:
    """The matched phrase (``这位[X]``) with the group's classifier, or bare ``[X]`` for groups without one."""
    if not phrase["there_is"] + phrase["determiner"]:
        return phrase[0]
    fitting = classifier(simplified(group), simplified(phrase["classifier"]))
    if traditional_in(phrase.string + group):
        fitting = fitting.translate(TRADITIONAL)
    return f"{phrase['there_is']}{phrase['determiner'] + fitting if fitting else ''}[X]"


def _filled(text: str, group: str) -> str:
    filled, *behind = text.split("[X]")
    for part in behind:
        filled += f"{_between(filled, group)}{group}{_between(group, part)}{part}"
    return filled


def _between(left: str, right: str) -> str:
    """A space if both neighbours are Latin letters or digits, else empty."""
    return " " if LATIN.match(left[-1:]) and LATIN.match(right[:1]) else ""

"""Words that join Chinese clauses, and the relation that each expresses.

Links begin the later clause, openers precede the earlier one or follow its subject, times end it.
"""

LINKS = {
    **dict.fromkeys(("因为", "由于", "是因为", "只因", "只因为"), "cause"),
    **dict.fromkeys(("所以", "因此", "于是", "结果"), "result"),
    **dict.fromkeys(("但是", "但", "可是", "可", "然而", "不过", "只是"), "contrast"),
    **dict.fromkeys(("虽然", "尽管", "即使"), "concession"),
    **dict.fromkeys(("如果", "要是", "除非", "只要", "否则"), "condition"),
    **dict.fromkeys(("而且", "并且", "同时", "甚至", "何况", "况且", "其实"), "addition"),
    **dict.fromkeys(("好像", "似乎", "仿佛"), "seeming"),
    **dict.fromkeys(("直到", "然后", "后来"), "time"),
}
OPENERS = {
    **dict.fromkeys(("虽然", "虽", "尽管", "即使", "无论", "不管"), "concession"),
    **dict.fromkeys(("如果", "要是", "假如", "倘若", "既然", "只要", "除非", "一旦"), "condition"),
    **dict.fromkeys(("因为", "由于"), "cause"),
    **dict.fromkeys(("当", "等", "自从", "每当"), "time"),
}
TIMES = ("的时候", "时候", "时", "后", "以后", "之后", "之前", "以前")
PEOPLE = ("我们", "我", "你们", "你", "大家", "人家", "别人", "咱们", "记者", "警方")
SPOUSES = (
    *("女人", "男人", "妻子", "丈夫", "老婆", "老公", "太太", "夫人", "媳妇", "男友", "女友", "男朋友", "女朋友"),
    *("前妻", "新娘", "未婚妻", "未婚夫"),
)

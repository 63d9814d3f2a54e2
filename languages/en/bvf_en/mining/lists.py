"""Lists of English words that decide which dependents of a predicate are kept or must be kept."""


def listed(words: str) -> tuple[str, ...]:
    """Split a string of space-separated words."""
    return tuple(words.split())


DETERMINERS = listed("the a an some any no every each another this that these those")
OTHER_DETERMINERS = listed("all both half such many much either neither several few")
DIRECTIONS = listed("""
    back away home out up down off in forward abroad together aside over here there upstairs downstairs ahead apart
    outside inside on along around round through by
""")
PLAIN_OBJECTS = listed("it them me us you something nothing everything anything this that one")
PEOPLE = listed("someone everyone anyone somebody everybody anybody nobody others")
ARGUMENTS = listed("obj iobj obl xcomp advmod compound")
COMPARED = listed("than as like unlike")
KEPT_DEGREES = listed("so too more less most least")
DEGREES = listed("as such enough rather how no any")
COMPARING = listed("as such same so too more less fewer enough")
LINKING = listed("look sound seem smell taste feel appear")
TIMES = listed("quarter quarters half time times hundred thousand million dozen")
PARTS = listed("""
    kind sort lot number pair piece bit couple variety deal part side end member one all most rest series group set
    amount type way point degree
""")
MEASURES = listed(
    "second minute hour day night week fortnight month year mile foot inch yard pound dollar step pace moment"
)
MANNERS = listed("""
    manner fashion tone voice style mood form state condition sense position mind respect depth height moment level
    term circumstance proportion standard age size way frame temper spirit accent degree extent light case situation
""")
SHOWING = listed("look sound seem appear")
NAMES_AND_NUMBERS = listed("PROPN NUM SYM X")
RELATIVE = listed("who whom whose which that where when why")
MODIFIERS = listed("compound amod nmod obl nummod obj")
NEEDS_OBJECT = listed("""
    make take give put bring set let keep find get have send hold use want need like love hate cause allow buy cut
    lay raise throw carry receive obtain own possess include become seem appear remain do force perceive behold
    examine mention provide produce create destroy deserve support avoid admire discover remove introduce establish
    exhibit display feel express meet seize fix lift drag snatch fling cast conceal bestow convey prevent contain
    utter furnish supply pronounce assume adopt devote detect encounter protect abandon lose notice wear enjoy
    dislike fill touch avert earn preserve offer ridicule pity praise pardon punish insult comfort console encourage
    disturb alarm surround surprise astonish please annoy amuse desire envy resent pursue attack grow enable echo
    repeat regain attribute regard describe name consider place spend lack
""")
NEEDS_NO_OBJECT_BEFORE_A_PHRASE = listed("""
    get hold grow remain lay do keep send cut appear seem become set provide name place spend care carry have let
    look figure put
""")
NEEDS_PLACE = listed("live stay remain belong dwell reside move turn arrive depend lead refer attend")
POSTURES = listed("stand sit lie lay kneel pause stop halt rest wait")
BEFORE_OR_AFTER = listed("before after since enough otherwise half next free")
PLAIN_ADVERBS = listed("""
    very quite rather again together well hard fast late early far long often alone once twice still much always now
    then just already soon sometimes also
""")
WITH_SOMEBODY = (["with"], ["for"], ["about"], ["by"], ["beside"], ["against"])
PUTTING = listed("put lay place set lean fix rest attach owe burst break")
REFUSING = listed("refuse decline fail avoid deny dislike hate cease forget")
KINDS = listed("nature kind quality sort age size character type")
OWNERS = listed("my your our their")
OWNED = listed("""
    ease leisure best acquaintance disposal behalf turn guard element ground request coming opinion content mind
    pardon life hash accord account expense
""")
NEEDS_MORE = listed("""
    intention purpose view effect exception impression hope intent aim humour humor habit act point verge process
    power danger favour favor search need charge
""")
TRAITS = listed("""
    face eye voice appearance hair figure nature look manner temper mind heart head hand mouth nose skin body smile
    way air expression complexion disposition memory opinion life taste time day night
""")
OF_SOMEBODY = listed("""
    influence age company presence care name sake help lack want case course rate cost capacity position direction
    hand expense loss idea thought sight
""")
TWO_OBJECTS = listed("""
    give tell show offer ask teach send pay grant allow deny promise award lend refuse hand leave forgive spare
    assign bring name call make elect
""")
BARE_INFINITIVE = listed("make let have see hear feel watch help find notice observe keep catch leave")
OF = listed("""
    think speak dream hear know die complain dispose approve talk boast repent tell inform remind accuse warn
    convince assure convict suspect rob deprive afraid aware sure certain fond proud ashamed tired sick full capable
    guilty conscious jealous ignorant worthy glad make beware despair consist weary find ask demand expect require
    learn write read sing smell taste disapprove cure
""")

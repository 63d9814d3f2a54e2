"""The options that say how answers are analysed, the same in every command that takes them."""

from typing import Annotated

from bvf.cli.options import option
from bvf.study.config import AnalysisConfig

Text = str | None
Texts = list[str] | None
Criterion = Annotated[Text, option("criterion", panel="Method")]
Scale = Annotated[Text, option("scale", panel="Method", metavar="unit|raw")]
Reference = Annotated[Text, option("reference", panel="Method", metavar="NAME|FILE")]
GroupWeights = Annotated[Text, option("group_weights", panel="Method", metavar="NAME|FILE")]
Words = Annotated[Texts, option("words", panel="Method", metavar="CLASS=WORD,WORD", of=AnalysisConfig)]
Margin = Annotated[Text, option("margin", panel="Method", metavar="FACTOR")]
Unit = Annotated[Text, option("unit", panel="Method", metavar="document|occurrence|template")]
Level = Annotated[float | None, option("level", panel="Method", metavar="P")]

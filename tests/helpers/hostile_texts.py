"""Names, words and texts that would run, or break a page, were they markup."""

PAYLOADS = (
    "<script>window.ran=1;alert(1)</script>",
    "</script><script>window.ran=1</script>",
    "</style><img src=x onerror=window.ran=1>",
    "\" onload=window.ran=1 x='",
    "<svg onload=window.ran=1>",
    "<a href=javascript:window.ran=1>javascript:alert(1)</a>",
    "</title></textarea></pre><iframe src=//x.example>",
    "{{ 7 * 7 }} {% raw %} ${window.ran=1}",
    "&lt;b&gt; &amp;lt; <b>",
    "\u202eright to left\u202c \u2067isolated",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 family",
    "<i>" + "long" * 75,
)

DIRECTING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

HOSTILE = [
    "$x^{", "$a$ and $b$", r"a\b\$", "one\ntwo\r\nthree", "bell\x07\x1b[31m", "\u202eright to left\u202c", "W" * 300,
    "<script>alert('&')</script>", "%s {0} #_~^", "smile \U0001f600", "half \ud800", "", " ", "-1", "e\u0301",
]  # fmt: skip

"""Writes the characters that belong to one of the two Chinese scripts: languages/zh/bvf_zh/scripts.toml.

    pip install opencc
    python languages/recipes/scripts.py > languages/zh/bvf_zh/scripts.toml

A character is traditional if OpenCC simplifies it, Big5 has it and GB 2312 has not. It is simplified if OpenCC
changes it the other way, GB 2312 has it and Big5 has not. So a character that both scripts use, such as 著 or 后,
is in neither list.
"""

from opencc import OpenCC

CHARACTERS = [chr(code) for code in range(0x4E00, 0xA000)]


def only_in(conversion: str, own: str, other: str) -> dict[str, str]:
    convert = OpenCC(conversion).convert
    changed = {each: convert(each) for each in CHARACTERS if has(own, each) and not has(other, each)}
    return {each: into for each, into in changed.items() if into != each}


def has(encoding: str, character: str) -> bool:
    try:
        return bool(character.encode(encoding))
    except UnicodeEncodeError:
        return False


if __name__ == "__main__":
    traditional = only_in("t2s", "big5", "gb2312")
    print("# Written by languages/recipes/scripts.py from OpenCC (Apache License, Version 2.0).")
    print(f'traditional = "{"".join(traditional)}"')
    print(f'simplified_of_these = "{"".join(traditional.values())}"')
    print(f'simplified = "{"".join(only_in("s2t", "gb2312", "big5"))}"')

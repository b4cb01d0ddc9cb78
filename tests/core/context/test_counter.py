"""Tokens are counted from above, for every tokenizer that was asked, and in linear time."""

from __future__ import annotations

import base64
import hashlib

import pytest

from orefactor.core.context.counter import count_tokens

PYTHON = '''\
def area(self, *, scale: float = 1.0) -> float:
    """The area in square metres."""
    if self.width < 0:
        raise ValueError(f"negative width: {self.width!r}")
    return self.width * self.height * scale
'''
NESTED = """\
class A:
    def f(self):
        for x in self.rows:
            if x:
                while True:
                    yield x
                    break
"""
PROSE = (
    "Flask depends on the Werkzeug WSGI toolkit, the Jinja template engine, and the Click CLI toolkit. Be sure to "
    "check their documentation as well as Flask's when looking for information.\n"
)
SCRIPT = (
    'function n(e,t){var r=e[t];return"function"==typeof r?r.call(e):r}'
    "!function(){for(var e=[],t=0;t<10;t++)e.push({id:t,v:t*2})}();"
)
# The most tokens that DeepSeek's, o200k_base, cl100k_base and Llama 3's vocabulary make of it, and how far it may go.
COUNTED = {
    "python": (PYTHON, 58, 1.35),
    "nested": (NESTED, 31, 1.35),
    "capitals": (
        "MAX_RETRY_COUNT = 5\nDEFAULT_TIMEOUT_SECONDS = 30\nHTTP_STATUS_UNPROCESSABLE_ENTITY = 422\n",
        34,
        1.5,
    ),
    "minified": (SCRIPT, 53, 1.35),
    "prose": (PROSE, 40, 1.6),
    "table": (
        "| option | meaning |\n| --- | --- |\n| `--json` | print the result as JSON |\n| `-q`, `-v` | less, more |\n",
        36,
        1.4,
    ),
    "titles": ("Installation\n============\n\nSteps\n-----\n\n- one\n- two\n", 16, 1.6),
    "base64": (
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        56,
        1.6,
    ),
    "hexadecimal": ("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", 35, 1.6),
    "digits": ("3.14159265358979, 2718281828, 0x7f, 1_000_000, 127.0.0.1:8080", 38, 1.6),
    "marks": ("!@#$%^&*()_+-=[]{}|;:'\",.<>/?`~\\!!~~??<>><", 27, 1.6),
    "chinese": ("在这个项目里，我们要把所有的函数都加上文档字符串，并且不改变它们的行为。", 33, 3.0),
    "japanese": ("このモジュールは、モデルがコードを安全に書き換えられるようにします。", 33, 2.5),
    "korean": ("이 모듈은 모델이 코드를 안전하게 고칠 수 있도록 작업 트리를 사용합니다.", 34, 3.0),
    "russian": ("Этот модуль добавляет строки документации ко всем функциям и не меняет их поведения.", 30, 3.0),
    "emoji": ("👩🏽‍🚀🚀✨🎉👨‍👩‍👧‍👦🏳️‍🌈", 46, 1.8),
    "accents": ("Größe übermäßig naïve façade œuvre Ærøskøbing", 19, 2.5),
    "signs": ("→ ≤ ≥ ≠ … — “quotes” • × ÷", 14, 3.0),
    "spaces": (" " * 300, 3, 3.0),
    "empty-lines": ("\n" * 200, 13, 1.5),
    "tabs": ("\tif x:\n\t\treturn\n" * 10, 60, 1.5),
    "windows": ("a = 1\r\nb = 2\r\nif a:\r\n    c = 3\r\n", 24, 1.5),
    "control": ("\x00\x01\x1b[31mred\x1b[0m\x7f", 12, 1.5),
}


@pytest.mark.parametrize(("text", "most", "ratio"), COUNTED.values(), ids=COUNTED.keys())
def test_the_count_is_above_every_real_one(text: str, most: int, ratio: float) -> None:
    assert most <= count_tokens(text) <= most * ratio


@pytest.mark.parametrize(
    ("text", "count"),
    [
        pytest.param("", 0, id="nothing"),
        pytest.param("a", 1, id="letter"),
        pytest.param("\t", 2, id="tab"),
        pytest.param("\udc80", 4, id="half-a-pair"),
        pytest.param("AbcXy", 4, id="hump"),
    ],
)
def test_the_least_texts(text: str, count: int) -> None:
    assert count_tokens(text) == count


def test_chance_is_dear() -> None:
    noise = base64.b64encode(b"".join(hashlib.sha256(bytes([seed])).digest() for seed in range(200))).decode()
    assert count_tokens(noise) > 0.7 * len(noise)


@pytest.mark.parametrize("text", ["a", "Ab", "=", "=-", " ", "\n", "7", "é", "字", "\r", " \r", "\n "], ids=ascii)
def test_a_long_run_costs_as_much_as_its_parts(text: str) -> None:
    """Each part is counted by itself, so the whole takes time in proportion."""
    whole, parts = count_tokens(text * 40_000), 100 * count_tokens(text * 400)
    assert 0.5 * parts <= whole + 200 <= 1.2 * parts + 400

"""First lines of docstrings, from names."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from ruff import find_ruff_bin

from orefactor.core.recipes.docstring_facts import ClassFacts, FunctionFacts, Parameter
from orefactor.core.recipes.magic_methods import SUMMARIES
from orefactor.core.recipes.summaries import class_summary, function_summary, module_summary
from orefactor.core.recipes.word_lists import VERB_FORMS, VERBS
from orefactor.core.recipes.wording import noun, with_article, words_of

X = (Parameter("source_text"),)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("parse_header", ["parse", "header"]),
        ("HttpClient", ["HTTP", "client"]),
        ("HTTPServerError", ["HTTP", "server", "error"]),
        ("user_ids", ["user", "IDs"]),
        ("visit_FunctionDef", ["visit", "function", "def"]),
        ("MAX_SIZE", ["max", "size"]),
        ("sha256_sum", ["SHA", "256", "sum"]),
        ("__private_", ["private"]),
        ("grüße", ["grüße"]),
        ("XMLs", ["XMLs"]),
        ("_", []),
    ],
)
def test_names_are_split(name: str, words: list[str]) -> None:
    assert words_of(name) == words


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("user_by_name", "the user by the name"),
        ("user_by_id", "the user by ID"),
        ("src_dir", "the source directory"),
        ("all_items", "all items"),
        ("load_and_save", "the load and save"),
    ],
)
def test_nouns(name: str, phrase: str) -> None:
    assert noun(words_of(name)) == phrase


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("HttpClient", "an HTTP client"),
        ("UserList", "a user list"),
        ("HourGlass", "an hour glass"),
        ("Settings", "the settings"),
        ("UninstalledPackage", "an uninstalled package"),
        ("Process", "a process"),
        ("", "the"),
    ],
)
def test_articles(name: str, phrase: str) -> None:
    assert with_article(words_of(name)) == phrase


@pytest.mark.parametrize(
    ("facts", "summary"),
    [
        (FunctionFacts("get_user", result="value"), "Return the user."),
        (FunctionFacts("get_user"), "Get the user."),
        (FunctionFacts("parse_header"), "Parse the header."),
        (FunctionFacts("load_from_file"), "Load from the file."),
        (FunctionFacts("wait_for", parameters=X), "Wait for the source text."),
        (FunctionFacts("wait_for"), "Wait for."),
        (FunctionFacts("cleanup"), "Clean up."),
        (FunctionFacts("serialise_data"), "Serialize the data."),
        (FunctionFacts("frobnicize", parameters=X), "Frobnicize the source text."),
        (FunctionFacts("area", result="value"), "Return the area."),
        (FunctionFacts("area"), "Handle the area."),
        (FunctionFacts("lines", yields=True), "Yield the lines."),
        (FunctionFacts("_"), "Handle the value."),
        (FunctionFacts("load", parameters=(Parameter("args", "*"),)), "Load the arguments."),
        (FunctionFacts("load", parameters=(Parameter("__"), Parameter("x"))), "Load the value."),
        (FunctionFacts("is_valid", parameters=X), "Return whether the source text is valid."),
        (FunctionFacts("is_valid"), "Return whether it is valid."),
        (FunctionFacts("has_parent", "method", "TreeNode"), "Return whether the tree node has a parent."),
        (FunctionFacts("has_items", "method", "TreeNode"), "Return whether the tree node has items."),
        (FunctionFacts("has_changed", "method", "TreeNode"), "Return whether the tree node has changed."),
        (FunctionFacts("locked", "method", "Lock", result="value"), "Return whether the lock is locked."),
        (FunctionFacts("locked", "method", "Lock"), "Handle the locked."),
        (FunctionFacts("close", "method", "HttpClient"), "Close the HTTP client."),
        (FunctionFacts("close", "method", "AVeryLongNameOfAClass"), "Close the instance."),
        (FunctionFacts("add", "method", "Cart", parameters=X), "Add the source text."),
        (FunctionFacts("get", "method", "Cart", parameters=X), "Get the value for the source text."),
        (FunctionFacts("get", "method", "Cart", result="value"), "Return the value."),
        (FunctionFacts("from_json", "classmethod", "Cart"), "Create an instance from JSON."),
        (FunctionFacts("from_text"), "Create a value from text."),
        (FunctionFacts("to_dict", "method", "Cart"), "Convert the cart to a dictionary."),
        (FunctionFacts("to_json", "method", "Cart"), "Convert the cart to JSON."),
        (FunctionFacts("celsius_to_fahrenheit"), "Convert celsius to fahrenheit."),
        (FunctionFacts("with_name", "method", "Cart"), "Return a copy with the name."),
        (FunctionFacts("on_click", "method", "Cart"), "Handle the click event."),
        (FunctionFacts("new_cart"), "Create a new cart."),
        (FunctionFacts("test_empty_input"), "Test empty input."),
        (FunctionFacts("main"), "Run the program."),
        (FunctionFacts("setUp", "method", "CartTest"), "Prepare each test."),
        (FunctionFacts("cart", decorators=("fixture",)), "Provide the cart."),
        (FunctionFacts("open_cart", decorators=("contextmanager",)), "Open the cart."),
        (FunctionFacts("__init__", "method", "HttpClient"), "Initialize the HTTP client."),
        (FunctionFacts("__len__", "method", "Cart"), "Return the number of items."),
        (
            FunctionFacts("__radd__", "method", "Cart"),
            "Return the sum of the other operand and the instance.",
        ),
        (FunctionFacts("area", "property", "Cart"), "The area."),
        (FunctionFacts("closed", "property", "Cart", annotation="bool"), "Whether the cart is closed."),
        (FunctionFacts("is_open", "property", "Cart"), "Whether the cart is open."),
        (FunctionFacts("area", "setter", "Cart"), "Set the area."),
        (FunctionFacts("area", "deleter", "Cart"), "Delete the area."),
    ],
)
def test_functions(facts: FunctionFacts, summary: str) -> None:
    assert function_summary(facts) == summary


@pytest.mark.parametrize(
    ("facts", "summary"),
    [
        (ClassFacts("HttpClient"), "An HTTP client."),
        (ClassFacts("ConfigError", ("Exception",)), "A configuration error."),
        (ClassFacts("UserNotFound", ("LookupError",)), "A user not found error."),
        (ClassFacts("TestParser"), "Tests of the parser."),
        (ClassFacts("ParserTests", ("unittest.TestCase",)), "Tests of the parser."),
        (ClassFacts("Tests", ("TestCase",)), "Tests of the module."),
        (ClassFacts("LoggingMixin"), "A mixin for the logging."),
        (ClassFacts("Meta"), "The metadata of the class."),
        (ClassFacts("Config"), "The configuration of the class."),
        (ClassFacts("_"), "A value."),
    ],
)
def test_classes(facts: ClassFacts, summary: str) -> None:
    assert class_summary(facts) == summary


@pytest.mark.parametrize(
    ("path", "kinds", "summary"),
    [
        ("a/geometry.py", (True, True), "Classes and functions for geometry."),
        ("http_client.py", (True, False), "Classes for HTTP client."),
        ("constants.py", (False, False), "Definitions for constants."),
        ("src/shop/__init__.py", (False, False), "The shop package."),
        ("__init__.py", (False, False), "The package."),
        ("shop/__main__.py", (False, False), "Run the shop package as a program."),
        ("tests/conftest.py", (False, True), "Fixtures for the tests."),
        ("tests/test_cart.py", (False, True), "Tests of the cart."),
        ("cart_test.py", (False, True), "Tests of the cart."),
    ],
)
def test_modules(path: str, kinds: tuple[bool, bool], summary: str) -> None:
    assert module_summary(path, has_classes=kinds[0], has_functions=kinds[1]) == summary


def test_every_verb_and_special_method_is_in_the_imperative_mood(tmp_path: Path) -> None:
    verbs = [FunctionFacts(f"{verb}_it") for verb in sorted({*VERBS, *VERB_FORMS})]
    special = [FunctionFacts(name, "method", "Cart") for name in SUMMARIES]
    texts = [
        f'def f{place}():\n    """{function_summary(facts)}"""\n' for place, facts in enumerate([*verbs, *special])
    ]
    module = tmp_path / "module.py"
    module.write_text("".join(texts), encoding="utf-8")
    command = [find_ruff_bin(), "check", "--isolated", "--no-cache", "--output-format", "json"]
    command += ["--select", "D400,D401,D403,D415", str(module)]
    found = subprocess.run(command, capture_output=True, check=False)
    assert [message["message"] for message in json.loads(found.stdout)] == []

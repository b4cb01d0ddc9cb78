"""The recipe `annotations`: type hints that follow from the code alone.

Return types are ruff's inference. Parameters get one where the default is a `bool`, `str` or `bytes` literal
and the body shows no sign that anything else may come: neither a None nor another type that it would have to
tell apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from .base import Options, Phrase, Recipe
from .python_source import DEFINITIONS, name_of, parse, prefix_of, text_of
from .ruff_process import fix

_RETURN_RULES = ("ANN201", "ANN202", "ANN204", "ANN205", "ANN206")
_BUILTIN_TYPES = frozenset({"bool", "bytes", "complex", "float", "int", "str"})
_PYTHON_2 = frozenset({"print_statement", "exec_statement"})
_COMPARISONS = frozenset({"comparison_operator", "binary_operator"})
_OTHER_LITERALS = frozenset({"none", "integer", "float", "true", "false"})
_ASKS_TYPE = frozenset({"isinstance", "type", "callable", "hasattr"})


def annotate(text: str, options: Options) -> str:
    """Add type hints.

    Returns:
        The new text; the same text where it has syntax errors, is Python 2, or gives a built-in type's name
        another meaning, so that a hint would be evaluated as something else.
    """
    root = parse(text)
    if root is None or not _is_safe(root):
        return text
    return fix(_annotate_parameters(text, root), options, _RETURN_RULES, unsafe=True)


def _is_safe(root: Node) -> bool:
    return not any(node.type in _PYTHON_2 or _binds_builtin(node) for node in _all_nodes(root))


def _all_nodes(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(node.children)


def _binds_builtin(node: Node) -> bool:
    if node.type in DEFINITIONS:
        return name_of(node) in _BUILTIN_TYPES
    if node.type == "assignment":
        return text_of(node.children[0]) in _BUILTIN_TYPES
    if node.type in ("import_from_statement", "aliased_import"):
        names = node.children_by_field_name("name") + node.children_by_field_name("alias")
        return any(text_of(name) in _BUILTIN_TYPES for name in names)
    return False


def _annotate_parameters(text: str, root: Node) -> str:
    source = text.encode("utf-8", "surrogatepass")
    hints = sorted(_hints(root))
    for start, end, written in reversed(hints):
        source = source[:start] + written.encode() + source[end:]
    return source.decode("utf-8", "surrogatepass")


def _hints(root: Node) -> Iterator[tuple[int, int, str]]:
    """The gap between each parameter's name and its default, with what to write there."""
    for function in _all_nodes(root):
        parameters = function.child_by_field_name("parameters")
        body = function.child_by_field_name("body")
        if function.type != "function_definition" or parameters is None or body is None:
            continue
        if any(_is_type_comment(child) for child in [*function.children, *parameters.children]):
            continue  # hints in both forms would contradict each other
        doubtful = set(_doubtful_names(body))
        for child in parameters.named_children:
            hint = _hint(child, doubtful)
            if hint is not None:
                yield hint


def _is_type_comment(node: Node) -> bool:
    return node.type == "comment" and text_of(node).lstrip("# ").startswith("type:")


def _hint(parameter: Node, doubtful: set[str]) -> tuple[int, int, str] | None:
    name, value = parameter.child_by_field_name("name"), parameter.child_by_field_name("value")
    if parameter.type != "default_parameter" or name is None or value is None or text_of(name) in doubtful:
        return None
    kind = _literal_type(value)
    return (name.end_byte, value.start_byte, f": {kind} = ") if kind else None


def _literal_type(value: Node) -> str | None:
    if value.type in ("true", "false"):
        return "bool"
    if value.type != "string":
        return None
    prefix = prefix_of(value)
    return None if prefix & {"f", "t"} else "bytes" if "b" in prefix else "str"


def _doubtful_names(body: Node) -> Iterator[str]:
    """Names that the body assigns, looks at the type of, or compares to a literal that isn't a string."""
    for node in _all_nodes(body):
        if node.type in ("assignment", "augmented_assignment", "named_expression"):
            target = node.child_by_field_name("left") or node.child_by_field_name("name")
            yield from _identifiers(target or node)
        elif node.type in ("for_statement", "for_in_clause", "as_pattern_target", "global_statement"):
            yield from _identifiers(node.child_by_field_name("left") or node)
        elif node.type in _COMPARISONS:
            operands = node.named_children
            if any(operand.type in _OTHER_LITERALS for operand in operands):
                yield from (text_of(operand) for operand in operands if operand.type == "identifier")
        elif node.type == "call" and text_of(node.children[0]) in _ASKS_TYPE:
            yield from _identifiers(node.child_by_field_name("arguments") or node)


def _identifiers(node: Node) -> Iterator[str]:
    for child in _all_nodes(node):
        if child.type == "identifier":
            yield text_of(child)


ANNOTATIONS = Recipe(
    name="annotations",
    phrases=(
        Phrase(
            r"(?:(?:add|write|insert)\s+(?:all\s+|any\s+|the\s+)?(?:missing\s+)?(?:type(?:-|\s+)(?:hints?|annotations?)|typing|annotations|"
            r"types)|annotate(?:\s+(?:the\s+|all\s+)?(?:code|functions|everything))?)",
            "Add type hints",
        ),
    ),
    examples=("add type hints",),
    description="adds type hints that follow from the code (ruff's ANN fixes, literal defaults)",
    apply=annotate,
)

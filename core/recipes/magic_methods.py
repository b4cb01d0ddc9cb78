"""What the special methods do, from Python's data model, as summaries in the imperative mood."""

from __future__ import annotations

from collections.abc import Mapping

_BINARY: Mapping[str, str] = {
    "add": "the sum of {} and {}",
    "sub": "the difference of {} and {}",
    "mul": "the product of {} and {}",
    "matmul": "the matrix product of {} and {}",
    "truediv": "the quotient of {} and {}",
    "floordiv": "the floored quotient of {} and {}",
    "mod": "the remainder of {} divided by {}",
    "divmod": "the quotient and remainder of {} and {}",
    "pow": "{} raised to {}",
    "lshift": "{} shifted left by {}",
    "rshift": "{} shifted right by {}",
    "and": "the combination of {} and {} by `&`",
    "xor": "the combination of {} and {} by `^`",
    "or": "the combination of {} and {} by `|`",
}

_UNARY: Mapping[str, str] = {
    "__abs__": "Return the absolute value.",
    "__aenter__": "Enter the asynchronous context.",
    "__aexit__": "Exit the asynchronous context.",
    "__aiter__": "Return an asynchronous iterator over the items.",
    "__anext__": "Return the next item.",
    "__await__": "Return an iterator for awaiting the instance.",
    "__bool__": "Return the truth value.",
    "__bytes__": "Return the instance as bytes.",
    "__call__": "Call the instance as a function.",
    "__class_getitem__": "Return the class specialized for the given types.",
    "__complex__": "Return the instance as a complex number.",
    "__contains__": "Return whether the instance contains the item.",
    "__copy__": "Return a shallow copy.",
    "__deepcopy__": "Return a deep copy.",
    "__del__": "Release the resources of the instance.",
    "__delattr__": "Delete the attribute.",
    "__delete__": "Delete the attribute from the instance.",
    "__delitem__": "Delete the item.",
    "__dir__": "Return the names of the attributes.",
    "__enter__": "Enter the context.",
    "__eq__": "Return whether both are equal.",
    "__exit__": "Exit the context.",
    "__float__": "Return the instance as a float.",
    "__format__": "Return the formatted text.",
    "__fspath__": "Return the path for the file system.",
    "__ge__": "Return whether the instance is greater than or equal to the other.",
    "__get__": "Return the attribute of the instance.",
    "__getattr__": "Return the attribute that wasn't found in the usual way.",
    "__getattribute__": "Return the attribute.",
    "__getitem__": "Return the item.",
    "__getnewargs__": "Return the arguments for making the instance again.",
    "__getstate__": "Return the state for pickling.",
    "__gt__": "Return whether the instance is greater than the other.",
    "__hash__": "Return the hash value.",
    "__index__": "Return the instance as an index.",
    "__init_subclass__": "Initialize a subclass.",
    "__instancecheck__": "Return whether the object counts as an instance.",
    "__int__": "Return the instance as an integer.",
    "__invert__": "Return the bitwise inverse.",
    "__iter__": "Return an iterator over the items.",
    "__le__": "Return whether the instance is less than or equal to the other.",
    "__len__": "Return the number of items.",
    "__length_hint__": "Return an estimate of the number of items.",
    "__lt__": "Return whether the instance is less than the other.",
    "__missing__": "Return the value for a missing key.",
    "__ne__": "Return whether both differ.",
    "__neg__": "Return the negated value.",
    "__new__": "Create a new instance.",
    "__next__": "Return the next item.",
    "__pos__": "Return the unchanged value.",
    "__post_init__": "Finish the initialization of the instance.",
    "__reduce__": "Return what pickling needs to make the instance again.",
    "__reduce_ex__": "Return what pickling needs to make the instance again.",
    "__repr__": "Return the representation for developers.",
    "__reversed__": "Return an iterator over the items in reverse order.",
    "__round__": "Return the rounded value.",
    "__set__": "Set the attribute of the instance.",
    "__set_name__": "Store the name that the attribute has in its class.",
    "__setattr__": "Set the attribute.",
    "__setitem__": "Set the item.",
    "__setstate__": "Restore the state from pickling.",
    "__sizeof__": "Return the size in bytes.",
    "__str__": "Return the text for people.",
    "__subclasscheck__": "Return whether the class counts as a subclass.",
    "__subclasshook__": "Return whether the class counts as a subclass.",
    "__trunc__": "Return the value truncated to an integer.",
}

_RESULT = ("the instance", "the other operand")


def _operators() -> dict[str, str]:
    found: dict[str, str] = {}
    for name, result in _BINARY.items():
        found[f"__{name}__"] = f"Return {result.format(*_RESULT)}."
        found[f"__r{name}__"] = f"Return {result.format(*reversed(_RESULT))}."
        found[f"__i{name}__"] = f"Update the instance to {result.format('itself', _RESULT[1])}."
    return found


SUMMARIES: Mapping[str, str] = {**_UNARY, **_operators()}
"""Summary by method name, `__init__` excepted, which is told from its class."""

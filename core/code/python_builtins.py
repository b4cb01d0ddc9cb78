"""The names that Python brings along, from a fixed table: what a file gives must not depend on who reads it."""

from __future__ import annotations

_TEXT = """
ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup
FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning
IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError
ModuleNotFoundError NameError NotADirectoryError NotImplemented NotImplementedError OSError OverflowError
PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError RecursionError ReferenceError
ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError
SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError
UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning WindowsError ZeroDivisionError
abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright
credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help
hex id input int isinstance issubclass iter len license list locals map max memoryview min next object oct open ord pow
print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip
apply basestring buffer cmp coerce execfile file intern long raw_input reduce reload unichr unicode xrange
True False None self cls reveal_type
__annotations__ __builtins__ __cached__ __class__ __debug__ __dict__ __doc__ __file__ __import__ __loader__ __module__
__name__ __package__ __path__ __qualname__ __spec__
"""
BUILTINS = frozenset(_TEXT.encode().split())
"""Names of every version from 2.7 to 3.14, in UTF-8; `self` and `cls` stand for what their class defines."""

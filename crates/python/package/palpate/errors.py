"""The errors of palpate. Each has the text of the Rust library: the thing, the value found and the value wanted.

>>> import palpate
>>> palpate.sphere([0, 0, 0], -1)
Traceback (most recent call last):
    ...
palpate.errors.InvalidArgumentError: radius: found -1, wanted a number greater than 0
"""


class Error(Exception):
    """An error of palpate."""


class InvalidArgumentError(Error, ValueError):
    """A value is not one of those that are wanted: a number that is not finite, an array of another shape, an unknown setting."""


class InvalidHandleError(Error, LookupError):
    """An id is of another scene, or of something that was removed."""


class UnsupportedError(Error, TypeError):
    """No detector serves the pair, or the geometry is of a kind that does not have what is asked for."""


class OutOfRangeError(Error, IndexError):
    """An index, a count or a size is out of range."""


class BusyError(Error, RuntimeError):
    """Another thread is in a call with this object, or the call comes from a callback of a call with it."""


class CallbackFailedError(Error, RuntimeError):
    """A function of the caller raised, or returned something else than is wanted; its error is the cause."""


class PanicError(Error, RuntimeError):
    """A fault of palpate was caught."""


class NotFoundError(Error, LookupError):
    """There is nothing of this name."""


class FileError(Error, OSError):
    """A file cannot be read or written, or is damaged."""

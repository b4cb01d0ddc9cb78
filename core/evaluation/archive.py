"""The files of a folder or a `.tar.gz` of a stranger's, held in memory: nothing is unpacked where its names say.

An archive is read within bounds, so that neither a name in it (absolute, with `..`, a link) nor its size does harm.
"""

from __future__ import annotations

import io
import tarfile
import zlib
from collections.abc import Mapping
from gzip import BadGzipFile, GzipFile
from pathlib import Path

from orefactor.sandbox.errors import Refused
from orefactor.sandbox.files import Root
from orefactor.sandbox.names import split

from ..errors import UserError
from .command_check import refuse

_HINT = "name the archive as it was published, or the folder that it unpacks to"
_MOST_BYTES = 128 << 20
"""Of an archive, unpacked; aider's has 6 MiB."""
_MOST_FILES = 5_000


def read_material(path: Path) -> Mapping[str, bytes]:
    """All files by their path in the folder or archive.

    Args:
        path: a folder, read through no link and without git's own files; or a tar archive, compressed with gzip.

    Raises:
        UserError: it can't be read, is too large, or is an archive with links, devices or names outside of it.
    """
    if path.is_dir():
        return _of_folder(path)
    try:
        with path.open("rb") as file, GzipFile(fileobj=file) as packed:
            data = packed.read(_MOST_BYTES + 1)
    except (BadGzipFile, EOFError, zlib.error) as error:
        raise refuse(f"`{path}` is no gzip file: {error}", _HINT) from None
    except OSError as error:
        raise UserError(f"`{path}` can't be read: {error.strerror}", hint=_HINT) from None
    if len(data) > _MOST_BYTES:
        raise refuse(f"`{path}` is larger than {_MOST_BYTES >> 20} MiB, unpacked", _HINT)
    try:
        return _of_archive(data, path)
    except (tarfile.TarError, EOFError, ValueError, OverflowError, RecursionError) as error:
        raise refuse(f"`{path}` is no archive: {error}", _HINT) from None


def _of_archive(data: bytes, path: Path) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    left = _MOST_BYTES
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for count, member in enumerate(archive):
            name = _safe_name(member, path)
            left -= max(member.size, 0)  # a sparse file is as large as it says, whatever the archive holds
            if count >= _MOST_FILES or left < 0:
                raise refuse(f"`{path}` holds too much", _HINT)
            if member.isreg():
                content = archive.extractfile(member)
                if name in found or content is None:
                    raise refuse(f"`{path}` holds `{member.name}` twice", _HINT)
                found[name] = content.read()
    return found


def _safe_name(member: tarfile.TarInfo, path: Path) -> str:
    if not (member.isreg() or member.isdir()):
        raise refuse(f"`{path}` holds `{member.name}`, which is a link or a device", _HINT)
    try:
        name = "/".join(split(member.name))
    except Refused as error:
        raise refuse(f"`{path}` holds a name that leads elsewhere: {error}", _HINT) from None
    if not name and member.isreg():
        raise refuse(f"`{path}` holds a file without a name", _HINT)
    return name


def _of_folder(path: Path) -> dict[str, bytes]:
    root = Root(path)
    found: dict[str, bytes] = {}
    left = _MOST_BYTES
    try:
        names = list(root.walk(limit=_MOST_FILES + 1))
        for name in names:
            found[name] = root.read(name).data
            left -= len(found[name])
            if len(names) > _MOST_FILES or left < 0:
                raise refuse(f"`{path}` holds too much", _HINT)
    except Refused as error:
        raise refuse(f"`{path}` can't be read: {error}", _HINT) from None
    return found

"""Where imports lead, by the spelling of paths."""

from __future__ import annotations

import pytest

from orefactor.core.relations.modules import Modules, module_name

PATHS = (
    "app.py", "json.py", "src/geo/__init__.py", "src/geo/shapes.py", "src/geo/json/__init__.py", "src/geo/stubs.pyi",
    "src/geo/deep/__init__.py", "src/geo/deep/more.py", "lib/geo/shapes.py", "vendor/types.py", "space/inner/one.py",
    "tests/conftest.py", "tests/helper.py", "tests/types.py", "tests/test_app.py", "tools/geo.py",
    "web/index.js", "web/area.ts", "web/area.css", "web/lib/index.tsx", "web/lib/side.mjs",
    "c/area.h", "c/area.c", "c/sub/area.h", "go/geo/a.go", "go/geo/b.go", "go/geo/a.py", "rs/src/geo/mod.rs",
    "rs/src/geo/shapes.rs", "java/com/acme/Square.java",
)  # fmt: skip


@pytest.mark.parametrize(
    ("module", "importer", "found"),
    [
        ("geo", "src/geo/shapes.py", ["src/geo/__init__.py"]),
        ("geo.shapes", "tests/test_app.py", ["src/geo/shapes.py"]),
        ("geo.shapes", "lib/x.py", ["lib/geo/shapes.py"]),
        ("geo.shapes", "src/geo/deep/more.py", ["src/geo/shapes.py"]),
        ("geo.stubs", "app.py", ["src/geo/stubs.pyi"]),
        ("geo.json", "app.py", ["src/geo/json/__init__.py"]),
        ("json", "src/geo/shapes.py", ["json.py"]),
        ("types", "src/geo/shapes.py", []),
        ("types", "tests/test_app.py", ["tests/types.py"]),
        ("helper", "tests/test_app.py", ["tests/helper.py"]),
        ("inner.one", "app.py", ["space/inner/one.py"]),
        ("one", "app.py", ["space/inner/one.py"]),
        ("more", "app.py", []),
        ("numpy", "app.py", []),
        ("geo.lost", "app.py", []),
        ("", "app.py", []),
        (".", "src/geo/shapes.py", ["src/geo/__init__.py"]),
        (".shapes", "src/geo/__init__.py", ["src/geo/shapes.py"]),
        ("..shapes", "src/geo/deep/more.py", ["src/geo/shapes.py"]),
        ("..", "src/geo/deep/more.py", ["src/geo/__init__.py"]),
        (".helper", "tests/test_app.py", ["tests/helper.py"]),
        (".json", "app.py", ["json.py"]),
        ("....json", "src/geo/shapes.py", []),
        ("." * 100_000, "src/geo/shapes.py", []),
        ("./area", "web/index.js", ["web/area.ts"]),
        ("./area.css", "web/index.js", ["web/area.css"]),
        ("./lib", "web/index.js", ["web/lib/index.tsx"]),
        ("./lib/side.js", "web/area.ts", ["web/lib/side.mjs"]),
        ("../area", "web/lib/side.mjs", ["web/area.ts"]),
        ("./lost", "web/index.js", []),
        ("react", "web/index.js", []),
        ("area.h", "c/area.c", ["c/area.h", "c/sub/area.h"]),
        ("sub/area.h", "c/area.c", ["c/sub/area.h"]),
        ("stdio.h", "c/area.c", []),
        ("example.com/x/go/geo", "go/main.go", ["go/geo/a.go", "go/geo/b.go"]),
        ("fmt", "go/main.go", []),
        ("crate::geo::shapes", "rs/src/main.rs", ["rs/src/geo/shapes.rs"]),
        ("crate::geo::shapes::Square", "rs/src/main.rs", ["rs/src/geo/shapes.rs"]),
        ("crate::geo", "rs/src/main.rs", ["rs/src/geo/mod.rs"]),
        ("self", "rs/src/main.rs", []),
        ("com.acme.Square", "java/com/acme/Main.java", ["java/com/acme/Square.java"]),
        ("java.util.List", "java/com/acme/Main.java", []),
    ],
)
def test_where_an_import_leads(module: str, importer: str, found: list[str]) -> None:
    modules = Modules(PATHS)
    assert list(modules.resolve(module, importer)) == found
    assert list(modules.resolve(module, importer)) == found


@pytest.mark.parametrize(
    ("dotted", "found"),
    [
        ("geo.shapes", ["src/geo/shapes.py", "lib/geo/shapes.py", "rs/src/geo/shapes.rs"]),
        ("src.geo.json", ["src/geo/json/__init__.py"]),
        ("o.json", []),
        ("", []),
    ],
)
def test_files_by_a_modules_name(dotted: str, found: list[str]) -> None:
    modules = Modules(PATHS)
    assert list(modules.named(dotted)) == found
    assert modules.has("app.py") and not modules.has("app")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.py", "a"),
        ("src/geo/__init__.py", "src.geo"),
        ("__init__.py", ""),
        ("web/index.js", "web"),
        ("x/y.z.py", "x.y.z"),
    ],
)
def test_the_name_of_a_file_as_a_module(path: str, name: str) -> None:
    assert module_name(path) == name

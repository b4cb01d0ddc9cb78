"""The table of languages: what each row reads, and what happens where its grammar isn't there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import orefactor.core.code.languages as table
from orefactor.core.code import trees
from orefactor.core.code.languages import LANGUAGES, PYTHON, LanguageRow, row_of
from orefactor.core.code.outline import outline, render
from orefactor.core.code.symbols import FileSymbols, extract

JAVASCRIPT = """\
import React, { useState as us, memo } from "react";
import * as path from 'path';
import './side.css';
const { a, b } = require("./x");
const fs = require("fs");
export { q } from './y';
export * from './z';
/**
 * Doc of A, see REQ-7.
 */
@dec
export default class A extends ns.Base {
  constructor(x) { super(x); }
  async get(k) { return this.helper(k, MAX); }
  arrow = () => { us(); };
}
export const MAX = 5, other = 6;
// Adds.
export const add = async (x, y) => x + y;
function* gen() { const LOCAL = 1; return new A(LOCAL)?.b; }
module.exports.h = function () {};
"""
TYPESCRIPT = """\
import x = require("y");
/** Iface. */
export interface Shape<T> extends Base { area(): number; }
export type Alias = Shape<Foo> | string;
enum Color { Red, Green = 2 }
namespace N { export function inN(): void {} }
abstract class Sq<T> extends Poly<T> implements Shape { @Input() y?: string; abstract z(): void; }
export function over(a: string): Bar;
declare const D: number;
"""
GO = """\
package main

import (
	"fmt"
	m "math/rand"
)

// Pi is.
const Pi = 3

var (
	x, y int
)

type Server struct {
	Base
}
type Iface interface {
	Do(x int) error
}

// Handle does.
func (s *Server[T]) Handle(w http.ResponseWriter) error {
	local := 1
	return fmt.Errorf(s.Name, Pi, local)
}
func New[T any](x T) *Server { return &Server{} }
"""
RUST = """\
use std::collections::{HashMap, hash_map::Entry as E, self};
use crate::shapes::*;
/// Doc.
#[derive(Debug)]
pub struct Sq<T> { side: f64 }
pub enum K { A, B(i32) }
pub trait Shape: Base { const N: u32; fn area(&self) -> f64; }
impl<T> Shape for Sq<T> { fn area(&self) -> f64 { helper::sq(self.side) * PI } }
pub const PI: f64 = 3.0;
mod inner { pub fn f() {} }
macro_rules! mac { () => {} }
fn main() { mac!(); let x = Sq::new(); }
"""
JAVA = """\
package p.q;
import java.util.List;
import static a.B.c;
import x.y.*;
/** Doc. */
@Entity(name="x")
public class A<T> extends B<T> implements C, D.E {
  public static final int MAX = 1, low = 2;
  public A(int x) { super(x); }
  @Override public int get(List<Foo> z) throws Ex { return this.help(z) + new Bar().go() + Util.st(MAX); }
  interface I { void m(); }
  enum K { P, Q }
}
"""
C = """\
#include <stdio.h>
#include "a/b.h"
#define MAX 3
#define SQ(x) ((x)*(x))
struct S { int x; };
typedef struct { int a; } TD;
typedef struct S S;
typedef struct Twice { int b; } Twice;
typedef int number;
/* Doc. */
static int *ptr(void) { int local = 1; return g(local, MAX); }
int decl(int a);
static const int K = 5;
"""
CPP = """\
namespace ns {
/// Doc.
template<typename T>
class A : public B, private ns2::C<T> {
 public:
  A();
  static int f(int x) { return g(x); }
};
}
int ns::A<int>::f(int x) const { return this->h() + p->q(MAX); }
enum class E { P };
using Al = ns::A<int>;
A &operator+(A &x) { return x; }
"""
RUBY = """\
require "set"
# Doc.
module M
  class A < B::C
    MAX = 3
    include Comp
    def self.make(a) = new(a)
    def run
      helper(@x, MAX)
    end
  end
end
"""
CSHARP = """\
using System.Text;
using A = B.C;
namespace N.M {
  /// <summary>Doc.</summary>
  [Serializable]
  public class A<T> : B, IFoo<T> {
    const int MAX = 1;
    public int P { get; set; }
    [Test] public async Task<int> Get(Foo f) { return this.Help(f) + new Bar().Go(MAX); }
  }
  enum E { Q }
}
"""
PHP = """\
<?php
use C\\D as E;
use F\\{G, H};
/** Doc. */
#[Attr]
class A extends B implements C {
  const MAX = 1;
  public function get(Foo $x): int { return $this->help($x) + self::MAX; }
}
function f($a) { g($a); }
"""


def read(source: str, path: str) -> FileSymbols:
    found = extract(source.encode(), path)
    assert found is not None
    return found


CASES = [
    pytest.param("x.jsx", JAVASCRIPT, """\
        class A | method A.constructor | method A.get | method A.arrow | constant MAX | constant other | function add
        | function gen | function h""", """\
        call helper, call A, base Base, decorator dec, call us, id REQ-7, name MAX""",
        """\
        react:default=React react:useState=us react:memo=memo path:None=path ./side.css:None=side.css ./x:a=a ./x:b=b
        fs:None=fs ./y:q=q ./z:*=""", id="javascript"),
    pytest.param("x.ts", TYPESCRIPT, """\
        class Shape | method Shape.area | constant Alias | class Color | constant Color.Red | constant Color.Green
        | function N.inN | class Sq | method Sq.z | function over | constant D""", """\
        base Base, base Poly, base Shape, annotation Foo, annotation Bar, decorator Input""", "y:None=x",
        id="typescript"),
    pytest.param("x.go", GO, """\
        constant Pi | constant x | constant y | class Server | class Iface | method Iface.Do | method Server.Handle
        | function New""", "base Base, call Errorf, name Pi, annotation Server, annotation ResponseWriter",
        "fmt:None=fmt math/rand:None=m", id="go"),
    pytest.param("x.rs", RUST, """\
        class Sq | class K | constant K.A | constant K.B | class Shape | constant Shape.N | method Shape.area
        | method Sq.area | constant PI | function inner.f | function mac | function main""", """\
        decorator derive, base Base, base Shape, call sq, name PI, call mac, call new""",
        """\
        std::collections:HashMap=HashMap std::collections::hash_map:Entry=E std:collections=collections
        crate::shapes:*=""", id="rust"),
    pytest.param("x.java", JAVA, """\
        class A | constant A.MAX | method A.A | method A.get | class A.I | method A.I.m | class A.K | constant A.K.P
        | constant A.K.Q""", """\
        decorator Entity, base B, base C, base E, decorator Override, annotation Foo, call help, call Bar, call st,
        name MAX""", "java.util:List=List a.B:c=c x.y:*=", id="java"),
    pytest.param("x.c", C, """\
        constant MAX | function SQ | class S | class TD | constant S | class Twice | constant number
        | function ptr | function decl
        | constant K""", "call g, name MAX", "stdio.h:None=stdio.h a/b.h:None=b.h", id="c"),
    pytest.param("x.h", CPP, """\
        class ns.A | method ns.A.A | method ns.A.f | method ns.A.f | class E | constant E.P | constant Al
        | function operator+""", "base B, base C, call g, call h, call q, name MAX", "", id="cpp"),
    pytest.param("x.rb", RUBY, """\
        class M | class M.A | constant M.A.MAX | method M.A.make | method M.A.run""", """\
        base C, base Comp, call new, call helper, name MAX""", "set:None=set", id="ruby"),
    pytest.param("x.cs", CSHARP, """\
        class N.M.A | constant N.M.A.MAX | method N.M.A.P | method N.M.A.Get | class N.M.E | constant N.M.E.Q""", """\
        decorator Serializable, base B, base IFoo, decorator Test, call Help, call Bar, call Go, name MAX""",
        "System.Text:*= B.C:None=A", id="csharp"),
    pytest.param("x.php", PHP, "class A | constant A.MAX | method A.get | function f", """\
        decorator Attr, base B, base C, annotation Foo, call help, name MAX, call g""", "C:D=E F:G=G F:H=H", id="php"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "source", "definitions", "references", "imports"), CASES)
def test_row(path: str, source: str, definitions: str, references: str, imports: str) -> None:
    found = read(source, path)
    assert not found.broken and found.language == row_of(path).name  # type: ignore[union-attr]  # pyright: ignore
    assert " | ".join(f"{it.kind} {it.qualified_name}" for it in found.definitions) == " ".join(definitions.split())
    assert set(" ".join(references.split()).split(", ")) <= {f"{it.kind} {it.name}" for it in found.references}
    assert [f"{it.module}:{it.name}={it.alias}" for it in found.imports] == imports.split()
    functions = {definition.name for definition in found.definitions if definition.kind != "constant"}
    assert not [it for it in found.references if it.name in ("local", "LOCAL", "k") and it.kind == "call"]
    assert all(it.owner == -1 or found.definitions[it.owner].name in functions for it in found.references)


@pytest.mark.parametrize(("path", "source", "definitions", "references", "imports"), CASES)
def test_doc_comments(path: str, source: str, definitions: str, references: str, imports: str) -> None:
    del definitions, references, imports
    documented = [it.docstring for it in read(source, path).definitions if it.docstring]
    assert path == "x.ts" or [text for text in documented if "Doc" in text or text.startswith(("Pi", "Handle"))]


@pytest.mark.parametrize(
    ("path", "source", "shown"),
    [
        pytest.param("x.js", JAVASCRIPT, [
            'L11-16 @dec export default class A extends ns.Base  "Doc of A, see REQ-7."',
            "  L13-13 constructor(x)", "  L14-14 async get(k)", "  L15-15 arrow = ()",
            'L19-19 export const add = async (x, y)  "Adds."', "L20-20 function* gen()",
            "L21-21 module.exports.h = function ()",
        ], id="javascript"),
        pytest.param("x.tsx", "const A = () => <B c={d}/>;\nclass C { /* no */ m(): void {} }\n",
                     ["L1-1 const A = ()", "L2-2 class C", "  L2-2 m(): void"], id="tsx"),
        pytest.param("x.rs", RUST, [
            'L4-5 @derive(Debug) pub struct Sq<T>  "Doc."', "L6-6 pub enum K", "L7-7 pub trait Shape: Base",
            "  L7-7 fn area(&self) -> f64", "L8-8 fn area(&self) -> f64  (of Sq)", "L10-10 pub fn f()",
            "L11-11 macro_rules! mac { () => {} }", "L12-12 fn main()",
        ], id="rust"),
        pytest.param("x.go", GO, [
            "L15-17 type Server struct", "L18-20 type Iface interface", "  L19-19 Do(x int) error",
            'L23-26 func (s *Server[T]) Handle(w http.ResponseWriter) error  "Handle does."',
            "L27-27 func New[T any](x T) *Server",
        ], id="go"),
        pytest.param("x.hpp", CPP, [
            'L3-8 template<typename T> class A : public B, private ns2::C<T>  "Doc."', "  L6-6 A()",
            "  L7-7 static int f(int x)", "  L10-10 int ns::A<int>::f(int x) const", "L11-11 enum class E",
            "L13-13 A &operator+(A &x)",
        ], id="cpp"),
        pytest.param("x.md", "# A\n\ntext\n\n## B *c*\n\n# D\n", ["L1-6 # A", "  L5-6 # B c", "L7-7 # D"],
                     id="markdown"),
        pytest.param("x.md", "text\n", [], id="no-headings"),
        pytest.param("script", "#!/usr/bin/env python3\ndef f(): pass\n", ["L2-2 def f()"], id="script"),
        pytest.param("script", "#!/bin/sh\ndef f(): pass\n", [], id="no-script-of-python"),
        pytest.param("x.bin", "def f(): pass\n", [], id="unknown"),
    ],
)  # fmt: skip
def test_outline(path: str, source: str, shown: list[str]) -> None:
    text = render(outline(source.encode(), path), path)
    if shown:
        assert text.split("\n") == [path, *shown]
    else:
        assert text.startswith(f"{path}: no ") and "\n" not in text


@pytest.mark.parametrize(
    ("path", "name"),
    [("a/b.py", "python"), ("B.JS", "javascript"), ("x.h", "cpp"), ("x.c", "c"), ("x.d.ts", "typescript"),
     (".js", None), ("js", None), ("a.js/b", None), ("x.md", None), ("", None), ("x.py\udcff", None)],
)  # fmt: skip
def test_row_of(path: str, name: str | None) -> None:
    row = row_of(path)
    assert (row.name if row else None) == name


def test_table_and_queries_agree() -> None:
    files = {file.stem for file in (Path(table.__file__).parent / "queries").glob("*.scm")}
    assert files == {query for row in LANGUAGES.values() for query in row.queries}
    suffixes = [suffix for row in LANGUAGES.values() for suffix in row.suffixes]
    assert len(suffixes) == len(set(suffixes)) and all(suffix == suffix.lower() for suffix in suffixes)
    for row in LANGUAGES.values():
        assert trees.is_installed(row)
        assert extract(b"", f"x{row.suffixes[0]}") == FileSymbols(row.name, None, (), (), (), 0)


def test_a_grammar_that_is_not_there() -> None:
    for module in ("no_such_module", "no_such_package.inside", "sys.inside"):
        assert not trees.is_installed(LanguageRow("none", (".none",), module, ("none",), ("comment",)))
    assert trees.is_installed(PYTHON)


WITHOUT_THE_EXTRA = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("tree_sitter_language_pack", "tree_sitter_c_sharp"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Missing())
import orefactor.core.tools
assert not [name for name in sys.modules if name.startswith("tree_sitter")]
from orefactor.core.code.outline import outline, render
from orefactor.core.code.symbols import extract
assert extract(b"function f() {}", "x.js") is None and extract(b"class A {}", "x.cs") is None
assert extract(b"def f(): pass", "x.py").definitions
print(render(outline(b"function f() {}", "x.js"), "x.js"))
"""


def test_without_the_extra() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_THE_EXTRA], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout == (
        "x.js: no outline without the grammars of other languages; "
        "`pip install 'git-orefactor[languages]'` installs them, read_file shows the file\n"
    )

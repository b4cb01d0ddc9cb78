"""The word lists behind the wording of docstrings: what names of real code use most."""

from __future__ import annotations

from collections.abc import Mapping

_ACRONYMS_TEXT = """
aes api ascii ast aws cd cli cpu crc css csv db dns dom eof fifo ftp gid gpu gui guid hdf html http https id
ini io ip ipc jit json jwt lru md5 mime mro oauth os pcm pdf pem pid png posix ppc ram rgb rgba rpc rsa rss
sdk sha smtp sql ssh ssl svg tcp tls toml tsv tty udp ui uid uri url utc utf uuid wsgi xml yaml
"""
ACRONYMS = frozenset(_ACRONYMS_TEXT.split())
"""Written in capitals."""

_VERBS_TEXT = """
abort accept acquire activate adapt add adjust advance aggregate align allocate allow analyze append apply
archive arrange ask assemble assert assign attach authenticate authorize await balance beep begin bind block
boot bootstrap break broadcast build bump cache calculate call cancel capture cast change check choose clamp
clean cleanup clear click clip clone close coerce collapse collect combine commit compare compile complete
compose compress compute concatenate configure confirm connect construct consume convert copy count crawl
create crop cut deactivate debug decode decorate decrement decrypt deduplicate define delete deliver deploy
derive describe deserialize destroy detach detect determine diff disable discard disconnect discover
dispatch display divide do download drain draw drop dump duplicate edit eliminate emit emulate enable encode
encrypt end enqueue ensure enter enumerate erase escape estimate evaluate evict exclude execute exit expand
expect explain explore export expose extend extract feed fetch fill filter finalize find finish fire fit fix
flatten flip flush focus fold follow force fork format forward free freeze frobnicate gather generate get
give go grant greet grow guess halt handle hash hide highlight identify ignore import include increase
increment indent index infer inherit inject insert inspect install instantiate interpolate intersect
invalidate invert invoke iterate join jump keep kill launch leave limit link list listen load locate lock
log look lookup lower make map mark mask match measure merge migrate minimize mock modify monitor mount move
multiply mutate narrow negate negotiate normalize notify obtain open optimize order organize output override
overwrite pack pad paint parse partition pass paste patch pause perform persist pick ping place play plot
poll pop populate post predict prepare prepend preprocess preserve print process produce project promote
prompt propagate provide prune publish pull purge push put query quit quote raise randomize read rebuild
receive recognize reconnect record recover redirect redraw reduce refresh register reject release reload
remove rename render reorder repair repeat replace replay reply report request require reschedule reserve
reset reshape resize resolve respond restart restore resume retrieve retry return reverse revert revoke
rewind rewrite rollback rotate round route run sample sanitize save say scale scan schedule scroll search
seek select send separate serialize serve set setup shift shout show shuffle shutdown sign simplify simulate
skip sleep slice solve sort spawn specify split squash stack start step stop store stream strip submit
subscribe substitute subtract sum suspend swap switch sync synchronize take talk teardown tell terminate
test throw toggle tokenize touch trace track train transfer transform translate transpose traverse trigger
trim truncate try tune turn unescape uninstall unlink unlock unmount unpack unquote unregister unsubscribe
unwrap unzip update upgrade upload use validate verify view visit wait wake walk warn watch wrap write yield
zip zoom
"""
VERBS = frozenset(_VERBS_TEXT.split())
"""Imperatives that names begin with."""

_PREPOSITIONS_TEXT = """
and at by for from in into of on to with
"""
PREPOSITIONS = frozenset(_PREPOSITIONS_TEXT.split())
"""Words behind which a noun takes an article."""

_NO_ARTICLE_TEXT = """
a again all always any as bool both bytes dict down each else every float forever if int it list new next
not off once one only or out over ready safely self some str string text the then this tuple twice until up
when while
"""
NO_ARTICLE = frozenset(_NO_ARTICLE_TEXT.split())
"""Further words that take no article themselves."""

_QUESTIONS_TEXT = """
accepts allows are can contains did does equals exists has have includes is matches may must needs requires
should supports uses was were will
"""
QUESTIONS = frozenset(_QUESTIONS_TEXT.split())
"""Words that a yes-or-no name begins with."""

_UNCOUNTED_TEXT = """
access children content data default focus information input next output people permission text
"""
UNCOUNTED = frozenset(_UNCOUNTED_TEXT.split())
"""Nouns that take no `a`."""

_OWN_WORK_TEXT = """
begin cancel close commit connect disconnect end execute exit flush halt open pause quit refresh reload
reset restart resume rollback run shutdown start stop teardown terminate
"""
OWN_WORK = frozenset(_OWN_WORK_TEXT.split())
"""Verbs that, as a method's whole name, act on the instance."""

LONG_FORMS: Mapping[str, str] = {
    "addr": "address",
    "arg": "argument",
    "args": "arguments",
    "async": "asynchronous",
    "attr": "attribute",
    "attrs": "attributes",
    "auth": "authentication",
    "buf": "buffer",
    "cb": "callback",
    "cfg": "configuration",
    "char": "character",
    "chars": "characters",
    "cls": "class",
    "cmd": "command",
    "cnt": "count",
    "cond": "condition",
    "conf": "configuration",
    "config": "configuration",
    "conn": "connection",
    "coord": "coordinate",
    "coords": "coordinates",
    "ctx": "context",
    "cur": "current",
    "desc": "description",
    "dest": "destination",
    "dict": "dictionary",
    "dir": "directory",
    "dirs": "directories",
    "dist": "distance",
    "doc": "document",
    "docs": "documents",
    "dst": "destination",
    "elem": "element",
    "elems": "elements",
    "env": "environment",
    "err": "error",
    "exc": "exception",
    "expr": "expression",
    "fd": "file descriptor",
    "filename": "file name",
    "filenames": "file names",
    "filepath": "file path",
    "fmt": "format",
    "fn": "function",
    "fname": "file name",
    "fp": "file object",
    "func": "function",
    "idx": "index",
    "impl": "implementation",
    "info": "information",
    "init": "initial",
    "int": "integer",
    "iter": "iterator",
    "kw": "keyword",
    "kwargs": "keyword arguments",
    "kwds": "keyword arguments",
    "repr": "representation",
    "lang": "language",
    "len": "length",
    "lineno": "line number",
    "loc": "location",
    "max": "maximum",
    "meth": "method",
    "mgr": "manager",
    "min": "minimum",
    "mod": "module",
    "msg": "message",
    "msgs": "messages",
    "num": "number",
    "obj": "object",
    "objs": "objects",
    "op": "operation",
    "ops": "operations",
    "opt": "option",
    "opts": "options",
    "param": "parameter",
    "params": "parameters",
    "pkg": "package",
    "pos": "position",
    "prev": "previous",
    "proc": "process",
    "prop": "property",
    "props": "properties",
    "ptr": "pointer",
    "ref": "reference",
    "refs": "references",
    "repo": "repository",
    "req": "request",
    "res": "result",
    "resp": "response",
    "ret": "result",
    "rv": "result",
    "self": "instance",
    "sep": "separator",
    "sock": "socket",
    "spec": "specification",
    "src": "source",
    "stmt": "statement",
    "str": "string",
    "sym": "symbol",
    "temp": "temporary",
    "tmp": "temporary",
    "tz": "time zone",
    "val": "value",
    "vals": "values",
    "var": "variable",
    "vars": "variables",
}
"""What the usual abbreviations stand for."""

VERB_FORMS: Mapping[str, str] = {
    "calc": "calculate",
    "cleanup": "clean up",
    "dedupe": "deduplicate",
    "del": "delete",
    "eval": "evaluate",
    "exec": "execute",
    "gen": "generate",
    "init": "initialize",
    "initialise": "initialize",
    "lookup": "look up",
    "normalise": "normalize",
    "recv": "receive",
    "rm": "remove",
    "rollback": "roll back",
    "serialise": "serialize",
    "setup": "set up",
    "shutdown": "shut down",
    "sync": "synchronize",
    "teardown": "tear down",
}
"""Verbs that names run together, shorten, or spell the British way."""

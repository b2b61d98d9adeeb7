"""The programs of tests/run, with what their headers say of how to compile and run them (tests/src/header.rs)."""

import dataclasses
import pathlib
import re
import shlex

TESTS = pathlib.Path(__file__).resolve().parent.parent


@dataclasses.dataclass
class Program:
    name: str
    path: pathlib.Path
    text: str
    cflags: list
    args: list
    plain: bool  # it needs nothing else to be compiled, and prints what it prints without directives, on any device


def read():
    return [program(path) for path in sorted((TESTS / "run").rglob("*.c")) if ".part." not in path.name]


def program(path):
    text = path.read_text()
    lines = []
    for line in text.split("\n"):
        if not line.startswith("//"):
            break
        lines.append(line)
    header = dict(re.findall(r"^// ([a-z-]+): *(.*)$", "\n".join(lines), re.MULTILINE))
    special = {"with", "needs-clang", "env", "modes", "expect-output", "option-sets"} & set(header)
    return Program(
        str(path.relative_to(TESTS / "run"))[:-2],
        path,
        text,
        shlex.split(header.get("cflags", "")),
        shlex.split(header.get("args", "")),
        not special and '#include "' not in text,
    )

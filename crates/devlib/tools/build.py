"""Compiles src/c to src/lib.ptx with accrue itself.

    python3 tools/build.py path/to/accrue

Kernels that call every function make accrue print the functions; the kernels themselves are thrown away. Functions that
are not C's (`gamma_core`, …) get a prefix, so that no function of a user can have their names; those that are in
src/ptx/system.ptx by hand (`malloc`, …) are left out.
"""

import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.join(HERE, "..", "src", "c")
BY_HAND = os.path.join(HERE, "..", "src", "ptx", "system.ptx")
OUTPUT = os.path.join(HERE, "..", "src", "lib.ptx")
PROTOTYPE = re.compile(r"^(.*?)(__accrue_\w+)\((.*)\);$", re.M)


def call(result, name, parameters):
    """A statement that calls the function with values from memory and keeps its result there. Pointers from memory may
    point anywhere, as those of users' calls do."""
    arguments = []
    for parameter in parameters.split(","):
        ty = re.sub(r"\w+$", "", parameter.strip()).strip()
        arguments.append(f"*({ty} *)p")
    text = f"{name}({', '.join(arguments)})"
    result = result.strip()
    if result == "void":
        return f"        {text};"
    return f"        *({result}{'' if result.endswith('*') else ' '}*)p = {text};"


def kernels():
    """C text in which kernels call every function of functions.h."""
    with open(os.path.join(SOURCES, "functions.h")) as file:
        prototypes = PROTOTYPE.findall(file.read())
    lines = [f'#include "{SOURCES}/all.c"']
    for number, prototype in enumerate(prototypes):
        lines += [f"void call_{number}(char *p)", "{", "#pragma acc serial deviceptr(p)", "    {", call(*prototype), "    }", "}"]
    return "\n".join(lines) + "\n", [name for _, name, _ in prototypes]


def functions(ptx):
    """The definitions of functions in the text, with their names."""
    for match in re.finditer(r"^\.func [^;{]*?(\w+)\s*\([^()]*\)\s*\{.*?^\}\n", ptx, re.M | re.S):
        yield match.group(1), match.group(0)


def callees_first(found):
    """The names in alphabetic order, but each after those that its text calls."""
    order = []

    def visit(name):
        if name in order:
            return
        for called in sorted(set(re.findall(r"\w+", found[name])) & set(found)):
            if called != name:
                visit(called)
        order.append(name)

    for name in sorted(found):
        visit(name)
    return order


def prefixed(text):
    """The text with our prefix in place of that of users' functions."""
    return re.sub(r"\buser_(?=\w)", "__accrue_lib_", text)


def with_reciprocals(text):
    """1 / x as the one instruction that gives the same bits."""
    return re.sub(r"\bdiv\.rn\.(f\d\d) (%\w+), 0(?:d3FF0000000000000|f3F800000), ", r"rcp.rn.\1 \2, ", text)


def without_lines(text):
    """The text without what says where it comes from."""
    return re.sub(r"^\t(?://|\.loc ).*\n", "", text, flags=re.M)


def main():
    accrue = sys.argv[1]
    text, names = kernels()
    with tempfile.TemporaryDirectory() as directory:
        source = os.path.join(directory, "kernels.c")
        with open(source, "w") as file:
            file.write(text)
        command = [accrue, "ir", "--emit=ptx", source, "-gpu=cc60,nomathinline,nodivisors", "-O2", "-ffp-contract=off", "-DACCRUE_DEVICE", "-w"]
        ptx = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    found = dict(functions(ptx))
    missing = [name for name in names if name not in found]
    if missing:
        sys.exit("not in the PTX text: " + ", ".join(missing))
    if ".global" in "".join(found.values()):
        sys.exit("a function takes its pointers to be to global memory")
    if "bar." in "".join(found.values()):
        sys.exit("a function has barriers, but each thread is to call it on its own")
    head = "// Compiled by tools/build.py from src/c.\n.version 6.0\n.target sm_60\n.address_size 64\n"
    found = {prefixed(name): without_lines(prefixed(text)) for name, text in found.items()}
    with open(BY_HAND) as file:
        by_hand = dict(functions(file.read()))
    body = "".join(found[name] + "\n" for name in callees_first(found) if name not in by_hand)
    with open(OUTPUT, "w") as file:
        file.write(head + "\n" + with_reciprocals(body))


main()

#!/usr/bin/env python3
"""Random nests of loops with reductions, of loops that walk over arrays, and with long bodies, compared with the host.

    tests/fuzz/fuzz.py run --count 10000            compile and run nests 0 to 9999 of seed 1 in all modes
    tests/fuzz/fuzz.py run --seed 7 --only 123      one nest alone
    tests/fuzz/fuzz.py print --seed 7 --only 123    its program, to be cut down by hand
    tests/fuzz/fuzz.py run --kind streams           loops that walk over arrays
    tests/fuzz/fuzz.py run --kind bodies            long bodies: functions, private arrays, structures, pointers, divisions
    tests/fuzz/fuzz.py run --kind bodies --language omp
    tests/fuzz/fuzz.py run --cc-option=-freduction=lock --modes sim

nests.py makes nests with reductions, scalars.py what is reduced, memory.py what they do with memory, sizes.py the trip
counts; streams.py makes loops that walk over arrays. bodies.py makes functions with long bodies: shapes.py their loops,
statements.py and expressions.py what is in them, of what places.py and values.py describe. programs.py puts nests into a C
program that compares their results; running.py compiles and runs programs. Nest K of seed N is always the same (with --half,
another one).

The exit status is 1 if a nest was not compiled, broke off, or gave other values than the host.
"""

import argparse
import os
import pathlib
import sys
import tempfile

import programs
import running
import scalars


def main():
    options = arguments()
    if options.command == "print":
        sys.stdout.write(programs.program(options, numbers(options)))
        return 0
    with tempfile.TemporaryDirectory(prefix="accrue-fuzz-") as scratch:
        folder = pathlib.Path(options.keep or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        return running.run(options, folder, numbers(options))


def numbers(options):
    if options.only is not None:
        return [options.only]
    return list(range(options.first, options.first + options.count))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["run", "print"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the first nest")
    parser.add_argument("--count", type=int, default=100, help="how many nests")
    parser.add_argument("--only", type=int, help="this nest alone")
    parser.add_argument("--kind", choices=["nests", "streams", "bodies"], default="nests", help="reductions, loops over arrays, or long bodies")
    parser.add_argument("--language", choices=["acc", "omp"], default="acc", help="the directives of --kind bodies")
    parser.add_argument("--per-file", type=int, default=50, help="nests in one program")
    parser.add_argument("--modes", default="shared,discrete,sim", help=f"any of {','.join(running.MODES)}")
    parser.add_argument("--accrue", default=os.environ.get("ACCRUE", "accrue"), help="the compiler")
    parser.add_argument("--cc-option", action="append", default=[], help="a further option of accrue cc")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE", help="for the programs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=int, default=300, help="seconds for one program")
    parser.add_argument("--keep", help="a folder that programs are left in")
    parser.add_argument("--half", action="store_true", help="also variables of type _Float16, which needs clang 15")
    options = parser.parse_args()
    options.types = scalars.TYPES + [scalars.HALF] * options.half
    return options


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Hostile use of accrue, for a given time: what no list of tests thinks of.

    make stress                                        60 minutes on all cores
    make stress MINUTES=5 JOBS=1 SEED=7
    tests/stress/stress.py --part directives,data      some parts only
    tests/stress/stress.py --seed 7 --part data --only 123 --keep /tmp/x
                                                       one case alone; its files stay

Each part (a file of its own here) makes random cases of one kind; case K of part P under seed N is always the same. A case
that shows a mistake prints the command that repeats it alone. The exit status is 1 if there was one.

| part         | what is random | what must hold |
| ---          | ---            | --- |
| directives   | directives of tests/run with damaged words | gcc's verdict; a message with a place; no compiler's error in generated text; the program ends |
| clauses      | clauses in another order, and clauses that change no result | results as without directives |
| options      | sets of options of gcc, clang and nvc | the compiler's verdict; results as without directives |
| signals      | signals to compiler and programs | nothing left behind, no half outputs, the exit status is the signal |
| environments | values of variables, closed descriptors, small limits, unwritable places | the right result, or a message |
| processes    | dlopen, dlclose, fork, threads, queues, regions at exit | the right results, and an end |
| nests        | nests of loops with reductions (tests/fuzz) | results as without directives, on three devices |
| shapes       | num_gangs, num_workers, vector_length | the right results, or a message |
| damage       | damaged IR, PTX, clang's dumps | a message |
| data         | sequences of data directives and routines | what a model of the present table says |

A part has a share of the time, in its file: of the parts, the one that is furthest behind its share gives the next case.
"""

import argparse
import os
import pathlib
import shutil
import sys
import tempfile
import time

import corpus
import schedule
from clauses import Clauses
from damage import Damage
from data import Data
from directives import Directives
from processes import Processes
from options import Options
from environments import Environments
from fuzzed import Nests
from shapes import Shapes
from signals import Signals
from world import World

PARTS = [Directives, Clauses, Options, Signals, Environments, Processes, Nests, Shapes, Damage, Data]


def main():
    arguments = read_arguments()
    seed = arguments.seed if arguments.seed is not None else int(time.time())
    scratch = pathlib.Path(arguments.keep or tempfile.mkdtemp(prefix="accrue-stress-"))
    scratch.mkdir(parents=True, exist_ok=True)
    try:
        world = World(arguments, seed, scratch.resolve(), corpus.read())
        chosen = [part(world) for part in PARTS if not arguments.part or part.NAME in arguments.part]
        print(f"seed {seed}, {arguments.jobs} jobs, {arguments.minutes:g} minutes, {world.accrue}", flush=True)
        if arguments.only is not None:
            return schedule.one(world, chosen, arguments.only)
        return schedule.run(world, chosen)
    finally:
        if not arguments.keep:
            shutil.rmtree(scratch, onerror=make_removable)


def make_removable(remove, path, _error):
    """A case may leave a directory that cannot be written to."""
    for target in (os.path.dirname(path), path):
        if not os.path.islink(target):
            os.chmod(target, 0o700)
    remove(path)


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="cases at a time")
    parser.add_argument("--seed", type=int, help="a number; the time, if not given")
    names = [part.NAME for part in PARTS]
    parser.add_argument("--part", type=lambda text: text.split(","), help=f"some of {','.join(names)}")
    parser.add_argument("--only", type=int, help="this case alone")
    parser.add_argument("--keep", help="a folder to work in, and to leave everything in")
    parser.add_argument("--accrue", default=os.environ.get("ACCRUE", "accrue"), help="the compiler")
    parser.add_argument("--run-ptx", help="the example run_ptx of crates/ptx-sim; without it no PTX is damaged")
    arguments = parser.parse_args()
    if unknown := set(arguments.part or []) - set(names):
        parser.error(f"unknown part: {', '.join(sorted(unknown))}")
    if arguments.only is not None and len(arguments.part or []) != 1:
        parser.error("--only needs one --part")
    if not shutil.which(arguments.accrue):
        parser.error(f"no compiler {arguments.accrue}: set ACCRUE or --accrue")
    return arguments


if __name__ == "__main__":
    sys.exit(main())

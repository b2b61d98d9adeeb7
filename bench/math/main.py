"""Largest errors of mathematical functions on a GPU.

    bench/math.sh build [--accrue PROGRAM]       here: math/errors.c by `accrue cc -O3 -fopenacc -fno-builtin`, and libaccrue.so,
                                                 into build/math, beside the working tree
    bench/math.sh run --out FOLDER               there: all floats and --doubles random arguments (10^7; 10^9 keep 16 cores busy for
                                                 some minutes); the table into FOLDER/math.md
    bench/math.sh collect FOLDER                 here: FOLDER/math.md becomes bench/results/math-DATE.md

The first lines of errors.c say what is compared with what. With `--stride N` only every N-th float is taken, as on the simulator:

    ACC_DEVICE_TYPE=sim bench/math.sh run --stride 4000037 --doubles 100 --out FOLDER
"""

import argparse
import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
BUILT = ROOT / "build" / "math"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("build")
    command.add_argument("--accrue", type=pathlib.Path, default=ROOT / "target/release/accrue")
    command.add_argument("--flags", default="-gpu=cc90", help="further options of accrue cc")
    command = commands.add_parser("run")
    command.add_argument("--out", type=pathlib.Path, required=True)
    command.add_argument("--stride", type=int, default=1)
    command.add_argument("--doubles", type=int, default=10**7)
    command = commands.add_parser("collect")
    command.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    sys.exit({"build": build, "run": run, "collect": collect}[options.command](options))


def build(options):
    BUILT.mkdir(parents=True, exist_ok=True)
    command = [options.accrue, "cc", "-O3", "-fopenacc", "-fno-builtin", *options.flags.split()]
    command += [HERE / "errors.c", "-o", BUILT / "errors", "-lm", "-lpthread"]
    status = subprocess.run([str(word) for word in command]).returncode
    shutil.copyfile(options.accrue.parent / "libaccrue.so", BUILT / "libaccrue.so")
    return status


def hardware():
    command = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip() or "no NVIDIA GPU"
    except FileNotFoundError:
        return "no NVIDIA GPU"


def run(options):
    options.out.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "LD_LIBRARY_PATH": str(BUILT)}
    device = environment.setdefault("ACC_DEVICE_TYPE", "nvidia")
    floats = "all floats" if options.stride == 1 else f"every {options.stride}th float"
    head = [
        f"# Errors of mathematical functions, {datetime.date.today()}",
        "",
        f"{hardware()}; device type {device}. Units in the last place; {floats}, {options.doubles} random arguments of the other functions.",
        "",
    ]
    words = [str(BUILT / "errors"), str(options.stride), str(options.doubles)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    (options.out / "math.md").write_text("\n".join(head) + done.stdout)
    print(done.stdout, done.stderr, sep="\n")
    return done.returncode


def collect(options):
    text = (options.folder / "math.md").read_text()
    date = re.search(r"\d{4}-\d\d-\d\d", text)[0]
    (ROOT / "bench/results" / f"math-{date}.md").write_text(text)
    return 0


if __name__ == "__main__":
    main()

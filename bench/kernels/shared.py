"""What the stages of these benchmarks share: names, how programs are compiled for each spelling, started and compared."""

import concurrent.futures
import math
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "bench" / "kernels"
SPELLINGS = (1, 2)
DIGITS = 1e-6
ROW = re.compile(r"row name=(\S+) seconds=(\S+) sum=(\S+)")


def names(options):
    """The kernels that are wanted and have one of the spellings."""
    wanted = [n for n in options.only.split(",") if n]
    all_names = (s.stem for s in sorted((HERE / "acc").glob("*.c")))
    return [name for name in all_names if (not wanted or name in wanted) and spellings_of(name, options)]


def spellings_of(name, options):
    """Those of the wanted spellings that a kernel has: two, or more."""
    text = (HERE / "acc" / f"{name}.c").read_text()
    return [s for s in options.spellings if s in SPELLINGS or f"SPELLING == {s}\n" in text]


def compile_spellings(options, folder, compiler, suffix=""):
    """The spellings of all kernels by the command `compiler`; gives what could not be compiled."""
    folder.mkdir(parents=True, exist_ok=True)

    def one(job):
        name, spelling = job
        source, program = HERE / "acc" / f"{name}.c", folder / f"{name}-{spelling}{suffix}"
        command = [*compiler, f"-DSPELLING={spelling}", source, "-o", program, "-lm"]
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
        return None if done.returncode == 0 else f"{name}, spelling {spelling}: {done.stderr.strip()}"

    jobs = [(name, spelling) for name in names(options) for spelling in spellings_of(name, options)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [failure for failure in pool.map(one, jobs) if failure]


def started(program, arguments, environment, seconds):
    """The row that a program prints: seconds and sum; or what went wrong."""
    try:
        done = subprocess.run(
            [str(program), *arguments], env={**os.environ, **environment}, capture_output=True, text=True, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        return None, f"took more than {seconds:.0f} s"
    found = ROW.search(done.stdout)
    if done.returncode or not found:
        return None, f"exit status {done.returncode}: {done.stderr.strip()[-300:]}"
    return (float(found[2]), float(found[3])), done.stderr


def agree(a, b, digits=DIGITS):
    return math.isclose(a, b, rel_tol=digits, abs_tol=1e-9)


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")

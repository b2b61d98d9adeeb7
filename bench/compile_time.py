#!/usr/bin/env python3
"""Time of `accrue cc -c` on a C file of about 500 lines with 22 regions, against gcc -c on the same file.

    bench/compile_time.py [--accrue PATH] [--gcc gcc] [--runs 10]
    bench/compile_time.py --scaling [--runs 3]

Also shows the largest memory: of the accrue process itself (its children, the compilers, not counted), and of any one process of
each compilation.

--scaling: user seconds of `accrue cc -O2 -fopenacc -c`, all its children counted, beside those of `gcc -O2 -fopenacc -c`, for
programs of growing size: regions, nested `data` constructs, declarations. Times should grow as the program does, and be at
most three times gcc's. Beside them the largest memory of any one process of each. The table goes to
bench/results/compile-DATE.md.
"""

import argparse
import dataclasses
import datetime
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

WANTED_SECONDS = 0.5
WANTED_MEGABYTES = 150

FUNCTION = """
struct part{k} {{
    int n;
    double w[4];
}};

static double weight{k}(const struct part{k} *p, int i)
{{
    double s = p->n;
    for (int q = 0; q < 4; q++)
        s += p->w[q] * (i % (q + {k} + 1));
    return s;
}}

double work{k}(int n, const double *a, double *b, const struct part{k} *p)
{{
    double total = 0;
#pragma acc parallel loop copyin(a[0:n], p[0:1]) copy(b[0:n]) reduction(+:total)
    for (int i = 0; i < n; i++)
        total += b[i] = a[i] * weight{k}(p, i);
    return total;
}}
"""


def source():
    head = ["#include <math.h>", "#include <stdio.h>", "#include <stdlib.h>", "#include <string.h>"]
    return "\n".join(head) + "".join(FUNCTION.format(k=k) for k in range(22))


REGION = """
void region{k}(int n, const double *a, double *b)
{{
#pragma acc parallel loop copyin(a[0:n]) copy(b[0:n])
    for (int i = 0; i < n; i++) {{
        double t = a[i] * {k}.5;
        b[i] += t > 1 ? t * t : t;
    }}
}}
"""

DECLARATIONS = """struct rec{k} {{ int id; double value[4]; struct rec{k} *next; }};
typedef struct rec{k} rec{k}_t;
enum kind{k} {{ FIRST{k}, SECOND{k} = 5, THIRD{k} }};
extern double table{k}[100];
int open{k}(rec{k}_t *r, const char *name, enum kind{k} kind);
"""

HOST_FUNCTION = """double value{k}(const rec{k}_t *r, int i)
{{
    double s = r->value[i % 4];
    while (r->next) {{
        s += table{k}[r->id % 100] * FIRST{k};
        r = r->next;
    }}
    return s;
}}
"""


def regions(count):
    return "".join(REGION.format(k=k) for k in range(count))


def nested_data(levels):
    return (
        "void nest(int n, double *a)\n{\n"
        + "#pragma acc data copy(a[0:n])\n{\n" * levels
        + "#pragma acc parallel loop\nfor (int i = 0; i < n; i++) a[i] += 1;\n"
        + "}\n" * (levels + 1)
    )


def lines_of(piece, lines, region_count):
    count = lines // len(piece.splitlines())
    return "".join(piece.format(k=k) for k in range(count)) + regions(region_count)


# What grows, its sizes, the program of a size.
SCALING = [
    ("regions", (100, 200, 400, 800), regions),
    ("levels of `data`", (50, 100, 200, 400), nested_data),
    ("lines of declarations, 1 region", (10000, 50000), lambda n: lines_of(DECLARATIONS, n, 1)),
    ("lines of declarations, 3 regions", (10000, 50000), lambda n: lines_of(DECLARATIONS, n, 3)),
    ("lines of declarations and functions, 1 region", (10000, 50000), lambda n: lines_of(DECLARATIONS + HOST_FUNCTION, n, 1)),
    ("lines of declarations and functions, 3 regions", (10000, 50000), lambda n: lines_of(DECLARATIONS + HOST_FUNCTION, n, 3)),
]
WANTED_RATIO = 3.0


# Waits for a command as its only child, so that what the system counts for children is that command's.
MEASURE = """
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime, used.ru_maxrss / 1024, file=sys.stderr)
sys.exit(status)
"""


@dataclasses.dataclass(frozen=True)
class Cost:
    """What a command costs, with its children: user time, the time that passes, memory of the largest process in MB."""

    user: float
    wall: float
    memory: float


def cost(command):
    begin = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", MEASURE, *command], stderr=subprocess.PIPE, text=True, check=False)
    wall = time.perf_counter() - begin
    if done.returncode:
        sys.exit(f"compile_time.py: status {done.returncode}: {' '.join(command)}\n{done.stderr}")
    user, memory = done.stderr.splitlines()[-1].split()
    return Cost(float(user), wall, float(memory))


def smallest(command, runs):
    """The shortest times and the least memory of several runs."""
    costs = [cost(command) for _ in range(runs)]
    return Cost(min(c.user for c in costs), min(c.wall for c in costs), min(c.memory for c in costs))


def scaling(options):
    """The table, as lines of Markdown."""
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        file, output = os.path.join(scratch, "unit.c"), os.path.join(scratch, "unit.o")
        words = ["-O2", "-fopenacc", "-c", file, "-o", output]
        for what, sizes, program in SCALING:
            for size in sizes:
                pathlib.Path(file).write_text(program(size))
                gcc = smallest([options.gcc, *words], options.runs)
                ours = smallest([options.accrue, "cc", *words], options.runs)
                ratio = ours.user / max(gcc.user, 0.001)
                verdict = "ok" if ratio <= WANTED_RATIO else "slow"
                rows.append(
                    f"| {size} {what} | {gcc.user:.2f} | {ours.user:.2f} | {ratio:.2f} | {gcc.wall:.2f} | {ours.wall:.2f} "
                    f"| {gcc.memory:.0f} | {ours.memory:.0f} | {verdict} |"
                )
                print(rows[-1], flush=True)
    return rows


def first_line(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    return lines[0] if lines else "version unknown"


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown processor"


def write_scaling(options):
    rows = scaling(options)
    today = datetime.date.today()
    report = [
        f"# Compile time by size of the program, {today}",
        "",
        f"- host: {processor()}, {len(os.sched_getaffinity(0))} cores, load {os.getloadavg()[0]:.1f}",
        f"- accrue: {first_line([options.accrue, '--version'])}",
        f"- gcc: {first_line([options.gcc, '--version'])}",
        f"- options: -O2 -fopenacc -c; the smallest of {options.runs} runs",
        "",
        f"User seconds, all processes of a compilation together; at most {WANTED_RATIO:.0f} times gcc's are wanted. Memory in MB, of the",
        "largest process of a compilation.",
        "",
        "| program | gcc s | accrue s | ratio | gcc passed s | accrue passed s | gcc MB | accrue MB | |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
        *rows,
        "",
    ]
    results = pathlib.Path(__file__).resolve().parent / "results"
    results.mkdir(exist_ok=True)
    target = results / f"compile-{today}.md"
    target.write_text("\n".join(report))
    print(f"written to {target}")


def peak_memory(process, found):
    """Follows VmHWM of one process until it ends."""
    status = pathlib.Path(f"/proc/{process.pid}/status")
    while process.poll() is None:
        try:
            for line in status.read_text().splitlines():
                if line.startswith("VmHWM:"):
                    found[0] = max(found[0], int(line.split()[1]) / 1024)
        except OSError:
            return
        time.sleep(0.001)


def timed(command):
    found = [0.0]
    begin = time.perf_counter()
    process = subprocess.Popen(command)
    watcher = threading.Thread(target=peak_memory, args=(process, found))
    watcher.start()
    status = process.wait()
    seconds = time.perf_counter() - begin
    watcher.join()
    if status:
        sys.exit(f"compile_time.py: status {status}: {' '.join(command)}")
    return seconds, found[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--accrue", default=os.environ.get("ACCRUE", "accrue"))
    parser.add_argument("--gcc", default="gcc")
    parser.add_argument("--runs", type=int, help="10; for --scaling 3")
    parser.add_argument("--scaling", action="store_true", help="programs of growing size")
    options = parser.parse_args()
    options.runs = options.runs or (3 if options.scaling else 10)
    for tool in (options.accrue, options.gcc):
        if not shutil.which(tool):
            sys.exit(f"compile_time.py: {tool} not found (release build of accrue: --accrue target/release/accrue)")
    if options.scaling:
        write_scaling(options)
        return
    with tempfile.TemporaryDirectory() as scratch:
        file = os.path.join(scratch, "unit.c")
        text = source()
        pathlib.Path(file).write_text(text)
        commands = {
            "gcc": [options.gcc, "-O2", "-c", file, "-o", os.path.join(scratch, "gcc.o")],
            "accrue": [options.accrue, "cc", "-O2", "-fopenacc", "-c", file, "-o", os.path.join(scratch, "accrue.o")],
        }
        best = {name: (float("inf"), 0.0) for name in commands}
        for _ in range(options.runs):
            for name, command in commands.items():
                seconds, memory = timed(command)
                best[name] = (min(best[name][0], seconds), max(best[name][1], memory))
        largest = {name: cost(command).memory for name, command in commands.items()}
    print(f"{len(text.splitlines())} lines, the fastest of {options.runs} runs")
    print(f"gcc -c     {best['gcc'][0]:.3f} s")
    print(f"accrue -c  {best['accrue'][0]:.3f} s (wanted: {WANTED_SECONDS})")
    print(f"accrue's own memory {best['accrue'][1]:.0f} MB (wanted: {WANTED_MEGABYTES})")
    print(f"largest process: gcc -c {largest['gcc']:.0f} MB, accrue -c {largest['accrue']:.0f} MB")


if __name__ == "__main__":
    main()

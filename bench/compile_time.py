#!/usr/bin/env python3
"""Time of `accrue cc -c` on a C file of about 500 lines with 22 regions, against gcc -c on the same file.

    bench/compile_time.py [--accrue PATH] [--gcc gcc] [--runs 10]

Also shows the largest memory of the accrue process itself (its children, the compilers, not counted).
"""

import argparse
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
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    for tool in (options.accrue, options.gcc):
        if not shutil.which(tool):
            sys.exit(f"compile_time.py: {tool} not found (release build of accrue: --accrue target/release/accrue)")
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
    print(f"{len(text.splitlines())} lines, the fastest of {options.runs} runs")
    print(f"gcc -c     {best['gcc'][0]:.3f} s")
    print(f"accrue -c  {best['accrue'][0]:.3f} s (wanted: {WANTED_SECONDS})")
    print(f"accrue's own memory {best['accrue'][1]:.0f} MB (wanted: {WANTED_MEGABYTES})")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""CPU benchmarks: accrue against gcc's OpenMP, in one run.

Builds every program of bench/cpu with `accrue cc -O3 -march=native -fopenacc` and with
`gcc -O3 -march=native -fopenmp` (plain `parallel for`, and `parallel for simd`), starts them in turn so that a busy
moment of the machine hits all alike, takes the smallest time of each, prints the ratios and writes
bench/results/cpu-DATE.md.

With --opencl it compares accrue's CPU device with the same cores behind OpenCL (PoCL): with the code for cores, and with that for
groups of many work items; written to bench/results/cpu-opencl-DATE.md.

    bench/cpu.py [--opencl] [--accrue PATH] [--gcc gcc] [--rounds 5] [--only NAME]
"""

import argparse
import datetime
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = ["vector_add", "dot", "matvec", "newton", "triad", "jacobi", "matmul", "spmv"]
OPTIMISE = ["-O3", "-march=native"]
LIMIT = 1.05
REGION_LIMIT_NS = 3000
PRESENT_LIMIT_NS = 1000
LOOK_UP_LIMIT_NS = 300


def main():
    options = arguments()
    if options.opencl:
        behind_opencl(options)
        return
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        table = compare(options, scratch)
        latencies = latency(options, scratch)
    text = report(options, table, latencies)
    print(text)
    if not options.only:
        results = HERE / "results"
        results.mkdir(exist_ok=True)
        target = results / f"cpu-{datetime.date.today()}.md"
        target.write_text(text)
        print(f"written to {target}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--accrue", default=os.environ.get("ACCRUE", "accrue"))
    parser.add_argument("--opencl", action="store_true")
    parser.add_argument("--gcc", default="gcc")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=PROGRAMS)
    options = parser.parse_args()
    for tool in (options.accrue, options.gcc):
        if not shutil.which(tool):
            sys.exit(f"cpu.py: {tool} not found (release build of accrue: --accrue target/release/accrue)")
    return options


# Who runs accrue's executables, for --opencl.
DEVICES = {
    "host": {"ACC_DEVICE_TYPE": "host"},
    "cores": {"ACC_DEVICE_TYPE": "opencl"},
    "groups": {"ACC_DEVICE_TYPE": "opencl", "ACCRUE_OPENCL_CODE": "groups"},
}
OPENCL_LIMIT = 1.5


def behind_opencl(options):
    """The CPU device and the same cores behind OpenCL, in turn."""
    programs = [options.only] if options.only else PROGRAMS
    command = variants(options)["accrue"]
    best = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name in programs:
            executable = pathlib.Path(scratch) / name
            build(command, name, executable)
            for _ in range(options.rounds):
                for device, environment in DEVICES.items():
                    _, seconds, _, verdict = run([str(executable)], environment).split()
                    if verdict != "right":
                        sys.exit(f"cpu.py: {name} on {device} computes a wrong result")
                    best[name, device] = min(best.get((name, device), float("inf")), float(seconds))
    lines = [
        f"# The cores behind OpenCL, {datetime.date.today()}",
        "",
        f"- host: {host()}, load {os.getloadavg()[0]:.1f}",
        f"- accrue: {first_line([options.accrue, '--version'])}",
        f"- options: {' '.join(OPTIMISE)}; the smallest of {options.rounds} × 20 runs, devices in turn",
        "",
        "Milliseconds of each program of bench/cpu on accrue's CPU device, and behind OpenCL with the code for cores and with that for",
        f"groups of many work items (`ACCRUE_OPENCL_CODE=groups`). At most {OPENCL_LIMIT} times the CPU device's is wanted.",
        "",
        "| program | CPU device | cores | ratio | groups | ratio | |",
        "| --- | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    for name in programs:
        own, cores, groups = (1e3 * best[name, device] for device in DEVICES)
        verdict = "ok" if cores <= OPENCL_LIMIT * own else "slow"
        lines.append(
            f"| {name} | {own:.3f} | {cores:.3f} | {cores / own:.2f} | {groups:.3f} | {groups / own:.1f} | {verdict} |"
        )
    text = "\n".join([*lines, ""])
    print(text)
    if not options.only:
        target = HERE / "results" / f"cpu-opencl-{datetime.date.today()}.md"
        target.write_text(text)
        print(f"written to {target}")


def variants(options):
    """Name and command of each way to build."""
    openmp = [options.gcc, *OPTIMISE, "-fopenmp"]
    return {
        "accrue": [options.accrue, "cc", *OPTIMISE, "-fopenacc"],
        "omp": [*openmp, "-DSIMD="],
        "omp_simd": [*openmp, "-DSIMD=simd"],
    }


def build(command, name, executable):
    run([*command, str(HERE / "cpu" / f"{name}.c"), "-o", str(executable), "-lm"])


def compare(options, scratch):
    """Seconds and bytes of each program and variant."""
    programs = [options.only] if options.only else PROGRAMS
    executables = {}
    for name in programs:
        for variant, command in variants(options).items():
            executables[name, variant] = scratch / f"{name}.{variant}"
            build(command, name, executables[name, variant])
    table = {}
    for name in programs:
        for round_number in range(options.rounds):
            order = list(variants(options))
            if round_number % 2:
                order.reverse()
            for variant in order:
                _, seconds, moved, verdict = run([str(executables[name, variant])]).split()
                if verdict != "right":
                    sys.exit(f"cpu.py: {name} built by {variant} computes a wrong result")
                best, _ = table.get((name, variant), (float("inf"), 0))
                table[name, variant] = (min(best, float(seconds)), float(moved))
    return table


def latency(options, scratch):
    """Nanoseconds per region, the smallest median of all rounds."""
    found = {}
    for variant, command in variants(options).items():
        if variant == "omp_simd":
            continue
        build(command, "latency", scratch / f"latency.{variant}")
    for _ in range(options.rounds):
        for variant in ("accrue", "omp"):
            for line in run([str(scratch / f"latency.{variant}")]).splitlines():
                kind, value = line.split()
                key = (kind, variant)
                found[key] = min(found.get(key, float("inf")), float(value))
    return found


def report(options, table, latencies):
    lines = [
        f"# CPU benchmarks, {datetime.date.today()}",
        "",
        f"- host: {host()}, load {os.getloadavg()[0]:.1f}",
        f"- accrue: {first_line([options.accrue, '--version'])}",
        f"- gcc: {first_line([options.gcc, '--version'])}",
        f"- options: {' '.join(OPTIMISE)}; the smallest of {options.rounds} × 20 runs, programs started in turn",
        "",
        f"Ratio: accrue's time over OpenMP's; at most {LIMIT} is wanted.",
        "",
        "| program | accrue ms | GB/s | parallel for ms | ratio | parallel for simd ms | ratio | |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    for name in PROGRAMS:
        if (name, "accrue") not in table:
            continue
        (ours, moved), (plain, _), (simd, _) = (table[name, v] for v in ("accrue", "omp", "omp_simd"))
        verdict = "ok" if ours <= LIMIT * plain else "slow"
        lines.append(
            f"| {name} | {1e3 * ours:.3f} | {1e-9 * moved / ours:.1f} | {1e3 * plain:.3f} | {ours / plain:.2f} "
            f"| {1e3 * simd:.3f} | {ours / simd:.2f} | {verdict} |"
        )
    empty, present = latencies["empty", "accrue"], latencies["present8", "accrue"]
    lines += [
        "",
        "| region | ns | wanted |",
        "| --- | ---: | --- |",
        f"| empty | {empty:.0f} | ≤ {REGION_LIMIT_NS} |",
        f"| with 8 present arrays, beyond the empty one | {present - empty:.0f} | ≤ {PRESENT_LIMIT_NS} |",
        f"| look-up among a million mappings | {latencies['look_up', 'accrue']:.0f} | ≤ {LOOK_UP_LIMIT_NS} |",
        f"| gang loop over all cores | {latencies['all_cores', 'accrue']:.0f} "
        f"| OpenMP: {latencies['all_cores', 'omp']:.0f} |",
        "",
    ]
    return "\n".join(lines)


def host():
    model = "unknown processor"
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return f"{model}, {len(os.sched_getaffinity(0))} cores"


def first_line(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    return lines[0] if lines else "version unknown"


def run(command, environment=None):
    environment = {**os.environ, **(environment or {})}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        sys.exit(f"cpu.py: {' '.join(command)}\nstatus {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()

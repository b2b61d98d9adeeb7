"""The same kernels on cores: accrue's device `host` beside `gcc -fopenmp`, from the same text.

Each file has `#pragma omp` lines beside its `#pragma acc` lines; either compiler leaves the other's alone. Both get the same
options from the same gcc on the same machine: accrue compiles its kernels with the compiler and the options of the user. As
programs for `-march=native` of one machine need not run on another, `build-cpu --march` says what `cpu` will run on.

A lap is timed often enough to fill a fifth of a second, for both alike, as some results depend on the number of laps; sizes
are halved until OpenMP's lap is short enough. Programs start in turn, so that a busy moment hits both.
"""

import datetime
import os
import pathlib
import platform
import shutil
import subprocess
import time

from shared import ROOT, SPELLINGS, agree, compile_spellings, geometric_mean, names, started

BUILT = ROOT / "build" / "kernels-cpu"
ROUNDS = 2
LONGEST_LAP = 0.15
SECONDS = 0.2
SLOW = 1.05


def build(options):
    optimise = ["-O3", f"-march={options.march}"]
    failures = compile_spellings(options, BUILT, [options.accrue, "cc", *optimise, "-acc=multicore"])
    failures += compile_spellings(options, BUILT, ["gcc", *optimise, "-fopenmp"], "-omp")
    shutil.copyfile(options.accrue.parent / "libaccrue.so", BUILT / "libaccrue.so")
    subprocess.run(["strip", "--strip-unneeded", str(BUILT / "libaccrue.so")], check=False)
    compiler = subprocess.run(["gcc", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    (BUILT / "about").write_text(f"both by {compiler}, {' '.join(optimise)}")
    print("\n".join(failures) or f"{len(names(options))} kernels are built")
    return bool(failures)


def run(options):
    end = time.monotonic() + options.limit
    options.out.mkdir(parents=True, exist_ok=True)
    rows, log = [], []
    for name in names(options):
        arguments, why = effort(name, end)
        log += [f"{name}: {why}"] if why else []
        cells = [timed(f"{name}-{spelling}", arguments, end, log) for spelling in SPELLINGS] if arguments else []
        rows.append((name, arguments, cells))
        (options.out / "kernels-cpu.md").write_text(report(rows))
        (options.out / "kernels-cpu.log").write_text("\n".join(log) + "\n")
    print((options.out / "kernels-cpu.md").read_text())
    print("\n".join(log))
    return 0


def effort(name, end):
    """Sizes are divided by two to the power of the first argument; the second is the number of laps."""
    shift = 0
    while True:
        result, why = started(BUILT / f"{name}-1-omp", [str(shift), "1"], {}, max(5, end - time.monotonic()))
        if not result:
            return None, f"OpenMP: {why}"
        if result[0] < LONGEST_LAP or shift == 3:
            return [str(shift), str(min(50, max(3, int(SECONDS / result[0]))))], None
        shift += 1


def timed(program, arguments, end, log):
    """Seconds by OpenMP and by accrue, if both have the same sum."""
    variants = {"omp": (f"{program}-omp", {}), "accrue": (program, {"ACC_DEVICE_TYPE": "host", "LD_LIBRARY_PATH": str(BUILT)})}
    best, sums = {}, {}
    for turn in range(ROUNDS):
        for variant in sorted(variants, reverse=turn % 2 == 0):
            file, environment = variants[variant]
            result, why = started(BUILT / file, arguments, environment, max(5, end - time.monotonic()))
            if not result:
                log.append(f"{file}: {why}")
                return None
            best[variant] = min(best.get(variant, result[0]), result[0])
            sums[variant] = result[1]
    if not agree(sums["omp"], sums["accrue"], 1e-4):
        log.append(f"{program}: sum {sums['accrue']}, OpenMP {sums['omp']}")
        return None
    return best["omp"], best["accrue"]


def report(rows):
    measured = [cell for _, _, cells in rows for cell in cells if cell]
    ratios = [ours / theirs for theirs, ours in measured]
    slow = sum(r > SLOW for r in ratios)
    text = [
        f"# Kernels in two spellings on cores, {datetime.date.today()}",
        "",
        f"{processor()}; {(BUILT / 'about').read_text()}. Shortest lap in µs of accrue's device `host` and of gcc's OpenMP, of sizes",
        f"divided by 2^shift. Geometric mean of {len(ratios)} ratios: **{geometric_mean(ratios):.2f}**; {slow} are above {SLOW}.",
        "",
        "| kernel | shift | OpenMP 1 | accrue 1 | ratio | OpenMP 2 | accrue 2 | ratio |",
        "| --- | --: | --: | --: | --: | --: | --: | --: |",
    ]
    for name, arguments, cells in rows:
        shown = [f"{1e6 * c[0]:.1f} | {1e6 * c[1]:.1f} | {c[1] / c[0]:.2f}" if c else "failed | | " for c in cells]
        text.append(f"| {name} | {arguments[0] if arguments else ''} | {' | '.join(shown) or 'failed'} |")
    return "\n".join([*text, ""])


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown processor")
    libc = "-".join(platform.libc_ver())
    return f"{model}, {len(os.sched_getaffinity(0))} cores, {libc}, load {os.getloadavg()[0]:.1f}"

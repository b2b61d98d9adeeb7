"""The same kernels behind OpenCL: one executable, on an NVIDIA GPU by PTX and by OpenCL C.

The programs are those that `build` has made, data is on the device, and the starts of a program take turns.
"""

import datetime
import subprocess
import time

from shared import ROOT, SPELLINGS, agree, geometric_mean, names, started

BUILT = ROOT / "build" / "kernels"
DEVICES = ("nvidia", "opencl:nvidia")
ROUNDS = 2
LAPS = "20"
WANTED = 1.1


def run(options):
    end = time.monotonic() + options.limit
    options.out.mkdir(parents=True, exist_ok=True)
    rows, log = [], []
    for name in names(options):
        rows.append((name, [timed(f"{name}-{spelling}", end, log) for spelling in SPELLINGS]))
        (options.out / "kernels-opencl.md").write_text(report(rows))
        (options.out / "kernels-opencl.log").write_text("\n".join(log) + "\n")
    print((options.out / "kernels-opencl.md").read_text())
    print("\n".join(log))
    return 0


def timed(program, end, log):
    """Seconds by PTX and by OpenCL C, if both have the same sum."""
    best, sums = {}, {}
    for turn in range(ROUNDS):
        for device in sorted(DEVICES, reverse=turn % 2 == 0):
            environment = {"ACC_DEVICE_TYPE": device, "LD_LIBRARY_PATH": str(BUILT)}
            result, why = started(BUILT / program, ["0", LAPS], environment, max(5, end - time.monotonic()))
            if not result:
                log.append(f"{program}, {device}: {why}")
                return None
            best[device] = min(best.get(device, result[0]), result[0])
            sums[device] = result[1]
    if not agree(*(sums[device] for device in DEVICES), 1e-4):
        log.append(f"{program}: sums {sums}")
        return None
    return [best[device] for device in DEVICES]


def report(rows):
    ratios = [opencl / ptx for _, cells in rows for ptx, opencl in filter(None, cells)]
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    gpu = subprocess.run(query, capture_output=True, text=True).stdout.strip()
    text = [
        f"# Kernels in two spellings behind OpenCL, {datetime.date.today()}",
        "",
        f"{gpu}. Shortest lap of {LAPS} in µs by PTX and by OpenCL C, data on the device. Geometric mean of {len(ratios)} ratios:",
        f"**{geometric_mean(ratios):.2f}**; {sum(ratio > WANTED for ratio in ratios)} are above {WANTED}.",
        "",
        "| kernel | PTX 1 | OpenCL 1 | ratio | PTX 2 | OpenCL 2 | ratio |",
        "| --- | --: | --: | --: | --: | --: | --: |",
    ]
    for name, cells in rows:
        shown = [f"{1e6 * c[0]:.1f} | {1e6 * c[1]:.1f} | {c[1] / c[0]:.2f}" if c else "failed | | " for c in cells]
        text.append(f"| {name} | {' | '.join(shown)} |")
    return "\n".join([*text, ""])

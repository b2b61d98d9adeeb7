"""Kernels that accrue was not tuned on, each in two spellings, many in four, beside CUDA as its programmers write it.

    bench/kernels.sh build [--accrue PROGRAM]       here: kernels/acc/NAME.c by `accrue cc -O3 -fopenacc`, once for each
                                                    spelling, and the runtime library, into build/kernels; with --cuda
                                                    FOLDER, a toolkit that clang knows, also kernels/cuda by clang's
                                                    own back end for NVIDIA GPUs
    bench/kernels.sh … --spellings 3,4              the third and the fourth spelling, where there are any
    bench/kernels.sh check [--device sim]           here: both spellings on a device of this machine against plain cc, small
    bench/kernels.sh run --out FOLDER               there: compiles kernels/cuda/NAME.cu by nvcc and runs all of them
    bench/kernels.sh build-cpu --march ARCH         here: the same kernels for cores, by accrue and by gcc -fopenmp, into
                                                    build/kernels-cpu (see cpu.py)
    bench/kernels.sh cpu --out FOLDER               there: runs them; needs nothing but Python
    bench/kernels.sh opencl --out FOLDER            there: what `build` has made by PTX and by OpenCL C (see opencl.py)
    bench/kernels.sh collect FOLDER                 here: FOLDER/kernels*.md become bench/results/kernels*-DATE.md

`run` writes a table of the shortest laps with their ratio to CUDA's, registers and local memory of accrue's kernels, and
checks that all sums agree to six digits. It stops at no failure and keeps to --limit seconds.
"""

import argparse
import concurrent.futures
import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import cpu
import opencl
from shared import HERE, ROOT, SPELLINGS, agree, compile_spellings, geometric_mean, names, spellings_of, started

BUILT = ROOT / "build" / "kernels"
# Of ACCRUE_NOTIFY: launches.
LAUNCHES = "1"
LAUNCH = re.compile(r" line=(\d+) .*kernel=(\S+) .*registers=(\d+) local=(\d+) occupancy=(\d+)%")


def main():
    parser = argparse.ArgumentParser(
        prog="bench/kernels.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=["build", "check", "run", "build-cpu", "cpu", "opencl", "collect"])
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--accrue", type=pathlib.Path, default=ROOT / "target/release/accrue")
    parser.add_argument("--flags", default="-gpu=cc90", help="further options of accrue cc")
    parser.add_argument("--cuda", type=pathlib.Path, help="a CUDA toolkit for clang")
    parser.add_argument("--clang", default="clang++-16", help="the clang that compiles CUDA")
    parser.add_argument("--march", default="native", help="-march of build-cpu, for both compilers")
    parser.add_argument("--out", type=pathlib.Path, default=os.environ.get("OUT"))
    parser.add_argument("--device", default="sim", help="ACC_DEVICE_TYPE of check")
    parser.add_argument("--shift", type=int, default=5, help="sizes of check are divided by 2^SHIFT")
    parser.add_argument("--limit", type=int, default=500, help="seconds for run")
    parser.add_argument("--only", default="", help="only these kernels, with commas")
    parser.add_argument("--spellings", type=spellings, default=SPELLINGS, help="two of a kernel's, with a comma: some have 3 and 4")
    options = parser.parse_args()
    commands = {"build": build, "check": check, "run": run, "build-cpu": cpu.build, "cpu": cpu.run}
    commands |= {"opencl": opencl.run, "collect": collect}
    sys.exit(commands[options.command](options))


def spellings(text):
    return tuple(int(number) for number in text.split(","))


def accrue(options):
    return [options.accrue, "cc", "-O3", "-fopenacc", *options.flags.split()]


def build(options):
    failures = compile_spellings(options, BUILT, accrue(options))
    if options.cuda:
        failures += compile_by_clang(options)
    shutil.copyfile(options.accrue.parent / "libaccrue.so", BUILT / "libaccrue.so")
    subprocess.run(["strip", "--strip-unneeded", str(BUILT / "libaccrue.so")], check=False)
    print("\n".join(failures) or f"{len(names(options))} kernels are built")
    return bool(failures)


def compile_by_clang(options):
    """The CUDA programs by clang, as NAME-clang with the toolkit's library beside them; gives what could not be compiled."""
    library = next((options.cuda / "lib64").glob("libcudart.so.*"))
    shutil.copyfile(library, BUILT / library.name)
    command = [options.clang, "-w", "-x", "cuda", f"--cuda-path={options.cuda}", "--cuda-gpu-arch=sm_90", "-O3", "-std=c++17"]

    def one(name):
        files = [HERE / "cuda" / f"{name}.cu", "-x", "none", BUILT / library.name, "-o", BUILT / f"{name}-clang"]
        done = subprocess.run([str(c) for c in [*command, *files, "-Wl,-rpath,$ORIGIN"]], capture_output=True, text=True)
        return None if done.returncode == 0 else f"{name}, clang: {done.stderr.strip()[-500:]}"

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [failure for failure in pool.map(one, names(options)) if failure]


def check(options):
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for failure in compile_spellings(options, folder, accrue(options)):
            wrong += 1
            print(failure)
        for name in names(options):
            plain = folder / name
            source = HERE / "acc" / f"{name}.c"
            subprocess.run(["cc", "-O2", "-w", str(source), "-o", str(plain), "-lm"], check=True)
            expected, _ = started(plain, [str(options.shift), "1"], {}, 300)
            for spelling in spellings_of(name, options):
                environment = {"ACC_DEVICE_TYPE": options.device}
                program = folder / f"{name}-{spelling}"
                result, text = started(program, [str(options.shift), "1"], environment, 600)
                good = result and expected and agree(result[1], expected[1])
                wrong += not good
                print(f"{name}, spelling {spelling}: {'as plain cc' if good else (result, expected, text)}", flush=True)
    return wrong > 0


def run(options):
    end = time.monotonic() + options.limit
    options.out.mkdir(parents=True, exist_ok=True)
    folder = pathlib.Path(tempfile.mkdtemp())
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"

    def compile_cuda(name):
        command = [nvcc, "-O3", "-arch=native", "-std=c++17", "--extended-lambda"]
        command += [str(HERE / "cuda" / f"{name}.cu"), "-o", str(folder / name)]
        return subprocess.run(command, capture_output=True, text=True)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        compiled = dict(zip(names(options), pool.map(compile_cuda, names(options))))
    environment = {"ACC_DEVICE_TYPE": "nvidia", "LD_LIBRARY_PATH": str(BUILT)}
    lines, ratios, log, code, by_clang = [], [], [], [], []
    for name in names(options):
        if compiled[name].returncode:
            log.append(f"{name}: nvcc: {compiled[name].stderr[-500:]}")
        cuda, why = started(folder / name, [], {}, max(5, end - time.monotonic())) if not compiled[name].returncode else (None, "")
        if not cuda:
            log.append(f"{name}: CUDA: {why}")
        cells = []
        own = spellings_of(name, options)
        for spelling in options.spellings:
            if spelling not in own:
                cells += ["", ""]
                continue
            program = BUILT / f"{name}-{spelling}"
            result, why = started(program, [], environment, max(5, end - time.monotonic()))
            if not result:
                log.append(f"{name}, spelling {spelling}: {why}")
                cells += ["failed", ""]
                continue
            cells.append(f"{1e6 * result[0]:.1f}")
            if not cuda:
                cells.append("")
            elif agree(result[1], cuda[1]) or agree(result[1], cuda[1], 1e-4):
                note = "" if agree(result[1], cuda[1]) else " (sums agree to 4 digits)"
                ratios.append(result[0] / cuda[0])
                cells.append(f"{result[0] / cuda[0]:.2f}{note}")
            else:
                log.append(f"{name}, spelling {spelling}: sum {result[1]}, CUDA {cuda[1]}")
                cells.append("wrong sum")
            one_lap = ["0", "1"]
            _, launches = started(program, one_lap, {**environment, "ACCRUE_NOTIFY": LAUNCHES}, 60)
            log.append(f"{name}, spelling {spelling}: " + "\n".join(sorted(set((launches or "").splitlines()))[:3]))
            code.append(f"| {name} {spelling} | " + " | ".join(code_of(launches or "")) + " |")
        cells += clang_cells(name, cuda, max(5, end - time.monotonic()), log, by_clang)
        lines.append(f"| {name} | {1e6 * cuda[0]:.1f} | " + " | ".join(cells) + " |" if cuda else f"| {name} | failed | " + " | ".join(cells) + " |")
        write(options, lines, ratios, log, code, by_clang)
    print((options.out / "kernels.md").read_text())
    return 0


def second_yardstick(by_clang):
    if not by_clang:
        return []
    return [f"The same CUDA text by clang's own back end in nvcc's place: geometric mean **{geometric_mean(by_clang):.2f}**.", ""]


def clang_cells(name, cuda, seconds, log, ratios):
    """The cells of the CUDA program as clang has compiled it, if `build` has: its lap, and the ratio to nvcc's."""
    program = BUILT / f"{name}-clang"
    if not program.exists():
        return ["", ""]
    result, why = started(program, [], {}, seconds)
    if not result or not cuda or not agree(result[1], cuda[1], 1e-4):
        log.append(f"{name}, clang: {why if not result else f'sum {result[1]}'}")
        return ["failed", ""]
    ratios.append(result[0] / cuda[0])
    return [f"{1e6 * result[0]:.1f}", f"{ratios[-1]:.2f}"]


def code_of(launches):
    """Registers, bytes of local memory and occupancy of the kernels that a program starts, in the order of their lines."""
    found = {(int(line), kernel): numbers for line, kernel, *numbers in LAUNCH.findall(launches)}
    return [", ".join(column) for column in zip(*(found[key] for key in sorted(found)))]


def write(options, lines, ratios, log, code, by_clang):
    gpu = subprocess.run(
        ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True, text=True
    ).stdout.strip()
    text = [
        f"# Kernels in two spellings beside CUDA, {datetime.date.today()}",
        "",
        f"{gpu}. Shortest lap of 50 in µs, data on the device; ratio to CUDA. Geometric mean of {len(ratios)} ratios: **{geometric_mean(ratios):.2f}**.",
        "",
        *second_yardstick(by_clang),
        "| kernel | CUDA | " + "".join(f"spelling {s} | ratio | " for s in options.spellings) + "CUDA by clang | ratio |",
        "| --- | " + "--: | " * (2 * len(options.spellings) + 3),
        *lines,
        "",
        "The kernels that each starts, by line: registers, bytes of local memory, occupancy in percent.",
        "",
        "| program | registers | local memory | occupancy |",
        "| --- | --- | --- | --- |",
        *code,
        "",
    ]
    (options.out / "kernels.md").write_text("\n".join(text))
    (options.out / "kernels.log").write_text("\n".join(log) + "\n")


def collect(options):
    for result in sorted(options.folder.glob("kernels*.md")):
        text = result.read_text()
        date = re.search(r"\d{4}-\d\d-\d\d", text)[0]
        (ROOT / "bench/results" / f"{result.stem}-{date}.md").write_text(text)
    return 0


if __name__ == "__main__":
    main()

"""GPU correctness and benchmarks: accrue on an NVIDIA GPU beside hand-written CUDA.

The machine with the GPU needs the driver, Python and nvcc (for the CUDA peers), but neither Rust nor clang: what accrue
compiles is built elsewhere and carried there as the folder build/gpu, beside the working tree.

    bench/gpu.sh build                      here: accrue, the OpenACC benchmarks, every program of tests/run with the
                                            output that is expected of it, the simulator's test vectors, and the
                                            probe, into build/gpu
    bench/gpu.sh check                      here: the OpenACC benchmarks on the CPU against plain cc, small sizes
    bench/gpu.sh run --out FOLDER           there: CUDA peers, correctness, benchmarks, kernels, vectors, probe
    bench/gpu.sh run --out FOLDER --stages vectors
                                            there: every instruction on the GPU against the PTX simulator, nothing else
    bench/gpu.sh collect FOLDER             here: FOLDER/results.md becomes bench/results/gpu-DATE.md

`run` never stops at a failure, keeps to its time limit, and rewrites FOLDER/results.md after every stage, so that a run
that was cut short leaves what it had found. FOLDER also gets raw.log (all output), failures.txt, vectors.txt and probe.txt.
"""

import argparse
import os
import pathlib
import re
import shutil
import sys
import time

import build
import correctness
import measure
import report

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILT = ROOT / "build" / "gpu"
STAGES = ["tests", "bench", "kernels", "vectors", "probe"]


def main():
    options = arguments()
    sys.exit(options.command(options))


def arguments():
    parser = argparse.ArgumentParser(
        prog="bench/gpu.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    one = commands.add_parser("build", help="compile everything into build/gpu")
    one.add_argument("--accrue", help="an accrue to use; by default the release build is made")
    one.add_argument("--jobs", type=int, default=os.cpu_count())
    one.add_argument("--filter", default="", help="only tests whose name has this in it")
    one.add_argument("--flags", default="", help="further options of accrue cc, as -gpu=cc90")
    one.set_defaults(command=build_command)

    one = commands.add_parser("check", help="OpenACC benchmarks on the CPU against plain cc")
    one.add_argument("--accrue", help="an accrue to use; by default the release build is made")
    one.add_argument("--device", default="host", help="ACC_DEVICE_TYPE")
    one.add_argument("--shift", type=int, default=7, help="sizes are divided by 2^SHIFT")
    one.set_defaults(command=check_command)

    one = commands.add_parser("run", help="on the machine with the GPU")
    one.add_argument("--out", type=pathlib.Path, default=os.environ.get("OUT"), help="folder of the results ($OUT)")
    one.add_argument("--limit", type=int, default=540, help="seconds for everything")
    one.add_argument("--stages", default=",".join(STAGES), help="any of " + ",".join(STAGES))
    one.add_argument("--filter", default="", help="only tests whose name has this in it")
    one.add_argument("--only", default="", help="only these benchmark programs, with commas")
    one.add_argument("--rounds", type=int, default=2, help="how often each benchmark program is started")
    one.add_argument("--repeats", type=int, default=50, help="timed laps in a program")
    one.add_argument("--shift", type=int, default=0, help="sizes are divided by 2^SHIFT")
    one.add_argument("--jobs", type=int, default=16, help="tests at the same time")
    one.add_argument("--timeout", type=int, default=60, help="seconds for one program")
    one.add_argument("--sanitize", type=int, default=0, help="repeat so many failed tests under compute-sanitizer")
    one.add_argument("--device", default="nvidia", help="ACC_DEVICE_TYPE")
    one.add_argument("--env", action="append", default=[], metavar="NAME=VALUE", help="for programs built by accrue")
    one.add_argument("--nvcc", default="nvcc")
    one.set_defaults(command=run_command)

    one = commands.add_parser("collect", help="store the results in bench/results")
    one.add_argument("folder", type=pathlib.Path)
    one.set_defaults(command=collect_command)

    options = parser.parse_args()
    if options.command is run_command and options.out is None:
        parser.error("run: name a folder with --out")
    return options


def build_command(options):
    return build.everything(ROOT, BUILT, options)


def check_command(options):
    return build.check(ROOT, options)


def run_command(options):
    stages = options.stages.split(",")
    unknown = set(stages) - set(STAGES)
    if unknown:
        sys.exit(f"gpu.sh: unknown stages: {', '.join(sorted(unknown))}")
    options.out.mkdir(parents=True, exist_ok=True)
    options.deadline = time.monotonic() + options.limit
    with measure.Session(ROOT, BUILT, options) as session:
        results = report.Results(session, options)
        results.write()
        peers = session.start_cuda() if "bench" in stages else None
        for stage, action in (
            ("tests", lambda: results.tests(correctness.run(session, options))),
            ("bench", lambda: results.peers(session.finish_cuda(peers))),
            ("bench", lambda: results.rows(measure.benchmarks(session, options))),
            ("bench", lambda: results.first(measure.first_result(session, options))),
            ("kernels", lambda: results.kernels(measure.kernels(session, options))),
            ("vectors", lambda: results.vectors(measure.vectors(session, options))),
            ("probe", lambda: results.probe(measure.probe(session, options))),
        ):
            if stage not in stages:
                continue
            print(f"{stage}: {session.remaining():.0f} s left", flush=True)
            try:
                action()
            except Exception as error:  # One stage's failure must not take the others' results along.
                session.log(f"stage {stage}: {type(error).__name__}: {error}")
                results.trouble(f"stage {stage} broke off: {type(error).__name__}: {error}")
            results.write()
    print(results.summary())
    return 0


def collect_command(options):
    text = (options.folder / "results.md").read_text()
    date = re.search(r"\d{4}-\d\d-\d\d", text)
    if not date:
        sys.exit(f"gpu.sh: no date in {options.folder}/results.md")
    target = ROOT / "bench" / "results" / f"gpu-{date.group()}.md"
    target.parent.mkdir(exist_ok=True)
    shutil.copyfile(options.folder / "results.md", target)
    print(f"written to {target.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    main()

"""GPU correctness and benchmarks: accrue on an NVIDIA GPU beside hand-written CUDA.

The machine with the GPU needs the driver, Python and nvcc (for the CUDA peers), but neither Rust nor clang: what accrue
compiles is built elsewhere and carried there as the folder build/gpu, beside the working tree.

    bench/gpu.sh build                      here: accrue, the OpenACC benchmarks, every program of tests/run with the
                                            output that is expected of it, the tests of reductions under each
                                            policy, the simulator's test vectors, and the probes, into build/gpu
    bench/gpu.sh check                      here: the OpenACC benchmarks on the CPU against plain cc, small sizes
    bench/gpu.sh run --out FOLDER           there: all stages, or those of --stages with commas:
        tests       every program of tests/run
        policies    the tests of reductions, compiled with each policy of -freduction
        fuzz        random nests of loops with reductions (build --nests COUNT)
        runtime     the tests of the runtime's CUDA driver
        multi       two GPUs in one program; skipped where there is one
        bench       the benchmarks beside CUDA, which is compiled meanwhile; time to the first result
        cost        reductions against the number of gangs and the vector length, under three policies
        sweep       four programs in OpenMP, OpenACC and CUDA over teams, threads and sizes
        kernels     what each kernel was launched with and uses
        start       what the start of a process costs, under several settings of the driver
        vectors     every instruction on the GPU against the PTX simulator
        probe       device attributes, and what calls of the driver cost
    bench/gpu.sh collect FOLDER             here: FOLDER/results.md becomes bench/results/gpu-DATE.md (--name: another
                                            name than gpu, for a run of some stages); FOLDER/cost.csv becomes
                                            bench/results/reduction-cost-DATE.csv and the charts in docs/images, and so
                                            does FOLDER/sweep.csv

`run` never stops at a failure, keeps to the time limits of the whole and of each stage, and rewrites FOLDER/results.md
after every stage, so that a run that was cut short leaves what it had found. FOLDER also gets raw.log (all output),
failures.txt, cost.csv, sweep.csv, vectors.txt and probe.txt.
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
import costs
import fuzzing
import measure
import report
import sweeps

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILT = ROOT / "build" / "gpu"
# Goals, and each algorithm at a level that has it.
POLICIES = (
    "deterministic fast lock gang:lock gang:atomic worker:lock worker:atomic "
    "contiguous dispersed redux first-warp"
)
# Stages in their order, and how many seconds each may take.
STAGES = {
    "tests": 240,
    "policies": 60,
    "fuzz": 240,
    "runtime": 60,
    "multi": 60,
    "bench": 300,
    "sweep": 120,
    "cost": 60,
    "kernels": 60,
    "start": 60,
    "vectors": 180,
    "probe": 120,
}


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
    one.add_argument(
        "--policies", default=POLICIES, help="values of -freduction for the tests of reductions, with spaces"
    )
    one.add_argument("--nests", type=int, default=500, help="random nests (0: none)")
    one.add_argument("--nest-seed", type=int, default=1)
    one.add_argument("--nest-programs", type=pathlib.Path, help="a folder that tests/fuzz/fuzz.py has kept programs in")
    one.add_argument(
        "--nest-policies", default="default", help="values of -freduction that programs of nests take in turn"
    )
    one.set_defaults(command=build_command)

    one = commands.add_parser("check", help="OpenACC benchmarks on the CPU against plain cc")
    one.add_argument("--accrue", help="an accrue to use; by default the release build is made")
    one.add_argument("--device", default="host", help="ACC_DEVICE_TYPE")
    one.add_argument("--shift", type=int, default=7, help="sizes are divided by 2^SHIFT")
    one.set_defaults(command=check_command)

    one = commands.add_parser("run", help="on the machine with the GPU")
    one.add_argument("--out", type=pathlib.Path, default=os.environ.get("OUT"), help="folder of the results ($OUT)")
    one.add_argument("--limit", type=int, default=540, help="seconds for everything")
    one.add_argument("--stages", default=",".join(STAGES), help="any of " + ", ".join(STAGES))
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
    one.add_argument("--name", default="gpu", help="the page becomes bench/results/NAME-DATE.md")
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
        peers = session.start_cuda("bench" in stages, ["sweep"] if "sweep" in stages else [])
        actions = {
            "tests": [lambda: results.tests(correctness.run(session, options))],
            "policies": [lambda: results.policies(correctness.policies(session, options))],
            "fuzz": [lambda: results.checked("fuzz", fuzzing.run(session, options))],
            "runtime": [lambda: results.checked("runtime", measure.runtime_tests(session, options))],
            "multi": [lambda: results.checked("multi", measure.two_gpus(session, options))],
            "bench": [
                lambda: results.rows(measure.benchmarks(session, options)),
                lambda: results.first(measure.first_result(session, options)),
            ],
            "sweep": [lambda: results.sweep(sweeps.measure(session, options))],
            "cost": [lambda: results.costs(costs.measure(session, options))],
            "kernels": [lambda: results.kernels(measure.kernels(session, options))],
            "start": [lambda: results.start(measure.start(session, options))],
            "vectors": [lambda: results.vectors(measure.vectors(session, options))],
            "probe": [lambda: results.probe(measure.probe(session, options))],
        }
        for stage, limit in STAGES.items():
            if stage not in stages:
                continue
            if stage in ("bench", "sweep") and peers:
                compiled, peers = peers, {}
                attempt(session, results, stage, lambda: results.peers(session.finish_cuda(compiled)))
            session.begin_stage(limit)
            print(f"{stage}: {session.remaining():.0f} s left", flush=True)
            for action in actions[stage]:
                attempt(session, results, stage, action)
    print(results.summary())
    return 0


def attempt(session, results, stage, action):
    """One action's failure must not take the others' results along."""
    try:
        action()
    except Exception as error:
        session.log(f"stage {stage}: {type(error).__name__}: {error}")
        results.trouble(f"stage {stage} broke off: {type(error).__name__}: {error}")
    results.write()


def collect_command(options):
    text = (options.folder / "results.md").read_text()
    date = re.search(r"\d{4}-\d\d-\d\d", text)
    machine = re.search(r"^- GPU: ([^,\n]+, driver [^,\n]+)", text, re.MULTILINE)
    if not date:
        sys.exit(f"gpu.sh: no date in {options.folder}/results.md")
    target = ROOT / "bench" / "results"
    target.mkdir(exist_ok=True)
    written = [target / f"{options.name}-{date.group()}.md"]
    shutil.copyfile(options.folder / "results.md", written[0])
    figures = options.folder / "cost.csv"
    if figures.exists():
        written.append(target / f"reduction-cost-{date.group()}.csv")
        shutil.copyfile(figures, written[-1])
        written += costs.draw(costs.load(figures), machine.group(1) if machine else "", ROOT / "docs" / "images")
    figures = options.folder / "sweep.csv"
    if figures.exists():
        written.append(target / f"sweep-{date.group()}.csv")
        shutil.copyfile(figures, written[-1])
        written += sweeps.draw(sweeps.load(figures), machine.group(1) if machine else "", ROOT / "docs" / "images")
    for path in written:
        print(f"written: {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    main()

"""What is built before anything is carried to the machine with the GPU.

build/gpu/lib/libaccrue.so      the runtime, stripped
build/gpu/bench/NAME, NAME-2    bench/gpu/acc/NAME.c by `accrue cc -O3 -fopenacc`, in both spellings
build/gpu/bench/NAME-openmp     bench/gpu/omp/NAME.c by `accrue cc -O3 -fopenmp`; NAME-openmp-simd: with -DWITH_SIMD
build/gpu/tests/NAME            tests/run/NAME.c by `accrue cc -O2 -fopenacc`
build/gpu/tests/NAME.out        what it must print: plain cc's output, or its expectation file
build/gpu/policies/POLICY/      tests/run/reduction by `accrue cc -O2 -fopenacc -freduction=POLICY`, and expected outputs
build/gpu/nests/                random nests of loops with reductions: see fuzzing.py
build/gpu/programs/             what is measured or checked apart from the table: see PROGRAMS
build/gpu/probe, start          bench/gpu/probe.c, bench/gpu/programs/start.c
build/gpu/empty.cubin           an empty kernel as machine code, for `start`, where there is a ptxas
build/gpu/runtime-tests         the runtime's tests on a GPU (crates/runtime/tests/cuda)
build/gpu/compare               bench/gpu/vectors.c
build/gpu/vectors/              what the PTX simulator computes for every instruction (crates/ptx-sim/examples/vectors)
build/gpu/manifest.json         how each test is started, its exit status, its launches; versions
"""

import concurrent.futures
import dataclasses
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import correctness
import costs
import fuzzing
import sweeps

SIZE_LIMIT = 60 << 20
COMPILE_SECONDS = 120
# Names in `// modes:` that mean a GPU (see tests/src/mode.rs).
GPU_MODES = {"gpu", "nvidia"}
# Tests that ask for the same bits in every run, which not all policies promise.
REPEATABLE = {"reduction/repeatable", "reduction/repeatable_arrays"}
UNORDERED = re.compile("fast|lock|atomic")
# Name in build/gpu/programs, source in bench/gpu, options of accrue cc.
PROGRAMS = [
    *((costs.program(policy), "programs/reduction_cost.c", ["-fopenacc", *flags]) for policy, flags in costs.POLICIES.items()),
    *((sweeps.program(form), "programs/sweep.c", flags) for form, flags in sweeps.FORMS.items()),
    ("two_gpus", "programs/two_gpus.c", ["-fopenacc", "-pthread"]),
    ("first_result-aot", "acc/first_result.c", ["-fopenacc", "-gpu=sm_90"]),
]
# Programs that must carry machine code.
AHEAD_OF_TIME = {"first_result-aot"}
# By source: what `plain` has found out.
ORACLES = {}
EMPTY_KERNEL = ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry empty()\n{\n ret;\n}\n"


def everything(root, built, options):
    accrue = compiler(root, options.accrue)
    for folder in ("lib", "bench", "tests", "programs"):
        (built / folder).mkdir(parents=True, exist_ok=True)
    flags = options.flags.split()
    library = accrue.parent / "libaccrue.so"
    shutil.copyfile(library, built / "lib" / "libaccrue.so")
    strip(built / "lib" / "libaccrue.so")
    run(["cc", "-O2", "-pthread", str(root / "bench/gpu/probe.c"), "-o", str(built / "probe"), "-ldl"])
    start(root, built)
    vectors(root, built)
    runtime_tests(root, built)
    newest = max(accrue.stat().st_mtime, library.stat().st_mtime)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        benchmarks = list(pool.map(lambda c: benchmark(accrue, flags, c, built), sources(root / "bench/gpu/acc")))
        programs = list(pool.map(lambda p: program(root, accrue, flags, p, built), PROGRAMS))
        wanted = [c for c in sources(root / "tests/run") if options.filter in str(c)]
        tests = list(pool.map(lambda c: test(accrue, flags, root, c, built / "tests", newest), wanted))
        policies, unknown = {}, []
        for policy in options.policies.split():
            option = f"-freduction={policy}"
            if refused := refusal(accrue, option):
                unknown.append({"name": f"tests with {option}", "failure": refused})
                continue
            folder = built / "policies" / correctness.policy_folder(policy)
            chosen = [c for c in wanted if c.parent.name == "reduction" and may_run(f"reduction/{c.stem}", policy)]
            build_one = functools.partial(test, accrue, [*flags, option], root, folder=folder, newest=newest)
            policies[policy] = list(pool.map(build_one, chosen))
    everything_built = [*benchmarks, *programs, *tests, *(t for p in policies.values() for t in p)]
    failures = [b for b in everything_built if "failure" in b] + unknown
    failures += fuzzing.build(root, built, accrue, flags, options)
    manifest = {
        "accrue": run([str(accrue), "--version"]).stdout.splitlines()[0],
        "commit": commit(root),
        "cc": run(["cc", "--version"]).stdout.splitlines()[0],
        "flags": options.flags,
        "benchmarks": [b["name"] for b in benchmarks if "failure" not in b],
        "programs": [p["name"] for p in programs if "failure" not in p],
        "tests": runnable(tests),
        "policies": {policy: runnable(found) for policy, found in policies.items()},
        "skipped": [t for t in tests if "skipped" in t],
        "failures": failures,
    }
    (built / "manifest.json").write_text(json.dumps(manifest, indent=1))
    size = sum(f.stat().st_size for f in built.rglob("*") if f.is_file())
    print(
        f"{len(manifest['benchmarks'])} benchmarks, {len(manifest['tests'])} tests "
        f"({len(manifest['skipped'])} for the CPU alone), {size / (1 << 20):.1f} MiB in {built.relative_to(root)}"
    )
    for failure in failures:
        print(f"not built: {failure['name']}: {failure['failure']}")
    if size > SIZE_LIMIT:
        print(f"more than {SIZE_LIMIT >> 20} MiB: too much to carry")
        return 1
    return 1 if failures else 0


def compiler(root, given):
    """The accrue to use, built first when none was given."""
    if given:
        return pathlib.Path(given).resolve()
    subprocess.run(["cargo", "build", "--release", "--workspace", "--quiet"], cwd=root, check=True)
    return pathlib.Path(os.environ.get("CARGO_TARGET_DIR", root / "target")).resolve() / "release" / "accrue"


def start(root, built):
    """The program that measures starts of processes, and machine code for it."""
    run(["cc", "-O2", "-pthread", str(root / "bench/gpu/programs/start.c"), "-o", str(built / "start"), "-ldl"])
    cubin = built / "empty.cubin"
    cubin.unlink(missing_ok=True)
    ptxas = os.environ.get("ACCRUE_PTXAS") or shutil.which("ptxas")
    if not ptxas:
        print("no ptxas: the start of machine code is not measured; ACCRUE_PTXAS may name one")
        return
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as text:
        text.write(EMPTY_KERNEL)
        text.flush()
        run([ptxas, "-arch=sm_90", text.name, "-o", str(cubin)])


def runtime_tests(root, built):
    """The test program of the runtime's CUDA driver."""
    command = ["cargo", "test", "--release", "--package", "accrue-runtime", "--test", "cuda", "--no-run"]
    command += ["--quiet", "--message-format=json"]
    done = subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE, text=True)
    found = [json.loads(line).get("executable") for line in done.stdout.splitlines() if line.startswith("{")]
    shutil.copyfile([path for path in found if path][-1], built / "runtime-tests")
    (built / "runtime-tests").chmod(0o755)
    strip(built / "runtime-tests")


def vectors(root, built):
    """The simulator's test vectors, and the program that compares a GPU with them."""
    run(["cc", "-O2", str(root / "bench/gpu/vectors.c"), "-o", str(built / "compare"), "-ldl", "-lm"])
    package = ["--package", "accrue-ptx-sim", "--example", "vectors"]
    command = ["cargo", "run", "--release", "--quiet", *package, "--", str(built / "vectors")]
    subprocess.run(command, cwd=root, check=True)


def sources(folder):
    return sorted(c for c in folder.rglob("*.c") if not c.name.endswith(".part.c"))


def benchmark(accrue, flags, source, built):
    """Also its second spelling, if it has one, as NAME-2; and its forms in OpenMP."""
    forms = {source.stem: ["-fopenacc", "-DSPELLING=1", str(source)]}
    if "SPELLING" in source.read_text():
        forms[f"{source.stem}-2"] = ["-fopenacc", "-DSPELLING=2", str(source)]
    openmp = source.parents[1] / "omp" / source.name
    if openmp.exists():
        forms[f"{source.stem}-openmp"] = ["-fopenmp", str(openmp)]
        forms[f"{source.stem}-openmp-simd"] = ["-fopenmp", "-DWITH_SIMD", str(openmp)]
    for name, form in forms.items():
        target = built / "bench" / name
        target.unlink(missing_ok=True)
        command = [str(accrue), "cc", "-O3", *flags, *form]
        done = run([*command, "-o", str(target), "-lm"])
        if done.returncode or not target.exists():
            return {"name": name, "failure": (done.stdout + done.stderr)[-2000:]}
        strip(target)
    return {"name": source.stem}


def program(root, accrue, flags, wanted, built):
    name, source, own = wanted
    target = built / "programs" / name
    target.unlink(missing_ok=True)
    command = [str(accrue), "cc", "-O3", *flags, *own, str(root / "bench/gpu" / source)]
    done = run([*command, "-o", str(target), "-lm"])
    if done.returncode or not target.exists():
        return {"name": name, "failure": (done.stdout + done.stderr)[-2000:]}
    strip(target)
    if name in AHEAD_OF_TIME and not has_machine_code(target.read_bytes()):
        target.unlink()
        why = f"{' '.join(own)} put no machine code into the program; ACCRUE_PTXAS may name a ptxas"
        return {"name": name, "failure": why}
    return {"name": name}


def has_machine_code(program_bytes):
    """Whether an ELF file for NVIDIA's machines lies within the program."""
    magic, cuda = b"\x7fELF", 190
    at = program_bytes.find(magic, 1)
    while at > 0:
        if int.from_bytes(program_bytes[at + 18 : at + 20], "little") == cuda:
            return True
        at = program_bytes.find(magic, at + 1)
    return False


def refusal(accrue, option):
    """Why accrue does not take the option; nothing if it does."""
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch, "empty.c")
        source.write_text("int nothing;\n")
        done = run([str(accrue), "cc", "-fopenacc", option, "-c", str(source), "-o", f"{scratch}/empty.o"])
    return (done.stdout + done.stderr)[-500:] or f"status {done.returncode}" if done.returncode else ""


def may_run(name, policy):
    return name not in REPEATABLE or not UNORDERED.search(policy)


def runnable(tests):
    return [t for t in tests if "failure" not in t and "skipped" not in t]


def test(accrue, flags, root, source, folder, newest):
    """Builds one program of tests/run into the folder and finds out what it must print."""
    name = str(source.relative_to(root / "tests/run").with_suffix(""))
    header = Header.read(source)
    entry = {"name": name, "args": header.args, "env": header.env, "launches": header.launches}
    if not header.fits_gpu():
        return {**entry, "skipped": "CPU only"}
    clang = header.clang()
    if header.needs_clang and not clang:
        return {**entry, "skipped": f"no clang {header.needs_clang} or later"}
    target = folder / name
    expected = target.with_name(target.name + ".out")
    record = target.with_name(target.name + ".json")
    target.parent.mkdir(parents=True, exist_ok=True)
    changed = max([newest, *(f.stat().st_mtime for f in source.parent.iterdir())])
    if record.exists() and record.stat().st_mtime > changed:
        known = json.loads(record.read_text())
        if known.get("flags") == flags and target.exists() and expected.exists():
            return {**entry, "status": known["status"]}
    for old in (target, expected, record):
        old.unlink(missing_ok=True)
    inputs = [*header.cflags, source.name, *header.parts]
    command = [str(accrue), "cc", "-O2", "-fopenacc", *flags, *header.options, *inputs, "-o", str(target), "-lm"]
    done = run(command, cwd=source.parent, env={**os.environ, **({"ACCRUE_CLANG": clang} if clang else {})})
    if done.returncode or not target.exists():
        return {**entry, "failure": (done.stdout + done.stderr)[-2000:]}
    strip(target)
    status = 0
    if header.expect_output:
        shutil.copyfile(source.parent / header.expect_output, expected)
    else:
        # The same for all policies.
        if source not in ORACLES:
            ORACLES[source] = plain(source, inputs, header)
        oracle = ORACLES[source]
        if isinstance(oracle, str):
            return {**entry, "failure": oracle}
        status, text = oracle
        expected.write_bytes(text)
    record.write_text(json.dumps({"status": status, "flags": flags}))
    return {**entry, "status": status}


def plain(source, inputs, header):
    """Exit status and output of the program without directives; a message when there is none."""
    with tempfile.TemporaryDirectory() as scratch:
        executable = f"{scratch}/plain"
        done = run(["cc", "-O1", "-w", *inputs, "-o", executable, "-lm"], cwd=source.parent)
        if done.returncode:
            return f"plain cc: {done.stderr[-2000:]}"
        environment = {**os.environ, **header.env}
        try:
            done = subprocess.run(
                [executable, *header.args], capture_output=True, env=environment, cwd=scratch, timeout=60, check=False
            )
        except subprocess.TimeoutExpired:
            return "plain cc's program runs for more than 60 s"
        status = done.returncode if done.returncode >= 0 else 128 - done.returncode
        return status, done.stdout


@dataclasses.dataclass
class Header:
    """The `// key: value` lines at the top of a test (see tests/src/header.rs)."""

    args: list = dataclasses.field(default_factory=list)
    cflags: list = dataclasses.field(default_factory=list)
    parts: list = dataclasses.field(default_factory=list)
    env: dict = dataclasses.field(default_factory=dict)
    modes: list = dataclasses.field(default_factory=list)
    launches: int = 1
    expect_output: str = ""
    # Options for our compiler, where there is one set of them.
    options: list = dataclasses.field(default_factory=list)
    needs_clang: int = 0

    @staticmethod
    def read(source):
        header = Header()
        for line in source.read_text().splitlines()[1:]:
            if not line.startswith("//"):
                break
            found = re.fullmatch(r"//\s*([a-z-]+): (.*)", line.rstrip())
            if found:
                header.set(source, found.group(1), found.group(2).strip())
        return header

    def fits_gpu(self):
        return not self.modes or bool(GPU_MODES & set(self.modes))

    def clang(self):
        """A clang that is new enough for a program that needs one; nothing if there is none, or none is needed."""
        named = os.environ.get("ACCRUE_CLANG")
        names = [named] if named else ["clang", *(f"clang-{v}" for v in range(22, self.needs_clang - 1, -1))]
        return next(filter(self.can_be_read_by, names), None) if self.needs_clang else None

    def can_be_read_by(self, clang):
        if not shutil.which(clang):
            return False
        version = run([clang, "-dumpversion"]).stdout.strip().split(".")[0]
        return version.isdigit() and int(version) >= self.needs_clang

    def set(self, source, key, value):
        words = value.split()
        if key == "args":
            self.args += words
        elif key == "cflags":
            self.cflags += words
        elif key == "option-sets":
            sets = source.with_name(value).read_text().splitlines()
            self.options = sets[0].split() if len(sets) == 1 else []
        elif key == "with":
            self.parts += words
        elif key == "env":
            self.env.update(word.split("=", 1) for word in words)
        elif key == "modes":
            self.modes += value.split("(")[0].split()
        elif key == "launches":
            self.launches = int(value)
        elif key == "expect-output":
            self.expect_output = value
        elif key == "needs-clang":
            self.needs_clang = int(value.split("(")[0])


def check(root, options):
    """Runs the benchmarks and the same text compiled by plain cc; their checksums must be equal."""
    accrue = compiler(root, options.accrue)
    wrong = 0
    forms = {"acc": ([], ["-fopenacc"]), "omp": (["-fopenmp", "-foffload=disable"], ["-fopenmp"])}
    with tempfile.TemporaryDirectory() as scratch:
        for source, (on_host, ours) in ((c, form) for folder, form in forms.items() for c in sources(root / "bench/gpu" / folder)):
            found = []
            for variant, command in (
                ("plain", ["cc", "-O2", "-w", *on_host]),
                ("accrue", [str(accrue), "cc", "-O3", *ours]),
            ):
                target = f"{scratch}/{source.stem}.{variant}"
                done = run([*command, str(source), "-o", target, "-lm"])
                if done.returncode == 0:
                    done = run([target, str(options.shift), "3"], env={**os.environ, "ACC_DEVICE_TYPE": options.device})
                found.append(re.findall(r"name=(\S+) .*checksum=(\S+)", done.stdout) or done.stderr[-1000:])
            right = found[0] == found[1] and isinstance(found[0], list)
            wrong += not right
            print(f"{source.parent.name}/{source.stem}: {'same checksums' if right else f'plain {found[0]}, accrue {found[1]}'}")
    return 1 if wrong else 0


def strip(file):
    subprocess.run(["strip", str(file)], check=True)


def commit(root):
    done = run(["git", "-C", str(root), "describe", "--always", "--dirty"])
    return done.stdout.strip() or "unknown"


def run(command, **more):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=COMPILE_SECONDS, check=False, **more)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"still running after {COMPILE_SECONDS} s")

"""Running programs on the machine with the GPU: the CUDA peers, the benchmarks, what kernels use, the simulator's vectors,
the probes, and checks that bring their own verdict."""

import concurrent.futures
import contextlib
import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

NVCC_SECONDS = 240
VECTORS_SECONDS = 180
FIRST_RESULT_STARTS = 20
# Benchmarks that are timed from outside, or that need no kernel table of their own.
STARTED_OFTEN = "first_result"
# The same with machine code made ahead of time.
AHEAD_OF_TIME = "first_result-aot"
STARTS = 7


@dataclasses.dataclass
class Done:
    status: int
    stdout: str
    stderr: str
    timed_out: bool = False


@dataclasses.dataclass
class Row:
    """The best of all starts of one program for one row of the table."""

    size: int = 0
    work: float = 0.0
    unit: str = ""
    seconds: float = float("inf")
    best: float = float("inf")
    checksums: set = dataclasses.field(default_factory=set)


class Session:
    """The folders, the deadline, the log, and how programs are started."""

    def __init__(self, root, built, options):
        self.root, self.built, self.options = root, built, options
        self.manifest = json.loads((built / "manifest.json").read_text())
        self.cuda_folder = pathlib.Path(tempfile.mkdtemp(prefix="accrue-cuda-"))
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="accrue-run-"))
        self.lock = threading.Lock()
        self.stage_end = options.deadline

    def __enter__(self):
        self.log_file = open(self.options.out / "raw.log", "w", encoding="utf-8")
        return self

    def __exit__(self, *_):
        self.log_file.close()
        for folder in (self.cuda_folder, self.work):
            shutil.rmtree(folder, ignore_errors=True)

    def log(self, text):
        with self.lock:
            self.log_file.write(text.rstrip() + "\n")
            self.log_file.flush()

    def begin_stage(self, seconds):
        """What is started from now on ends after so many seconds, and at the end of the whole."""
        self.stage_end = min(self.options.deadline, time.monotonic() + seconds)

    def remaining(self):
        return self.stage_end - time.monotonic()

    def environment(self, **settings):
        """This process's environment without settings of accrue, with the carried library and `settings`."""
        found = {k: v for k, v in os.environ.items() if not k.startswith(("ACC_", "ACCRUE_"))}
        path = [str(self.built / "lib"), found.get("LD_LIBRARY_PATH", "")]
        found["LD_LIBRARY_PATH"] = ":".join(p for p in path if p)
        found.update(setting.split("=", 1) for setting in self.options.env)
        found.update(settings)
        return found

    def execute(self, command, environment, timeout, end=None):
        """Runs a program to its end or its timeout, at most until `end`; its whole process group ends with it."""
        timeout = max(1.0, min(timeout, (end or self.stage_end) - time.monotonic()))
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                cwd=self.work,
                start_new_session=True,
            )
        except OSError as error:
            return Done(127, "", str(error))
        try:
            out, err = process.communicate(timeout=timeout)
            timed_out = False
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            timed_out = True
            try:
                out, err = process.communicate(timeout=10)
            except subprocess.TimeoutExpired:  # Stuck in the driver: it cannot even be killed.
                return Done(137, "", "still there after SIGKILL", timed_out)
        status = process.returncode if process.returncode >= 0 else 128 - process.returncode
        return Done(status, out.decode(errors="replace"), err.decode(errors="replace"), timed_out)

    def programs(self):
        chosen = [name for name in self.options.only.split(",") if name]
        return [name for name in self.manifest["benchmarks"] if not chosen or name in chosen]

    def start_cuda(self, benchmarks, more):
        """Begins to compile the CUDA peers of the benchmarks, and `more`, all at the same time."""
        names = [*(self.programs() if benchmarks else []), *more]
        if not names:
            return {}
        nvcc = shutil.which(self.options.nvcc) or shutil.which("/usr/local/cuda/bin/nvcc")
        if not nvcc:
            self.log("no nvcc: no CUDA peers")
            return {}
        pool = concurrent.futures.ThreadPoolExecutor(16)
        pending = {}
        for name in names:
            source = self.root / "bench/gpu/cuda" / f"{name}.cu"
            command = [nvcc, "-O3", "-std=c++17", f"-arch={architecture()}", "--extended-lambda", "-Xptxas", "-v"]
            command += [str(source), "-o", str(self.cuda_folder / name)]
            pending[name] = pool.submit(
                self.execute, command, dict(os.environ), NVCC_SECONDS, self.options.deadline
            )
        pool.shutdown(wait=False)
        return pending

    def finish_cuda(self, pending):
        """Waits for the CUDA peers; gives the registers and spills that ptxas saw, and the failures."""
        registers, failures = {}, {}
        for name, future in pending.items():
            done = future.result()
            self.log(f"== nvcc {name}: status {done.status}\n{done.stderr[-3000:]}")
            if done.status:
                failures[name] = (done.stdout + done.stderr)[:600]
            else:
                registers[name] = resources(done.stderr)
        return registers, failures


def architecture():
    found = query("compute_cap")
    return "sm_" + found.replace(".", "") if re.fullmatch(r"\d+\.\d", found) else "sm_90"


def query(fields):
    """nvidia-smi's answer about the first GPU; empty when there is none."""
    command = ["nvidia-smi", f"--query-gpu={fields}", "--format=csv,noheader"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = done.stdout.strip().splitlines()
    return lines[0].strip() if done.returncode == 0 and lines else ""


def resources(text):
    """Registers and spilled bytes of each of our own kernels, by its mangled name, from `ptxas -v`."""
    found, kernel, spills = {}, "", 0
    for line in text.splitlines():
        if match := re.search(r"Compiling entry function '(\S+)'", line):
            kernel, spills = match.group(1), 0
        elif match := re.search(r"(\d+) bytes spill stores", line):
            spills = int(match.group(1))
        elif (match := re.search(r"Used (\d+) registers", line)) and kernel:
            if not re.search(r"cub|fill_kernel|checksum_kernel", kernel):
                found[kernel] = (int(match.group(1)), spills)
            kernel = ""
    return found


def variants(session, options, name):
    """The executables of a benchmark with their environments; CUDA's is absent when it was not compiled."""
    found = {"accrue": (session.built / "bench" / name, session.environment(ACC_DEVICE_TYPE=options.device))}
    for variant, form in (("accrue-2", "2"), ("openmp", "openmp"), ("openmp-simd", "openmp-simd")):
        if (session.built / "bench" / f"{name}-{form}").exists():
            found[variant] = (session.built / "bench" / f"{name}-{form}", found["accrue"][1])
    if (session.cuda_folder / name).exists():
        found["cuda"] = (session.cuda_folder / name, dict(os.environ))
    return found


def benchmarks(session, options):
    """Rows by name and variant, and a message for each program that failed. Variants are started in turn."""
    rows, troubles = {}, []
    for name in session.programs():
        if name == STARTED_OFTEN:
            continue
        broken = set()
        for turn in range(options.rounds):
            order = list(variants(session, options, name).items())
            for variant, (executable, environment) in order[:: -1 if turn % 2 else 1]:
                if variant in broken:
                    continue
                if session.remaining() <= 0:
                    troubles.append(f"{name} ({variant}), start {turn + 1}: no time left")
                    continue
                command = [str(executable), str(options.shift), str(options.repeats)]
                done = session.execute(command, environment, options.timeout * 2)
                session.log(f"== {variant} {name}: status {done.status}\n{done.stdout}{done.stderr[-3000:]}")
                collect(rows, variant, done.stdout)
                if done.timed_out or done.status:
                    broken.add(variant)
                    what = "timeout" if done.timed_out else f"status {done.status}"
                    troubles.append(f"{name} ({variant}): {what}: {first_lines(done.stderr)}")
    return rows, troubles


def collect(rows, variant, text):
    for line in text.splitlines():
        if not line.startswith("row "):
            continue
        field = dict(word.split("=", 1) for word in line.split()[1:])
        row = rows.setdefault(field["name"], {}).setdefault(variant, Row())
        row.size, row.work, row.unit = int(field["size"]), float(field["work"]), field["unit"]
        row.seconds = min(row.seconds, float(field["seconds"]))
        row.best = min(row.best, float(field["best"]))
        row.checksums.add(field["checksum"])


def first_result(session, options):
    """Seconds from a process's start to its first line of output, least of many starts, by variant and condition: cold and
    warm JIT cache, and the same while another process uses the GPU."""
    found, name = {}, STARTED_OFTEN
    if name not in session.programs():
        return found
    jit = variants(session, options, name)
    ahead = session.built / "programs" / AHEAD_OF_TIME
    if ahead.exists():
        jit["accrue-aot"] = (ahead, jit["accrue"][1])
    caches = (("cold", {"CUDA_CACHE_DISABLE": "1"}), ("warm", {}))
    for condition, setting in caches:
        start_often(session, jit, condition, setting, found)
    with in_use(session):
        for condition, setting in caches:
            start_often(session, jit, f"{condition}, in use", setting, found)
    return found


def start_often(session, programs, condition, setting, found):
    for _ in range(FIRST_RESULT_STARTS):
        for variant, (executable, environment) in programs.items():
            if session.remaining() <= 5:
                return
            seconds, line = until_first_line([str(executable)], {**environment, **setting}, session.work)
            session.log(f"== first result {variant} {condition}: {seconds:.6f} {line}")
            if line.startswith("row ") and "checksum=2046" in line:
                found[variant, condition] = min(found.get((variant, condition), float("inf")), seconds)


@contextlib.contextmanager
def in_use(session):
    """Another process has a context on the GPU."""
    command = [str(session.built / "start"), "hold"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        session.log(f"== another process: {process.stdout.readline().strip()}")
        yield
        process.stdin.close()


def until_first_line(command, environment, folder):
    begin = time.monotonic()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, cwd=folder, text=True
    ) as process:
        guard = threading.Timer(30, process.kill)
        guard.start()
        line = process.stdout.readline()
        seconds = time.monotonic() - begin
        process.stdout.read()
        process.wait()
        guard.cancel()
    return seconds, line.strip()


def kernels(session, options):
    """The launch lines of each benchmark, one for each kernel: what it was launched with and what it uses."""
    found = {}
    for name in session.programs():
        if session.remaining() <= 0:
            break
        environment = session.environment(ACC_DEVICE_TYPE=options.device, ACCRUE_NOTIFY="1")
        one_lap = "1"
        command = [str(session.built / "bench" / name), str(options.shift), one_lap]
        done = session.execute(command, environment, options.timeout)
        for line in done.stderr.splitlines():
            if line.startswith("accrue: launch"):
                field = dict(word.split("=", 1) for word in line.split() if "=" in word)
                found.setdefault((name, field.get("function", ""), field.get("line", "")), field)
            elif line:
                session.log(f"{name}: {line}")
        if done.timed_out or done.status:
            session.log(f"== kernels {name}: status {done.status}")
    return found


def vectors(session, _options):
    """Every instruction of the simulator's test vectors on the GPU."""
    command = [str(session.built / "compare"), str(session.built / "vectors")]
    done = session.execute(command, dict(os.environ), VECTORS_SECONDS)
    (session.options.out / "vectors.txt").write_text(done.stdout + done.stderr)
    return done


def runtime_tests(session, _options):
    command = [str(session.built / "runtime-tests"), "--exact", "on_a_gpu", "--nocapture"]
    return session.execute(command, session.environment(ACCRUE_TEST_GPU="1"), 60)


def two_gpus(session, options):
    """The program for two GPUs, and then the runtime's own cases for them."""
    environment = session.environment(ACC_DEVICE_TYPE=options.device)
    first = session.execute([str(session.built / "programs" / "two_gpus")], environment, 60)
    if first.status or first.timed_out or first.stdout.startswith("skipped"):
        return first
    command = [str(session.built / "runtime-tests"), "--exact", "on_two_gpus", "--nocapture"]
    second = session.execute(command, session.environment(ACCRUE_TEST_GPU="2"), 60)
    return Done(second.status, first.stdout + second.stdout, first.stderr + second.stderr, second.timed_out)


def start(session, _options):
    """What the start of a process costs."""
    command = [str(session.built / "start"), str(STARTS)]
    cubin = session.built / "empty.cubin"
    if cubin.exists():
        command.append(str(cubin))
    return session.execute(command, dict(os.environ), 60)


def probe(session, _options):
    done = session.execute([str(session.built / "probe")], dict(os.environ), 120)
    (session.options.out / "probe.txt").write_text(done.stdout + done.stderr)
    return done


def first_lines(text, count=3):
    return " / ".join(line for line in text.splitlines() if not line.startswith("accrue: launch"))[: 200 * count]

"""What the cases of all parts share: the compiler, the time left, and a way to run a command that always ends.

    done = world.run(["accrue", "cc", …], folder, seconds=60)
    done.status, done.out, done.err, done.hung

A command runs in a session of its own, without standard input, with its output in files (so that a child that survives it
cannot hold it up), and with everything it started ended after it. TMPDIR, HOME and the cache are inside the case's folder.
"""

import dataclasses
import os
import pathlib
import shutil
import signal
import subprocess
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
MODES = {
    "shared": {"ACC_DEVICE_TYPE": "host"},
    "discrete": {"ACC_DEVICE_TYPE": "host", "ACCRUE_CPU_MEMORY": "discrete"},
    "sim": {"ACC_DEVICE_TYPE": "sim", "ACCRUE_SIM_GPU": "h100/8"},
}
# Beyond it, output is cut by SIGXFSZ; no core files.
LIMITS = "ulimit -c 0; ulimit -f 400000; "
# What a case looks at of an output.
OUTPUT_BYTES = 1 << 20


class OutOfTime(Exception):
    """The time given to the whole job is over."""


@dataclasses.dataclass
class Finished:
    status: int  # negative: the signal
    out: str
    err: str
    seconds: float
    hung: bool
    survivors: list  # processes that it started and that were there after it

    def text(self):
        state = "still running" if self.hung else f"status {self.status}"
        return f"{state} after {self.seconds:.1f} s\n{self.err[-1500:]}{self.out[-700:]}"


class World:
    def __init__(self, arguments, seed, scratch, programs):
        self.accrue = os.path.abspath(shutil.which(arguments.accrue))
        self.run_ptx = arguments.run_ptx and os.path.abspath(arguments.run_ptx)
        self.seed = seed
        self.jobs = max(1, arguments.jobs)
        self.keep = bool(arguments.keep)
        self.scratch = scratch
        self.programs = programs
        self.lock = threading.Lock()
        self.built = {}
        self.deadline = time.monotonic() + arguments.minutes * 60
        if arguments.only is not None:
            self.deadline += 3600

    def start(self, command, folder, environment=None, limits="", out="out.txt", **popen):
        """A process whose output goes to files in `folder`."""
        variables = self.environment(folder) if environment is None else environment
        command = [str(word) for word in command]
        if limits is not None:
            command = ["/bin/sh", "-c", f'{LIMITS}{limits} exec "$@"', "sh", *command]
        with open(folder / out, "wb") as stdout, open(folder / f"{out}.err", "wb") as stderr:
            return subprocess.Popen(
                command,
                cwd=folder,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
                **popen,
            )

    def finish(self, process, folder, seconds, out="out.txt"):
        """Waits for it, at most `seconds`."""
        start = time.monotonic()
        left = self.deadline - start
        hung = False
        try:
            process.wait(max(0.1, min(seconds, left)))
        except subprocess.TimeoutExpired:
            hung = True
        survivors = [] if hung else members(process.pid)
        if survivors:
            # A process that was told to end may need a moment.
            time.sleep(0.5)
            survivors = members(process.pid)
        if hung or survivors:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        process.wait()
        if hung and left < seconds:
            raise OutOfTime
        read = lambda path: path.read_bytes()[:OUTPUT_BYTES].decode(errors="replace") if path.exists() else ""
        return Finished(
            process.returncode,
            read(folder / out),
            read(folder / f"{out}.err"),
            time.monotonic() - start,
            hung,
            survivors,
        )

    def run(self, command, folder, seconds=90, **how):
        out = how.get("out", "out.txt")
        return self.finish(self.start(command, folder, **how), folder, seconds, out)

    def build(self, source, *options, name=None):
        """The program of a source file beside this one, compiled once."""
        name = name or source.removesuffix(".c")
        with self.lock:
            if name not in self.built:
                folder = self.scratch / f"built-{name}"
                (folder / "tmp").mkdir(parents=True, exist_ok=True)
                command = [self.accrue, "cc", "-fopenacc", "-O2", HERE / source, "-o", name, *options]
                done = self.run(command, folder, 300)
                if done.status:
                    raise RuntimeError(f"{source} is not compiled: {done.text()}")
                self.built[name] = str(folder / name)
            return self.built[name]

    def environment(self, folder, **more):
        """The variables of a command of a case, without any of ours but those in `more`."""
        variables = {k: v for k, v in os.environ.items() if not k.startswith(("ACC", "OMP_", "LC_"))}
        variables |= {"TMPDIR": str(folder / "tmp"), "HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
        variables |= {"LC_ALL": "C"}
        # NVIDIA's assembler is the one variable of ours that belongs to the machine.
        if "ACCRUE_PTXAS" in os.environ:
            variables["ACCRUE_PTXAS"] = os.environ["ACCRUE_PTXAS"]
        return variables | more


class Part:
    """A kind of cases. `case` gives the messages of what it found."""

    NAME = ""
    SHARE = 10

    def __init__(self, world):
        self.world = world
        # What the table says of the part beside its numbers, so that a part that compares nothing shows.
        self.notes = {}

    def note(self, what):
        self.notes[what] = self.notes.get(what, 0) + 1

    def case(self, rng, folder):
        raise NotImplementedError


def members(session):
    """The live processes of a session."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, _parent, _group, its_session = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
            except (OSError, ValueError):
                continue
            if int(its_session) == session and state not in "ZX":
                found.append(int(entry.name))
    return found

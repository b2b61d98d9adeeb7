"""Signals at random times to the compiler, to `accrue run` and to programs.

What was signalled ends by that signal or is already done; nothing of it is left in TMPDIR, no process of it lives on, and an
output file is there as a whole or not at all. A signal goes to the process alone or, as from a terminal, to its whole group.
"""

import os
import shutil
import signal
import time

from judge import broken
from world import HERE, MODES, Part

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGALRM, signal.SIGXCPU]
OPTIONS = [[], ["-c"], ["-S"], ["-g", "-O2"], ["-shared", "-fPIC"]]
if shutil.which(os.environ.get("ACCRUE_PTXAS", "ptxas")):
    OPTIONS += [["-gpu=sm_90"]]


class Signals(Part):
    NAME = "signals"
    SHARE = 8

    def __init__(self, world):
        super().__init__(world)
        # How long each kind of command takes here when it is left alone.
        self.usual = {}

    def case(self, rng, folder):
        yield from rng.choice([self.compile, self.compile, self.run, self.program])(rng, folder)

    def compile(self, rng, folder):
        options = rng.choice(OPTIONS)
        # Debug information names the folder, and sizes are compared.
        options = [*options, f"-fdebug-prefix-map={folder}=case"] if "-g" in options else options
        command = [self.world.accrue, "cc", "-fopenacc", *options, HERE / "shapes.c", "-DSHAPE=", "-DKIND=0", "-o", "out"]
        kind = " ".join(options[:2])
        whole = self.measure(kind, command, folder)
        done, number = self.signalled(rng, folder, command, whole)
        if complaint := self.complaint(done, number, folder):
            yield f"{complaint}\n{' '.join(map(str, command))}"
        # An executable or object file of a different size than the whole one is a part of one.
        elif (folder / "out").exists() and (size := (folder / "out").stat().st_size) != self.usual[kind][1]:
            sizes = f"{size} of {self.usual[kind][1]} bytes, {done.text()}"
            yield f"a part of an output file after {number.name}: {sizes}\n{' '.join(map(str, command))}"

    def run(self, rng, folder):
        command = [self.world.accrue, "run", HERE / "shapes.c", "-DSHAPE=", "-DKIND=0", "--", "1", "1", "1", "100"]
        whole = self.measure("run", command, folder, output=None)
        done, number = self.signalled(rng, folder, command, whole)
        if complaint := self.complaint(done, number, folder):
            yield f"accrue run: {complaint}"
        # What is in the cache now must be whole.
        again = self.world.run(command, folder, 120, out="again.txt")
        if again.status or again.out != "right\n":
            yield f"accrue run after {number.name} in another one:\n{again.text()}"

    def program(self, rng, folder):
        program = self.world.build("processes.c", "-pthread", "-ldl", name="processes-plain-False")
        mode = rng.choice(list(MODES))
        command = [program, *rng.choice([["threads:4"], ["queues:200", "queues:200"], ["background", "threads:20"], ["region:1"]])]
        environment = self.world.environment(folder, **MODES[mode])
        done, number = self.signalled(rng, folder, command, rng.choice([0.05, 0.5]), environment)
        if complaint := self.complaint(done, number, folder):
            yield f"{mode}: {complaint}\n{' '.join(command)}"

    def measure(self, kind, command, folder, output="out"):
        """The seconds that the command needs, measured once, and as a check that it can be carried out."""
        if kind not in self.usual:
            done = self.world.run(command, folder, 200, out="first.txt")
            if done.status:
                raise RuntimeError(f"{command}: {done.text()}")
            size = (folder / output).stat().st_size if output else 0
            self.usual[kind] = done.seconds, size
            if output:
                (folder / output).unlink()
            for name in ("cache", "tmp"):
                os.rename(folder / name, folder / f"first-{name}") if (folder / name).exists() else None
            (folder / "tmp").mkdir()
        return self.usual[kind][0]

    def signalled(self, rng, folder, command, whole, environment=None):
        number = rng.choice(SIGNALS)
        delay = rng.uniform(0, whole * 1.1)
        to_group = rng.random() < 0.4
        # The shell that sets limits would be what is signalled.
        process = self.world.start(command, folder, environment=environment, limits=None)
        time.sleep(delay)
        try:
            (os.killpg if to_group else os.kill)(process.pid, number)
        except ProcessLookupError:
            pass
        self.note("signals")
        return self.world.finish(process, folder, 60), number

    def complaint(self, done, number, folder):
        how = f"\n{number.name}: {done.text()}"
        if done.status == 0 and not done.survivors:
            self.note("came too late")
        elif done.status != -number:
            return f"not ended by {number.name}, but {broken(done) or f'exit status {done.status}'}{how}"
        if done.survivors:
            return f"leaves processes behind after {number.name}{how}"
        if left := os.listdir(folder / "tmp"):
            return f"leaves {left[0]} in TMPDIR after {number.name}{how}"
        return ""

"""dlopen, dlclose, fork, threads, many queues, and regions when a thread or the process ends.

A case is a list of steps for processes.c, on a device. Each says `ok`, and the program ends by itself. It is built with
directives, or without, so that only the libraries that it opens and closes have regions.
"""

import shutil

from judge import broken
from world import MODES, Part

STEPS = [
    ("region", 100),
    ("queues", 40),
    ("threads", 8),
    ("key", 4),
    ("atexit", 0),
    ("destructor", 0),
    ("background", 0),
    ("fork", 0),
    ("fork-exit", 0),
    ("system", 0),
    ("shutdown", 0),
    ("check", 0),
]
OF_LIBRARIES = ["open", "open", "add", "start", "start", "close"]
LIBRARIES = 3


class Processes(Part):
    NAME = "processes"
    SHARE = 10

    def case(self, rng, folder):
        library = self.world.build("library.c", "-shared", "-fPIC", name="library")
        for number in range(LIBRARIES):
            shutil.copy(library, folder / f"library{number}.so")
        plain = rng.random() < 0.25
        program = self.build(plain)
        steps = random_steps(rng)
        mode = rng.choice(list(MODES))
        environment = self.world.environment(folder, **MODES[mode])
        if rng.random() < 0.3:
            environment["ACC_NUM_CORES"] = rng.choice(["1", "2", "16"])
        done = self.world.run([program, *steps], folder, 90, environment=environment)
        self.note("processes")
        complaint = broken(done) or difference(done, expected(steps))
        if complaint:
            yield f"{complaint}\n{mode}: {program} {' '.join(steps)}\n{done.text()}"

    def build(self, plain):
        options = ["-fno-openacc"] if plain else []
        return self.world.build("processes.c", *options, "-pthread", "-ldl", name=f"processes-plain-{plain}")


def random_steps(rng):
    steps = []
    for _ in range(rng.randrange(1, 14)):
        if rng.random() < 0.5:
            steps.append(f"{rng.choice(OF_LIBRARIES)}:{rng.randrange(LIBRARIES)}")
            continue
        name, most = rng.choice(STEPS)
        number = f":{rng.choice([1, 2, rng.randrange(1, most + 1)])}" if most else ""
        if name == "queues" and rng.random() < 0.05:
            number = ":2000"
        if name == "shutdown" and "background" in steps:
            continue  # Nobody may use a device that is shut down.
        steps.append(name + number)
    return steps


def expected(steps):
    """The lines that must be there; a handler prints its own."""
    lines = [f"{step} ok" for step in steps]
    for step in steps:
        name, _, number = step.partition(":")
        lines += ["key ok"] * int(number) if name == "key" else []
        lines += ["atexit ok"] if name == "atexit" else []
    return lines + ["destructor ok"] * ("destructor" in steps)


def difference(done, wanted):
    lines = sorted(done.out.strip().split("\n"))
    if done.status or lines != sorted(wanted):
        missing = sorted(set(wanted) - set(lines)) + sorted(set(lines) - set(wanted))
        return f"status {done.status}, lines that differ: {', '.join(missing)}"
    return f"prints an error: {done.err[:200]}" if done.err else ""

"""Random nests of loops (tests/fuzz), on three devices, with all checks of the simulator.

A case is a few nests of the seed, compiled with random options. What is found can also be repeated by tests/fuzz/fuzz.py with
the numbers in its lines.
"""

import sys

from corpus import TESTS
from world import Part

NESTS = 6
REDUCTIONS = ["deterministic", "fast", "lock", "shuffle,slots", "gang:atomic", "contiguous,first-warp"]


class Nests(Part):
    NAME = "nests"
    SHARE = 14

    def case(self, rng, folder):
        number = int(folder.name.rpartition("-")[2])
        options = [f"-O{rng.randrange(4)}", *rng.choice([[], [f"-freduction={rng.choice(REDUCTIONS)}"]])]
        if rng.random() < 0.3:
            options.append(rng.choice(["-gpu=cc60", "-gpu=cc80", "-gpu=cc90"]))
        command = [sys.executable, TESTS / "fuzz/fuzz.py", "run", "--accrue", self.world.accrue, "--jobs", "1"]
        command += ["--seed", self.world.seed, "--first", number * NESTS, "--count", NESTS, "--timeout", 100]
        command += [f"--cc-option={option}" for option in options]
        command += ["--kind", rng.choice(["nests", "nests", "streams"])]
        environment = self.world.environment(folder, PYTHONDONTWRITEBYTECODE="1")
        done = self.world.run(command, folder, 400, environment=environment)
        self.note("programs")
        if done.status:
            lines = [line for line in done.out.split("\n") if ": --seed" in line] or ["no message"]
            yield f"{lines[0]}\noptions: {' '.join(options)}\n{done.text()}"

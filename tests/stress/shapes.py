"""Launch shapes: extreme num_gangs, num_workers and vector_length, as constants and at run time.

A case compiles shapes.c with one shape and runs it with several values and numbers of iterations. It gives the right results,
or accrue or the runtime says what it refuses.
"""

from judge import broken, compiler
from world import HERE, MODES, Part

COUNTS = [
    *(0, 1, 2, 3, 7, 8, 31, 32, 33, 63, 64, 65, 100, 127, 128, 255, 256, 257, 1000, 1023, 1024, 1025, 4096),
    *(65535, 65536, 100000, 1 << 20, 2**31 - 1, -1, -32, -(2**31)),
]
LONG = [2**31, 2**32, 2**32 + 1, 2**40, 2**63 - 1, -(2**32), -(2**63)]
TRIPS = [0, 1, 2, 9, 10, 31, 32, 33, 100, 1000, 1024, 5000]
CLAUSES = {"num_gangs": "g", "num_workers": "w", "vector_length": "v"}


class Shapes(Part):
    NAME = "shapes"
    SHARE = 6

    def case(self, rng, folder):
        kind = rng.choice(["int", "int", "long", "unsigned", "short", "signed char"])
        clauses = []
        for name, variable in CLAUSES.items():
            if rng.random() < 0.3:
                continue
            value = self.count(rng, "long" if rng.random() < 0.2 else "int")
            expressions = [variable, variable, f"{variable} + 0 * n", f"{value}", f"({value})", f"n > 3 ? {variable} : 1"]
            clauses.append(f"{name}({rng.choice(expressions)})")
        rng.shuffle(clauses)
        text = (HERE / "shapes.c").read_text().replace("SHAPE\n", " ".join(clauses) + "\n")
        (folder / "a.c").write_text(text)
        options = ["-fopenacc", "-w", f"-O{rng.randrange(3)}", f"-DKIND={rng.randrange(4)}", f"-DTYPE={kind}"]
        done = self.world.run([self.world.accrue, "cc", *options, "a.c", "-o", "a"], folder, 90)
        shape = f"{' '.join(clauses)} {' '.join(options)}"
        if complaint := compiler(done, "a.c"):
            yield f"{complaint}\n{shape}\n{done.text()}"
        if done.status:
            self.note("shapes refused")
            return
        for _ in range(4):
            values = [self.count(rng, kind) for _ in CLAUSES] + [rng.choice(TRIPS)]
            mode = rng.choice(list(MODES))
            environment = self.world.environment(folder, **MODES[mode])
            done = self.world.run(["./a", *values], folder, 60, environment=environment, out="run.txt")
            report = f"\n{shape}: {mode}: ./a {' '.join(map(str, values))}\n{done.text()}"
            if complaint := broken(done):
                yield f"the program {complaint}{report}"
            elif done.status == 0 and done.out == "right\n" and not unexpected(done.err):
                self.note("right results")
            elif done.status == 1 and "accrue: " in done.err:
                self.note("launches refused")
            else:
                yield f"the program ends with status {done.status}{report}"

    def count(self, rng, kind):
        if rng.random() < 0.5:
            return rng.choice([1, 2, 4, 8, 32, 64, 100])
        return rng.choice(COUNTS + (LONG if kind == "long" else []))


def unexpected(text):
    """What is more than warnings of the runtime: a device may use other numbers, and says so."""
    return [line for line in text.split("\n") if line and not line.startswith("accrue: warning: ")]

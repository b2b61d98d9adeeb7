"""Directives that mean the same in other words: results as without directives.

The clauses of the directives of a program in tests/run are put into another order, and clauses are added that change no result:
numbers of workers and lanes, of gangs where a `parallel loop` shares its iterations out among them, `if(1)`, a part for
devices of a type. The program must be compiled, and print on a random device what it prints without directives.
"""

import functools
import re

from directives import CLAUSE, DIRECTIVE, START, difference
from judge import broken
from world import MODES, Part

COMPUTE = re.compile(r"(parallel|kernels|serial)(\s+loop)?\b")
# Clauses behind device_type belong to the type, and the order of waits and of modifiers counts.
FIXED = re.compile(r"device_type|dtype|wait|routine|atomic|cache|set|init|shutdown")


class Clauses(Part):
    NAME = "clauses"
    SHARE = 8

    @functools.cached_property
    def sources(self):
        return [p for p in self.world.programs if p.plain and DIRECTIVE.search(p.text)]

    def case(self, rng, folder):
        program = rng.choice(self.sources)
        text = DIRECTIVE.sub(lambda match: respelt(rng, match.group()), program.text)
        (folder / "a.c").write_text(text)
        common = ["-w", *program.cflags, "-O1", "a.c", "-lm"]
        command = [self.world.accrue, "cc", "-fopenacc", *common, "-o", "a"]
        ours = self.world.run(command, folder, 120)
        report = f"\n{program.name}\n{difference(program.text, text)}\n"
        if ours.status or broken(ours):
            yield f"not compiled: {broken(ours) or ours.err.partition(chr(10))[0]}{report}{ours.text()}"
            return
        theirs = self.world.run(["cc", *common, "-o", "theirs"], folder, 120, out="theirs.txt")
        if theirs.status:
            raise RuntimeError(f"cc refuses {program.name}: {theirs.text()}")
        wanted = self.world.run(["./theirs", *program.args], folder, 60, out="wanted.txt")
        mode = rng.choice(list(MODES))
        environment = self.world.environment(folder, **MODES[mode])
        done = self.world.run(["./a", *program.args], folder, 120, environment=environment, out="run.txt")
        if (done.status, done.out) != (wanted.status, wanted.out) or done.hung:
            yield f"other results on {mode}: {program.name}{report}{done.text()}\nwanted: {wanted.text()}"
        else:
            self.note("equal results")


def respelt(rng, directive):
    """The directive with its clauses in another order, and one more."""
    start = START.match(directive).group()
    words = CLAUSE.findall(directive[len(start) :])
    body = "".join(words)
    if FIXED.search(body) or "\\" in body or "//" in body or "/*" in body:
        return directive
    places = [k for k, word in enumerate(words) if "(" in word and word.strip()[0].isalpha()]
    if rng.random() < 0.7:
        order = [words[k] for k in places]
        rng.shuffle(order)
        for k, clause in zip(places, order):
            words[k] = clause
    compute = COMPUTE.match(body.lstrip())
    if compute and rng.random() < 0.7:
        words.append(" " + rng.choice(additions(compute, body)))
    return start + "".join(words)


def additions(compute, body):
    clauses = ["if(1)"] if not re.search(r"\bif\b", body) else [""]
    if compute.group(1) == "serial":
        return clauses
    launch = [("num_workers", [1, 2, 4, 7]), ("vector_length", [1, 8, 32, 64, 100, 128])]
    # Elsewhere, in further dimensions, and where workers or lanes alone share the iterations, each gang would do the whole.
    shared = re.search(r"\bgang\b", body) or not re.search(r"\b(worker|vector)\b", body)
    if compute.group(1) == "parallel" and compute.group(2) and shared and not re.search(r"seq|dim", body):
        launch.append(("num_gangs", [1, 2, 7, 64]))
    for name, counts in launch:
        if name not in body:
            clauses += [f"{name}({count})" for count in counts]
            clauses.append(f"device_type(host) {name}(3) device_type(nvidia) {name}(32)")
    return clauses

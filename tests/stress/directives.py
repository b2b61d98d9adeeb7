"""Damaged directives: the verdict of gcc, and never an answer that is none.

A word or a clause of a directive of a program in tests/run is deleted, doubled, exchanged with another or replaced, by a word of another
directive or by one of the fragments of tests/driver/mutations.rs. Then:

- accrue takes the program or refuses it with a message with a place in it;
- gcc -fopenacc does the same, or the difference is one of verdicts.py;
- what is taken ends, on a random device: damaged directives may race, but neither crash the compiler nor hang the program.
"""

import collections
import functools
import re

import verdicts
from judge import broken, compiler
from world import MODES, Part

DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+acc\b(?:.*\\\n)*.*$", re.MULTILINE)
START = re.compile(r"[ \t]*#[ \t]*pragma[ \t]+acc\b")
# A clause, or the name of a directive.
CLAUSE = re.compile(r"\w+\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\w+|\S|\s+")
WORD = re.compile(r"\w+|\S|\s+")
FRAGMENTS = re.compile(r'^    ("(?:[^"\\]|\\.)*"),$', re.MULTILINE)
RUN_SECONDS = 60
# How often an event is traced, and in how long a time, for a loop of the host to be taken as one without end.
REPEATED = 200
TRACED_SECONDS = 20


class Directives(Part):
    NAME = "directives"
    SHARE = 22

    def __init__(self, world):
        super().__init__(world)
        self.taken = {}

    @functools.cached_property
    def sources(self):
        """Programs of one file with directives."""
        return [p for p in self.world.programs if p.plain and DIRECTIVE.search(p.text)]

    @functools.cached_property
    def fragments(self):
        from corpus import TESTS

        text = (TESTS / "driver/mutations.rs").read_text()
        found = [fragment[1:-1].replace('\\"', '"').replace("\\\\", "\\") for fragment in FRAGMENTS.findall(text)]
        return [fragment for fragment in found if " " not in fragment]

    def case(self, rng, folder):
        program = rng.choice(self.sources)
        text = program.text
        for _ in range(rng.choice([1, 1, 1, 2])):
            text = self.damaged(rng, text)
        (folder / "a.c").write_text(text)
        common = ["-fopenacc", *program.cflags, "-O1", "a.c"]
        ours = self.world.run([self.world.accrue, "cc", "-w", *common, "-o", "a", "-lm"], folder, 120)
        report = f"\n{difference(program.text, text)}\naccrue: {ours.text()}"
        complaint = compiler(ours, "a.c")
        if complaint and not verdicts.linker(ours.err):
            yield f"{program.name}: {complaint}{report}"
            return
        if self.gcc_takes(program):
            yield from self.compare(program, common, folder, ours, report)
        if ours.status == 0:
            yield from self.ends(rng, folder, program, report)

    def gcc_takes(self, program):
        """Whether gcc takes the program as it is."""
        if program.name not in self.taken:
            folder = self.world.scratch / "gcc"
            folder.mkdir(exist_ok=True)
            command = ["gcc", "-fopenacc", *program.cflags, "-fsyntax-only", program.path]
            out = program.name.replace("/", "-")
            self.taken[program.name] = self.world.run(command, folder, 120, out=out).status == 0
        return self.taken[program.name]

    def compare(self, program, common, folder, ours, report):
        # gcc looks at some clauses only when it makes code.
        common = [word for word in common if word != "-w"]
        command = ["gcc", "-Wunknown-pragmas", *common, "-foffload=disable", "-o", "g", "-lm"]
        gcc = self.world.run(command, folder, 120, out="gcc.txt")
        if (ours.status == 0) == (gcc.status == 0):
            self.note("verdicts agree")
        elif verdicts.known(ours, gcc):
            self.note("known differences")
        else:
            refuser, name = (ours, "accrue") if ours.status else (gcc, "gcc")
            yield f"{program.name}: only {name} refuses: {verdicts.first_error(refuser)}{report}\ngcc: {gcc.text()}"

    def damaged(self, rng, text):
        """`text` with one directive damaged."""
        places = list(DIRECTIVE.finditer(text))
        place = rng.choice(places)
        donor = rng.choice(places).group()
        if rng.random() < 0.3:
            donor = rng.choice(DIRECTIVE.findall(rng.choice(self.sources).text))
        unit = WORD if rng.random() < 0.5 else CLAUSE
        start, words = self.units(place.group(), unit)
        donors = self.units(donor, unit)[1]
        if rng.random() < 0.05:
            donors = self.fragments
        tokens = [k for k in range(len(words)) if not words[k].isspace()]
        donors = [word for word in donors if not word.isspace()] or ["acc"]
        if not tokens:
            return text
        at, other = rng.choice(tokens), rng.choice(tokens)
        kind = rng.randrange(5)
        if kind == 0:
            words[at] = ""
        elif kind == 1:
            words[at] += " " + words[at]
        elif kind == 2:
            words[at], words[other] = words[other], words[at]
        elif kind == 3:
            words[at] = rng.choice(donors)
        else:
            words[at] += " " + rng.choice(donors)
        return text[: place.start()] + start + "".join(words) + text[place.end() :]

    def units(self, directive, unit):
        """What a directive begins with, and its words or clauses with what is between them."""
        start = START.match(directive).group()
        return start, unit.findall(directive[len(start) :])

    def ends(self, rng, folder, program, report):
        mode = rng.choice(list(MODES))
        environment = self.world.environment(folder, **MODES[mode])
        # A program may need what its directive no longer gives it; it may break off, but as programs do.
        done = self.world.run(["./a", *program.args], folder, RUN_SECONDS, environment=environment, out="run.txt")
        self.note("programs run")
        complaint = broken(done)
        if done.hung and (self.gcc_hangs(program, folder) or self.host_loops(program, folder, environment)):
            # A host loop waits for what the damaged directive no longer gives back.
            self.note("programs whose host loops do not end")
        elif complaint and not (done.status in (-6, -11) and not done.hung):
            yield f"{program.name}: on {mode} the program {complaint}: {done.text()}{report}"

    def gcc_hangs(self, program, folder):
        """Whether gcc has built the program, too, and it does not end there either."""
        if not (folder / "g").exists():
            return False
        return self.world.run(["./g", *program.args], folder, RUN_SECONDS, out="gcc-run.txt").hung

    def host_loops(self, program, folder, environment):
        """Whether the host reaches one and the same directive again and again: no region of its own is without end."""
        traced = environment | {"ACCRUE_NOTIFY": "7"}
        done = self.world.run(["./a", *program.args], folder, TRACED_SECONDS, environment=traced, out="trace.txt")
        events = collections.Counter(done.err.splitlines())
        return max(events.values(), default=0) >= REPEATED


def difference(before, after):
    old, new = before.split("\n"), after.split("\n")
    lines = [f"line {k + 1}: {new[k]}" for k in range(min(len(old), len(new))) if old[k] != new[k]]
    return "\n".join(lines[:3])

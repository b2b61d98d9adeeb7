"""Damaged texts of what is between the steps: IR for `accrue opt`, PTX for the simulator, clang's dump for the reader.

The texts are those of programs of tests/run, with words and lines deleted, exchanged or replaced. Nobody has to make sense of one: it is
taken or refused with a message, without a panic and in time.
"""

import json
import re
import sys

from judge import broken
from world import HERE, Part

NUMBERS = ["0", "-1", "1", "4294967296", "18446744073709551615", "99999999999999999999999", "65536", "0f7FC00000", "1e999"]
WORD = re.compile(r"[\w.%$@]+|\s+|\S")
LARGEST_DUMP = 16 << 20
# Stands for clang: the real one's output, with bytes damaged where it is a dump.
CLANG = """#!{python}
import random, subprocess, sys
dump = any("ast-dump" in word for word in sys.argv)
done = subprocess.Popen([{clang!r}, *sys.argv[1:]], stdout=subprocess.PIPE if dump else None)
if dump:
    sys.path.insert(0, {here!r})
    import damage
    rng = random.Random({seed!r})
    # Of deeply nested expressions the dump has gigabytes, most of them spaces.
    text = done.stdout.read(damage.LARGEST_DUMP).decode(errors="replace")
    done.stdout.close()
    sys.stdout.write(damage.damaged_dump(rng, text))
sys.exit(done.wait())
"""


class Damage(Part):
    NAME = "damage"
    SHARE = 8

    def __init__(self, world):
        super().__init__(world)
        self.sources = [p for p in world.programs if p.plain]
        self.passes = {}

    def case(self, rng, folder):
        program = rng.choice(self.sources)
        kinds = [self.ir, self.ir, self.dump] + [self.ptx] * bool(self.world.run_ptx)
        yield from rng.choice(kinds)(rng, folder, program)

    def ir(self, rng, folder, program):
        passes = self.known_passes(folder)
        target = rng.choice(["cpu", "gpu"])
        last = rng.randrange(-1, len(passes))
        after = [f"--after={passes[last]}"] if last >= 0 else []
        text = self.printed(folder, program, [*after, f"--target={target}"])
        for k in range(4 if text else 0):
            (folder / "a.ir").write_text(damaged(rng, text))
            names = passes[last + 1 :] if rng.random() < 0.7 else [rng.choice(passes)]
            command = [self.world.accrue, "opt", f"--target={target}", f"--pass={','.join(names)}", "a.ir"]
            done = self.world.run(command, folder, 60)
            self.note("IR refused" if done.status else "IR taken")
            if complaint := broken(done) or ("refused without a word" if done.status and not done.err else ""):
                yield f"IR, text {k}: {complaint}\n{program.name}: {' '.join(map(str, command))}\n{done.text()}"

    def ptx(self, rng, folder, program):
        text = self.printed(folder, program, ["--emit=ptx", f"-gpu={rng.choice(['cc60', 'cc90'])}"])
        # What is computed by calls into the library of functions is not damaged but at hand.
        names = [f"{k}.ptx" for k in range(12 if text else 0)]
        for name in names:
            (folder / name).write_text(damaged(rng, text))
        done = self.world.run([self.world.run_ptx, *names], folder, 90)
        self.notes["PTX texts"] = self.notes.get("PTX texts", 0) + len(names)
        if complaint := broken(done) or (f"status {done.status}" if done.status else ""):
            name = names[min(len(names) - 1, done.out.count("\n"))]
            yield f"PTX: {complaint}\n{program.name}: {name}\n{done.text()}"

    def dump(self, rng, folder, program):
        clang = folder / "clang"
        real = self.real_clang(folder)
        clang.write_text(CLANG.format(python=sys.executable, clang=real, here=str(HERE), seed=rng.random()))
        clang.chmod(0o755)
        environment = self.world.environment(folder, ACCRUE_CLANG=str(clang), PYTHONDONTWRITEBYTECODE="1")
        command = [self.world.accrue, "cc", "-fopenacc", "-w", *program.cflags, "-c", program.path, "-o", "a.o"]
        done = self.world.run(command, folder, 120, environment=environment)
        self.note("dumps refused" if done.status else "dumps taken")
        if complaint := broken(done) or ("refused without a word" if done.status and not done.err else ""):
            yield f"clang's dump: {complaint}\n{program.name}\n{done.text()}"

    def known_passes(self, folder):
        if not self.passes:
            (folder / "empty.ir").write_text("builtin.module @m {\n  ^entry():\n}\n")
            message = self.world.run([self.world.accrue, "opt", "--pass=?", "empty.ir"], folder).err
            self.passes = message.partition("the passes are ")[2].strip().split(", ")
        return self.passes

    def printed(self, folder, program, options):
        command = [self.world.accrue, "ir", program.path, *options, *program.cflags]
        return self.world.run(command, folder, 90, out="text.txt").out

    def real_clang(self, folder):
        for name in ["clang", *(f"clang-{version}" for version in range(22, 13, -1))]:
            done = self.world.run(["/bin/sh", "-c", f"command -v {name}"], folder, out="which.txt")
            if done.status == 0:
                return done.out.strip()
        raise RuntimeError("there is no clang")


def damaged(rng, text):
    """`text` with one to three words damaged; mostly so that its grammar stays whole."""
    words = WORD.findall(text)
    for _ in range(rng.randrange(1, 4)):
        if not words:
            break
        at = rng.randrange(len(words))
        kind = rng.randrange(12)
        if kind < 6:
            alike = [word for word in words if sort(word) == sort(words[at])]
            words[at] = rng.choice(alike)
        elif kind == 6:
            numbers = [k for k, word in enumerate(words) if word.isdigit()] or [at]
            words[rng.choice(numbers)] = rng.choice(NUMBERS)
        elif kind == 7:
            words[at] = rng.choice(words)
        elif kind == 8:
            del words[at : at + rng.randrange(1, 3)]
        elif kind == 9 and rng.random() < 0.2:
            del words[at:]
        else:
            words = with_line_damaged(rng, words, at)
    return "".join(words)


def sort(word):
    """Words of one sort can stand for each other: numbers, registers, names of one dialect."""
    if "." in word:
        return word.partition(".")[0]
    return re.sub(r"\d+", "0", word) if re.search(r"\d", word) else "name" if word.isidentifier() else word


def with_line_damaged(rng, words, at):
    """The line of the word `at` deleted, or copied to another place."""
    lines = "".join(words).split("\n")
    line = "".join(words[:at]).count("\n")
    if rng.random() < 0.5:
        del lines[line]
    else:
        lines.insert(rng.randrange(len(lines)), lines[line])
    return WORD.findall("\n".join(lines))


def damaged_dump(rng, text):
    """A dump with values exchanged, members missing, or its bytes damaged."""
    if rng.random() < 0.3:
        at = rng.randrange(len(text) + 1)
        return rng.choice([text[:at], text[:at] + rng.choice('{}[]":,0x') + text[at:], text[:at] + text[at + rng.randrange(40) :]])
    lines = text.split("\n")
    members = [k for k, line in enumerate(lines) if re.match(r'\s*"\w+": ("|\d|true|false)', line)]
    for _ in range(rng.randrange(1, 4)):
        at = rng.choice(members)
        head, _, value = lines[at].partition(": ")
        comma = "," * value.endswith(",")
        same = [k for k in members if lines[k].strip().startswith(head.strip())]
        values = [lines[rng.choice(same)].partition(": ")[2].rstrip(","), lines[rng.choice(members)].partition(": ")[2].rstrip(",")]
        values += [json.dumps(rng.choice(NUMBERS)), "null", "[]", "{}", '""', "-1", "1e400"]
        lines[at] = f"{head}: {rng.choice(values[:2] * 4 + values)}{comma}"
    return "\n".join(lines)

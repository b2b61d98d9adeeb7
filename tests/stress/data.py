"""Sequences of data directives and routines, against a model of the present table.

A case is a list of steps for data.c (`enter data copyin` of a section, a structured region, an update, a kernel …), a queue or
none, and a device. model.py says what each step leaves in the host's arrays and what it reads; now and then the last step is
one that must stop the program with a message.
"""

import model
from world import MODES, Part

STEPS = 40
STARTERS = ["enter-copyin", "enter-create", "acc_copyin", "acc_create"]
REGIONS = ["[copy", "[copyin", "[copyout", "[create", "[no_create", "[present"]
OTHERS = [
    *("exit-copyout", "exit-delete", "exit-copyout-finalize", "exit-delete-finalize"),
    *("acc_copyout", "acc_delete", "acc_copyout_finalize", "acc_delete_finalize"),
    *("update-self", "update-device", "update-self-if", "update-device-if", "acc_update_self", "acc_update_device"),
    *("change-present", "change-copy", "fill-copyout", "fill-present", "read", "read", "host", "acc_is_present", "wait"),
]


class Data(Part):
    NAME = "data"
    SHARE = 10

    def case(self, rng, folder):
        program = self.world.build("data.c")
        for _ in range(5):
            mode = rng.choice(list(MODES))
            table = model.Table(shared=mode == "shared", queue=rng.choice([-2, -2, -2, 0, 3]))
            steps = random_steps(rng, table)
            environment = self.world.environment(folder, **MODES[mode])
            done = self.world.run([program, str(table.queue), *steps], folder, 60, environment=environment)
            self.note("fatal errors" if table.fatal else "sequences")
            if complaint := complaints(done, table):
                command = f"data {table.queue} {' '.join(repr(step) for step in steps)}"
                yield f"{complaint}\n{mode}: {command}\n{done.err[-700:]}"


def random_steps(rng, table):
    """Steps that the model carries out as they are drawn."""
    steps, depth = [], 0
    daring = rng.random() < 0.2
    for _ in range(rng.randrange(4, STEPS)):
        if depth and rng.random() < 0.15:
            depth -= end(table, steps)
            continue
        name = rng.choice([rng.choice(STARTERS), rng.choice(REGIONS), rng.choice(OTHERS), rng.choice(OTHERS)])
        section = table.section(rng)
        verdict = table.try_step(name, *section, daring=daring and rng.random() < 0.1)
        if verdict == "skipped":
            continue
        steps.append(",".join([name, *map(str, section)]))
        if verdict == "fatal":
            return steps
        depth += name[0] == "["
    while depth:
        depth -= end(table, steps)
    table.finish()
    return steps


def end(table, steps):
    """Ends the innermost region; before it what it copies out must have values."""
    if not table.can_end():
        _kind, *section, _held = table.regions[-1]
        if table.try_step("fill-present", *section) != "done":
            raise AssertionError("a region's data can always be filled")
        steps.append(",".join(["fill-present", *map(str, section)]))
    table.end()
    steps.append("]")
    return 1


def complaints(done, table):
    lines = done.out.strip().split("\n")
    for k, line in enumerate(table.lines):
        got = lines[k] if k < len(lines) else "nothing"
        if got != line:
            return f"step {k}: `{got}` instead of `{line}`: status {done.status}{' hangs' * done.hung}"
    if table.fatal:
        if done.status != 1 or "accrue: fatal error: " not in done.err:
            return f"status {done.status}{' hangs' * done.hung} instead of a fatal error: {table.fatal}"
        return ""
    return f"status {done.status}{' hangs' * done.hung}" if done.status or done.err else ""

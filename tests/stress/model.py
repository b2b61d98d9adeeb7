"""A model of OpenACC's present table (OpenACC 3.4, sections 2.6.3 to 2.6.8 and 2.7).

A mapping has a structured and a dynamic reference counter and the device's copy of a section of an array. A value that nobody
has defined is None; steps that would look at one are not made. Where memory is shared, the device's values are the host's, and
the table is kept all the same: a missing clause is told on every device.
"""

import copy
import dataclasses

ARRAYS = 3
N = 48
WORD = 1 << 32


class Undefined(Exception):
    """The step would use values that nothing has defined."""


class Fatal(Exception):
    """The step must stop the program."""


@dataclasses.dataclass
class Mapping:
    array: int
    start: int
    values: list
    structured: int = 0
    dynamic: int = 0

    def end(self):
        return self.start + len(self.values)


class Table:
    def __init__(self, shared, queue):
        self.shared, self.queue = shared, queue
        self.host = [[a * 1000 + i for i in range(N)] for a in range(ARRAYS)]
        self.mappings = []
        self.regions = []
        self.lines = []  # what the program prints
        self.fatal = ""

    def section(self, rng):
        """An array, a start and a length; often that of a mapping or inside of one."""
        if self.mappings and rng.random() < 0.7:
            chosen = rng.choice(self.mappings)
            if rng.random() < 0.7:
                return chosen.array, chosen.start, len(chosen.values)
            start = rng.randrange(chosen.start, chosen.end())
            return chosen.array, start, rng.randrange(1, chosen.end() - start + 1)
        start = rng.choice([0, 0, rng.randrange(N)])
        return rng.randrange(ARRAYS), start, rng.choice([N - start, rng.randrange(1, N - start + 1)])

    def try_step(self, name, array, start, length, daring=False):
        """Carries the step out if it can be: `done`, `skipped`, or `fatal` if it stops the program and is to be made."""
        before = copy.deepcopy((self.host, self.mappings, self.regions))
        entered = f"{name} {self.checksum()} 0"
        try:
            result = self.step(name, array, start, length)
            # Also copies that run later on a queue: what they leave must be known behind a wait.
            line = f"{name} {self.checksum()} {result}"
        except (Undefined, Fatal) as why:
            self.host, self.mappings, self.regions = before
            if isinstance(why, Undefined) or not daring or self.queue != -2:
                return "skipped"
            self.fatal = str(why)
            if name[0] == "[":
                self.lines.append(entered)
            return "fatal"
        if name[0] == "[":
            # Printed before the region is entered.
            self.lines.append(entered)
        elif self.queue == -2 or name in ("wait", "host", "read", "acc_is_present"):
            self.lines.append(line)
        return "done"

    def end(self):
        """The end of the innermost structured region."""
        kind, array, start, length, held = self.regions.pop()
        mapping = self.find(array, start, length) if held else None
        if mapping:
            mapping.structured -= 1
            self.release(mapping, start, length, out=kind in ("[copy", "[copyout"))
        self.lines.append(f"] {self.checksum()} 0")

    def can_end(self):
        """Whether it leaves only values that are defined."""
        before = copy.deepcopy((self.host, self.mappings, self.regions, self.lines))
        try:
            self.end()
        except Undefined:
            return False
        finally:
            self.host, self.mappings, self.regions, self.lines = before
        return True

    def finish(self):
        self.lines.append(f"end {self.checksum()} 0")

    def step(self, name, array, start, length):
        host = self.host[array]
        place = slice(start, start + length)
        base = name.replace("acc_", "exit-" if name[4:8] in ("copy", "dele") and name != "acc_copyin" else "enter-")
        if name == "host":
            host[place] = [wrap(value * 3 + 7) for value in host[place]]
        elif name == "wait":
            pass
        elif name == "acc_is_present":
            return int(self.covering(array, start, length) is not None)
        elif name[0] == "[":
            self.enter_region(name, array, start, length)
        elif base in ("enter-copyin", "enter-create"):
            if mapping := self.map(array, start, length, base == "enter-copyin"):
                mapping.dynamic += 1
        elif base.startswith("exit-"):
            self.exit(base, array, start, length)
        elif "update" in name:
            self.update(name, array, start, length)
        else:
            return self.kernel(name, array, start, length)
        return 0

    def enter_region(self, kind, array, start, length):
        mapping = None
        if kind == "[no_create":
            mapping = self.covering(array, start, length)
            if not mapping and self.overlapping(array, start, length):
                raise Undefined  # Nor what no_create does with it.
        elif kind == "[present":
            mapping = self.present(array, start, length)
        else:
            mapping = self.map(array, start, length, kind in ("[copy", "[copyin"))
        if mapping:
            mapping.structured += 1
        self.regions.append((kind, array, start, length, mapping is not None))

    def exit(self, name, array, start, length):
        mapping = self.find(array, start, length)
        if not mapping or not mapping.dynamic:
            return
        mapping.dynamic = 0 if "finalize" in name else mapping.dynamic - 1
        self.release(mapping, start, length, out="copyout" in name)

    def update(self, name, array, start, length):
        if "-if" in name:
            mapping = self.covering(array, start, length)
            if not mapping and self.overlapping(array, start, length):
                raise Undefined  # OpenACC does not say what if_present does with data that is there in part.
        else:
            mapping = self.present(array, start, length)
        if not mapping:
            return
        values, first = self.cells(mapping)
        for at in range(start, start + length):
            if "self" in name:
                self.host[array][at] = values[at - first]
            else:
                values[at - first] = self.host[array][at]

    def kernel(self, name, array, start, length):
        region = {"change-copy": "[copy", "fill-copyout": "[copyout"}.get(name, "[present")
        self.enter_region(region, array, start, length)
        mapping = self.find(array, start, length)
        values, first = self.cells(mapping)
        result = 0
        for at in range(start, start + length):
            if name.startswith("fill"):
                values[at - first] = at * 11
            elif values[at - first] is None:
                raise Undefined
            elif name == "read":
                result += values[at - first] * (at - start + 1)
            else:
                values[at - first] = wrap(values[at - first] * 5 + 3)
        self.regions.pop()
        mapping.structured -= 1
        self.release(mapping, start, length, out=region in ("[copy", "[copyout"))
        return result

    def cells(self, mapping):
        """The values that the device has, and the place of the first of them in the array."""
        return (self.host[mapping.array], 0) if self.shared else (mapping.values, mapping.start)

    def map(self, array, start, length, copy_in):
        """The mapping of a section, which is made if it is not there."""
        if mapping := self.find(array, start, length):
            return mapping
        values = self.host[array][start : start + length] if copy_in else [None] * length
        self.mappings.append(Mapping(array, start, values))
        return self.mappings[-1]

    def release(self, mapping, start, length, out):
        if mapping.structured or mapping.dynamic:
            return
        if out:
            values, first = self.cells(mapping)
            for at in range(start, start + length):
                self.host[mapping.array][at] = values[at - first]
        self.mappings.remove(mapping)

    def present(self, array, start, length):
        mapping = self.find(array, start, length)
        if not mapping:
            raise Fatal("the data is not present")
        return mapping

    def find(self, array, start, length):
        """The mapping that has the section; none if there is nothing of it."""
        mapping = self.covering(array, start, length)
        if not mapping and self.overlapping(array, start, length):
            raise Fatal("the data is partially present")
        return mapping

    def covering(self, array, start, length):
        for one in self.mappings:
            if one.array == array and one.start <= start and start + length <= one.end():
                return one
        return None

    def overlapping(self, array, start, length):
        return any(o.array == array and o.start < start + length and start < o.end() for o in self.mappings)

    def checksum(self):
        return self.checksum_of(self.host)

    @staticmethod
    def checksum_of(host):
        total = 2166136261
        for value in (value for array in host for value in array):
            if value is None:
                raise Undefined
            total = (total ^ (value % WORD)) * 16777619 % WORD
        return total


def wrap(value):
    return (value + WORD // 2) % WORD - WORD // 2

"""What a nest is made of: variables, places in it, results, and lines of text."""

import dataclasses

from scalars import Type

GANG, WORKER, VECTOR = 0, 1, 2
LEVEL_NAMES = ["gang", "worker", "vector"]
OUTSIDE = -1


@dataclasses.dataclass
class Variable:
    """A reduction variable; `length` is 0 for a scalar. Of an array, the elements from `lower` on are reduced."""

    name: str
    type: Type
    op: str
    length: int = 0
    lower: int = 0
    start: str = "0"

    def listed(self, rng):
        """How a clause names it."""
        if self.lower or (self.length and rng.random() < 0.4):
            return f"{self.name}[{self.lower}:{self.length - self.lower}]"
        return self.name

    def clause(self, rng):
        return f"reduction({self.op}:{self.listed(rng)})"


@dataclasses.dataclass(frozen=True)
class Frame:
    """What holds at a place in the nest."""

    level: int = OUTSIDE  # the innermost level in use
    carried: tuple = ()  # variables that may be updated here
    at: str = "0"  # the number of the iteration, over all loops around …
    total: int = 1  # … which is below this
    indices: tuple = ()
    readable: tuple = ()  # (type, name) of private results
    stores: bool = False  # exactly one gang comes here with this value of `at`
    in_routine: bool = False
    depth: int = 0

    def inside(self, **changes):
        return dataclasses.replace(self, **changes)


@dataclasses.dataclass
class Result:
    """Something to compare: `count` elements called `name`."""

    name: str
    type: Type
    count: int


def declaration(variable, apart=False):
    """The lines that declare a variable with its start; `apart`: declaration and assignments as two lists."""
    name, kind = variable.name, variable.type.name
    if variable.length:
        declared = [f"{kind} {name}[{variable.length}];"]
        assigned = [f"{name}[{k}] = {variable.start};" for k in range(variable.length)]
    elif apart:
        declared, assigned = [f"{kind} {name};"], [f"{name} = {variable.start};"]
    else:
        declared, assigned = [f"{kind} {name} = {variable.start};"], []
    return (declared, assigned) if apart else declared + assigned


def readable(variable):
    """What may be read of a private result."""
    if not variable.length:
        return [(variable.type, variable.name)]
    return [(variable.type, f"{variable.name}[{k}]") for k in range(variable.length)]


def scoped(lines):
    return ["{", *indented(lines), "}"] if lines else []


def indented(lines):
    return ["    " + line for line in lines]

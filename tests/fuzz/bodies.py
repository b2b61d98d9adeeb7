"""One random loop nest whose iterations have long bodies, as C text.

    bodies(seed, number)      the same function for the same arguments

Bodies are made of what scalar and memory optimisations work on: indices of mixed types, private arrays and structures,
functions, pointers that may or may not lead to the same memory, early ends of loops, divisions, narrow types, atomics. The
loops around them have levels, tiles, caches, collapsed, triangular and loaded bounds (shapes.py,
blocks.py). Statements come from
statements.py, expressions from expressions.py; values.py keeps every value defined and exact.

What keeps results defined: an iteration of a parallel loop writes only its own row of `p` and `q` (or its own column), which
may be the same memory, and its own record; what several iterations update, they update by atomics whose order does not matter.
"""

import random

import blocks
import scalars
import shapes
import values
from places import Array, Field, Function, Object, Scope, Structure, Variable
from statements import Statements, indented, private
from values import ALL, INT, INTEGERS, UNSIGNED

INPUTS = 1280
# Entries of all rows whose bounds are loaded.
ENTRIES = 256
HASHES = 8
RESULT = next(kind for kind in scalars.TYPES if kind.name == "unsigned")
ELEMENTS = [INT, INT, UNSIGNED, values.LONG, values.SHORT, values.UCHAR, values.FLOAT, values.DOUBLE, values.ULONG]


class Result:
    """What a call leaves behind: hashes of all memory."""

    def __init__(self, name):
        self.name, self.type, self.count = name, RESULT, HASHES


def bodies(seed, number, language="acc"):
    return Body(random.Random(f"bodies/{seed}/{number}"), number, language)


class Body(shapes.Shapes, blocks.Blocks, Statements):
    """The function, with the same interface as a nest of nests.py."""

    def __init__(self, rng, number, language):
        self.rng, self.number, self.language = rng, number, language
        self.names = 0
        self.brief = self.chance(0.5)
        self.inputs = [rng.choice(ELEMENTS), rng.choice(ELEMENTS)]
        self.first = rng.choice(ELEMENTS)
        self.second = self.first if self.chance(0.6) else rng.choice(ELEMENTS)
        self.may_alias = self.first == self.second and self.chance(0.6)
        self.counter_type = rng.choice([INT, UNSIGNED, values.LONG, values.ULONG, values.DOUBLE, values.FLOAT])
        self.structures = []
        for _ in range(rng.choice([1, 1, 2])):
            self.structures.append(self.structure())
        self.record = self.structures[-1]
        self.functions = []  # texts
        self.callable = ()
        for _ in range(rng.choice([0, 0, 1] if self.brief else [0, 1, 2, 3])):
            self.function()
        self.width = rng.choice([3, 4, 5, 6, 8, 8])
        self.kernel = self.shape()
        self.calls = [self.one_call(f"h{k}_out") for k in range(rng.choice([1, 2, 2]))]
        self.results = [Result(f"h{k}") for k in range(len(self.calls))]

    def name(self, kind):
        self.names += 1
        return f"{kind}{self.names}"

    def text(self, suffix):
        """The functions of one version; only "acc" has directives, and only "host" what both use."""
        n = self.number
        lines = [] if suffix == "acc" else self.shared()
        lines += [f"static void body_{n}_{suffix}({self.parameters()})", "{", *indented(self.kernel), "}"]
        outs = "".join(f", unsigned *{result.name}_out" for result in self.results)
        lines += [f"static void nest_{n}_{suffix}(const unsigned char *src{outs})", "{", "    (void)src;"]
        lines += [f"    struct memory_{n} *all = malloc(sizeof *all);"]
        lines += ["    " + line.replace("@", suffix) for call in self.calls for line in call]
        lines += ["    free(all);", "}"]
        if suffix == "host":
            lines = [line for line in lines if not line.lstrip().startswith("#pragma")]
        return "\n".join(lines) + "\n"

    def parameters(self):
        i, j = (kind.name for kind in self.inputs)
        return (
            f"{self.size_type.name} n, {self.size_type.name} m, int shift, const {i} *in0, const {j} *in1, {self.first.name} *p, "
            f"{self.second.name} *q, {self.record.name} *records, const {self.record.name} *given, const {self.row_type.name} *rows, "
            f"{self.counter_type.name} *hist, unsigned long *total"
        )

    def shared(self):
        """Types, tables and functions, and what makes and hashes the memory."""
        n, lines = self.number, []
        for structure in self.structures:
            lines += structure.definition()
        table = ", ".join(str(self.rng.randrange(-50, 200)) for _ in range(8))
        lines.append(f"static const int table_{n}[8] = {{{table}}};")
        lines += [line for function in self.functions for line in function]
        members = [
            (self.inputs[0], "in0", INPUTS),
            (self.inputs[1], "in1", INPUTS),
            (self.first, "p", self.memory),
            (self.second, "q", self.memory),
            (self.counter_type, "hist", 16),
            (values.ULONG, "total", 2),
        ]
        lines += [f"struct memory_{n} {{"]
        lines += [f"    {kind.name} {name}[{count}];" for kind, name, count in members]
        lines += [f"    {self.record.name} records[{self.places}], given[8];", f"    {self.row_type.name} rows[{self.places + 1}];", "};"]
        lines += [f"static void start_{n}(struct memory_{n} *all)", "{", "    memset(all, 0, sizeof *all);"]
        for kind, name, count in members[:4]:
            value = "k * 37 % 61 - 20" if kind.kind != "unsigned" else "k * 37 % 61"
            if kind.kind in ("signed", "unsigned") and self.chance(0.4):
                value = f"({kind.name})(k * 2654435761ul * 40503ul)"
            lines.append(f"    for (int k = 0; k < {count}; k++) all->{name}[k] = {value};")
        for name, count in (("records", self.places), ("given", 8)):
            lines.append(f"    for (int k = 0; k < {count}; k++) {{")
            for member in Object(f"all->{name}[k]", self.record).members():
                lines.append(f"        {member.name} = k * 11 % {self.rng.choice([2, 3, 7])};")
            lines.append("    }")
        lines.append(f"    for (int k = 0; k < {self.places}; k++) all->rows[k + 1] = all->rows[k] + k * 7 % 4 * (all->rows[k] < {ENTRIES - 8});")
        lines += ["}", f"static void hash_{n}(const struct memory_{n} *all, unsigned *h)", "{"]
        lines.append(f"    for (int k = 0; k < {HASHES}; k++) h[k] = 7;")
        for place, (kind, name, count) in enumerate(members[2:]):
            value = f"(long)(all->{name}[k] * 4)" if kind.kind == "real" else f"(long)all->{name}[k]"
            lines.append(f"    for (int k = 0; k < {count}; k++) h[{place}] = h[{place}] * 31 + (unsigned){value};")
        lines.append(f"    for (int k = 0; k < {self.places}; k++) {{")
        for member in Object("all->records[k]", self.record).members():
            lines.append(f"        h[5] = h[5] * 31 + (unsigned)(long)({member.name}{' * 4' * (member.type.kind == 'real')});")
        for array in Object("all->records[k]", self.record).arrays():
            scale = " * 4" * (array.type.kind == "real")
            lines.append(f"        for (int i = 0; i < {array.length}; i++) h[6] = h[6] * 31 + (unsigned)(long)({array.pointer}[i]{scale});")
        return [*lines, "    }", "}"]

    def one_call(self, out):
        """The lines that make the memory, call the function and hash what it leaves."""
        second = "all->p" if self.may_alias and self.chance(0.5) else "all->q"
        one, other = self.sizes()
        whole = f"all[0:1]"
        data = {"acc": f"#pragma acc data copy({whole})", "omp": f"#pragma omp target data map(tofrom: {whole})"}[self.language]
        arguments = f"{one}, {other}, {self.rng.randrange(3)}, all->in0, all->in1, all->p, {second}, all->records, all->given, all->rows, all->hist, all->total"
        return [f"start_{self.number}(all);", data, f"body_{self.number}_@({arguments});", f"hash_{self.number}(all, {out});"]

    # What the function uses.

    def structure(self):
        fields = []
        for _ in range(self.rng.choice([2, 3, 4, 5])):
            kind, name = self.rng.choice(ALL), self.name("f")
            width = length = 0
            if self.chance(0.15):
                kind = self.rng.choice([INT, UNSIGNED, UNSIGNED])
                width = self.rng.choice([1, 3, 7, 12, 17, 31])
            elif self.chance(0.2):
                length = self.rng.choice([2, 3, 4])
            fields.append(Field(name, kind, width, length))
        if self.structures and self.chance(0.5):
            fields.insert(self.rng.randrange(len(fields) + 1), Field(self.name("f"), self.structures[0]))
        if all(field.length for field in fields):
            fields.append(Field(self.name("f"), INT))
        return Structure(f"struct s_{self.number}_{self.name('s')}", tuple(fields))

    def function(self):
        """A function that iterations may call."""
        name, result, pure = f"f_{self.number}_{self.name('f')}", self.rng.choice(ALL), self.chance(0.5)
        scope, parameters, texts = Scope(functions=self.callable, leave=("",)), [], []
        for _ in range(self.rng.choice([1, 2, 3, 4])):
            kind, parameter = self.rng.choice(["scalar", "scalar", "copy", "array", "object"]), self.name("x")
            if kind == "scalar" or (pure and kind in ("array", "object")):
                kind, of = "scalar", self.rng.choice(ALL)
                texts.append(f"{of.name} {parameter}")
                scope = scope.and_(variables=[Variable(parameter, of)])
            elif kind == "array":
                of = (self.rng.choice([self.first, self.second, INT]), self.rng.choice([2, 3, 4]))
                texts.append(self.rng.choice([f"{of[0].name} *{parameter}", f"{of[0].name} {parameter}[{of[1]}]"]))
                scope = scope.and_(arrays=[private(parameter, *of)])
            else:
                of = self.rng.choice(self.structures)
                texts.append(f"{of.name} {'*' * (kind == 'object')}{parameter}")
                scope = scope.and_(objects=[Object(f"(*{parameter})" if kind == "object" else parameter, of)])
            parameters.append((kind, of))
        if not pure and self.chance(0.3):
            result = self.rng.choice(self.structures)
        leave = tuple(self.returned(scope, result) for _ in range(2))
        lines, inner = self.declared(scope.inside(leave=leave, weight=12), self.rng.choice([0, 1, 2]))
        lines += self.statements(inner, self.rng.choice([1, 2, 4]), 2)
        lines.append(self.returned(inner, result))
        inline = self.rng.choice(["static ", "static inline ", "static inline "])
        self.functions.append([f"{inline}{result.name} {name}({', '.join(texts)})", "{", *indented(lines), "}"])
        self.callable += (Function(name, result, tuple(parameters), pure),)

    def returned(self, scope, result):
        if not isinstance(result, Structure):
            return f"return {values.fitting(self.expression(scope), result).text};"
        there = [thing.text for thing in scope.objects if thing.type == result]
        if there and self.chance(0.6):
            return f"return {self.rng.choice(there)};"
        return f"return ({result.name}){self.initial(scope, result)};"

    def outer_scope(self):
        """What all iterations read."""
        arrays = [Array((f"in{k}[{{}}]", f"*(in{k} + {{}})", f"(in{k} + 5)[(int){{}} - 5]"), kind, INPUTS, False, f"in{k}") for k, kind in enumerate(self.inputs)]
        arrays.append(Array((f"table_{self.number}[{{}}]",), INT, 8, False, f"table_{self.number}"))
        arrays.append(Array(("given[{}]", "*(given + {})"), self.record, 8, False, None))
        return Scope(variables=(Variable("shift", INT, (0, 2), False),), arrays=tuple(arrays), functions=self.callable)

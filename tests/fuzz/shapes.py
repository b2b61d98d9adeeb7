"""The parallel loops around random bodies: levels, tiles, collapsed nests, rows, loaded and triangular bounds, atomics."""

import dataclasses

import values
from places import Array, Object, Variable
from values import INT, LONG, SHORT, SIZE_T, UNSIGNED

INDICES = [INT, INT, INT, LONG, SIZE_T, UNSIGNED, SHORT]
SIZES = [INT, INT, LONG, SIZE_T, UNSIGNED]
ROWS = [1, 2, 5, 17, 31, 32, 33, 64, 300, 1000]


class Shapes:
    """A part of a body: makes the lines of its function."""

    def shape(self):
        self.size_type, self.row_type = self.rng.choice(SIZES), self.rng.choice([INT, LONG, UNSIGNED])
        self.by_columns = self.chance(0.35)
        forms = {self.flat: 6, self.nest: 4, self.lanes: 4, self.loaded: 2, self.triangle: 2, self.window: 3, self.counts: 3}
        forms |= {self.registers: 4, self.sweep: 5, self.search: 2, self.filled: 4, self.shared_rows: 4, self.objects: 4}
        return self.rng.choices(list(forms), list(forms.values()))[0]()

    @property
    def memory(self):
        return self.places * self.width

    def sizes(self):
        """Numbers of iterations for a call."""
        return tuple(self.rng.choice([k for k in ROWS if k <= most][-8:]) for most in self.most)

    def bounded(self, *most):
        """At most so many iterations of the outer and of the inner loop."""
        self.most = most if len(most) == 2 else (*most, 1)
        self.places = self.most[0] * self.most[1]

    # Directives.

    def construct(self, levels, clauses="", omp="target teams distribute parallel for"):
        if self.language == "omp":
            return f"#pragma omp {omp} {clauses if 'reduction' in clauses else ''}".rstrip()
        kind = self.rng.choice(["parallel loop"] * 5 + ["kernels loop independent"])
        return f"#pragma acc {kind} {self.data()} {levels} {clauses}".replace("  ", " ").rstrip()

    def data(self):
        if self.chance(0.3):
            return f"default(present) copyin(table_{self.number})"
        every = "in0, in1, p, q, records, given, rows, hist, total"
        return f"present({every.replace(', ', '[0:1], ')}[0:1])"

    def inner(self, levels, clauses="", omp="parallel for"):
        if self.language == "omp":
            return f"#pragma omp {omp} {clauses}".rstrip()
        return f"#pragma acc loop {levels} {clauses}".rstrip()

    def atomic(self, kind="update"):
        return f"#pragma {self.language} atomic{self.rng.choice(['', ' update']) if kind == 'update' else ' ' + kind}"

    def flat_levels(self):
        return self.rng.choice(
            ["", "", "gang vector", "gang vector vector_length(64)", "gang worker vector num_workers(4)", "gang", "gang vector_length(1)", "vector_length(256)"]
        )

    # Loops that directives take.

    def head(self, upper, most, kind=None):
        """A loop with `upper` iterations: its head, its index, and the number of the iteration as a text."""
        name, kind = self.name("i"), kind or self.rng.choice(INDICES)
        k, low, step = kind.name, self.rng.choice([1, 2, 5]), self.rng.choice([2, 3])
        forms = [(f"for ({k} {name} = 0; {name} < {upper}; {name}++)", (0, most - 1), name)] * 5
        forms += [
            (f"for ({k} {name} = 0; {name} <= ({k}){upper} - 1; ++{name})", (0, most - 1), name),
            (f"for ({k} {name} = 0; {name} != ({k}){upper}; {name}++)", (0, most - 1), name),
            (f"for ({k} {name} = {low}; {name} < {upper} + {low}; {name} += 1)", (low, most + low - 1), f"({name} - {low})"),
            (f"for ({k} {name} = 0; {name} < {upper} * {step}; {name} += {step})", (0, (most - 1) * step), f"({name} / {step})"),
            (f"for ({k} {name} = {upper}; {name} > 0; {name}--)", (1, most), f"({name} - 1)"),
        ]
        if kind.kind == "signed":
            forms.append((f"for ({k} {name} = ({k}){upper} - 1; {name} >= 0; {name}--)", (0, most - 1), name))
            forms.append((f"for ({k} {name} = -{low}; {name} < ({k}){upper} - {low}; {name}++)", (-low, most - 1 - low), f"({name} + {low})"))
        text, bounds, number = self.rng.choice(forms)
        return text + " {", Variable(name, kind, bounds, False), number

    # What belongs to an iteration.

    def own(self, number, count, variables):
        """The arrays and the record of iteration `number` of `count`, and lines that declare what they need."""
        lines, w = [], self.width
        row = self.name("r")
        if self.chance(0.6):
            kind = self.rng.choice([INT, LONG, UNSIGNED, SIZE_T])
            lines.append(f"const {kind.name} {row} = {number};")
            wide = {UNSIGNED: "unsigned", SIZE_T: "size_t"}.get(kind)
        else:
            row, wide = f"({number})", None
        arrays = []
        for name, kind in (("p", self.first), ("q", self.second)):
            if self.by_columns:
                texts = (f"{name}[{{}} * {count} + {row}]", f"{name}[{row} + (long){count} * {{}}]", f"(({kind.name} (*)[{count}]){name})[{{}}][{row}]")
                arrays.append(Array(texts, kind, w))
                continue
            texts = [f"{name}[{row} * {w} + {{}}]", f"*({name} + {row} * {w} + {{}})", f"({name} + {row} * {w})[{{}}]", f"(({kind.name} (*)[{w}]){name})[{row}][{{}}]"]
            pointer = f"({name} + {row} * {w})"
            if wide:
                texts.append(f"{name}[({row} - 3u) * {w} + ({wide})({{}}) + {3 * w}]")
            if self.chance(0.6):
                pointer = self.name("own")
                lines.append(f"{kind.name} *{pointer} = {name} + {row} * {w};")
                texts.append(f"{pointer}[{{}}]")
            arrays.append(Array(tuple(texts), kind, w, True, pointer))
        return lines, arrays, [Object(f"records[{row}]", self.record)]

    def iteration(self, scope, number, count, variables, size=6):
        """The statements of an iteration that has a row, or a column, of its own."""
        lines, arrays, objects = self.own(number, count, variables)
        scope = scope.and_(variables, arrays, objects)
        declared, scope = self.declared(scope, self.rng.choice([0, 1, 1] if self.brief else [2, 3, 4]))
        lines += declared
        size = min(size, 3) if self.brief else size
        if self.chance(0.3):
            scope = scope.inside(leave=("continue;",))
        lines += self.statements(scope.inside(leave=()), self.rng.randint(min(2, size - 2), size)) if not scope.leave else []
        if scope.leave:
            lines += self.end(scope.inside(in_loop=False), 0) + self.statements(scope.inside(leave=()), size // 2)
        for array in arrays:
            lines += self.assigned(scope, self.element(scope, array))
        return lines

    # Shapes.

    def flat(self):
        """One loop."""
        most = self.rng.choice([64, 1000]) if self.brief else 64
        self.bounded(most)
        head, index, number = self.head("n", most)
        body = self.iteration(self.outer_scope(), number, "n", [index], 8)
        if self.chance(0.25):
            op, start = self.rng.choice([("+", 0), ("^", 5), ("|", 0), ("max", 0), ("&", -1)])
            scope = self.outer_scope().and_([index])
            value = values.cast(self.expression(scope), values.ULONG).text
            update = f"sum = sum > {value} ? sum : {value};" if op == "max" else f"sum = sum {op} {value};"
            body.insert(0, update)
            there = {"acc": "#pragma acc update device(total[0:1])", "omp": "#pragma omp target update to(total[0:1])"}[self.language]
            construct = self.construct(self.flat_levels(), f"reduction({op}:sum)", "target teams distribute parallel for map(tofrom: sum)")
            return [f"unsigned long sum = {start};", construct, head, *indent(body), "}", "total[0] = sum;", there]
        return [self.construct(self.flat_levels()), head, *indent(body), "}"]

    def nest(self):
        """Two or three loops that are divided together."""
        self.bounded(17, 17)
        scope = self.outer_scope()
        deep = self.chance(0.3)
        outer, i, first = self.head("n", 17)
        inner, j, second = self.head("m", 17)
        number, variables = f"({first} * m + {second})", [i, j]
        count = "(n * m)"
        if deep:
            last, k, third = self.head("2", 2)
            number, variables = f"(({first} * m + {second}) * 2 + {third})", [i, j, k]
            self.places *= 2
            count = "(n * m * 2)"
        body = self.iteration(scope, number, count, variables, 5)
        before = []
        if not deep and self.chance(0.4):  # An imperfect nest: the inner loop has a level of its own.
            before, scope = self.declared(scope.and_([i]), 2)
            body = self.iteration(self.fixed(scope), number, count, variables, 4)
            directive = self.construct("gang", omp="target teams distribute")
            lanes = self.rng.choice(["vector", "vector", "worker", "worker vector", "seq"])
            inner_directive = [self.inner(lanes)] if self.language == "acc" or lanes != "seq" else []
            return [directive, outer, *indent([*before, *inner_directive, inner, *indent(body), "}"]), "}"]
        if deep:
            form = self.rng.choice(["collapse(3)", "tile(2, 2, 2)", "collapse(3) vector_length(64)", "tile(1, 4, 2)"])
            body = [last, *indent(body), "}"]
        else:
            form = self.rng.choice(["collapse(2)", "tile(4, 8)", "tile(2, 32)", "collapse(2) gang vector", "tile(*, 4)"])
        collapse = f"target teams distribute parallel for collapse({3 if deep else 2})"
        return [self.construct(form, omp=collapse), outer, *indent([inner, *indent(body), "}"]), "}"]

    def fixed(self, scope):
        """A scope in whose loops what was declared before is read only."""
        return scope.inside(
            variables=tuple(read_only(v) for v in scope.variables),
            arrays=tuple(read_only(a) for a in scope.arrays),
            objects=tuple(read_only(o) for o in scope.objects),
        )

    def lanes(self):
        """Several inner loops of a gang that walk over the same row, one after another."""
        self.bounded(8, 64)
        scope, w = self.outer_scope(), self.width
        head, index, number = self.head("n", 8)
        levels = self.rng.choice(["vector", "vector", "worker vector"])
        body, gang = self.declared(scope.and_([index]), self.rng.choice([1, 2]))
        for _ in range(self.rng.choice([2, 3, 4])):
            inner, lane, place = self.head("m", 64)
            own = f"({number} * m + {place})"
            names = self.rng.choice([("p",), ("q",), ("p", "q")])
            arrays = [Array((f"{name}[{own} * {w} + {{}}]", f"*({name} + {own} * {w} + {{}})"), kind, w) for name, kind in (("p", self.first), ("q", self.second))]
            if not self.may_alias and len(names) == 1:  # Any element of the row that is only read.
                other, kind = ("q", self.second) if names == ("p",) else ("p", self.first)
                text = f"{other}[({number} * m + ({place} + 1) % m) * {w} + {{}}]"
                arrays.append(Array((text,), kind, w, False))
            arrays = [a if a.spellings[0][0] in names else read_only(a) for a in arrays]
            lane_scope = self.fixed(gang).and_([lane], arrays, [Object(f"records[{own}]", self.record)])
            lines, lane_scope = self.declared(lane_scope, self.rng.choice([0, 1, 2]))
            lines += self.statements(lane_scope, self.rng.choice([1, 2, 3]), 1)
            clause, before = "", []
            if self.chance(0.5):
                name = self.name("sum")
                value = values.cast(self.expression(lane_scope), UNSIGNED).text
                before, clause = [f"unsigned {name} = {self.rng.randrange(3)};"], f"reduction(+:{name})"
                lines.append(f"{name} += {value};")
            body += [*before, self.inner(levels, clause, self.rng.choice(["parallel for", "parallel for simd"])), inner, *indent(lines), "}"]
            if before:
                gang = gang.and_([Variable(name, UNSIGNED)])
            if self.chance(0.4):
                body += self.statements(gang, 1, 1)
        body.append(f"records[{number} * m] = given[{self.index(gang, 8)}];")
        clauses = self.rng.choice(["", "vector_length(64)", "vector_length(32)", "num_workers(2) vector_length(32)"])
        return [self.construct("gang", clauses, "target teams distribute"), head, *indent(body), "}"]

    def loaded(self):
        """Rows whose bounds are in memory; each entry belongs to one row."""
        self.bounded(64)
        scope = self.outer_scope()
        head, index, number = self.head("n", 64)
        k = Variable(self.name("k"), self.rng.choice([INT, LONG, self.row_type]), (0, 255), False)
        parallel = self.chance(0.5)
        lines, scope = self.declared(scope.and_([index]), 1)
        value = values.cast(self.expression(scope.and_([k])), UNSIGNED).text
        update = [f"sum += {value};"]
        inside = self.fixed(scope) if parallel else scope
        declared, inside = self.declared(inside.and_([k]), 1)
        update += declared + self.statements(inside, 2, 1)
        loop = [f"for ({k.type.name} {k.name} = rows[{number}]; {k.name} < rows[{number} + 1]; {k.name}++) {{", *indent(update), "}"]
        if parallel:
            loop.insert(0, self.inner(self.rng.choice(["vector", "worker vector"]), "reduction(+:sum)"))
        lines = [*lines, "unsigned sum = 0;", *loop, f"p[{number} * {self.width}] = sum & 255;"]
        levels, omp = ("gang", "target teams distribute") if parallel else (self.flat_levels(), "target teams distribute parallel for")
        return [self.construct(levels, omp=omp), head, *indent(lines), "}"]

    def triangle(self):
        """An inner loop that ends at the outer one's index."""
        self.bounded(32, 32)
        scope = self.outer_scope()
        head, index, number = self.head("n", 32)
        kind, j = self.rng.choice([INT, LONG, index.type]), self.name("j")
        lane = Variable(j, kind, (0, 31), False)
        parallel = self.chance(0.6)
        self.by_columns = False
        before, scope = self.declared(scope.and_([index]), 1)
        body = self.iteration(self.fixed(scope), f"({number} * 32 + {j})", "1024", [lane], 4)
        bounds = self.rng.choice([f"= 0; {j} <= ({kind.name}){number}", f"= {number}; {j} < 32", f"= 0; {j} < ({kind.name}){number}"])
        loop = [f"for ({kind.name} {j} {bounds}; {j}++) {{", *indent(body), "}"]
        if parallel:
            loop.insert(0, self.inner(self.rng.choice(["vector", "worker", "worker vector"])))
        levels, omp = ("gang", "target teams distribute") if parallel else (self.flat_levels(), "target teams distribute parallel for")
        return [self.construct(levels, omp=omp), head, *indent([*before, *loop]), "}"]

    def window(self):
        """Elements from those around, or of a product, that neighbouring iterations read too."""
        self.bounded(32, 32)
        self.width = 1
        name, source = self.rng.choice([("in0", self.inputs[0]), ("in1", self.inputs[1])])
        form = self.rng.choice(["collapse(2)", "collapse(2)", "tile(4, 8)", "tile(8, 32)", "gang"])
        i, j, k = Variable("i", INT, (0, 31), False), Variable("j", INT, (0, 31), False), Variable("k", INT, (0, 4), False)
        outer, inner = "for (int i = 0; i < n; i++) {", "for (int j = 0; j < m; j++) {"
        if self.chance(0.5):
            kind = self.rng.choice(INDICES).name
            outer, inner = f"for ({kind} i = 0; i < n; ++i) {{", f"for ({kind} j = 0; j != ({kind})m; j += 1) {{"
        reads = [f"{name}[i * 5 + j + k]", f"{name}[(i + k) * 6 + j]", f"{name}[i + j * 5 + k]", f"{name}[(i - 2) * 6 + j + (k + 12)]"]
        element = values.any_value(self.rng.choice(reads), source)
        scope = self.outer_scope().and_([i, j])
        declared, scope = self.declared(scope, self.rng.choice([1, 2]))
        value = values.sum_of(self.rng.choice("+*-"), element, self.leaf(scope.and_([k])))
        term = values.cast(value, LONG).text
        loops = [f"for (int k = 0; k < {count}; k++)" for count in (3, 5)] + ["for (int k = 4; k >= 0; k--)"]
        body = [*declared, "unsigned long sum = 0;", f"{self.rng.choice(loops)} {{", f"    sum += {term};"]
        if self.chance(0.4):
            body += indent(self.statements(scope.and_([k]).inside(weight=5), 1, 1))
        body += ["}", f"p[i * m + j] = sum & 127;"]
        if self.chance(0.5):
            body += self.assigned(scope.and_([Variable("sum", values.ULONG)]), Variable("q[i * m + j]" if not self.may_alias else "p[i * m + j]", self.second))
        if form.startswith("tile") is False and self.language == "acc" and self.chance(0.3):
            body.insert(0, f"#pragma acc cache({name}[i * 5 + j:5])" if "i * 5 + j + k" in element.text else ";")
        nest = [inner, *indent(body), "}"]
        if form == "gang":
            nest.insert(0, self.inner("vector"))
        omp = "target teams distribute" if form == "gang" else "target teams distribute parallel for collapse(2)"
        return [self.construct(form, omp=omp), outer, *indent(nest), "}"]

    def counts(self):
        """Updates of a few places that all iterations share, in an order that does not matter."""
        self.bounded(64)
        scope = self.outer_scope()
        head, index, number = self.head("n", 64)
        body = self.iteration(scope, number, "n", [index], 3)
        inside = scope.and_([index])
        kind = self.counter_type
        ops = ["+"] if kind.kind == "real" else ["+", "+", "|", "^", "&"]
        op = self.rng.choice(ops)
        where = self.rng.choice(["hist[{}]", "(*(hist + {}))", f"(({kind.name} (*)[4])hist)[{{}} / 4][{self.rng.randrange(4)}]"])
        for _ in range(self.rng.choice([1, 2, 3])):
            place = where.format(self.index(inside, 16))
            value = values.smaller(self.expression(inside), self.rng.choice([7, 63])).text
            forms = [f"{place} = {place} {op} {value};"] * 2 if kind.kind != "real" or op == "+" else []
            forms += [f"{place} {op}= {value};"] * 3
            if op == "+":
                forms.append(f"{place}++;")
            lines = [self.atomic(), self.rng.choice(forms)]
            if self.chance(0.3):
                lines = [f"if ({self.condition(inside).text}) {{", *indent(lines), "}"]
            body += lines
        if op == "+" and self.chance(0.3):
            body += ["unsigned long seen;", self.atomic("capture"), "seen = total[0]++;", self.atomic(), "total[1] += seen;"]
        return [self.construct(self.flat_levels()), head, *indent(body), "}"]


def read_only(thing):
    return dataclasses.replace(thing, writable=False)


def indent(lines):
    return ["    " + line for line in lines]

"""Parallel loops with short bodies, of the forms that memory optimisations look for.

Tiles of an iteration's own sums in small nests, rows that are walked along while neighbouring elements are stored, searches that
end early, tables that an iteration fills and reads, rows that all lanes of a gang load, sweeps over structures. The number
of iterations of their inner loops is known at run time alone. What they compute is random, and exact.
"""

import values
from places import Array, Object, Scope, Variable
from statements import private
from values import DOUBLE, FLOAT, INT, LONG, SIZE_T, UNSIGNED

KINDS = [INT, LONG, SIZE_T, UNSIGNED, INT]


class Blocks:
    """A part of a body: more shapes, with the interface of those of shapes.py."""

    def few(self, scope, count):
        """Short statements."""
        return [line for _ in range(count) for line in self.statement(scope, self.rng.choice([0, 0, 1]))]

    def counter_of(self, name, upper, low="0", kind=None):
        """The head of a sequential loop from `low` to before `upper`."""
        k = (kind or self.rng.choice(KINDS)).name
        forms = [f"for ({k} {name} = {low}; {name} < {upper}; {name}++) {{"] * 4
        forms.append(f"for ({k} {name} = {low}; {name} <= ({k}){upper} - 1; ++{name}) {{")
        forms.append(f"for ({k} {name} = {low}; {name} != ({k}){upper}; {name} += 1) {{")
        forms.append(f"for (long {name} = (long){upper} - 1; {name} >= (long){low}; {name}--) {{")
        forms.append(f"for (long {name} = {upper}; {name}-- > (long){low};) {{")
        return self.rng.choice(forms)

    def add(self, place, value, kind):
        """`place` with something more, that stays exact."""
        was = values.any_value(place, kind)
        return f"{place} = {values.fitting(values.sum_of(self.rng.choice('++-'), was, value), kind).text};"

    def registers(self):
        """Each iteration has a tile of sums, in an array, which an inner loop adds to."""
        self.bounded(16, 8)
        self.width, kind = 16, self.first
        rows, columns = self.rng.choice([(2, 2), (4, 4), (2, 4), (1, 4), (4, 1), (3, 2)])
        head, index, number = self.head("n", 16)
        a, b = self.rng.choice([("in0", "in1"), ("in0", "in0"), ("in1", "in0")])
        first, second = (self.inputs[int(name[-1])] for name in (a, b))
        sums = self.name("sums")
        flat = self.chance(0.3)
        place = f"{sums}[x * {columns} + y]" if flat else f"{sums}[x][y]"
        declared = f"{kind.name} {sums}[{rows * columns}]" if flat else f"{kind.name} {sums}[{rows}][{columns}]"
        nest = lambda lines: [f"for (int x = 0; x < {rows}; x++) {{", *self.indent([f"for (int y = 0; y < {columns}; y++) {{", *self.indent(lines), "}"]), "}"]
        left = values.any_value(self.rng.choice([f"{a}[({number} + x) * 8 + k]", f"{a}[k * 16 + {number} + x]", f"{a}[x * 8 + k]"]), first)
        right = values.any_value(self.rng.choice([f"{b}[k * 16 + y]", f"{b}[y * 8 + k + {number}]", f"{b}[{number} + y]"]), second)
        body = [f"{declared};" if not self.chance(0.3) else f"{declared} = {{0}};"]
        body += nest([f"{place} = {self.rng.choice(['0', 'x', f'in0[x + {number}] > 3'])};"])
        inner = []
        if self.chance(0.4):  # What is loaded is kept in small arrays first.
            inner += [f"{first.name} l[{rows}];", f"for (int x = 0; x < {rows}; x++) l[x] = {left.text};"]
            left = values.any_value("l[x]", first)
        value = values.sum_of(self.rng.choice("*+-*"), left, right)
        plain = self.chance(0.6) and (kind == DOUBLE or kind.kind == "unsigned" and kind.bits >= 32)
        if plain:
            left, right = (value if value.type.bits <= 16 or value.real or kind != DOUBLE else values.smaller(value, 1023) for value in (left, right))
            inner += nest([f"{place} += {self.as_sum(kind, left)} * {self.as_sum(kind, right)};"])
        else:
            inner += nest([self.add(place, value, kind)])
        if not (plain and kind == DOUBLE) and self.chance(0.3):
            scope = self.outer_scope().and_([index, Variable("k", INT, (0, 7), False)], [private(f"{sums}{'' if flat else '[0]'}", kind, columns)])
            inner += self.few(scope.inside(weight=8), 1)
        body += [self.counter_of("k", "m"), *self.indent(inner), "}"]
        body += nest([f"p[{number} * 16 + x * {columns} + y] = {values.smaller(values.any_value(place, kind), 127).text};"])
        return [self.construct(self.flat_levels()), head, *self.indent(body), "}"]

    def sweep(self):
        """Each iteration walks along its row or column, and stores what it loads one or two iterations later."""
        self.bounded(32)
        self.width, self.most = 34, (32, 32)
        head, index, number = self.head("n", 32)
        rows = self.chance(0.5)
        at = lambda array, k: f"{array}[{number} * 34 + {k}]" if rows else f"{array}[({k}) * n + {number}]"
        if rows and self.chance(0.5):
            lines, pick = [f"{self.first.name} *x = p + {number} * 34;", f"{self.second.name} *y = q + {number} * 34;"], lambda array, k: f"{'x' if array == 'p' else 'y'}[{k}]"
        else:
            lines, pick = [], at
        kinds = {"p": self.first, "q": self.second}
        k = Variable("k", INT, (1, 32), False)
        scope = self.outer_scope().and_([index, k])
        scope = scope.and_([Variable(pick(array, place), kinds[array], None, False) for array in "pq" for place in ("k", "k - 1", "k + 1")])
        kept = self.name("t")
        lines.append(f"{self.first.name} {kept} = {self.rng.randrange(5)};")
        scope = scope.and_([Variable(kept, self.first)] * 2)
        body = []
        for _ in range(self.rng.choice([1, 2, 2, 3])):
            array, place = self.rng.choice(["p", "p", "q"]), self.rng.choice(["k", "k", "k", "k + 1", "k - 1", "0", "3"])
            target = Variable(pick(array, place), kinds[array])
            stored = self.assigned(scope, target)
            if self.chance(0.25):
                stored = [f"if ({self.condition(scope).text}) {{", *self.indent(stored), "}"]
            body += stored
            if self.chance(0.4):
                body += self.assigned(scope, Variable(kept, self.first))
        if self.chance(0.2):
            body.insert(self.rng.randrange(len(body) + 1), f"if ({self.condition(scope).text}) {self.rng.choice(['break', 'continue'])};")
        lines += [self.counter_of("k", "(m + 1)", "1", self.rng.choice([INT, LONG])), *self.indent(body), "}"]
        lines.append(f"{pick('p', '33')} = {values.fitting(values.any_value(kept, self.first), self.first).text};")
        return [self.construct(self.flat_levels()), head, *self.indent(lines), "}"]

    def search(self):
        """Each iteration looks through a part of an array, and leaves the loop early."""
        self.bounded(64)
        self.most = (64, 32)
        head, index, number = self.head("n", 64)
        found, k = self.name("found"), Variable("k", INT, (0, 31), False)
        element = Variable(self.rng.choice([f"in0[k * 4 + {number}]", f"in0[{number} + k]", f"in0[255 - (k + {number})]"]), self.inputs[0], None, False)
        scope = self.outer_scope().and_([index, k, element, element])
        condition = self.condition(scope).text
        form = self.rng.choice(["break", "goto", "flag", "while", "return"])
        store = [f"{found} = {self.rng.choice(['k', 'k + 1', f'(int)k * 3 + {number}'])};"]
        seen = self.name("seen")
        extra = self.assigned(scope, Variable(seen, UNSIGNED))
        lines = [f"int {found} = -1;", f"unsigned {seen} = 1;"]
        if form == "break":
            lines += [self.counter_of("k", "m"), *self.indent([f"if ({condition}) {{ {store[0]} break; }}", *extra]), "}"]
        elif form == "goto":
            label = self.name("done")
            lines += [self.counter_of("k", "m"), *self.indent([*extra, f"if ({condition}) {{ {store[0]} goto {label}; }}"]), "}", f"{label}:;"]
        elif form == "flag":
            lines += [f"for (int k = 0; k < (int)m && {found} < 0; k++) {{", *self.indent([f"if ({condition}) {store[0]}", *extra]), "}"]
        elif form == "while":
            lines += ["int k = 0;", f"while (k < (int)m && !({condition})) {{", *self.indent([*extra, "k++;"]), "}", store[0]]
        else:
            lines += ["int k = 0;", "do {", *self.indent([*extra, f"if ({condition}) {store[0]}", f"if ({found} > 2) break;"]), "} while (++k < (int)m);"]
        w = self.width
        lines.append(f"p[{number} * {w}] = {values.fitting(values.Value(found, INT, -1, 255), self.first).text};")
        lines.append(f"q[{number} * {w} + {w - 1}] = ({seen} & 127);" if not self.may_alias else f"p[{number} * {w} + {w - 1}] = ({seen} & 127);")
        return [self.construct(self.flat_levels()), head, *self.indent(lines), "}"]

    def filled(self):
        """Each iteration fills a table of its own, by variable indices, and reads it."""
        self.bounded(64)
        self.most = (64, 32)
        head, index, number = self.head("n", 64)
        length, kind, w = self.rng.choice([2, 3, 4, 8, 16]), self.rng.choice([INT, UNSIGNED, LONG, FLOAT, DOUBLE, values.UCHAR, values.SHORT]), self.width
        table = self.name("table")
        start = self.rng.choice([[f"{kind.name} {table}[{length}] = {{0}};"], [f"{kind.name} {table}[{length}];", f"for (int k = 0; k < {length}; k++) {table}[k] = k;"]])
        k = Variable("k", INT, (0, 31), False)
        element = Variable(f"in0[k * 4 + {number}]", self.inputs[0], None, False)
        scope = self.outer_scope().and_([index, k, element], [private(table, kind, length)] * 3)
        body = []
        for _ in range(self.rng.choice([1, 2])):
            body += self.assigned(scope, self.element(scope, scope.arrays[-1]))
            if self.chance(0.3):
                body = [f"if ({self.condition(scope).text}) {{", *self.indent(body), "}"]
        lines = [*start, self.counter_of("k", "m", "0", INT), *self.indent(body), "}"]
        if self.chance(0.4):  # Sorted by exchanges.
            lines += [f"for (int x = 0; x < {length - 1}; x++)", f"    for (int y = 0; y < {length - 1} - x; y++)"]
            lines.append(f"        if ({table}[y] > {table}[y + 1]) {{ {kind.name} t = {table}[y]; {table}[y] = {table}[y + 1]; {table}[y + 1] = t; }}")
        if self.chance(0.3):
            other = self.name("copy")
            lines += [f"{kind.name} {other}[{length}];", f"for (int k = 0; k < {length}; k++) {other}[k] = {table}[{length - 1} - k];"]
            lines += [f"for (int k = 0; k < {length}; k++) {table}[k] = {values.fitting(values.sum_of('+', values.any_value(f'{other}[k]', kind), values.any_value(f'{table}[k]', kind)), kind).text};"]
        total = values.fitting(values.any_value(f"{table}[k % {length}]", kind), self.first).text
        lines.append(f"for (int k = 0; k < {w}; k++) p[{number} * {w} + k] = {total};")
        return [self.construct(self.flat_levels()), head, *self.indent(lines), "}"]

    def shared_rows(self):
        """All lanes of a gang read the same row, or go along rows of their own, and reduce what they read."""
        self.bounded(64, 64)
        self.width = 1
        form = self.rng.choice(["collapse(2)", "collapse(2)", "gang", "tile(4, 4)", "tile(8, 32)", "flat"])
        index, size = (0, 63), self.rng.choice(["m", "16", "n", "40"])
        j, k = (Variable(name, INT, index, False) for name in "jk")
        reads = [("in0", "i * 16 + k"), ("in0", "k * 16 + i"), ("in1", "k * 16 + j"), ("in1", "j * 16 + k"), ("in0", "k"), ("in1", "j")]
        reads += [("in1", "(i + k) * 8 + j"), ("in0", "(j + 1) * 16 + k"), ("in0", "j + k"), ("in1", "i + j * 16 + k")]
        elements = [Variable(f"{name}[{text}]", self.inputs[int(name[-1])], None, False) for name, text in self.rng.sample(reads, 3)]
        sum_kind, body = self.rng.choice([self.first, LONG, DOUBLE, UNSIGNED]), []
        if self.chance(0.7):
            sum_kind = DOUBLE if all(e.type.bits <= 16 or e.type.kind == "real" for e in elements) else values.ULONG
            body = [self.accumulated(sum_kind, *self.rng.sample(elements, 2)) for _ in range(self.rng.choice([1, 1, 2]))]
        scope = Scope(variables=tuple([j, k, *elements, *elements, Variable("s", sum_kind)]))
        if not body or self.chance(0.2):
            body += self.assigned(scope, Variable("s", sum_kind)) if sum_kind.kind != "real" or not body else []
        if self.chance(0.2):
            body = [f"if ({self.condition(scope).text}) {{", *self.indent(body), "}"]
        store = f"p[i * m + j] = {values.smaller(values.any_value('s', sum_kind), 127).text};"
        lines = [f"{sum_kind.name} s = {self.rng.randrange(3)};", self.counter_of("k", size), *self.indent(body), "}", store]
        if self.chance(0.3):
            lines.insert(0, f"if (in0[i] {self.rng.choice(['>', '=='])} {self.rng.randrange(9)}) continue;")
        kinds = [self.rng.choice([INT, INT, LONG, SIZE_T, UNSIGNED]).name for _ in range(2)]
        nest = [f"for ({kinds[1]} j = 0; j < m; j++) {{", *self.indent(lines), "}"]
        omp = "target teams distribute parallel for collapse(2)"
        if form == "gang":
            nest.insert(0, self.inner(self.rng.choice(["vector", "worker vector", "vector"])))
            omp = "target teams distribute"
        elif form == "flat":
            omp = "target teams distribute parallel for"
        return [self.construct("" if form == "flat" else form, omp=omp), f"for ({kinds[0]} i = 0; i < n; i++) {{", *self.indent(nest), "}"]

    def accumulated(self, kind, first, second):
        """A sum that goes on: exact, because real values are few and small, and whole ones wrap."""
        a, b = (self.as_sum(kind, element.value()) for element in (first, second))
        return f"s {self.rng.choice(['+', '+', '-'])}= {self.rng.choice([f'{a} * {b}', f'{a} * {b}', f'{a} + {b}', f'({a} - {b}) * ({a} - {b})', a])};"

    def as_sum(self, kind, value):
        """The value in the type of a sum; a real one may be negative, which unsigned types do not take."""
        return f"({kind.name}){'(long)' if value.real and kind.kind == 'unsigned' else ''}{value.text}"

    def objects(self):
        """Each iteration keeps a few structures in an array, moves them, and stores one."""
        self.bounded(64)
        head, index, number = self.head("n", 64)
        length, things, one = self.rng.choice([2, 3, 4, 6]), self.name("things"), self.name("one")
        kind = self.record
        count = self.rng.choice([2, 3, 4, 5])
        k = Variable("k", INT, (0, count - 1), False)
        scope = self.outer_scope().and_([index], [private(things, kind, length)] * 3, [Object(one, kind)] * 2)
        inner = scope.and_([k]).inside(weight=count)
        lines = [f"{kind.name} {things}[{length}], {one} = given[{self.rng.randrange(8)}];"]
        lines.append(f"for (int k = 0; k < {length}; k++) {things}[k] = given[{self.rng.choice(['k', '7 - k', f'(k + {number}) % 8'])}];")
        body = []
        for _ in range(self.rng.choice([2, 3, 4])):
            body += self.rng.choice([self.element_assignment, self.object_assignment, self.assignment])(inner, 0)
        if self.chance(0.3):
            body = [f"if ({self.condition(inner).text}) {{", *self.indent(body), "}"]
        lines += [f"for (int k = 0; k < {count}; k++) {{", *self.indent(body), "}"]
        lines.append(f"records[{number}] = {self.rng.choice([one, f'{things}[{self.index(scope, length)}]', f'{things}[{self.index(scope, length)}]'])};")
        return [self.construct(self.flat_levels()), head, *self.indent(lines), "}"]

    def indent(self, lines):
        return ["    " + line for line in lines]

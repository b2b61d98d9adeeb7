"""One random function whose loops walk over arrays, as C text.

    streams(seed, number)      the same function for the same arguments

What compilers keep in shared memory and registers, and run in other orders, is made of such loops: columns and rows that an
iteration walks along, products, neighbours, all pairs, rows that several inner loops of a gang walk one after another. Each
is spelled in many ways: types of indices and sizes, forms of loops, subscripts, pointers and variable-length arrays,
clauses. The same function runs for several sizes, and with parameters that are the same array.

What keeps results defined: an iteration of a parallel loop writes only its own column, row or element, and reads nothing
that another one writes. What keeps them exact: whole numbers wrap, and real ones stay small.
"""

import random

import scalars

SIZE = 20000
HASHES = 16
ELEMENTS = ["int", "float", "double", "unsigned", "long", "short", "unsigned char"]
REAL = ("float", "double")
INDICES = ["int", "int", "long", "size_t", "unsigned"]
PLACES = [1, 2, 5, 31, 32, 33, 64, 100, 128, 129]
LENGTHS = [8, 17, 18, 34, 66, 67, 70, 100, 130, 131, 150]
CHAINED = [1, 2, 31, 32, 33, 127, 128, 129, 255, 256, 257, 600, 1024, 1025, 2500]
UNSIGNED = next(kind for kind in scalars.TYPES if kind.name == "unsigned")


class Result:
    """What a call leaves behind: hashes of all arrays."""

    def __init__(self, name):
        self.name, self.type, self.count = name, UNSIGNED, HASHES


def streams(seed, number):
    return Streams(random.Random(f"streams/{seed}/{number}"), number)


class Streams:
    """The function, with the same interface as a nest of nests.py."""

    def __init__(self, rng, number):
        self.rng, self.number = rng, number
        self.element, self.index = rng.choice(ELEMENTS), rng.choice(INDICES)
        self.inner = self.index if rng.random() < 0.7 else rng.choice(INDICES)
        kinds = {"walk": 5, "product": 1, "neighbours": 2, "pairs": 1, "chain": 3}
        kind = rng.choices(list(kinds), list(kinds.values()))[0]
        self.kernel = getattr(self, kind)()
        self.results = []
        self.calls = []
        for call in range(rng.choice([2, 3, 4])):
            self.results.append(Result(f"h{call}"))
            self.calls.append(self.call(kind, f"h{call}_out"))

    def text(self, suffix):
        """The functions of one version: `suffix` is "acc" or "host"; only "acc" has directives."""
        own, t = f"{self.number}_{suffix}", self.element
        outs = ", ".join(f"unsigned *{result.name}_out" for result in self.results)
        lines = [
            f"static void walk_{own}({self.index} n, {self.index} m, {t} *a, {t} *b, {t} *c, {t} *e, {t} *u, {t} *o)",
            "{",
            *indented(self.kernel),
            "}",
            f"static void start_{own}({t} *x, {t} *e, {t} *u, {t} *o)",
            "{",
            f"    for (int k = 0; k < 3 * {SIZE}; k++) x[k] = ({t})(k % 23 * 5 % 31);",
            f"    for (int k = 0; k < {SIZE}; k++) e[k] = ({t})(k % 7), u[k] = ({t})(k % 29 % 9), o[k] = 0;",
            "}",
            f"static void hash_{own}(const {t} *x, const {t} *o, unsigned *h)",
            "{",
            f"    for (int k = 0; k < {HASHES}; k++) h[k] = 7;",
            f"    for (int k = 0; k < 3 * {SIZE}; k++) h[k % {HASHES}] = h[k % {HASHES}] * 31 + (unsigned)(long)x[k];",
            f"    for (int k = 0; k < {SIZE}; k++) h[k % {HASHES}] = h[k % {HASHES}] * 31 + (unsigned)(long)o[k];",
            "}",
            f"static void nest_{own}(const unsigned char *src, {outs})",
            "{",
            f"    {t} *x = malloc(6 * {SIZE} * sizeof *x), *e = x + 3 * {SIZE}, *u = e + {SIZE}, *o = u + {SIZE};",
            "    (void)src;",
        ]
        for call in self.calls:
            lines += ["    " + line.replace("@", own) for line in call]
        lines += ["    free(x);", "}"]
        if suffix == "host":
            lines = [line for line in lines if not line.lstrip().startswith("#pragma acc")]
        return "\n".join(lines) + "\n"

    def call(self, kind, out):
        """The lines that start all arrays, call the function and hash what it leaves."""
        rng = self.rng
        n, m = rng.choice(PLACES), rng.choice(LENGTHS)
        if kind == "chain":
            m = rng.choice(CHAINED)
            n = rng.choice([k for k in (1, 2, 3, 5, 7) if k * m <= SIZE])
        if kind == "neighbours":
            n = rng.choice(PLACES[2:])
        arrays = [f"x + {rng.choice([0, 0, 1, 2]) * SIZE}" for _ in "abc"]
        if kind in ("product", "neighbours", "pairs"):  # All read what only one element of `c` may be.
            arrays = ["x", f"x + {SIZE}", f"x + {2 * SIZE}"]
        return [
            "start_@(x, e, u, o);",
            f"#pragma acc data copy(x[0:{3 * SIZE}], o[0:{SIZE}]) copyin(e[0:{SIZE}], u[0:{SIZE}])",
            f"walk_@({n}, {m}, {', '.join(arrays)}, e, u, o);",
            f"hash_@(x, o, {out});",
        ]

    # Kinds of loops.

    def walk(self):
        """Each iteration has a column, or a row, of every array."""
        self.columns = self.chance(0.5)
        body = [f"{self.element} s = {self.small('(long)j')};"]
        body += self.some([f"{self.at('b', 2)} = 5;", f"s = {self.at('a', 1)};"])
        inner = [self.step() for _ in range(self.rng.choice([1, 1, 2, 3]))]
        body += self.loop(self.inner, "i", "1", "m", inner)
        if self.chance(0.3):
            body += self.loop(self.inner, "i", "1", "m", [f"s = {self.sum('s', self.read())};"])
        last = self.rng.randrange(6)
        body += self.some([f"{self.at('c', 0)} = {self.small('s')};", f"{self.at('b', last)} = {self.small('s')};"])
        body.append(f"o[j] = {self.small('s')};")
        return [f"#pragma acc parallel loop {self.present()} {self.shape()}".rstrip(), *self.counted("j", "n", body)]

    def product(self):
        """Elements of a product, of rows of `a` and columns of `b`."""
        second = self.rng.choice(["b[k * n + j]", "b[j * m + k]", "*(b + k * n + j)"])
        first = self.rng.choice(["a[i * m + k]", "*(a + i * m + k)", "a[k + m * i]"])
        body = [f"{self.element} s = 0;"]
        body += self.loop(self.inner, "k", "0", "m", [f"s = {self.sum('s', self.times(first, second))};"])
        body.append(f"c[i * n + j] = {self.small('s')};")
        rows = self.rng.choice(["n", "3", "17"])
        nest = self.counted("i", rows, self.counted("j", "n", body))
        form = self.rng.choice(["collapse(2)", "collapse(2)", "tile(8, 32)", "tile(4, 4)", "gang"])
        if form == "gang":
            at = next(k for k, line in enumerate(nest) if "j = 0" in line)
            nest.insert(at, "    #pragma acc loop vector")
        return [f"#pragma acc parallel loop {form} {self.present()}", *nest]

    def neighbours(self):
        """An element from those around another one."""
        reach = self.rng.choice([1, 2])
        terms = []
        for _ in range(self.rng.choice([3, 5, 9])):
            di, dj = self.rng.randint(-reach, reach), self.rng.randint(-reach, reach)
            terms.append(self.rng.choice([f"a[(i{di:+d}) * n + j{dj:+d}]", f"a[(long)(i * n + j) + ({di}) * (long)n{dj:+d}]"]))
        total = terms[0]
        for term in terms[1:]:
            total = self.sum(total, term)
        body = [f"c[i * n + j] = {self.small(total)};"]
        if self.chance(0.3):
            body.insert(0, f"if ((i + j) % 3 == 1 && e[i * n + j] == 2) {self.rng.choice(['continue', 'b[i * n + j] = u[j]'])};")
        form = self.rng.choice(["collapse(2)", "collapse(2)", "tile(8, 32)", "tile(2, 64)", "gang", "collapse(2) vector_length(64)"])
        directive = "#pragma acc loop vector" if form == "gang" else None
        inner = self.canonical(self.inner, "j", "n", body, reach, directive)
        nest = self.canonical(self.index, "i", "m", inner, reach)
        return [f"#pragma acc parallel loop {form} {self.present()}", *nest]

    def pairs(self):
        """Each element with all others."""
        body = [f"{self.element} s = 0, own = a[j];"]
        term = self.rng.choice(["b[i]", self.times("b[i]", "own"), "(b[i] < own ? u[i] : b[i])", "(i == j ? 0 : b[i])"])
        body += self.loop(self.inner, "i", "0", "n", [f"s = {self.sum('s', term)};"])
        body.append(f"c[j] = {self.small('s')};")
        return [f"#pragma acc parallel loop {self.present()} {self.shape()}".rstrip(), *self.counted("j", "n", body)]

    def chain(self):
        """Inner loops of a gang that walk along the same row, one after another."""
        t, row = self.element, self.rng.choice(["{p}[j * m + i]", "*({p} + j * m + i)", "{q}[i]", "{p}[i + (j) * m]"])
        source, target = self.rng.choice([("a", "a"), ("a", "b"), ("a", "b"), ("b", "a")])
        read, written = row.format(p=source, q="own"), row.format(p=target, q="to")
        levels = self.rng.choice(["vector", "vector", "vector", "worker vector", ""])
        body = [f"{t} *own = {source} + j * m, *to = {target} + j * m;"]
        names = []
        for part in range(self.rng.choice([2, 3, 4])):
            other = self.rng.choice([read, read, written])
            name, kind = f"r{part}", self.rng.choice(["sum", "max", "store", "store", "shifted"])
            if kind in ("sum", "max"):
                body.append(f"{t} {name} = 0;")
                line = f"if ({other} > {name}) {name} = {other};" if kind == "max" else f"{name} += {other};"
                body += self.lanes(levels, [line], f"reduction({'max' if kind == 'max' else '+'}:{name})")
                names.append(name)
                continue
            value = self.rng.choice([other, self.times(other, "u[i % 64]"), *[self.sum(other, self.small(n)) for n in names[-1:]]])
            lines = [f"{written} = {self.small(value)};"]
            if kind == "shifted":  # Not what a lane has stored itself.
                lines = [f"c[j * m + i] = {self.small(self.sum(row.format(p=source, q='own'), 'e[j * m + (i + 1) % m]'))};"]
            if self.chance(0.2):
                lines = [f"if (e[j * m + i] != 3) {{ {lines[0]} }}"]
            body += self.lanes(levels, lines)
        body.append(f"o[j] = {self.small(' + '.join(names) or '0')};")
        lanes = self.rng.choice(["", "", "vector_length(128)", "vector_length(32)", "num_workers(2) vector_length(64)"])
        return [f"#pragma acc parallel loop gang {self.present()} {lanes}".rstrip(), *self.counted("j", "n", body)]

    # Parts of them.

    def lanes(self, levels, body, clause=""):
        kind = self.rng.choice(INDICES)
        return [f"#pragma acc loop {levels} {clause}".rstrip(), f"for ({kind} i = 0; i < m; i++) {{", *indented(body), "}"]

    def step(self):
        """A statement of an inner loop."""
        first, second = self.read(), self.read()
        value = self.rng.choice([self.sum, self.times])(first, second)
        stored, fixed = self.at(self.rng.choice("bc")), self.at(self.rng.choice("bc"), self.rng.randrange(5))
        forms = {
            f"s = {self.sum('s', value)};": 9,
            f"{stored} = {self.small(self.sum('s', value))};": 4,
            f"{fixed} = {self.small(self.sum(fixed, value))};": 3,
            f"if ((long)s & 1) {stored} = {self.small(value)};": 2,
            f"s = {self.sum(self.times(self.small('s'), '3'), value)};": 2,
        }
        return self.rng.choices(list(forms), list(forms.values()))[0]

    def read(self):
        """An element that an iteration reads."""
        kind = self.rng.random()
        if kind < 0.2:
            return "u[i]"
        if kind < 0.27:
            return "u[3]"
        if kind < 0.35:
            return self.at("e") if self.chance(0.8) else self.rng.choice(["e[i * n + j]", "e[j * m + i]"])
        if kind < 0.4:
            return self.at(self.rng.choice("abc"), self.rng.randrange(5))
        return self.at(self.rng.choice("abc"), "i" + self.rng.choice(["", "", "", "", " - 1", " + 1"]))

    def at(self, array, place="i"):
        """Element `place` of the iteration's column or row, in some spelling."""
        place = f"({place})" if " " in str(place) else place
        index = f"{place} * n + j" if self.columns else self.rng.choice([f"j * m + {place}", f"{place} + m * j"])
        forms = [f"{array}[{index}]"] * 3 + [f"*({array} + {index})", f"({array} + {index})[0]"]
        if self.columns:
            forms.append(f"(({self.element}(*)[n]){array})[{place}][j]")
        return self.rng.choice(forms)

    def loop(self, kind, name, lower, upper, body):
        """A sequential loop from `lower` on, which is 0 or 1, that stops as far before `upper`."""
        end, more = (upper, f"{name} < {upper}") if lower == "0" else (f"{upper} - 1", f"{name} + 1 < {upper}")
        heads = [f"for ({kind} {name} = {lower}; {name} < {end}; {name}++)"] * 3
        heads.append(f"for ({kind} {name} = {lower}; {more}; ++{name})")
        heads.append(f"for ({kind} {name} = {lower}, last = {end}; {name} != last; {name} += 1)")
        heads.append(f"for (long {name} = (long){end} - 1; {name} >= {lower}; {name}--)")
        return [self.rng.choice(heads) + " {", *indented(body), "}"]

    def canonical(self, kind, name, upper, body, margin, directive=None):
        """A loop that directives take, with a margin at both ends."""
        head = self.rng.choice([f"{name} < {upper} - {margin}; {name}++", f"{name} <= {upper} - {margin + 1}; ++{name}"])
        return [*([directive] if directive else []), f"for ({kind} {name} = {margin}; {head}) {{", *indented(body), "}"]

    def counted(self, name, upper, body):
        kind = self.index if self.chance(0.8) else self.rng.choice(INDICES)
        return [f"for ({kind} {name} = 0; {name} < {upper}; {name}++) {{", *indented(body), "}"]

    def present(self):
        if self.chance(0.2):
            return "default(present)"
        return f"present(a[0:{SIZE}], b[0:{SIZE}], c[0:{SIZE}], e[0:{SIZE}], u[0:{SIZE}], o[0:{SIZE}])"

    def shape(self):
        return self.rng.choice(["", "", "", "gang vector", "vector_length(64)", "gang vector vector_length(256)", "gang worker vector"])

    # Arithmetic that stays exact.

    def sum(self, first, second):
        return f"{first} + {second}" if self.element in REAL else f"({self.element})((unsigned long){first} + (unsigned long)({second}))"

    def times(self, first, second):
        if self.element in REAL:
            return f"{self.small(first)} * {self.small(second)}"
        return f"({self.element})((unsigned long){first} * (unsigned long){second})"

    def small(self, value):
        return f"({self.element})((long)({value}) & 31)"

    def some(self, lines):
        return [line for line in lines if self.chance(0.3)]

    def chance(self, probability):
        return self.rng.random() < probability


def indented(lines):
    return ["    " + line for line in lines]

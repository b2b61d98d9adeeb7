"""Random statements: what a function or an iteration does with its variables, arrays and structures.

Each form of statement gives lines of C for a scope. Loops have few iterations, and their bodies know how often they run, so
that the whole stays small; what a statement declares is known inside of its block alone.
"""

import values
from expressions import Expressions
from places import Array, Object, Structure, Variable
from values import ALL, INT, LONG, SHORT, SIZE_T, UNSIGNED

INDICES = [INT, INT, UNSIGNED, LONG, SIZE_T, SHORT, values.UCHAR, values.SCHAR]
WEIGHT = 96


class Statements(Expressions):
    """A part of a body: needs its `rng`, `structures` and `name`."""

    def statements(self, scope, count, depth=2):
        return [line for _ in range(count) for line in self.statement(scope, depth)]

    def statement(self, scope, depth):
        if self.brief:
            depth = min(depth, 1)
        forms = {self.assignment: 8, self.element_assignment: 8, self.object_assignment: 3, self.called: 3}
        if depth:
            forms |= {
                self.branch: 5,
                self.loop: 6,
                self.walk: 3,
                self.along: 2,
                self.block: 3,
                self.switch: 2,
                self.pointer: 3,
                self.punned: 2,
                self.nest_with_goto: 1,
                self.stack: 1,
            }
        if scope.in_loop or scope.leave:
            forms[self.end] = 1
        return self.rng.choices(list(forms), list(forms.values()))[0](scope, depth) or self.assignment(scope, depth)

    # Assignments.

    def assignment(self, scope, depth):
        there = [variable for variable in scope.scalars() if variable.writable]
        return self.assigned(scope, self.rng.choice(there)) if there else []

    def element_assignment(self, scope, depth):
        there = [array for array in scope.arrays if array.writable] + [a for o in scope.objects if o.writable for a in o.arrays()]
        if not there:
            return []
        array = self.rng.choice(there)
        if not isinstance(array.type, Structure):
            return self.assigned(scope, self.element(scope, array))
        if self.chance(0.5):
            members = self.members(scope, array)
            return self.assigned(scope, self.rng.choice(members))
        source = [thing.text for thing in scope.objects if thing.type == array.type]
        source.append(array.at(self.rng, self.index(scope, array.length)))
        return [f"{array.at(self.rng, self.index(scope, array.length))} = {self.rng.choice(source)};"]

    def object_assignment(self, scope, depth):
        there = [thing for thing in scope.objects if thing.writable]
        if not there:
            return []
        thing = self.rng.choice(there)
        sources = [other.text for other in scope.objects if other.type == thing.type and other != thing]
        for array in scope.structure_arrays():
            if array.type == thing.type:
                sources.append(array.at(self.rng, self.index(scope, array.length)))
        if sources and self.chance(0.6):
            return [f"{thing.text} = {self.rng.choice(sources)};"]
        if self.chance(0.3):
            return [f"{thing.text} = ({thing.type.name}){self.initial(scope, thing.type)};"]
        return self.assigned(scope, self.rng.choice(list(thing.members())))

    def assigned(self, scope, place):
        """An assignment to a place, in some form."""
        kind = place.type
        value = self.expression(scope)
        plain = place.bounds is None and kind.kind == "unsigned"
        if plain and self.chance(0.3):
            return [self.rng.choice([f"{place.name}++;", f"--{place.name};", f"{place.name} += 3;"])]
        if plain and kind.bits >= 32 and self.chance(0.4):
            op = self.rng.choice(["+", "-", "*", "^", "|", "&"])
            return [f"{place.name} {op}= {values.fitting(value, kind).text};"]
        if kind.kind in ("signed", "unsigned") and place.bounds is None and self.chance(0.2):
            op, amount = self.rng.choice([("/", 3), ("%", 7), (">>", 2), ("^", 5), ("/", 8), ("&", 127), ("/", 16)])
            return [f"{place.name} {op}= {amount};"]
        if self.chance(0.3):
            value = values.sum_of("+", place.value(), value)
        return [f"{place.name} = {values.fitting(value, kind, place.bounds).text};"]

    def called(self, scope, depth):
        """A call of a function that writes what it is given."""
        if scope.weight > 8 or not scope.functions:
            return []
        function = self.rng.choice(scope.functions)
        arguments = [self.argument(scope, kind, of, 1) for kind, of in function.parameters]
        if None in arguments:
            return []
        targets = [v for v in scope.variables if v.writable and v.simple and v.bounds is None]
        call = f"{function.name}({', '.join(arguments)})"
        if isinstance(function.result, Structure):
            things = [thing.text for thing in scope.objects if thing.writable and thing.type == function.result]
            member = next((m.name for m in Object("", function.result).members() if m.bounds is None), None)
            if things and (self.chance(0.7) or not targets or not member):
                return [f"{self.rng.choice(things)} = {call};"]
            if not targets or not member:
                return [f"{call};"]
            kind = next(m.type for m in Object("", function.result).members() if m.bounds is None)
            target = self.rng.choice(targets)
            return [f"{target.name} = {values.fitting(values.any_value(call + member, kind), target.type).text};"]
        if not targets:
            return [f"{call};"]
        target = self.rng.choice(targets)
        return [f"{target.name} = {values.fitting(values.any_value(call, function.result), target.type).text};"]

    # Blocks.

    def block(self, scope, depth):
        lines, inner = self.declared(scope, self.rng.choice([1, 1, 2]))
        return ["{", *indented(lines + self.statements(inner, 2, depth - 1)), "}"]

    def declared(self, scope, count):
        """Declarations of variables, arrays and structures, and the scope with them."""
        lines = []
        for _ in range(count):
            kind = self.rng.random()
            if kind < 0.5:
                made = self.rng.choice(ALL)
                name = self.name("t")
                lines.append(f"{made.name} {name} = {values.fitting(self.expression(scope), made).text};")
                scope = scope.and_(variables=[Variable(name, made)])
            elif kind < 0.6:
                made, (rows, columns), name = self.rng.choice(ALL), self.rng.choice([(2, 2), (2, 3), (3, 2), (4, 2)]), self.name("a")
                items = ", ".join(f"{{{self.initials(scope, made, columns)}}}" for _ in range(rows))
                lines.append(f"{made.name} {name}[{rows}][{columns}] = {{{items}}};")
                texts = (f"{name}[{{0}} / {columns}][{{0}} % {columns}]", f"(*({name}[{{0}} / {columns}] + {{0}} % {columns}))")
                scope = scope.and_(arrays=[Array(texts, made, rows * columns)])
            elif kind < 0.8:
                made, length, name = self.rng.choice(ALL), self.rng.choice([2, 3, 4, 4, 5, 8]), self.name("a")
                lines.append(f"{made.name} {name}[{length}] = {{{self.initials(scope, made, length)}}};")
                scope = scope.and_(arrays=[private(name, made, length)])
            elif self.structures:
                made, name = self.rng.choice(self.structures), self.name("s")
                if self.chance(0.3):
                    length = self.rng.choice([2, 3, 4])
                    items = ", ".join(self.initial(scope, made) for _ in range(length))
                    lines.append(f"{made.name} {name}[{length}] = {{{items}}};")
                    scope = scope.and_(arrays=[private(name, made, length)])
                else:
                    lines.append(f"{made.name} {name} = {self.initial(scope, made)};")
                    scope = scope.and_(objects=[Object(name, made)])
        return lines, scope

    def initials(self, scope, kind, length):
        count = length if self.chance(0.7) else self.rng.randrange(1, length + 1)
        return ", ".join(values.fitting(self.expression(scope, 1), kind).text for _ in range(count))

    def initial(self, scope, structure):
        parts = []
        for member in Object("", structure).members():
            value = values.fitting(self.expression(scope, 1), member.type, member.bounds).text
            parts.append(f"{member.name} = {value}")
        parts = [part for part in parts if self.chance(0.9)] or ["0"]
        return "{" + ", ".join(parts) + "}"

    def branch(self, scope, depth):
        lines = [f"if ({self.condition(scope).text}) {{", *indented(self.statements(scope, self.rng.choice([1, 2]), depth - 1))]
        while self.chance(0.35):
            again = f"else if ({self.condition(scope).text})" if self.chance(0.4) else "else"
            lines += [f"}} {again} {{", *indented(self.statements(scope, 1, depth - 1))]
            if again == "else":
                break
        return [*lines, "}"]

    def switch(self, scope, depth):
        count = self.rng.choice([2, 3, 4])
        lines = [f"switch ({values.remainder_of(self.whole(scope, 1), count + 1).text}) {{"]
        inner = scope.inside(in_loop=False)
        for case in range(count):
            lines.append(f"case {case}:" if case else self.rng.choice(["case 0:", "default:"]))
            lines += indented(self.statements(inner, 1, depth - 1))
            if case + 1 == count or self.chance(0.75):
                lines.append("    break;")
        return [*lines, "}"]

    def end(self, scope, depth):
        ways = list(scope.leave) + (["break;", "continue;"] if scope.in_loop else [])
        return [f"if ({self.condition(scope).text}) {self.rng.choice(ways)}"]

    # Loops.

    def loop(self, scope, depth):
        trips = [count for count in (1, 2, 3, 4, 5, 8) if scope.weight * count <= WEIGHT]
        if not trips:
            return []
        head, index, count, tail = self.counter(scope, self.rng.choice(trips))
        inner = scope.inside(weight=scope.weight * count, in_loop=not tail).and_(variables=[index])
        body = self.statements(inner, self.rng.choice([1, 2, 3]), depth - 1)
        return [*head, *indented(body), *tail, "}", *(["}"] if tail else [])]

    def counter(self, scope, count):
        """A loop's head, its index, its largest number of iterations, and lines that stand last in its body."""
        name, kind = self.name("i"), self.rng.choice(INDICES)
        step, low = self.rng.choice([1, 1, 1, 2, 3]), self.rng.choice([0, 0, 0, 1, 2])
        last = low + (count - 1) * step
        index = Variable(name, kind, (low, last), False)
        k = kind.name
        forms = [
            f"for ({k} {name} = {low}; {name} < {last + 1}; {name} += {step}) {{",
            f"for ({k} {name} = {low}; {name} <= {last}; {name} += {step}) {{",
            f"for ({k} {name} = {low}; {name} != {last + step}; {name} += {step}) {{",
        ]
        if kind.kind == "signed":
            forms.append(f"for ({k} {name} = {last}; {name} >= {low}; {name} -= {step}) {{")
        if low >= step:
            forms.append(f"for ({k} {name} = {last}; {name} >= {low}; {name} -= {step}) {{")
        if step == 1:
            forms += [f"for ({k} {name} = {low}; {name} < {last + 1}; {name}++) {{"] * 4
            forms.append(f"for ({k} {name} = {last + 1}; {name}-- > {low};) {{")
        if self.chance(0.25):
            return [*self.odd_counter(scope, name, count), []]
        if self.chance(0.2):
            forms = ["while"]
        bound = [v for v in scope.variables if v.bounds and v.type.kind != "real" and v.bounds[0] >= 0 and v.bounds[1] < count]
        if bound and self.chance(0.4):  # A number of iterations that depends on a loop around.
            variable = self.rng.choice(bound)
            index = Variable(name, kind, (0, variable.bounds[1]), False)
            op = self.rng.choice(["<", "<="])
            return [f"for ({k} {name} = 0; {name} {op} {variable.name}; {name}++) {{"], index, variable.bounds[1] + 1, []
        form = self.rng.choice(forms)
        if form != "while":
            return [form], index, count, []
        if self.chance(0.5):
            return ["{", f"{k} {name} = {low};", f"while ({name} < {last + 1}) {{"], index, count, [f"{name} += {step};"]
        return ["{", f"{k} {name} = {last};", f"while ({name} >= {low}) {{", f"if ({name} == {low}) break;"], index, count, [f"{name} -= {step};"]

    def odd_counter(self, scope, name, count):
        """A loop whose index wraps, doubles, starts far away, or goes on by what is known at run time."""
        few, far = min(count, 6), self.rng.choice([1 << 33, -(1 << 40), 1 << 31, (1 << 31) - 1])
        wide, before = min(count, 8), self.rng.randrange(1, 9)
        forms = [
            (f"for (unsigned char {name} = {256 - before}; {name} != {(wide - before) % 256}; {name}++) {{", values.UCHAR, 0, 255, wide),
            (f"for (unsigned short {name} = {before - 1}; {name} != {(before - 1 - wide) % 65536}; {name}--) {{", values.USHORT, 0, 65535, wide),
            (f"for (unsigned {name} = {count - 1}; {name} < {count}; {name}--) {{", UNSIGNED, 0, count - 1, count),
            (f"for (unsigned {name} = {count - 1}u; {name} != -1u; --{name}) {{", UNSIGNED, 0, count - 1, count),
            (f"for (size_t {name} = {count}; {name}-- > 0;) {{", SIZE_T, 0, count - 1, count),
            (f"for (int {name} = 1; {name} < {1 << few}; {name} {self.rng.choice(['*= 2', '<<= 1', '+= ' + name])}) {{", INT, 1, 1 << few - 1, few),
            (f"for (unsigned {name} = {1 << few - 1}; {name}; {name} >>= 1) {{", UNSIGNED, 1, 1 << few - 1, few),
            (f"for (long {name} = {far}; {name} < {far + count}; {name}++) {{", LONG, far, far + count - 1, count),
            (f"for (int {name} = -2147483647 - 1; {name} < -2147483648 + {count}; {name}++) {{", INT, -(1 << 31), count - 1 - (1 << 31), count),
            (f"for (unsigned {name} = {(1 << 32) - count}u; {name} >= {(1 << 32) - count}u; {name}++) {{", UNSIGNED, (1 << 32) - count, (1 << 32) - 1, count),
        ]
        if any(variable.name == "shift" for variable in scope.variables):
            forms.append((f"for (int {name} = shift; {name} < {count}; {name} += shift + 1) {{", INT, 0, count - 1, count))
            forms.append((f"for (int {name} = {count - 1}; {name} >= shift; {name}--) {{", INT, 0, count - 1, count))
            forms.append((f"for (long {name} = 0; {name} != (long)(shift + 1) * {count}; {name} += shift + 1) {{", LONG, 0, 3 * count, count))
        head, kind, low, high, most = self.rng.choice(forms)
        return [head], Variable(name, kind, (low, high), False), most

    def along(self, scope, depth):
        """A loop whose counter is a pointer."""
        arrays = [array for array in scope.plain_arrays() if array.length >= 4 and array.pointer]
        if not arrays or scope.weight > WEIGHT // 8:
            return []
        array, name = self.rng.choice(arrays), self.name("p")
        step, count = self.rng.choice([1, 1, 1, 2]), min(self.rng.choice([2, 3, 4, 6]), (array.length - 1) // 2)
        first = self.rng.randrange(array.length - count * step + 1)
        kind = f"{'' if array.writable else 'const '}{array.type.name} *"
        start, end = f"{array.pointer} + {first}", f"{array.pointer} + {first + count * step}"
        forms = [
            [f"for ({kind}{name} = {start}; {name} != {end}; {name} += {step}) {{"],
            [f"for ({kind}{name} = {start}, *end = {end}; {name} < end; {name} += {step}) {{"],
            [f"for ({kind}{name} = {end}; {name} > {start};) {{", f"    {name} -= {step};"],
            [f"for ({kind}{name} = {start}; {name} - ({start}) < {count * step}; {name} += {step}) {{"],
        ]
        element = Variable(f"(*{name})", array.type, None, array.writable, False)
        inner = scope.inside(weight=scope.weight * count, in_loop=True).and_(variables=[element, element])
        body = self.statements(inner, self.rng.choice([1, 2]), depth - 1)
        if element.writable and self.chance(0.5):
            body += self.assigned(inner, element)
        return [*self.rng.choice(forms), *indented(body), "}"]

    def walk(self, scope, depth):
        """A loop that moves a pointer or an index through an array by hand."""
        arrays = [array for array in scope.plain_arrays() if array.length >= 4 and (array.pointer or self.chance(0.3))]
        if not arrays or scope.weight > WEIGHT // 4:
            return []
        array = self.rng.choice(arrays)
        step = self.rng.choice([1, 1, 2, 3, -1, -2])
        count = min(self.rng.choice([2, 3, 4, 6]), (array.length - 1) // abs(step) + 1, WEIGHT // scope.weight)
        span = (count - 1) * abs(step)
        start = self.rng.randint(span if step < 0 else 0, array.length - 1 - (span if step > 0 else 0))
        name, index = self.name("p"), self.name("i")
        kind = self.rng.choice([INT, LONG, SIZE_T, UNSIGNED])
        if array.pointer and self.chance(0.7):
            constant = "" if array.writable else "const "
            declared, place, last = f"{constant}{array.type.name} *{name} = {array.pointer} + {start};", f"*{name}", f"{name} += {step};"
            if abs(step) == 1 and self.chance(0.5):
                last = f"{name}{'++' if step > 0 else '--'};"
            last = f"if ({index} + 1 < {count}) {last}" if kind.bits == 32 or self.chance(0.5) else last
            if last.startswith(name) and (start + count * step < 0 or start + count * step > array.length):
                last = f"if ({index} + 1 < {count}) {last}"
        else:
            moved = self.rng.choice([INT, LONG, UNSIGNED, SHORT])
            declared, place, last = f"{moved.name} {name} = {start};", array.at(self.rng, name), f"{name} += {step};"
        element = Variable(f"({place})" if place.startswith("*") else place, array.type, None, array.writable, False)
        inner = scope.inside(weight=scope.weight * count, in_loop=False).and_(variables=[element, Variable(index, kind, (0, count - 1), False)])
        body = self.statements(inner, self.rng.choice([1, 2]), depth - 1)
        if element.writable and self.chance(0.5):
            body += self.assigned(inner, element)
        return ["{", declared, f"for ({kind.name} {index} = 0; {index} < {count}; {index}++) {{", *indented([*body, last]), "}", "}"]

    def nest_with_goto(self, scope, depth):
        """Loops that a `goto` leaves together."""
        if scope.weight > WEIGHT // 8:
            return []
        label = self.name("out")
        inner = scope.inside(leave=(f"goto {label};",), in_loop=False)
        body = self.loop(inner, depth) + self.end(inner, depth)
        head, index, count, tail = self.counter(scope, 3)
        nested = inner.inside(weight=scope.weight * count).and_(variables=[index])
        body = self.loop(nested, depth) + self.end(nested, depth)
        return ["{", *head, *indented(body), *tail, "}", *(["}"] if tail else []), f"{label}:;", "}"]

    # Memory.

    def pointer(self, scope, depth):
        """A pointer to one of several variables, or to a part of an array."""
        name = self.name("q")
        arrays = [array for array in scope.arrays if array.pointer and array.length > 2 and not isinstance(array.type, Structure)]
        if arrays and self.chance(0.5):
            array = self.rng.choice(arrays)
            most = self.rng.randrange(1, array.length - 1)
            constant = "" if array.writable else "const "
            start = self.rng.choice([str(most), self.index(scope, most + 1), self.index(scope, most + 1)])
            window = Array((f"{name}[{{}}]", f"*({name} + {{}})"), array.type, array.length - most, array.writable, name)
            lines = [f"{constant}{array.type.name} *{name} = {self.rng.choice([f'{array.pointer} + {start}', f'&{array.spellings[0].format(start)}'])};"]
            return ["{", *indented(lines + self.statements(scope.and_(arrays=[window]), 3, depth - 1)), "}"]
        if scope.objects and self.chance(0.5):
            thing = self.rng.choice([thing for thing in scope.objects])
            others = [o for o in scope.objects if o.type == thing.type and o.writable == thing.writable]
            constant = "" if thing.writable else "const "
            target = self.one_of(scope, [f"&{o.text}" for o in others])
            inner = scope.and_(objects=[Object(f"(*{name})", thing.type, thing.writable)] * 2)
            return ["{", f"    {constant}{thing.type.name} *{name} = {target};", *indented(self.statements(inner, 2, depth - 1)), "}"]
        there = [v for v in scope.scalars() if v.simple and v.writable and v.bounds is None]
        if not there:
            return []
        first = self.rng.choice(there)
        target = self.one_of(scope, [f"&{v.name}" for v in there if v.type == first.type])
        inner = scope.and_(variables=[Variable(f"(*{name})", first.type)] * 2)
        return ["{", f"    {first.type.name} *{name} = {target};", *indented(self.statements(inner, 3, depth - 1)), "}"]

    def one_of(self, scope, texts):
        if len(texts) == 1 or self.chance(0.3):
            return self.rng.choice(texts)
        return f"{self.condition(scope).text} ? {self.rng.choice(texts)} : {self.rng.choice(texts)}"

    def punned(self, scope, depth):
        """The bytes of a value: by a union, or by a pointer to bytes."""
        name = self.name("u")
        arrays = [a for a in scope.arrays if a.pointer and not isinstance(a.type, Structure) and a.type.kind in ("signed", "unsigned")]
        if arrays and self.chance(0.5):
            array = self.rng.choice(arrays)
            count = array.length * array.type.bits // 8
            writable = array.writable and self.chance(0.5)
            constant = "" if writable else "const "
            line = f"{constant}unsigned char *{name} = ({constant}unsigned char *){'(' + array.pointer + ')'};"
            inner = scope.and_(arrays=[Array((f"{name}[{{}}]",), values.UCHAR, count, writable, name)] * 2)
            return ["{", f"    {line}", *indented(self.statements(inner, 2, depth - 1)), "}"]
        whole, part = self.rng.choice([("unsigned", "unsigned short"), ("long", "int"), ("long", "unsigned char"), ("int", "signed char")])
        types = {kind.name: kind for kind in ALL}
        count = types[whole].bits // types[part].bits
        start = values.fitting(self.expression(scope), types[whole]).text
        inner = scope.and_(variables=[Variable(f"{name}.whole", types[whole])], arrays=[private(f"{name}.part", types[part], count)])
        union = f"union {{ {whole} whole; {part} part[{count}]; }} {name} = {{{start}}};"
        lines = self.statements(inner, 3, depth - 1)
        there = [v for v in scope.variables if v.writable]
        if there:
            lines += self.assigned(inner, self.rng.choice(there))
        return ["{", f"    {union}", *indented(lines), "}"]

    def stack(self, scope, depth):
        """Structures pushed and popped."""
        if not self.structures or scope.weight > 8:
            return []
        made, length = self.rng.choice(self.structures), self.rng.choice([4, 6, 8])
        stack, top, fuel, item = self.name("stack"), self.name("top"), self.name("fuel"), self.name("s")
        runs = self.rng.choice([4, 8])
        counted = Variable(fuel, INT, (0, runs - 1), False)
        inner = scope.inside(weight=scope.weight * runs, in_loop=True).and_(variables=[counted], objects=[Object(item, made)])
        pushed = [f"if ({self.condition(inner).text} && {top} < {length}) {stack}[{top}++] = {item};" for _ in range(2)]
        return [
            "{",
            f"    {made.name} {stack}[{length}];",
            f"    int {top} = 0, {fuel} = {runs};",
            f"    {stack}[{top}++] = ({made.name}){self.initial(scope, made)};",
            f"    while ({top} > 0 && {fuel}-- > 0) {{",
            f"        {made.name} {item} = {stack}[--{top}];",
            *indented(indented(self.statements(inner, 2, depth - 1) + pushed + self.statements(inner, 1, 0))),
            "    }",
            "}",
        ]


def private(name, kind, length):
    return Array((f"{name}[{{}}]", f"{name}[{{}}]", f"*({name} + {{}})"), kind, length, True, name)


def indented(lines):
    return ["    " + line for line in lines]

"""Random expressions of what a scope has, and indices of its arrays."""

import places
import values
from values import ALL, INT, INTEGERS, LONG, SHORT, UNSIGNED

DIVISORS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 25, 31, 60, 64, 100, 127, 128, 255, 256, 641, 1000, 1024, 65535, 65536, 1000003]
CONSTANTS = [0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 63, 64, 100, 127, 128, 255, 256, 1000, 32767, 65535]
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]


class Expressions:
    """A part of a body: needs its `rng`, and whether it is `brief`."""

    def chance(self, probability):
        return self.rng.random() < probability

    def expression(self, scope, depth=2):
        if self.brief:
            depth = min(depth, 1)
        if depth == 0 or self.chance(0.15):
            return self.leaf(scope)
        forms = {
            self.arithmetic: 10,
            self.division: 4,
            self.shift: 3,
            self.bitwise: 4,
            self.condition: 2,
            self.choice: 2,
            self.conversion: 4,
            self.mathematics: 2,
            self.negation: 2,
            self.call: 1,
        }
        return self.rng.choices(list(forms), list(forms.values()))[0](scope, depth - 1)

    def whole(self, scope, depth):
        """An expression of an integer type."""
        value = self.expression(scope, depth)
        if value.real:
            return values.cast(value, self.rng.choice([INT, LONG, UNSIGNED, SHORT]))
        return value

    # Operations.

    def arithmetic(self, scope, depth):
        first, second = self.expression(scope, depth), self.expression(scope, depth)
        return values.sum_of(self.rng.choice("++-*"), first, second)

    def division(self, scope, depth):
        first = self.whole(scope, depth)
        if self.chance(0.6):
            number = self.rng.choice(DIVISORS)
            if self.chance(0.3):
                number = self.rng.randrange(1, 1 << self.rng.choice([4, 8, 16, 31, 62]))
            if self.chance(0.25):
                number = -number
            kind = self.rng.choice([INT, INT, UNSIGNED, LONG, values.ULONG])
            if number >= 1 << 31:
                kind = self.rng.choice([LONG, values.ULONG])
            if number < 0:
                kind = LONG if number < -(1 << 31) else self.rng.choice([INT, LONG])
            second = values.constant(number, kind)
        else:
            second = self.whole(scope, depth)
        return values.quotient(self.rng.choice("/%"), first, second)

    def shift(self, scope, depth):
        amount = self.rng.randrange(64) if self.chance(0.6) else self.whole(scope, 0)
        return values.shifted(self.rng.choice(["<<", ">>"]), self.whole(scope, depth), amount)

    def bitwise(self, scope, depth):
        return values.bits(self.rng.choice("&|^"), self.whole(scope, depth), self.whole(scope, depth))

    def condition(self, scope, depth=1):
        op = self.rng.choice([*COMPARISONS, *COMPARISONS, "&&", "||"])
        if op in COMPARISONS:
            return values.compared(op, self.expression(scope, depth), self.expression(scope, depth))
        first, second = self.condition(scope, 0), self.condition(scope, 0)
        return values.compared(op, first, second)

    def choice(self, scope, depth):
        return values.chosen(self.condition(scope, 0), self.expression(scope, depth), self.expression(scope, depth))

    def conversion(self, scope, depth):
        return values.cast(self.expression(scope, depth), self.rng.choice(ALL))

    def negation(self, scope, depth):
        value = self.whole(scope, depth)
        if self.chance(0.3):
            return values.compared("!=", value, values.constant(0, INT)).called(f"!{value.text}")
        if self.chance(0.5):
            kind = values.promoted(value.type)
            if kind.kind == "signed":
                return values.Value(f"(~{value.text})", kind, -value.high - 1, -value.low - 1)
            return values.Value(f"(~{value.text})", kind, *values.limits(kind))
        return values.sum_of("-", values.constant(0, INT), value)

    def mathematics(self, scope, depth):
        """A function of <math.h> whose result is exact, or a division of what is a multiple."""
        first = values.cast(self.expression(scope, depth), values.DOUBLE)
        first = values.fitting(first, values.DOUBLE)
        second = values.fitting(values.cast(self.expression(scope, 0), values.DOUBLE), values.DOUBLE)
        a, b, most = first.text, second.text, max(first.largest, second.largest)
        parts = max(first.parts, second.parts)
        name = self.rng.choice(["fabs", "floor", "ceil", "trunc", "fmin", "fmax", "sqrt", "quotient", "half", "fma", "fmod"])
        if name in ("fabs", "sqrt"):
            text = f"fabs({a})" if name == "fabs" else f"sqrt(({a}) * ({a}))"
            return values.Value(text, values.DOUBLE, 0, first.largest, first.parts)
        if name in ("floor", "ceil", "trunc"):
            return values.Value(f"{name}({a})", values.DOUBLE, first.low - 1, first.high + 1)
        if name in ("fmin", "fmax"):
            return values.Value(f"{name}({a}, {b})", values.DOUBLE, -most, most, parts)
        if name == "quotient":
            by = self.rng.choice([3, 5, 7, 10, 49])
            return values.Value(f"(({a}) * {by}.0 / {by}.0)", values.DOUBLE, first.low, first.high, first.parts)
        if name == "half":
            return values.Value(f"({a} / {self.rng.choice(['2', '2.0', '2.0f'])})", values.DOUBLE, -most, most, first.parts + 1)
        if name == "fma":
            third = values.constant(self.rng.randrange(9), values.DOUBLE)
            high = first.largest * second.largest + 9
            return values.Value(f"fma({a}, {b}, {third.text})", values.DOUBLE, -high, high, first.parts + second.parts)
        return values.Value(f"fmod({a}, {self.rng.choice([3, 4, 10])}.0)", values.DOUBLE, -10, 10, first.parts)

    def call(self, scope, depth):
        possible = [function for function in scope.functions if function.pure]
        if not possible or scope.weight > 8:
            return self.leaf(scope)
        function = self.rng.choice(possible)
        arguments = [self.argument(scope, kind, of, depth) for kind, of in function.parameters]
        if None in arguments:
            return self.leaf(scope)
        return values.any_value(f"{function.name}({', '.join(arguments)})", function.result)

    def argument(self, scope, kind, of, depth=1):
        """What a function gets, or None if the scope has nothing."""
        if kind == "scalar":
            return values.fitting(self.expression(scope, depth), of).text
        if kind == "copy":
            there = [thing.text for thing in scope.objects if thing.type == of]
            return self.rng.choice(there) if there else None
        if kind == "object":
            there = [f"&{thing.text}" for thing in scope.objects if thing.type == of and thing.writable]
            return self.rng.choice(there) if there else None
        element, length = of
        there = [
            array.pointer if array.length == length or self.chance(0.5) else f"{array.pointer} + {array.length - length}"
            for array in scope.plain_arrays()
            if array.type == element and array.length >= length and array.pointer and (array.writable or kind == "input")
        ]
        return self.rng.choice(there) if there else None

    # What is read.

    def leaf(self, scope):
        kind = self.rng.random()
        arrays = scope.plain_arrays()
        if kind < 0.15:
            return self.literal()
        if kind < 0.45 and arrays:
            place = self.element(scope, self.rng.choice(arrays))
            return place.value()
        structures = scope.structure_arrays()
        if kind < 0.55 and structures:
            return self.rng.choice(self.members(scope, self.rng.choice(structures))).value()
        scalars = scope.scalars()
        return self.rng.choice(scalars).value() if scalars else self.literal()

    def literal(self):
        kind = self.rng.choice([INT, INT, INT, UNSIGNED, LONG, values.DOUBLE, values.FLOAT])
        number = self.rng.choice(CONSTANTS)
        if kind.kind == "real":
            number = self.rng.choice([0, 1, 2, 3, 5, 10])
        elif kind.kind == "signed" and self.chance(0.3):
            number = -number
        return values.constant(number, kind)

    def element(self, scope, array):
        """An element as a variable."""
        return places.Variable(array.at(self.rng, self.index(scope, array.length)), array.type, None, array.writable, False)

    def members(self, scope, array):
        """The scalars of an element of an array of structures."""
        text = array.at(self.rng, self.index(scope, array.length))
        return list(places.Object(text, array.type, array.writable).members())

    def index(self, scope, count):
        """The text of an index below a count."""
        if self.chance(0.25):
            return str(self.rng.randrange(count))
        near = [v for v in scope.variables if v.type.kind != "real" and v.bounds and v.bounds[1] - v.bounds[0] < count]
        if near and self.chance(0.6):
            variable = self.rng.choice(near)
            low, high = variable.bounds
            shift = self.rng.randint(-low, count - 1 - high)
            return self.spelled_index(variable, shift, count)
        value = self.whole(scope, self.rng.choice([0, 0, 1]))
        return values.remainder_of(value, count).text

    def spelled_index(self, variable, shift, count):
        """`variable + shift`, from 0 to below `count`, in some spelling."""
        name = variable.name
        if shift == 0 and self.chance(0.4):
            return name
        forms = [f"{name} + {shift}", f"{shift} + {name}", f"(short)({name} + {shift})", f"(long){name} + {shift}"]
        forms += [f"(unsigned)({name} + {shift})", f"AT({name}, {shift})", f"(size_t)({name} + {shift})"]
        forms += [f"(unsigned char)({name} + {shift})"] if count <= 256 else []
        if variable.type.kind == "unsigned" or variable.bounds[0] >= 0:
            forms.append(f"({name} - {count}u) + {shift + count}u" if variable.type.bits <= 32 else f"({name} - {count}ul) + {shift + count}ul")
        return "(" + self.rng.choice(forms).replace("+ -", "- ") + ")"

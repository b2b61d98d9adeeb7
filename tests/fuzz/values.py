"""C expressions whose values are known to lie between two bounds, so that none of them is undefined or inexact.

An expression carries its C type and bounds of its value. An operation computes the bounds of its result by C's rules
(promotions, common types, wrap-around of unsigned types); where a signed operation could overflow, a divisor be zero, or an
amount of a shift be too large, the operands are written in another way. A real value is a multiple of a power of two (`parts`
is its exponent) and so small that its type holds it exactly: any order of the operations, and any fusion of them, gives
the same bits.

    (a : int [0, 40]) + (b : short, all)      a + b, an int in [-32768, 32807]
    (a : int, all) + (b : int, all)           (int)((unsigned)a + (unsigned)b)
    (a : int, all) / (b : unsigned, all)      a / (b | 1)
"""

import dataclasses

from scalars import Type

SIZE_T = Type("size_t", "unsigned", 64)
CHAR = Type("char", "signed", 8)
BOOL = Type("_Bool", "bool", 1)
INT, UNSIGNED = Type("int", "signed", 32), Type("unsigned", "unsigned", 32)
LONG, ULONG = Type("long", "signed", 64), Type("unsigned long", "unsigned", 64)
SHORT, USHORT = Type("short", "signed", 16), Type("unsigned short", "unsigned", 16)
SCHAR, UCHAR = Type("signed char", "signed", 8), Type("unsigned char", "unsigned", 8)
LLONG = Type("long long", "signed", 64)
FLOAT, DOUBLE = Type("float", "real", 32), Type("double", "real", 64)

INTEGERS = [INT, INT, INT, UNSIGNED, UNSIGNED, LONG, LONG, ULONG, SIZE_T, SHORT, USHORT, SCHAR, UCHAR, LLONG]
REALS = [FLOAT, DOUBLE, DOUBLE]
ALL = INTEGERS + REALS + [BOOL]

# What variables of real types hold: so much, in quarters. A product of two fits a float.
REAL_BOUND, REAL_PARTS = 1023, 2
MANTISSA = {32: 24, 64: 53}


@dataclasses.dataclass(frozen=True)
class Value:
    """An expression; `parts`: a real value is a whole number of 2^-parts."""

    text: str
    type: Type
    low: int
    high: int
    parts: int = 0

    def called(self, text):
        return dataclasses.replace(self, text=text)

    @property
    def real(self):
        return self.type.kind == "real"

    @property
    def largest(self):
        return max(abs(self.low), abs(self.high))


def limits(kind):
    """The bounds of all values that a variable of the type may have."""
    if kind.kind == "real":
        return -REAL_BOUND, REAL_BOUND
    if kind.kind == "signed":
        return -(1 << kind.bits - 1), (1 << kind.bits - 1) - 1
    return 0, (1 << kind.bits) - 1


def any_value(text, kind):
    """What is read from a variable of the type."""
    return Value(text, kind, *limits(kind), REAL_PARTS if kind.kind == "real" else 0)


def unsigned(kind):
    return {32: UNSIGNED, 64: ULONG}[kind.bits]


def promoted(kind):
    return INT if kind.bits < 32 else kind


def common(first, second):
    """The type in which C computes with two types."""
    if "real" in (first.kind, second.kind):
        reals = [kind for kind in (first, second) if kind.kind == "real"]
        return max(reals, key=lambda kind: kind.bits)
    first, second = promoted(first), promoted(second)
    if first.bits != second.bits:
        return max(first, second, key=lambda kind: kind.bits)
    return first if first.kind == "unsigned" else second


def converted(value, kind):
    """The bounds after a conversion that C does by itself; the text stays."""
    low, high = limits(kind)
    if kind.kind == "real":
        return dataclasses.replace(value, type=kind)
    if kind.kind == "bool":
        return Value(value.text, kind, 0, 1)
    if value.low < low or value.high > high:
        return Value(value.text, kind, low, high)
    return Value(value.text, kind, value.low, value.high)


def cast(value, kind):
    """The value in a type, for certain: a real one in a narrow type is cut first."""
    if value.real and kind.kind not in ("real", "bool"):
        low, high = limits(kind)
        if value.low < low or value.high > high:
            value = cast(value, LONG)
    if kind.kind == "real":
        value = exact(value, kind)
    return converted(value, kind).called(f"({kind.name}){value.text}")


def exact(value, kind):
    """The value, made smaller if the real type does not hold it exactly."""
    if value.largest << value.parts < 1 << MANTISSA[kind.bits]:
        return value
    return smaller(value, REAL_BOUND)


def smaller(value, high):
    """The value's last bits: at least 0 and at most `high`, one less than a power of two."""
    whole = cast(value, LONG) if value.real else value
    kind = common(whole.type, INT)
    return Value(f"({whole.text} & {high})", kind, 0, high)


def fitting(value, kind, bounds=None):
    """The value as it may be assigned to a variable of a type, within bounds if there are some."""
    low, high = bounds or limits(kind)
    if kind.kind == "real":
        if value.low < low or value.high > high or value.parts > REAL_PARTS:
            return smaller(value, REAL_BOUND)
        return value
    if value.real:
        value = cast(value, kind if kind.kind != "bool" else INT)
    if bounds is None:
        return value
    if converted(value, kind).low >= low and converted(value, kind).high <= high:
        return value
    return remainder_of(value, high + 1)


def remainder_of(value, count):
    """The value reduced to an index below a count."""
    if count & (count - 1) == 0:
        return smaller(value, count - 1)
    if value.low >= 0 and not value.real:
        return Value(f"({value.text} % {count})", common(value.type, INT), 0, count - 1)
    whole = cast(cast(value, LONG) if value.real else value, UNSIGNED)
    return Value(f"({whole.text} % {count}u)", UNSIGNED, 0, count - 1)


# Operations.


def sum_of(op, first, second):
    """+, - or * of two values."""
    kind = common(first.type, second.type)
    if kind.kind == "real":
        return _real(op, first, second, kind)
    left, right = converted(first, kind), converted(second, kind)
    low, high, _ = _bounds(op, left, right)
    text = f"({first.text} {op} {second.text})"
    if limits(kind)[0] <= low and high <= limits(kind)[1]:
        return Value(text, kind, low, high)
    if kind.kind == "unsigned":
        return Value(text, kind, *limits(kind))
    wide = unsigned(kind).name
    return Value(f"({kind.name})(({wide}){first.text} {op} ({wide}){second.text})", kind, *limits(kind))


def _real(op, first, second, kind):
    first, second = exact(first, kind), exact(second, kind)
    low, high, parts = _bounds(op, first, second)
    if max(abs(low), abs(high)) << parts >= 1 << MANTISSA[kind.bits]:
        first, second = smaller(first, REAL_BOUND), smaller(second, REAL_BOUND)
        low, high, parts = _bounds(op, first, second)
    if not first.real and not second.real:
        first = first.called(f"({kind.name}){first.text}")
    return Value(f"({first.text} {op} {second.text})", kind, low, high, parts)


def _bounds(op, a, b):
    if op == "+":
        return a.low + b.low, a.high + b.high, max(a.parts, b.parts)
    if op == "-":
        return a.low - b.high, a.high - b.low, max(a.parts, b.parts)
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return min(corners), max(corners), a.parts + b.parts


def quotient(op, first, second):
    """/ or % of two whole values."""
    kind = common(first.type, second.type)
    left, right = converted(first, kind), converted(second, kind)
    a, b = first.text, second.text
    if right.low <= 0 <= right.high:
        b = f"(({kind.name}){b} | 1)"
        right = Value(b, kind, *limits(kind)) if right.low < 0 else Value(b, kind, 1, right.high | 1)
    if kind.kind == "signed" and left.low == limits(kind)[0] and right.low <= -1 <= right.high:
        a = f"(({kind.name}){a} >> 1)"
        left = Value(a, kind, left.low >> 1, left.high >> 1)
    most = left.largest if op == "/" else min(left.largest, right.largest - 1)
    positive = left.low >= 0 and (op == "%" or right.low >= 0)
    return Value(f"({a} {op} {b})", kind, 0 if positive else -most, most)


def shifted(op, value, amount):
    """<< or >> of a whole value by a whole value, or by a constant (an int)."""
    kind = promoted(value.type)
    if isinstance(amount, int):
        amount %= kind.bits
        least = most = amount
        by = str(amount)
    else:
        least, most, by = 0, kind.bits - 1, f"({amount.text} & {kind.bits - 1})"
    if op == ">>":
        low = min(value.low >> least, value.low >> most)
        return Value(f"({value.text} >> {by})", kind, low, max(value.high >> least, value.high >> most))
    if value.low >= 0 and value.high << most <= limits(kind)[1]:
        return Value(f"({value.text} << {by})", kind, 0, value.high << most)
    kind = unsigned(kind)
    return Value(f"(({kind.name}){value.text} << {by})", kind, *limits(kind))


def bits(op, first, second):
    """&, | or ^ of two whole values."""
    kind = common(first.type, second.type)
    left, right = converted(first, kind), converted(second, kind)
    text = f"({first.text} {op} {second.text})"
    positive = [value.high for value in (left, right) if value.low >= 0]
    if op == "&" and positive:
        return Value(text, kind, 0, min(positive))
    if len(positive) == 2:
        return Value(text, kind, 0, (1 << max(positive).bit_length()) - 1)
    return Value(text, kind, *limits(kind))


def compared(op, first, second):
    return Value(f"({first.text} {op} {second.text})", INT, 0, 1)


def chosen(condition, first, second):
    """condition ? first : second"""
    kind = common(first.type, second.type)
    if kind.kind == "real":
        first, second = exact(first, kind), exact(second, kind)
    left, right = converted(first, kind), converted(second, kind)
    text = f"({condition.text} ? {first.text} : {second.text})"
    if kind.kind == "real" and not (first.real or second.real):
        text = f"({kind.name}){text}"
    return Value(text, kind, min(left.low, right.low), max(left.high, right.high), max(left.parts, right.parts))


def constant(number, kind):
    """A constant of a type."""
    ending = {("signed", 64): "l", ("unsigned", 32): "u", ("unsigned", 64): "ul", ("real", 32): ".0f", ("real", 64): ".0"}
    text = f"{number}{ending.get((kind.kind, kind.bits), '')}"
    if kind.kind == "signed" and number == limits(kind)[0]:
        text = f"({number + 1}{'l' if kind.bits == 64 else ''} - 1)"
    kind = kind if kind.bits >= 32 else INT
    return Value(f"({text})" if number < 0 else text, kind, number, number)

"""Types and operators of reduction variables, and what is added, multiplied … into them.

Every result must be the same in every order of the operations, so that it can be compared exactly with the host's:

    signed +, *       values so small that no partial result overflows; products of 1, -1 and a single 2
    unsigned          any values: they wrap
    float, complex +  whole numbers or quarters whose sums are below 2^24
    float, complex *  1, -1, i, and a single power of two
    _Float16 +        few numbers that are not zero, so that sums are below 2^9
    && and ||         start from 0 or 1: a reduction makes 1 of another value even when the loop does not run

A term is a C expression of `x`, an int from 0 to 63 that differs from iteration to iteration, and of `at`, the number of the
iteration. A value that must be rare (a factor of 2, a bit to clear) belongs to one or a few values of `at`.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Type:
    name: str
    kind: str  # bool, signed, unsigned, real, complex
    bits: int


TYPES = [
    Type("_Bool", "bool", 1),
    Type("signed char", "signed", 8),
    Type("unsigned char", "unsigned", 8),
    Type("short", "signed", 16),
    Type("unsigned short", "unsigned", 16),
    Type("int", "signed", 32),
    Type("unsigned", "unsigned", 32),
    Type("long", "signed", 64),
    Type("unsigned long", "unsigned", 64),
    Type("long long", "signed", 64),
    Type("unsigned long long", "unsigned", 64),
    Type("float", "real", 32),
    Type("double", "real", 64),
    Type("float _Complex", "complex", 64),
    Type("double _Complex", "complex", 128),
]
INT = TYPES[5]
# clang has it from version 15 on, on x86-64.
HALF = Type("_Float16", "real", 16)

OPERATORS = {
    "bool": ["+", "*", "max", "min", "&", "|", "^", "&&", "||"],
    "signed": ["+", "+", "*", "max", "min", "&", "|", "^", "&&", "||"],
    "unsigned": ["+", "+", "*", "max", "min", "&", "|", "^", "&&", "||"],
    "real": ["+", "+", "*", "max", "min", "&&", "||"],
    "complex": ["+", "*"],
}
# Several gangs that each contribute the same leave the same result.
IDEMPOTENT = {"max", "min", "&", "|", "&&", "||"}


def start(rng, kind, op):
    """A value that a reduction variable has before the loop; mostly not the operator's identity."""
    if kind.kind == "bool" or op in ("&&", "||"):
        return str(rng.randrange(2))
    if op == "&":
        return f"({kind.name})0x7ffffffffffffff5ll" if rng.random() < 0.7 else "0"
    if op == "*":
        return rng.choice(["1", "3", "5", "1", "7"])
    if kind.kind == "complex":
        return f"{rng.randrange(9)} + {rng.randrange(1, 9)} * I"
    values = ["0", "1", "5", "100", "77"]
    if kind.kind in ("signed", "real"):
        values += ["-1", "-77", "-100"]
    if kind.kind == "real":
        values += ["-0.0", "0.5"]
    return rng.choice(values)


def term(rng, kind, op, x, at, total):
    """A C expression of the type `kind` to be combined by `op`; `at` is below `total`."""
    once = rng.randrange(total)
    few = max(1, total // 5)
    rare = f"{at} % {few} == {once % few}"
    if op in ("&&", "||"):
        hit = rare if rng.random() < 0.3 else f"{at} == {rng.choice([once, once + total])}"
        return f"({hit})" if op == "||" else f"!({hit})"
    if kind.kind == "bool":
        return _bool_term(op, x, f"{at} == {rng.choice([once, once + total])}")
    makers = {"+": _summand, "*": _factor, "max": _candidate, "min": _candidate, "&": _mask, "|": _bit, "^": _pattern}
    return makers[op](rng, kind, x, at, once, rare)


def combine(rng, kind, op, variable, value):
    """A C statement that combines `value` into `variable`, in one of the forms that programs have."""
    if op in ("max", "min"):
        sign = ">" if op == "max" else "<"
        forms = [
            f"if ({value} {sign} {variable}) {variable} = {value};",
            f"{variable} = {value} {sign} {variable} ? {value} : {variable};",
            f"{variable} = {variable} {sign} {value} ? {variable} : {value};",
        ]
        if kind.kind == "real":
            function = f"f{op}" + ("" if kind.bits == 64 else "f")
            forms.append(f"{variable} = {function}({variable}, {value});")
        return rng.choice(forms)
    if op in ("&&", "||"):
        return f"{variable} = {variable} {op} {value};"
    forms = [f"{variable} {op}= {value};"] * 3 + [f"{variable} = {variable} {op} {value};"]
    forms.append(f"{variable} = {value} {op} {variable};")
    if op == "+" and kind.kind not in ("bool", "unsigned"):
        forms.append(f"{variable} -= {value};")
    return rng.choice(forms)


def small(kind, value):
    """An int from 0 to 63 made of a value of the type `kind`."""
    if kind.kind == "complex":
        return f"(int)((long long)(creal({value}) * 4 + cimag({value})) & 63)"
    if kind.kind == "real":
        return f"(int)((long long)({value} * 4) & 63)"
    return f"(int)({value} & 63)"


def _bool_term(op, x, hit):
    if op == "^":
        return f"({x} & 1)"
    return f"({hit})" if op in ("+", "|", "max") else f"!({hit})"


def _summand(rng, kind, x, _at, _once, rare):
    name, shift = kind.name, rng.randrange(32)
    if kind == HALF:
        return f"({name})({rare} ? ({x} % 16 - {shift % 16}) * 0.25 : 0)"
    if kind.kind == "unsigned":
        return f"({name})({x} * 0x9e3779b97f4a7c15ull)"
    if kind.kind == "complex":
        return f"({name})(({x} - {shift}) + ({x} % 5 - 2) * I)"
    if kind.kind == "real":
        return rng.choice([f"({name})({x} - {shift})", f"({name})(({x} % 16 - {shift % 16}) * 0.25)"])
    if kind.bits == 64:
        return f"({name})(({x} - {shift}) * 0x100000001ll)"
    return f"({name})({x} - {shift})"


def _factor(rng, kind, x, at, once, _rare):
    name = kind.name
    if kind.kind == "unsigned":
        return f"({name})({x} * 2 + 1)"
    if kind.kind == "complex":
        return f"({name})({at} == {once} ? 2 : {x} % 3 ? I : -1)"
    power = rng.choice(["2", "0.5"]) if kind.kind == "real" else "2"
    return f"({name})({at} == {once} ? {power} : {x} % 2 ? -1 : 1)"


def _candidate(rng, kind, x, at, _once, _rare):
    name, spread, middle = kind.name, f"({at} * 37 + {x}) % 201", rng.randrange(201)
    if kind.kind == "unsigned":
        return f"({name})({spread})"
    if kind.kind == "real":
        return rng.choice(
            [f"({name})(({spread} - {middle}) * 0.5)", f"({name})({x} % 3 ? -0.0 : {x} - {middle % 64})"]
        )
    if kind.bits == 64:
        return f"({name})(({spread} - {middle}) * 1000000000000ll)"
    return f"({name})(({spread} - {middle}) / 2)"


def _mask(_rng, kind, x, at, once, rare):
    return f"({kind.name})~{_one_bit(kind, x, rare)}"


def _bit(_rng, kind, x, at, once, rare):
    return f"({kind.name}){_one_bit(kind, x, rare)}"


def _one_bit(kind, x, condition):
    return f"((unsigned long long)({condition}) << {x} % {kind.bits})"


def _pattern(_rng, kind, x, _at, _once, _rare):
    return f"({kind.name})({x} * 0x9e3779b97f4a7c15ull)"

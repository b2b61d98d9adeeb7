"""Memory in nests: private arrays that functions get by pointer, and small arrays that iterations update atomically.

Private arrays and structures have 2 to 8 elements, filled and combined by functions whose loops and subscripts are spelled in
different ways. What a function leaves is small, so that every type holds its sum exactly.

Counters are arrays of at most 24 elements in one of four shapes. Their sums are exact in every order: whole numbers and
quarters.
"""

import dataclasses

import scalars

SHAPES = ["flat", "rows", "member", "records"]
INDICES = ["int", "unsigned", "long", "short", "unsigned long", "unsigned char"]


@dataclasses.dataclass(frozen=True)
class Counters:
    """Elements of a shape, as C spells them: their declaration, element number `{k}`, and what a clause names."""

    declared: list
    element: str
    listed: str
    count: int


def exact(types):
    """Types that hold sums of a few hundred small numbers."""
    return [kind for kind in types if kind.kind in ("signed", "unsigned", "real") and kind.bits >= 16 and kind != scalars.HALF]


def counters(rng, name, kind):
    shape, columns = rng.choice(SHAPES), rng.choice([2, 3, 4])
    count = columns * rng.choice([1, 2, 5, 6])
    column, row = f"({{k}}) % {columns}", f"({{k}}) / {columns}"
    if shape == "flat":
        return Counters([f"{kind.name} {name}[{count}] = {{0}};"], f"{name}[{{k}}]", f"{name}[0:{count}]", count)
    if shape == "rows":
        declared = f"{kind.name} {name}[{count // columns}][{columns}] = {{{{0}}}};"
        return Counters([declared], f"{name}[{row}][{column}]", name, count)
    if shape == "member":
        declared = f"struct {{ int kept; {kind.name} of[{count}]; }} {name} = {{0}};"
        return Counters([declared], f"{name}.of[{{k}}]", name, count)
    members = " ".join(f"{kind.name} m{number};" for number in range(columns))
    declared = f"struct {{ {members} }} {name}[{count // columns}] = {{{{0}}}};"
    return Counters([declared], f"(&{name}[{row}].m0)[{column}]", f"{name}[0:{count // columns}]", count)


def count_up(rng, kind, target, x):
    """Two lines that add a small number atomically."""
    value = f"{x} % 16" if kind.kind != "real" else f"({kind.name})({x} % 16 - 7) * ({kind.name})0.25"
    forms = [f"{target} += {value};", f"{target} = {target} + {value};", f"{target}++;"]
    return ["#pragma acc atomic" + rng.choice(["", " update"]), rng.choice(forms)]


def workspace(rng, name, kind):
    """Functions over a private array or structure: their texts, and the lines that leave a number in `NAME`, made of AT."""
    length = rng.choice([2, 3, 4, 5, 8])
    boxed = rng.random() < 0.4
    box = f"struct box_{name}@"
    head = [f"{box} {{ {kind.name} of[{length}]; short used; }};"] if boxed else []
    parameter, p = (f"{box} *b", "b->of") if boxed else (f"{kind.name} *p", "p")
    fill = [f"static void fill_{name}@({parameter}, int at)", "{", *_fill(rng, kind, p, length), "}"]
    twist = [f"static void twist_{name}@({parameter}, int n)", "{", *_twist(rng, kind, p, length), "}"]
    total = [f"static {kind.name} total_{name}@(const {parameter})", "{", *_total(rng, kind, p, length), "}"]
    routines = []
    for function in (fill, twist, total):
        routine = ["#pragma acc routine seq"] if rng.random() < 0.5 else []
        routines.append(routine + [line if line in "{}" or line.startswith("static") else "    " + line for line in function])
    routines[0] = head + routines[0]
    w, argument = f"w{name}", f"{'&' if boxed else ''}w{name}"
    elements = f"{w}.of" if boxed else w
    lines = [f"{box} {w};" if boxed else f"{kind.name} {w}[{length}];", f"fill_{name}@({argument}, AT);"]
    if rng.random() < 0.6:
        lines.append(f"twist_{name}@({argument}, {length - 1});")
    if rng.random() < 0.4:
        lines.append(f"{elements}[(unsigned)(AT) % {length}] = {rng.randrange(9)};")
    lines.append(f"{kind.name} NAME = total_{name}@({argument});")
    return routines, lines


def _loop(rng, length):
    """A loop over the elements, whose number is k."""
    kind = rng.choice(INDICES)
    forms = [f"for ({kind} k = 0; k < {length}; k++)", f"for ({kind} k = 0; k != {length}; ++k)"]
    if not kind.startswith("unsigned"):
        forms.append(f"for ({kind} k = {length} - 1; k >= 0; k--)")
    return rng.choice(forms)


def _fill(rng, kind, p, length):
    factor, step = rng.choice([1, 3, 5, 11]), rng.choice([1, 7, 29])
    value = f"({kind.name})((at * {factor} + (int)({{k}}) * {step}) & 63)"
    forms = [
        [f"{_loop(rng, length)} {p}[k] = {value.format(k='k')};"],
        [f"for ({kind.name} *e = {p}; e < {p} + {length}; e++) *e = {value.format(k=f'e - {p}')};"],
        [f"{p}[{k}] = {value.format(k=k)};" for k in range(length)],
    ]
    return rng.choice(forms)


def _twist(rng, kind, p, length):
    """Elements move, or are added to a neighbour."""
    forms = [
        [f"for (int k = 0; k < n; k++) {p}[k] = {p}[k] + {p}[k + 1];"],
        [f"for (long k = n; k > 0; k--) {{ {kind.name} t = {p}[k]; {p}[k] = {p}[k - 1]; {p}[k - 1] = t; }}"],
        [f"if ({p}[0] < {p}[n]) {{ {kind.name} t = {p}[0]; {p}[0] = {p}[n]; {p}[n] = t; }}"],
        [
            f"for (int i = 1; i < {length}; i++)",
            f"    for (int j = i; j > 0 && {p}[j] < {p}[j - 1]; j--) {{",
            f"        {kind.name} t = {p}[j]; {p}[j] = {p}[j - 1]; {p}[j - 1] = t;",
            "    }",
        ],
    ]
    return rng.choice(forms) + ["(void)n;"]


def _total(rng, kind, p, length):
    """A sum with weights, below 2^15."""
    weight = rng.choice(["1", "(k & 3)", "(k % 2 + 1)"])
    forms = [
        [f"{kind.name} t = 0;", f"{_loop(rng, length)} t += {p}[k] * ({kind.name}){weight};", "return t;"],
        [f"return {p}[0] + {p}[{length - 1}] * 2;"],
        [f"const {kind.name} *e = {p};", f"{kind.name} t = 0;", f"do t += *e++; while (e != {p} + {length});", "return t;"],
    ]
    return rng.choice(forms)

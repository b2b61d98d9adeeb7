"""Writes tests/vectors.txt: arguments with correctly rounded results.

    python3 tools/vectors.py                 needs mpmath

A line is a function, the words of its arguments (the bits of the numbers, hexadecimal) and for every word of the result
the correctly rounded result and, behind a colon, how far the exact result is above it, in 1/128 of a unit in the last
place:

    exp 3ff0000000000000 = 4005bf0a8b145769:14
"""

import os
import random
import struct
from fractions import Fraction

import mpmath as mp

# Enough for sines of the largest numbers.
mp.mp.prec = 1400
R = random.Random(20240229)
FORMATS = {"d": ("<d", "<Q", 53, -1074, 16), "f": ("<f", "<I", 24, -149, 8)}


def number(bits, kind):
    """The number with these bits."""
    real, whole, *_ = FORMATS[kind]
    return struct.unpack(real, struct.pack(whole, bits))[0]


def bits(value, kind):
    real, whole, *_ = FORMATS[kind]
    return struct.unpack(whole, struct.pack(real, value))[0]


def nearest(value, kind):
    """`value` rounded to the format, as a Python number."""
    return number(bits(float(value), kind), kind)


def result(exact, kind):
    """`exact` as `bits:fraction`, or None if it is too large."""
    _, _, precision, least, digits = FORMATS[kind]
    if exact == 0:
        return f"{0:0{digits}x}:0"
    _, exponent = mp.frexp(exact)
    unit = max(int(exponent) - precision, least)
    scaled = mp.ldexp(exact, -unit)
    whole = mp.nint(scaled)
    rounded = mp.ldexp(whole, unit)
    if abs(rounded) >= mp.mpf(2) ** (1024 if kind == "d" else 128):
        return None
    fraction = int(mp.nint((scaled - whole) * 128))
    return f"{bits(float(rounded), kind):0{digits}x}:{fraction}"


def line(low, high):
    return lambda kind: nearest(R.uniform(low, high), kind)


def scale(low, high):
    """Powers of 2 with evenly distributed exponents."""
    return lambda kind: nearest(2.0 ** R.uniform(low, high) * R.uniform(1, 1.001), kind)


def both(low, high):
    """The same with both signs."""
    draw = scale(low, high)
    return lambda kind: R.choice((1, -1)) * draw(kind)


def values(*numbers):
    return lambda kind: nearest(R.choice([n for n in numbers if kind == "d" or n < 1e38]), kind)


def wide(kind):
    """Exponents of the format's whole range."""
    return both(-1070, 1020)(kind) if kind == "d" else both(-148, 126)(kind)


def wide_positive(kind):
    return abs(wide(kind))


# Closest to multiples of pi/2.
HARD = values(6381956970095103.0 * 2.0**797, 16367173.0 * 2.0**72, 6411027962775774.0 * 2.0**-48, 5.319372648326541e255, 1e22,
              3.141592653589793, 1.5707963267948966, 28065.41796875, 884279719003555.0)



def rest(x, y, whole):
    """x less the multiple of y that `whole` (of fractions) says."""
    x, y = Fraction(float(x)), Fraction(float(y))
    exact = x - whole(x / y) * y
    return mp.mpf(exact.numerator) / exact.denominator


ONE = [
    # name, function, for each group of arguments: how many and how drawn
    ("sin", mp.sin, [(30, line(-10, 10)), (15, wide), (15, HARD)]),
    ("cos", mp.cos, [(30, line(-10, 10)), (15, wide), (15, HARD)]),
    ("tan", mp.tan, [(30, line(-10, 10)), (15, wide), (15, HARD)]),
    ("asin", mp.asin, [(40, line(-1, 1)), (10, both(-40, 0))]),
    ("acos", mp.acos, [(40, line(-1, 1)), (10, line(0.99, 1)), (10, line(-1, -0.99))]),
    ("atan", mp.atan, [(40, line(-3, 3)), (20, both(-40, 60))]),
    ("sinh", mp.sinh, [(30, line(-3, 3)), (15, line(-88, 88)), (10, both(-40, 0))]),
    ("cosh", mp.cosh, [(30, line(-3, 3)), (15, line(-88, 88))]),
    ("tanh", mp.tanh, [(40, line(-3, 3)), (10, both(-40, 4))]),
    ("asinh", mp.asinh, [(40, line(-3, 3)), (20, both(-40, 60))]),
    ("acosh", mp.acosh, [(40, line(1, 3)), (20, scale(0, 60))]),
    ("atanh", mp.atanh, [(40, line(-1, 1)), (20, both(-40, 0))]),
    ("exp", mp.exp, [(30, line(-2, 2)), (30, line(-100, 88)), (10, line(-740, -700))]),
    ("exp2", lambda x: mp.mpf(2) ** x, [(30, line(-2, 2)), (30, line(-148, 127))]),
    ("exp10", lambda x: mp.mpf(10) ** x, [(30, line(-2, 2)), (30, line(-44, 38))]),
    ("expm1", mp.expm1, [(40, line(-2, 2)), (20, both(-40, 6))]),
    ("log", mp.log, [(40, line(0, 3)), (20, wide_positive)]),
    ("log2", lambda x: mp.log(x) / mp.log(2), [(40, line(0, 3)), (20, wide_positive)]),
    ("log10", lambda x: mp.log(x) / mp.log(10), [(40, line(0, 3)), (20, wide_positive)]),
    ("log1p", mp.log1p, [(40, line(-1, 2)), (20, both(-40, 0)), (10, wide_positive)]),
    ("cbrt", lambda x: mp.sign(x) * mp.cbrt(abs(x)), [(30, line(-8, 8)), (30, wide)]),
    ("erf", mp.erf, [(50, line(-4, 4)), (20, both(-40, 0))]),
    ("erfc", mp.erfc, [(40, line(-2, 4)), (20, line(4, 10)), (15, line(10, 27))]),
    ("tgamma", mp.gamma, [(40, line(0, 20)), (20, line(-20, 0)), (20, line(20, 35)), (20, line(100, 171)), (10, line(-180, -100))]),
    ("lgamma", mp.loggamma, [(50, line(0, 4)), (20, line(4, 40)), (20, scale(-100, 100))]),
]
TWO = [
    ("pow", lambda x, y: x**y, [(40, line(0, 10), line(-5, 5)), (20, wide_positive, line(-1, 1)), (20, line(0.9, 1.1), line(-500, 500))]),
    ("atan2", mp.atan2, [(40, line(-3, 3), line(-3, 3)), (30, both(-60, 60), both(-60, 60))]),
    ("hypot", mp.hypot, [(40, line(-3, 3), line(-3, 3)), (30, both(-60, 60), both(-60, 60))]),
    ("fmod", lambda x, y: rest(x, y, int), [(30, line(-100, 100), line(-3, 3)), (30, wide, wide)]),
    ("remainder", lambda x, y: rest(x, y, round), [(30, line(-100, 100), line(-3, 3)), (30, wide, wide)]),
]
COMPLEX = [
    ("cexp", mp.exp), ("clog", mp.log), ("csqrt", mp.sqrt), ("csin", mp.sin), ("ccos", mp.cos),
    ("ctan", mp.tan), ("csinh", mp.sinh), ("ccosh", mp.cosh), ("ctanh", mp.tanh),
    ("casin", mp.asin), ("cacos", mp.acos), ("catan", mp.atan),
    ("casinh", mp.asinh), ("cacosh", mp.acosh), ("catanh", mp.atanh),
]
BESSEL = [("j0", 0, mp.besselj), ("j1", 1, mp.besselj), ("y0", 0, mp.bessely), ("y1", 1, mp.bessely)]


def words(name, kind, arguments, exact, before=""):
    digits = FORMATS[kind][4]
    results = [result(part, kind) for part in exact]
    if None in results:
        return None
    given = " ".join(f"{bits(a, kind):0{digits}x}" for a in arguments)
    return f"{name} {before}{given} = {' '.join(results)}"


def main():
    lines = []
    for kind, suffix in (("d", ""), ("f", "f")):
        for name, function, groups in ONE:
            for count, draw in groups:
                for _ in range(count if kind == "d" else count // 2):
                    x = draw(kind)
                    exact = function(mp.mpf(x))
                    if isinstance(exact, mp.mpc):
                        exact = exact.real
                    lines.append(words(name + suffix, kind, [x], [exact]))
        for name, order, function in BESSEL:
            for low, high in ((0, 2), (2, 8), (8, 60), (60, 3000), (1e8, 1e12)):
                for _ in range(16 if kind == "d" else 6):
                    x = line(low, high)(kind)
                    lines.append(words(name + suffix, kind, [x], [function(order, mp.mpf(x))]))
        for name, function in (("jn", mp.besselj), ("yn", mp.bessely)):
            for _ in range(60 if kind == "d" else 20):
                n, x = R.randint(2, 60), line(0.5, 150)(kind)
                exact = function(n, mp.mpf(x))
                if 1e-30 < abs(exact) < 1e30:
                    lines.append(words(name + suffix, kind, [x], [exact], f"{n:x} "))
        for name, function, groups in TWO:
            for count, first, second in groups:
                for _ in range(count if kind == "d" else count // 2):
                    x, y = first(kind), second(kind)
                    lines.append(words(name + suffix, kind, [x, y], [function(mp.mpf(x), mp.mpf(y))]))
        for name, function in COMPLEX:
            for _ in range(30 if kind == "d" else 15):
                x, y = line(-4, 4)(kind), line(-4, 4)(kind)
                z = function(mp.mpc(x, y))
                lines.append(words(name + suffix, kind, [x, y], [z.real, z.imag]))
            for _ in range(10 if kind == "d" else 5):
                # Next to the poles of tangent and hyperbolic tangent, and to 0.
                small, near = line(-0.1, 0.1)(kind), line(1.5, 1.64)(kind)
                for x, y in ((small, near), (near, small), (small, small)):
                    z = function(mp.mpc(x, y))
                    lines.append(words(name + suffix, kind, [x, y], [z.real, z.imag]))
        for base, power in ((3, 3), (30, 10), (1, 300)):
            for _ in range(30 if kind == "d" else 15):
                a = [line(-base, base)(kind), line(-base, base)(kind), line(-power, power)(kind), line(-power, power)(kind)]
                z = mp.mpc(a[0], a[1]) ** mp.mpc(a[2], a[3])
                if 1e-30 < abs(z) < 1e30:
                    lines.append(words("cpow" + suffix, kind, a, [z.real, z.imag]))
    path = os.path.join(os.path.dirname(__file__), "..", "tests", "vectors.txt")
    with open(path, "w") as file:
        file.write("# Made by tools/vectors.py.\n")
        for text in sorted(set(filter(None, lines)), key=lambda text: text.split()[0]):
            file.write(text + "\n")


main()

"""Writes src/c/coefficients.h: the polynomials of the library.

    python3 tools/coefficients.py            needs mpmath

Each entry gives a macro that evaluates the polynomial with fused multiply-adds by Horner's rule, and a comment with the
function, the interval and the largest weighted error that is left.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from minimax import fit
from mpmath import (mp, mpf, asin, atan, atan2, besselj, bessely, cos, erf, erfc, exp, expm1, findroot, log, log1p, loggamma,
                    pi, sin, sinh, sqrt, tan, tanh)

LN2 = log(mpf(2))
HALF_LN2 = LN2 / 2
U = 2 * (sqrt(mpf(2)) - 1) / (sqrt(mpf(2)) + 1)
V = U * U * mpf("1.01")
QUARTER = (pi / 4) ** 2 * mpf("1.001")
TINY = mpf("1e-30")
THIRD = mpf(1) / 3 * mpf("1.0001")


def root(z):
    return sqrt(max(z, mpf(0)))


def odd(function, sign=1):
    """(function(x) - x) / x**3 as a function of z = x*x."""
    return lambda z: (function(root(z)) - root(z)) / root(z) ** 3


def erfc_scaled(t):
    """(1 + 2x) exp(x*x) erfc(x) at x = 4 (1 + t) / (1 - t)."""
    x = 4 * (1 + t) / (1 - t)
    return (1 + 2 * x) * exp(x * x) * erfc(x)


def stirling(z):
    """What Stirling's formula leaves of log(gamma(x)), times x, at z = 1 / (x*x)."""
    x = 1 / sqrt(z)
    with mp.workprec(400):
        return (loggamma(x) - (x - mpf(1) / 2) * log(x) + x - log(2 * pi) / 2) * x


def stirling_factor(w):
    """gamma(x) over Stirling's formula, minus 1, over w = 1 / x."""
    x = 1 / w
    with mp.workprec(400):
        return expm1(loggamma(x) - (x - mpf(1) / 2) * log(x) + x - log(2 * pi) / 2) * x


def near(point):
    """loggamma(point + t) / t: loggamma is zero at `point`."""
    return lambda t: loggamma(point + t) / t


def one(_):
    return mpf(1)


def zero_of(function, order, guess):
    """The zero of a Bessel function next to `guess`."""
    with mp.workprec(400):
        return findroot(lambda x: function(order, x), mpf(guess))


def around(function, order, guess, low, high, degree):
    """An entry for a Bessel function over its distance d from a zero."""
    zero = zero_of(function, order, guess)
    letter = "J" if function is besselj else "Y"
    name = f"{letter}{order}_{guess[0]}"
    text = f"{letter}{order}(x) / d, d = x - {mp.nstr(zero, 17)}, {low} <= x <= {high}"
    return (name, text, lambda d: function(order, zero + d) / d, mpf(low) - zero, mpf(high) - zero, degree, None, one)


def y0_rest(x):
    """Y0 without its logarithm."""
    return bessely(0, x) - 2 / pi * log(x) * besselj(0, x)


def y1_rest(x):
    """Y1 without its logarithm and its pole, over x."""
    return (bessely(1, x) - 2 / pi * (log(x) * besselj(1, x) - 1 / x)) / x


# From here on, Bessel functions are sqrt(2 / (pi x)) M(x) times cosine and sine of a phase.
FAR = 7


def polar(order, x):
    """M(x), and what the phase has beyond x - (2 order + 1) pi / 4."""
    with mp.workprec(500):
        turn = x - (2 * order + 1) * pi / 4
        j, y = besselj(order, x), bessely(order, x)
        p = j * cos(turn) + y * sin(turn)
        q = y * cos(turn) - j * sin(turn)
        return sqrt(pi * x / 2) * sqrt(p * p + q * q), atan2(q, p)


def modulus(order):
    """M as a function of z = FAR^2 / x^2."""
    return lambda z: polar(order, FAR / sqrt(z))[0]


def phase(order):
    """The phase beyond its term in 1/x, times x^3, as a function of z = FAR^2 / x^2."""

    def f(z):
        x = FAR / sqrt(z)
        return (polar(order, x)[1] * x - (mpf(3) / 8 if order else -mpf(1) / 8)) * x * x

    return f

# name, what it is, f, from, to, degree for double, degree for float, weight
FITS = [
    ("EXP", "(exp(r) - 1 - r) / r^2, |r| <= ln2/2", lambda r: (expm1(r) - r) / r**2,
     -HALF_LN2 * mpf("1.001"), HALF_LN2 * mpf("1.001"), 10, 5, lambda r: abs(r)),
    ("EXP2", "(2^r - 1 - r ln2) / r^2, |r| <= 1/2", lambda r: (expm1(r * LN2) - r * LN2) / r**2,
     -mpf(1) / 2, mpf(1) / 2, 10, 5, lambda r: abs(r)),
    ("LOG", "(2 atanh(u/2) - u) / u^3, z = u^2 <= 0.119", lambda z: (log((2 + root(z)) / (2 - root(z))) - root(z)) / root(z) ** 3,
     0, V, 7, 3, lambda z: z),
    ("LOG1", "(log(1 + f) - f) / f^2, |f| <= 1/3", lambda f: (log1p(f) - f) / f**2, -THIRD, THIRD, None, 8, lambda f: abs(f) * mpf("1.2")),
    ("LOG1_2", "(log2(1 + f) - f log2(e)) / f^2, |f| <= 1/3", lambda f: (log1p(f) - f) / f**2 / LN2, -THIRD, THIRD, None, 8, lambda f: abs(f) * mpf("1.2")),
    ("LOG1_10", "(log10(1 + f) - f log10(e)) / f^2, |f| <= 1/3", lambda f: (log1p(f) - f) / f**2 / log(mpf(10)), -THIRD, THIRD, None, 8, lambda f: abs(f) * 3),
    ("POW", "((2 atanh(u/2) - u) / u^3 - 1/12) / u^2, z = u^2 <= 0.119",
     lambda z: ((log((2 + root(z)) / (2 - root(z))) - root(z)) / root(z) ** 3 - mpf(1) / 12) / z,
     0, V, 7, 3, lambda z: z * z),
    ("SIN", "(sin(r) - r) / r^3, z = r^2, r <= pi/4", odd(sin), 0, QUARTER, 5, 2, lambda z: z),
    ("COS", "(cos(r) - 1 + z/2) / z^2, z = r^2, r <= pi/4", lambda z: (cos(root(z)) - 1 + z / 2) / z**2, 0, QUARTER, 5, 2, lambda z: z * z),
    ("ASIN", "(asin(x) - x) / x^3, z = x^2, x <= 1/2", odd(asin), 0, mpf(1) / 4, 11, 4, lambda z: z),
    ("ATAN", "(atan(x) - x) / x^3, z = x^2, x <= 1", odd(atan), 0, 1, 18, 7, lambda z: z),
    ("SINH", "(sinh(x) - x) / x^3, z = x^2, x <= 1", odd(sinh), 0, 1, 7, 3, lambda z: z),
    ("TANH", "(tanh(x) - x) / x^3, z = x^2, x <= 0.65", odd(tanh), 0, mpf("0.4226"), 10, 4, lambda z: z),
    ("ERF", "erf(x) / x - 1, z = x^2, x <= 1", lambda z: erf(root(z)) / root(z) - 1, 0, 1, 12, 6, one),
    ("ERFC", "(1 + 2x) exp(x^2) erfc(x), t = (x - 4) / (x + 4), 0.5 <= x <= 28", erfc_scaled, -mpf("0.778"), mpf("0.751"), 25, 13, one),
    ("ERFC_EXPONENT", "log2(erfc(x)), 1 <= x <= 4; error of erfc", lambda x: log(erfc(x)) / LN2, 1, 4, None, 6, lambda x: erfc(x) * LN2),
    ("ERF_EXPONENT", "log2(erfc(x)), 1 <= x <= 5.93; error of erfc", lambda x: log(erfc(x)) / LN2, 1, mpf("5.93"), 17, None, lambda x: erfc(x) * LN2),
    ("STIRLING", "(log(gamma(x)) - Stirling's formula) * x, z = 1 / x^2, x >= 8", stirling, TINY, mpf(1) / 64, 7, None, one),
    ("GAMMA", "(gamma(x) / Stirling's formula - 1) * x, z = 1 / x, x >= 10", stirling_factor, mpf("1e-12"), mpf(1) / 10, 10, None, lambda w: w),
    around(besselj, 0, "2.405", "1.5", "4", 19),
    around(besselj, 0, "5.520", "4", "7", 18),
    around(besselj, 1, "3.832", "2", "5.5", 19),
    around(besselj, 1, "7.016", "5.5", "8", 17),
    around(bessely, 0, "0.894", "0.75", "1.15", 17),
    around(bessely, 0, "3.958", "2", "5.5", 26),
    around(bessely, 0, "7.086", "5.5", "8", 17),
    around(bessely, 1, "2.197", "1.6", "3.8", 26),
    around(bessely, 1, "5.430", "3.8", "7", 23),
    ("J0_NEAR", "(J0(x) - 1) / z, z = x^2, x <= 2", lambda z: (besselj(0, root(z)) - 1) / z, 0, 4, 8, None, lambda z: z),
    ("J1_NEAR", "(J1(x) / x - 1/2) / z, z = x^2, x <= 2", lambda z: (besselj(1, root(z)) / root(z) - mpf(1) / 2) / z, 0, 4, 8, None, lambda z: z),
    ("Y0_NEAR", "Y0(x) - 2/pi ln(x) J0(x), z = x^2, x <= 2", lambda z: y0_rest(root(z)), 0, 4, 9, None, one),
    ("Y1_NEAR", "(Y1(x) - 2/pi (ln(x) J1(x) - 1/x)) / x, z = x^2, x <= 2", lambda z: y1_rest(root(z)), 0, 4, 9, None, one),
    ("MODULUS0", "M of order 0, z = 49/x^2, x >= 7", modulus(0), mpf("1e-8"), 1, 13, None, one),
    ("MODULUS1", "M of order 1, z = 49/x^2, x >= 7", modulus(1), mpf("1e-8"), 1, 13, None, one),
    ("PHASE0", "(phase of order 0 + 1/(8x)) x^3, z = 49/x^2, x >= 7", phase(0), mpf("1e-8"), 1, 18, None, one),
    ("PHASE1", "(phase of order 1 - 3/(8x)) x^3, z = 49/x^2, x >= 7", phase(1), mpf("1e-8"), 1, 18, None, one),
    ("LGAMMA1", "log(gamma(1 + t)) / t, -0.26 <= t <= 0.26", near(1), -mpf("0.26"), mpf("0.26"), 19, None, lambda t: 1 / abs(near(1)(t))),
    ("LGAMMA2", "log(gamma(2 + t)) / t, -0.75 <= t <= 0.75", near(2), -mpf("0.75"), mpf("0.75"), 24, None, lambda t: 1 / abs(near(2)(t))),
]


def hexadecimal(value):
    """A hexadecimal literal without zeros at its end."""
    mantissa, exponent = float(value).hex().split("p")
    return mantissa.rstrip("0").rstrip(".") + "p" + exponent


def macro(name, text, coefficients, error, is_float):
    """The polynomial as a macro of C."""
    suffix, f, z = ("f", "fmaf", "z") if is_float else ("", "fma", "z")
    lines = [f"/* {text}; error {mp.nstr(error, 2)} */", f"#define POLY_{name}{suffix.upper()}({z})"]
    head = lines.pop()
    parts = [f"{f}("] * (len(coefficients) - 1)
    body = "".join(parts)
    rows = [f"    {body}{hexadecimal(coefficients[-1])}{suffix}"]
    for c in reversed(coefficients[:-1]):
        rows.append(f"    , {z}, {hexadecimal(c)}{suffix})")
    return "\n".join([lines[0], head + " \\"] + [row + " \\" for row in rows[:-1]] + [rows[-1]])


def main():
    out = [
        "/* Polynomials of the library. Made by tools/coefficients.py. */",
        "#ifndef ACCRUE_DEVLIB_COEFFICIENTS_H",
        "#define ACCRUE_DEVLIB_COEFFICIENTS_H",
    ]
    for name, text, f, a, b, degree, degree_float, weight in FITS:
        out += [""]
        if degree is not None:
            coefficients, error = fit(f, a, b, degree, weight)
            print(name, degree, mp.nstr(error, 3), mp.nstr(log(error) / LN2, 4), file=sys.stderr)
            out += [macro(name, text, coefficients, error, False)]
        if degree_float is not None:
            coefficients, error = fit(f, a, b, degree_float, weight, bits=24)
            print(name, degree_float, mp.nstr(error, 3), mp.nstr(log(error) / LN2, 4), file=sys.stderr)
            out += [macro(name, text, coefficients, error, True)]
    out += ["", "#endif"]
    path = os.path.join(os.path.dirname(__file__), "..", "src", "c", "coefficients.h")
    with open(path, "w") as file:
        file.write("\n".join(out) + "\n")


main()

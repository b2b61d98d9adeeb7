"""Minimax polynomials by Remez' exchange algorithm, with coefficients rounded to the target's precision.

`fit` finds the polynomial P of the given degree for which max |P(x) - f(x)| * weight(x) on [a, b] is smallest. Rounding all
coefficients at the end would add their rounding errors up; so the lowest one is rounded first and the others are fitted
again around it; and so on for the few that matter.
"""

from mpmath import mp, mpf, matrix, lu_solve, cos, pi, frexp, ldexp, nint

mp.prec = 300

# How many of the lowest coefficients are rounded one by one.
REFITTED = 3


def rounded(value, bits):
    """`value` with a mantissa of `bits` bits."""
    mantissa, exponent = frexp(value)
    return ldexp(nint(ldexp(mantissa, bits)), int(exponent) - bits)


def evaluate(coefficients, x):
    """The sum of coefficients[i] * x**i."""
    total = mpf(0)
    for c in reversed(coefficients):
        total = total * x + c
    return total


def exchange(grid, values, weights, count):
    """The `count` coefficients and the weighted error on the grid."""
    points = len(grid)
    chosen = [round(i * (points - 1) / count) for i in range(count + 1)]
    best = None
    for _ in range(9):
        system = matrix(count + 1, count + 1)
        right = matrix(count + 1, 1)
        for row, k in enumerate(chosen):
            power = mpf(1)
            for column in range(count):
                system[row, column] = power
                power *= grid[k]
            system[row, count] = (-1) ** row / weights[k]
            right[row] = values[k]
        solution = lu_solve(system, right)
        coefficients = [solution[i] for i in range(count)]
        level = abs(solution[count])
        errors = [
            (evaluate(coefficients, x) - y) * w
            for x, y, w in zip(grid, values, weights)
        ]
        worst = max(abs(e) for e in errors)
        if best is None or worst < best[1]:
            best = (coefficients, worst)
        if worst <= level * mpf("1.02"):
            break
        runs = []
        for k, e in enumerate(errors):
            if runs and (errors[runs[-1]] > 0) == (e > 0):
                if abs(e) > abs(errors[runs[-1]]):
                    runs[-1] = k
            else:
                runs.append(k)
        while len(runs) > count + 1:
            runs.pop(0 if abs(errors[runs[0]]) < abs(errors[runs[-1]]) else -1)
        if len(runs) < count + 1:
            break
        chosen = runs
    return best


def least_squares(grid, values, weights, first, count):
    """Coefficients of x**first … x**(first+count-1) with the smallest weighted sum of squares."""
    rows = [[w * x ** (first + i) for i in range(count)] for x, w in zip(grid, weights)]
    right = [y * w for y, w in zip(values, weights)]
    normal = matrix(count, count)
    side = matrix(count, 1)
    for i in range(count):
        for j in range(count):
            normal[i, j] = sum(row[i] * row[j] for row in rows)
        side[i] = sum(row[i] * y for row, y in zip(rows, right))
    return list(lu_solve(normal, side))


def fit(f, a, b, degree, weight, bits=53):
    """Rounded coefficients, lowest first, and the error."""
    a, b = mpf(a), mpf(b)
    points = 10 * (degree + 2)
    # Chebyshev points inside the interval: f need not be defined at its ends.
    grid = [
        (a + b) / 2 - (b - a) / 2 * cos(pi * (2 * i + 1) / (2 * points))
        for i in range(points)
    ]
    values = [f(x) for x in grid]
    weights = [weight(x) for x in grid]
    coefficients, _ = exchange(grid, values, weights, degree + 1)
    result = []
    for power in range(min(REFITTED, degree)):
        c = rounded(coefficients[0], bits)
        result.append(c)
        lost = coefficients[0] - c
        spread = least_squares(grid, [lost * x**power for x in grid], weights, power + 1, degree - power)
        coefficients = [c + d for c, d in zip(coefficients[1:], spread)]
    result += [rounded(c, bits) for c in coefficients]
    rest = [y - evaluate(result, x) for x, y in zip(grid, values)]
    error = max(abs(e) * w for e, w in zip(rest, weights))
    return result, error

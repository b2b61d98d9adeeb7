"""Trip counts, forms of loops, and numbers of gangs, workers and lanes.

A loop knows the largest number of its iterations, so that the iterations of a nest can be numbered and counted; an inner
loop's own number may depend on the iteration of the loops around it.
"""

# Iterations of a whole nest, and elements of an array of results.
LIMIT = 6000
# How many times fewer of a loop that every gang runs: a simulator runs it once for each of them.
REPEATED = 8
STORED = 2100
# Threads of a launch, as far as a nest asks for them.
THREADS = 8192

TRIPS = [0, 1, 2, 3, 5, 7, 31, 32, 33, 34, 64, 65, 100, 127, 128, 129, 200, 1000, 1023, 1025]
GANGS = [1, 2, 3, 7, 8, 16, 32, 33, 64, 100, 128]
WORKERS = [1, 2, 3, 4, 7, 8, 16, 32]
LANES = [1, 8, 16, 31, 32, 33, 64, 100, 128, 256, 1024]


def launch(rng, kind, single, variable):
    """The clauses for the number of gangs, workers and lanes; with `single` there is one gang."""
    if kind == "serial":
        return []
    clauses, threads = [], THREADS
    for name, counts in (("num_gangs", [1] if single else GANGS), ("num_workers", WORKERS), ("vector_length", LANES)):
        if not (single and name == "num_gangs") and rng.random() < 0.5:
            threads //= {"num_gangs": 8, "num_workers": 4, "vector_length": 1}[name]
            continue
        possible = [count for count in counts if count <= threads]
        count = rng.choice(possible)
        threads //= count
        text = variable(count) if name != "num_gangs" and rng.random() < 0.2 else str(count)
        clauses.append(f"{name}({text})")
    return clauses


def loop(rng, nest, frame, even=False):
    """The head of a loop and the frame inside. `even`: every run of it has the same number of iterations."""
    most = max(1, LIMIT // frame.total // (1 if frame.stores else REPEATED))
    possible = [trip for trip in TRIPS if trip <= most]
    if frame.depth and rng.random() < 0.5:
        possible = [trip for trip in possible if trip <= 65]
    trip = rng.choice(possible)
    count = str(trip)
    if not even and frame.indices and trip > 1 and rng.random() < 0.4:
        count = _uneven(rng, frame.indices[-1], trip)
    elif not frame.in_routine and rng.random() < 0.4:
        count = nest.size_variable(trip)
    index = nest.name("i")
    head, number = _form(rng, index, count)
    at = position(frame.at, trip, number)
    return head, frame.inside(at=at, total=frame.total * max(1, trip), indices=frame.indices + (number,))


def position(at, trip, number):
    """The number of an iteration, one loop further in."""
    return number if at == "0" else f"{grouped(at)} * {trip} + {number}"


def _uneven(rng, outer, trip):
    """A number of iterations, at most `trip`, that depends on the outer loop's iteration."""
    return rng.choice(
        [
            f"(int){outer} % {trip + 1}",
            f"((int){outer} * 7 + 3) % {trip + 1}",
            f"((int){outer} & 3) * {trip // 3}",
            f"((int){outer} % 3 == 1 ? {trip} : 1)",
            f"((int){outer} % 4 ? 0 : {trip})",
        ]
    )


def _form(rng, index, count):
    """A loop head that runs `count` times, and the number of its iteration, from 0, as an int expression."""
    kind = rng.choice(["int"] * 5 + ["long", "unsigned", "short", "long long"])
    most = grouped(count)
    signed = kind not in ("unsigned",)
    forms = [(f"for ({kind} {index} = 0; {index} < {most}; {index}++)", index)] * 6
    if signed:
        forms += [
            (f"for ({kind} {index} = {most} - 1; {index} >= 0; {index}--)", index),
            (f"for ({kind} {index} = 1; {index} <= {most}; ++{index})", f"({index} - 1)"),
            (f"for ({kind} {index} = -3; {index} < {most} * 2 - 3; {index} += 2)", f"(({index} + 3) / 2)"),
        ]
    head, number = rng.choice(forms)
    return head, number if kind == "int" else f"(int){number}"


def grouped(text):
    """`text` as an operand."""
    return text if text.isalnum() else f"({text})"

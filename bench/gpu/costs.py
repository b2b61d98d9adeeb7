"""What gang reductions cost: a small sum under each policy, against the number of gangs and against the vector length.

On the machine with the GPU: `measure` starts build/gpu/programs/reduction_cost-POLICY and `store` writes their figures as

    policy,gangs,vector,microseconds

Elsewhere `draw` makes docs/images/reduction-cost-gangs.svg and -vector.svg of them.
"""

import csv

import plot

# Names in the charts, and the option of accrue cc; slots are the default. `-freduction=lock` would not do: it takes atomic
# updates where the type has them.
POLICIES = {"lock": ["-freduction=gang:lock"], "atomic": ["-freduction=gang:atomic"], "slots": []}
# What the other sweep keeps (see programs/reduction_cost.c).
GANGS, VECTOR = 256, 128
REPEATS = 30


def program(policy):
    return f"reduction_cost-{policy}"


def measure(session, options):
    """Seconds by (policy, gangs, vector), and what went wrong."""
    found, sums, troubles = {}, {}, []
    for turn in range(options.rounds):
        for policy in POLICIES:
            executable = session.built / "programs" / program(policy)
            if not executable.exists():
                if turn == 0:
                    troubles.append(f"{program(policy)} was not built")
                continue
            environment = session.environment(ACC_DEVICE_TYPE=options.device)
            done = session.execute([str(executable), str(REPEATS)], environment, options.timeout)
            session.log(f"== cost {policy}: status {done.status}\n{done.stdout}{done.stderr[-2000:]}")
            if done.status or done.timed_out:
                troubles.append(f"{program(policy)}: status {done.status}: {done.stderr[-300:]}")
            for point, seconds, checksum in parsed(policy, done.stdout):
                found[point] = min(found.get(point, seconds), seconds)
                sums.setdefault(checksum, point)
    if len(sums) > 1:
        troubles.append(f"reduction_cost: WRONG: different sums: {sums}")
    return found, troubles


def parsed(policy, output):
    for line in output.splitlines():
        if line.startswith("cost "):
            field = dict(word.split("=", 1) for word in line.split()[1:])
            point = (policy, int(field["gangs"]), int(field["vector"]))
            yield point, float(field["seconds"]), field["checksum"]


def store(found, path):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["policy", "gangs", "vector", "microseconds"])
        writer.writerows([*point, f"{1e6 * seconds:.3f}"] for point, seconds in found.items())


def load(path):
    with open(path, encoding="utf-8", newline="") as file:
        return {
            (row["policy"], int(row["gangs"]), int(row["vector"])): 1e-6 * float(row["microseconds"])
            for row in csv.DictReader(file)
        }


def by_gangs(found):
    """Points (gangs, microseconds) by policy."""
    return sweep(found, lambda gangs, vector: gangs if vector == VECTOR else None)


def by_vector(found):
    return sweep(found, lambda gangs, vector: vector if gangs == GANGS else None)


def sweep(found, place):
    lines = {}
    for policy in POLICIES:
        points = [(place(g, v), 1e6 * s) for (p, g, v), s in found.items() if p == policy]
        points = sorted(point for point in points if point[0] is not None)
        if points:
            lines[policy] = points
    return lines


def draw(found, machine, folder):
    """The names of the written files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, lines, label, kept in (
        ("gangs", by_gangs(found), "gangs", f"{VECTOR} vector lanes"),
        ("vector", by_vector(found), "vector length", f"{GANGS} gangs"),
    ):
        if not lines:
            continue
        path = folder / f"reduction-cost-{name}.svg"
        title = f"A synchronous sum of 65536 doubles, {kept}"
        path.write_text(plot.chart(title, machine, label, "microseconds", lines), encoding="utf-8")
        written.append(path)
    return written


def table(found):
    """The points as two tables in Markdown."""
    lines = []
    for heading, points in (
        (f"gangs, {VECTOR} lanes", by_gangs(found)),
        (f"lanes, {GANGS} gangs", by_vector(found)),
    ):
        if not points:
            continue
        lines += ["", f"| {heading} | {' | '.join(f'{p}, µs' for p in points)} |"]
        lines.append(f"| --: |{' --: |' * len(points)}")
        for place in sorted({x for line in points.values() for x, _ in line}):
            values = [dict(line).get(place) for line in points.values()]
            lines.append(f"| {place} | {' | '.join('' if v is None else f'{v:.2f}' for v in values)} |")
    return "\n".join(lines)

"""Four programs over teams, threads and sizes, in OpenMP without and with `simd`, in OpenACC and in CUDA: what the paper on OpenMP for
GCC's NVPTX target measures.

On the machine with the GPU: `measure` starts build/gpu/programs/sweep-FORM and the CUDA peer, and `store` writes their figures as

    program,form,teams,threads,size,microseconds

Elsewhere `draw` makes docs/images/sweep-PROGRAM.svg of them: the time against the size, with 1024 teams of 128 threads.
"""

import csv

import plot

# Options of accrue cc for each form in the charts; CUDA is compiled where it runs.
FORMS = {"OpenMP": ["-fopenmp"], "OpenMP simd": ["-fopenmp", "-DWITH_SIMD"], "OpenACC": ["-fopenacc"]}
CUDA = "CUDA"
PEER = "sweep"
TITLES = {
    "vector_add": "Vector addition",
    "dot": "Scalar product",
    "matvec": "Matrix times vector",
    "newton": "Square roots by 64 Newton steps",
}
# What the sweep over sizes keeps, and the size of the others (see sweep.h).
TEAMS, THREADS, SIZE = 1024, 128, 1 << 24
REPEATS = 8


def program(form):
    return f"sweep-{form.replace(' ', '-').lower()}"


def measure(session, options):
    """Seconds by (program, form, teams, threads, size), and what went wrong."""
    found, sums, troubles = {}, {}, []
    environment = session.environment(ACC_DEVICE_TYPE=options.device)
    forms = {form: (session.built / "programs" / program(form), environment) for form in FORMS}
    forms[CUDA] = (session.cuda_folder / PEER, None)
    for _ in range(options.rounds):
        for form, (executable, environment) in forms.items():
            if not executable.exists():
                troubles.append(f"{executable.name} was not built")
                continue
            done = session.execute([str(executable), str(REPEATS)], environment, options.timeout * 2)
            session.log(f"== sweep {form}: status {done.status}\n{done.stdout}{done.stderr[-2000:]}")
            if done.status or done.timed_out:
                troubles.append(f"{executable.name}: status {done.status}: {done.stderr[-300:]}")
            for point, seconds, checksum in parsed(form, done.stdout):
                found[point] = min(found.get(point, seconds), seconds)
                sums.setdefault((point[0], point[-1]), set()).add(checksum)
    troubles += [f"sweep: WRONG: {what}: checksums {sorted(all)}" for what, all in sums.items() if len(all) > 1]
    return found, sorted(set(troubles))


def parsed(form, output):
    for line in output.splitlines():
        if line.startswith("point "):
            field = dict(word.split("=", 1) for word in line.split()[1:])
            shape = (int(field["teams"]), int(field["threads"]), int(field["size"]))
            yield (field["program"], form, *shape), float(field["seconds"]), field["checksum"]


def store(found, path):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["program", "form", "teams", "threads", "size", "microseconds"])
        writer.writerows([*point, f"{1e6 * seconds:.3f}"] for point, seconds in found.items())


def load(path):
    with open(path, encoding="utf-8", newline="") as file:
        return {
            (row["program"], row["form"], int(row["teams"]), int(row["threads"]), int(row["size"])): 1e-6
            * float(row["microseconds"])
            for row in csv.DictReader(file)
        }


def lines_of(found, name, place):
    """Points (place, microseconds) by form; `place` gives where a shape stands, or nothing."""
    lines = {}
    for form in (*FORMS, CUDA):
        points = {place(*shape): 1e6 * s for (p, f, *shape), s in found.items() if p == name and f == form}
        points.pop(None, None)
        if points:
            lines[form] = sorted(points.items())
    return lines


def by_size(teams, threads, size):
    return size if (teams, threads) == (TEAMS, THREADS) else None


def by_teams(teams, threads, size):
    return teams if (threads, size) == (THREADS, SIZE) else None


def by_threads(teams, threads, size):
    return threads if (teams, size) == (TEAMS, SIZE) else None


def draw(found, machine, folder):
    """The names of the written files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, title in TITLES.items():
        lines = lines_of(found, name, by_size)
        if lines:
            path = folder / f"sweep-{name.replace('_', '-')}.svg"
            title = f"{title}, {TEAMS} teams of {THREADS} threads"
            path.write_text(plot.chart(title, machine, "elements", "microseconds", lines), encoding="utf-8")
            written.append(path)
    return written


def table(found):
    """The points as tables in Markdown."""
    text = []
    for name in TITLES:
        for heading, place in (
            (f"{name}: elements, {TEAMS} × {THREADS}", by_size),
            (f"{name}: teams of {THREADS}", by_teams),
            (f"{name}: threads of {TEAMS} teams", by_threads),
        ):
            lines = lines_of(found, name, place)
            if not lines:
                continue
            text += ["", f"| {heading} | {' | '.join(f'{form}, µs' for form in lines)} |"]
            text.append(f"| --: |{' --: |' * len(lines)}")
            for at in sorted({x for line in lines.values() for x, _ in line}):
                values = [dict(line).get(at) for line in lines.values()]
                text.append(f"| {at} | {' | '.join('' if v is None else f'{v:.2f}' for v in values)} |")
    return "\n".join(text)

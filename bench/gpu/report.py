"""The result page: tests, ratios, what each kernel uses, the simulator's vectors, the probe."""

import collections
import datetime
import os
import platform

from correctness import device_name
from measure import architecture, query

# The largest ratio of accrue's time to CUDA's that is wanted.
STREAMING = 1.03
WANTED = {
    "vector_add": STREAMING,
    "stream_copy": STREAMING,
    "stream_mul": STREAMING,
    "stream_add": STREAMING,
    "stream_triad": STREAMING,
    "dot_24": None,
    "dot_27": None,
    "matvec": STREAMING,
    "newton": STREAMING,
    "jacobi": STREAMING,
    "matmul": STREAMING,
    "spmv": STREAMING,
    "row_sums": STREAMING,
    "histogram": 1.3,
    "sum_i32": None,
    "min_i32": None,
    "max_i32": None,
    "sum_f32": None,
    "min_f32": None,
    "max_f32": None,
    "sum_f64": None,
    "min_f64": None,
    "max_f64": None,
    "launch_empty": 1.0,
    "launch_one": None,
    "launch_eight": 1.05,
    "launch_async": 1.05,
    # Pageable memory by accrue against pinned memory by CUDA.
    "h2d": 1.25,
    "d2h": 1.25,
    "h2d_pageable": None,
    "d2h_pageable": None,
}
FIRST_RESULT_WANTED = 0.65
# Fields of a launch line that have columns of their own, or that say nothing here.
POSITION_FIELDS = {"file", "function", "line", "device", "queue", "kernel"}


class Results:
    """Grows stage by stage; `write` stores what is there."""

    def __init__(self, session, options):
        self.session, self.options = session, options
        self.troubles = [f"not built: {f['name']}: {f['failure'][:300]}" for f in session.manifest["failures"]]
        self.outcomes, self.table, self.registers = None, {}, {}
        self.first_times, self.kernel_lines, self.probe_done = {}, {}, None
        self.vectors_done = None

    def trouble(self, text):
        self.troubles.append(text)

    def tests(self, outcomes):
        self.outcomes = outcomes

    def peers(self, found):
        self.registers, failures = found
        self.troubles += [f"nvcc {name}: {text}" for name, text in failures.items()]

    def rows(self, found):
        self.table, troubles = found
        self.troubles += troubles

    def first(self, found):
        self.first_times = found

    def kernels(self, found):
        self.kernel_lines = found

    def vectors(self, done):
        self.vectors_done = done
        if done.status not in (0, 1):  # 1: something differs, which is a result.
            self.trouble(f"vectors: status {done.status}: {done.stderr[-300:]}")

    def probe(self, done):
        self.probe_done = done
        if done.status:
            self.trouble(f"probe: status {done.status}: {done.stderr[-300:]}")

    def write(self):
        parts = [
            self.heading(),
            self.trouble_part(),
            self.ratio_part(),
            self.kernel_part(),
            self.register_part(),
            self.test_part(),
            self.vectors_part(),
            self.probe_part(),
        ]
        (self.options.out / "results.md").write_text("\n\n".join(p for p in parts if p) + "\n")
        (self.options.out / "failures.txt").write_text(self.failures())

    def heading(self):
        manifest = self.session.manifest
        clocks = query("clocks.sm,clocks.max.sm,clocks.mem,temperature.gpu,power.draw") or "unknown"
        return "\n".join(
            [
                f"# GPU results, {datetime.date.today()}",
                "",
                f"- GPU: {query('name') or 'none'}, driver {query('driver_version') or 'none'}, "
                f"memory {query('memory.total') or 'unknown'}",
                f"- clocks (SM, largest SM, memory), temperature, power at the time of writing: {clocks}",
                f"- host: {processor()}, {os.cpu_count()} cores, {platform.machine()}, {' '.join(platform.libc_ver())}",
                f"- accrue: {manifest['accrue']}, commit {manifest['commit']}, -O3 {manifest['flags']}".rstrip(),
                f"- CUDA: nvcc -O3 -arch={architecture()} -std=c++17; device type {self.options.device}",
                f"- {self.options.repeats} timed laps after warm-up in each of {self.options.rounds} starts of each "
                "program, in turn; the smallest counts; host's clock around a synchronous region, data on the device",
            ]
        )

    def trouble_part(self):
        if not self.troubles:
            return ""
        return "\n".join(["## Troubles", *(f"- {' '.join(t.split())}" for t in self.troubles)])

    def ratio_part(self):
        if not self.table and not self.first_times:
            return ""
        lines = [
            "## Times",
            "Ratio: accrue's time over CUDA's in its usual launch shape; `best`: over the fastest of all shapes that the",
            "CUDA program tried. h2d and d2h: accrue with pageable memory, CUDA with pinned memory.",
            "",
            "| row | size | accrue | rate | CUDA | rate | ratio | wanted | | best |",
            "| --- | --: | --: | --: | --: | --: | --: | --: | --- | --: |",
        ]
        names = [*WANTED, *(name for name in self.table if name not in WANTED)]
        lines += [self.ratio_line(name, self.table[name]) for name in names if name in self.table]
        for cache in ("cold", "warm"):
            ours, theirs = (self.first_times.get((v, cache)) for v in ("accrue", "cuda"))
            if ours or theirs:
                wanted = FIRST_RESULT_WANTED if cache == "cold" else None
                ratio = quotient(ours, theirs)
                lines.append(
                    f"| first result of a process, {cache} JIT cache | | {time_text(ours)} | | {time_text(theirs)} | "
                    f"| {number(ratio)} | {number(wanted)} | {verdict(ratio, wanted)} | |"
                )
        return "\n".join(lines)

    def ratio_line(self, name, variants):
        ours, theirs = variants.get("accrue"), variants.get("cuda")
        any_row = ours or theirs
        wanted = WANTED.get(name)
        ratio = quotient(ours and ours.seconds, theirs and theirs.seconds)
        best = quotient(ours and ours.seconds, theirs and theirs.best)
        remark = verdict(ratio, wanted)
        checksums = set().union(*(v.checksums for v in variants.values()))
        if len(checksums) > 1:
            remark = f"WRONG: checksums {' '.join(f'{v}:{sorted(r.checksums)}' for v, r in variants.items())}"
        return (
            f"| {name} | {any_row.size} | {time_text(ours and ours.seconds)} | {rate(ours)} "
            f"| {time_text(theirs and theirs.seconds)} | {rate(theirs)} "
            f"| {number(ratio)} | {number(wanted)} | {remark} | {number(best)} |"
        )

    def kernel_part(self):
        if not self.kernel_lines:
            return ""
        extra = list(dict.fromkeys(f for k in self.kernel_lines.values() for f in k if f not in POSITION_FIELDS))
        lines = [
            "## Kernels",
            "As launched in the benchmarks, from the trace of launches.",
            "",
            f"| program | function | line | device | {' | '.join(extra)} |",
            f"| --- | --- | --: | --- | {' | '.join('--:' for _ in extra)} |",
        ]
        for (program, function, line), field in self.kernel_lines.items():
            values = " | ".join(field.get(name, "") for name in extra)
            lines.append(f"| {program} | {function} | {line} | {field.get('device', '')} | {values} |")
        return "\n".join(lines)

    def register_part(self):
        kernels = [(p, k, r, s) for p, found in self.registers.items() for k, (r, s) in found.items()]
        if not kernels:
            return ""
        lines = ["## Registers of the CUDA peers", ""]
        lines += ["| program | kernel | registers | spilled bytes |", "| --- | --- | --: | --: |"]
        lines += [f"| {p} | `{k}` | {r} | {s} |" for p, k, r, s in kernels]
        return "\n".join(lines)

    def test_part(self):
        if self.outcomes is None:
            return ""
        count = collections.Counter(o.verdict for o in self.outcomes)
        devices = sum((o.devices for o in self.outcomes), collections.Counter())
        where = ", ".join(f"{number_of} on {device}" for device, number_of in devices.most_common())
        lines = [
            "## Tests",
            f"{count['passed']} passed, {count['failed']} failed, {count['not run']} not run, "
            f"{len(self.session.manifest['skipped'])} for the CPU alone. Launches: {where or 'none'}.",
        ]
        here = device_name(self.options)
        elsewhere = [o.name for o in self.outcomes if set(o.devices) - {here}]
        if elsewhere:
            lines.append(f"{len(elsewhere)} tests with launches on another device than {here}: {shortened(elsewhere)}.")
        failed = [o for o in self.outcomes if o.verdict == "failed"]
        if failed:
            lines += ["", *(f"- {o.name}: {o.why.splitlines()[0]}" for o in failed)]
        return "\n".join(lines)

    def vectors_part(self):
        if self.vectors_done is None:
            return ""
        lines = [line.removeprefix("vectors ") for line in self.vectors_done.stdout.strip().splitlines()]
        summary = lines[-1] if lines else "no output"
        details = ["", "```", *lines[:-1], "```"] if lines[1:] else []
        return "\n".join(["## PTX simulator against the GPU", "", summary, *details])

    def probe_part(self):
        if self.probe_done is None:
            return ""
        return f"## Probe\n\n```\n{self.probe_done.stdout.strip()}\n```"

    def failures(self):
        failed = [o for o in self.outcomes or [] if o.verdict == "failed"]
        return "\n".join(f"== {o.name} ({o.seconds:.1f} s)\n{o.why}" for o in failed)

    def summary(self):
        """What the end of the output shows, shortened: the failures' first lines, troubles, and the table."""
        shown = [self.failures()[:4000], self.trouble_part()[:2000], self.test_part()[:1500]]
        shown += [self.vectors_part()[:5000], self.ratio_part()]
        return "\n\n".join(p for p in shown if p)


def shortened(names, most=40):
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")


def quotient(ours, theirs):
    return ours / theirs if ours and theirs else None


def verdict(ratio, wanted):
    if ratio is None or wanted is None:
        return ""
    return "ok" if ratio <= wanted else "slow"


def number(value):
    return "" if value is None else f"{value:.2f}"


def time_text(seconds):
    if not seconds:
        return ""
    if seconds < 1e-3:
        return f"{1e6 * seconds:.2f} µs"
    return f"{1e3 * seconds:.3f} ms"


def rate(row):
    units = {"B": "GB/s", "F": "GFLOP/s"}
    if row is None or row.unit not in units:
        return ""
    return f"{1e-9 * row.work / row.seconds:.0f} {units[row.unit]}"


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as text:
        for line in text:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return "unknown processor"

"""The result page: ratios, bounds, what each kernel uses, costs of reductions and of starts, tests, the simulator's vectors,
the probe."""

import collections
import datetime
import os
import platform

import costs
import sweeps
import wanted
from correctness import device_name
from measure import architecture, query

# Fields of a launch line that have columns of their own, or that say nothing here.
POSITION_FIELDS = {"file", "function", "line", "device", "queue", "kernel"}


class Results:
    """Grows stage by stage; `write` stores what is there."""

    def __init__(self, session, options):
        self.session, self.options = session, options
        self.troubles = [f"not built: {f['name']}: {f['failure'][:300]}" for f in session.manifest["failures"]]
        self.outcomes, self.table, self.registers = None, {}, {}
        self.first_times, self.kernel_lines, self.probe_done = {}, {}, None
        self.vectors_done, self.start_done = None, None
        self.policy_outcomes, self.points, self.checks = {}, {}, {}
        self.sweep_points = {}

    def trouble(self, text):
        self.troubles.append(text)

    def tests(self, outcomes):
        self.outcomes = outcomes

    def policies(self, found):
        self.policy_outcomes = found

    def checked(self, name, done):
        """A program that judges its own results."""
        self.checks[name] = done
        if done.status or done.timed_out:
            self.trouble(f"{name}: status {done.status}: {done.stdout[-300:]} {done.stderr[-600:]}")

    def costs(self, found):
        self.points, troubles = found
        self.troubles += troubles
        costs.store(self.points, self.options.out / "cost.csv")

    def sweep(self, found):
        self.sweep_points, troubles = found
        self.troubles += troubles
        sweeps.store(self.sweep_points, self.options.out / "sweep.csv")

    def start(self, done):
        self.start_done = done
        if done.status or done.timed_out:
            self.trouble(f"start: status {done.status}: {done.stderr[-300:]}")

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
            self.openmp_part(),
            self.bound_part(),
            self.cost_part(),
            self.sweep_part(),
            self.start_part(),
            self.kernel_part(),
            self.register_part(),
            self.test_part(),
            self.policy_part(),
            self.check_part(),
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
            "CUDA program tried; `second`: of the second spelling. h2d and d2h: accrue with pageable memory, CUDA with pinned",
            "memory.",
            "",
            "| row | size | accrue | rate | CUDA | rate | ratio | wanted | | best | second |",
            "| --- | --: | --: | --: | --: | --: | --: | --: | --- | --: | --: |",
        ]
        names = [*wanted.RATIOS, *(name for name in self.table if name not in wanted.RATIOS)]
        ours = [name for name in names if {"accrue", "cuda"} & self.table.get(name, {}).keys()]
        lines += [self.ratio_line(name, self.table[name]) for name in ours]
        for words, ours, theirs, most in (
            ("cold JIT cache", ("accrue", "cold"), ("cuda", "cold"), wanted.FIRST_RESULT),
            ("warm JIT cache", ("accrue", "warm"), ("cuda", "warm"), None),
            ("machine code made ahead of time (-gpu=sm_90)", ("accrue-aot", "cold"), ("cuda", "cold"), wanted.FIRST_RESULT),
            ("the GPU in use by another, cold", ("accrue", "cold, in use"), ("cuda", "cold, in use"), wanted.FIRST_RESULT),
            ("the GPU in use by another, warm", ("accrue", "warm, in use"), ("cuda", "warm, in use"), None),
        ):
            ours, theirs = self.first_times.get(ours), self.first_times.get(theirs)
            if ours:
                ratio = quotient(ours, theirs)
                lines.append(
                    f"| first result of a process, {words} | | {time_text(ours)} | | {time_text(theirs)} | "
                    f"| {number(ratio)} | {number(most)} | {verdict(ratio, most)} | | |"
                )
        return "\n".join(lines)

    def ratio_line(self, name, variants):
        ours, theirs = variants.get("accrue"), variants.get("cuda")
        any_row = ours or theirs
        most = wanted.RATIOS.get(name)
        ratio = quotient(ours and ours.seconds, theirs and theirs.seconds)
        best = quotient(ours and ours.seconds, theirs and theirs.best)
        second = variants.get("accrue-2")
        second = quotient(second and second.seconds, theirs and theirs.seconds)
        remark = verdict(ratio, most)
        checksums = set().union(*(v.checksums for v in variants.values()))
        if len(checksums) > 1:
            remark = f"WRONG: checksums {' '.join(f'{v}:{sorted(r.checksums)}' for v, r in variants.items())}"
        return (
            f"| {name} | {any_row.size} | {time_text(ours and ours.seconds)} | {rate(ours)} "
            f"| {time_text(theirs and theirs.seconds)} | {rate(theirs)} "
            f"| {number(ratio)} | {number(most)} | {remark} | {number(best)} | {number(second)} |"
        )

    def openmp_part(self):
        """OpenMP's forms beside OpenACC's."""
        rows = {name: variants for name, variants in self.table.items() if "openmp" in variants}
        if not rows:
            return ""
        lines = [
            "## OpenMP",
            "The same rows in OpenMP, without and with `simd`, beside OpenACC's first spelling and CUDA. Where there is `simd` inside of",
            "`parallel for`, threads are warps and their lanes share the inner loop.",
            "",
            "| row | OpenACC | OpenMP | ratio | with simd | ratio | wanted | | to CUDA |",
            "| --- | --: | --: | --: | --: | --: | --: | --- | --: |",
        ]
        names = [*wanted.RATIOS, *(name for name in rows if name not in wanted.RATIOS)]
        return "\n".join(lines + [self.openmp_line(name, rows[name]) for name in names if name in rows])

    def openmp_line(self, name, variants):
        seconds = {variant: row.seconds for variant, row in variants.items()}
        other = wanted.OPENMP_ROWS.get(name)
        most = wanted.OPENMP_RATIOS.get(name, wanted.OPENMP)
        base = seconds.get("accrue")
        if other in self.table:
            base = self.table[other]["openmp"].seconds
        ours, lanes = seconds["openmp"], seconds.get("openmp-simd")
        ratio = quotient(ours, base)
        remark = verdict(ratio, most)
        return (
            f"| {name} | {time_text(base)} | {time_text(ours)} | {number(ratio)} | {time_text(lanes)} "
            f"| {number(quotient(lanes, base))} | {number(most)} | {remark} | {number(quotient(ours, seconds.get('cuda')))} |"
        )

    def bound_part(self):
        found = wanted.bounds(self.table)
        if not found:
            return ""
        lines = [
            "## Rates against what the memory can do",
            "Copy: the faster of accrue's and CUDA's copy of 2^27 doubles in this run. Single reductions: the best rate of",
            "those over 2^27 elements that do one thing each, in this run. Rows may take the time that their bytes need at",
            f"{wanted.ROW_SHARE:.0%} of the copy's rate, ten reductions {wanted.TEN_FACTOR} of the time at the other rate.",
            "",
            "| row | accrue | CUDA | compared with | its rate | accrue's share | CUDA's share | wanted | |",
            "| --- | --: | --: | --- | --: | --: | --: | --: | --- |",
        ]
        for bound in found:
            ours, theirs = (self.table[bound.name].get(variant) for variant in ("accrue", "cuda"))
            lines.append(
                f"| {bound.name} | {rate(ours)} | {rate(theirs)} | {bound.what} | {1e-9 * bound.limit:.0f} GB/s "
                f"| {number(bound.share.get('accrue'))} | {number(bound.share.get('cuda'))} | {number(bound.least)} "
                f"| {bound.verdict()} |"
            )
        return "\n".join(lines)

    def cost_part(self):
        if not self.points:
            return ""
        heading = ["## Cost of a gang reduction", "A synchronous sum of 65536 doubles: the least of several laps."]
        return "\n".join([*heading, costs.table(self.points)])

    def sweep_part(self):
        if not self.sweep_points:
            return ""
        heading = ["## Four programs over teams, threads and sizes", "A synchronous region, data on the device: the least of several laps."]
        return "\n".join([*heading, sweeps.table(self.sweep_points)])

    def start_part(self):
        if self.start_done is None:
            return ""
        lines = [
            "## Start of a process",
            "The least time of each step in several starts; the JIT cache is warm unless a line says otherwise. See",
            "bench/gpu/programs/start.c.",
            "",
            self.start_done.stdout.strip(),
        ]
        return "\n".join(lines)

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

    def policy_part(self):
        if not self.policy_outcomes:
            return ""
        lines = ["## Tests of reductions under each policy", ""]
        for policy, outcomes in self.policy_outcomes.items():
            count = collections.Counter(o.verdict for o in outcomes)
            lines.append(
                f"- `-freduction={policy}`: {count['passed']} passed, {count['failed']} failed, {count['not run']} not run"
            )
            lines += [f"  - {o.name}: {o.why.splitlines()[0]}" for o in outcomes if o.verdict == "failed"]
        return "\n".join(lines)

    def check_part(self):
        names = {"fuzz": "Random nests of reductions", "runtime": "The runtime's tests on the GPU", "multi": "Two GPUs"}
        parts = [f"## {names[n]}\n\n```\n{done.stdout.strip()}\n```" for n, done in self.checks.items()]
        return "\n\n".join(parts)

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
        outcomes = [("", o) for o in self.outcomes or []]
        outcomes += [(f"{policy} ", o) for policy, found in self.policy_outcomes.items() for o in found]
        failed = [(where, o) for where, o in outcomes if o.verdict == "failed"]
        return "\n".join(f"== {where}{o.name} ({o.seconds:.1f} s)\n{o.why}" for where, o in failed)

    def summary(self):
        """What the end of the output shows, shortened: the failures' first lines, troubles, and the table."""
        shown = [self.failures()[:4000], self.trouble_part()[:2000], self.test_part()[:1500]]
        shown += [self.policy_part()[:2000], self.check_part()[:3000], self.start_part(), self.cost_part()]
        shown += [self.vectors_part()[:3000], self.ratio_part(), self.openmp_part(), self.bound_part()]
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

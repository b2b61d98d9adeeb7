"""Hostile environments: values of variables, closed descriptors, small limits, places that cannot be written to.

The compiler, `accrue run` or a program on a device does what it should, or says on standard error why it cannot, with an exit
status that is not 0. It never panics or hangs, dies only of the signal that belongs to its limit, leaves nothing in TMPDIR, and
an output is there exactly if it says so. As root a case runs as `nobody`, for whom permissions count.
"""

import os
import pathlib
import pwd

from judge import broken
from world import HERE, MODES, Part

VARIABLES = """ACC_DEVICE_TYPE ACC_DEVICE_NUM ACC_NUM_CORES ACC_PROFLIB ACCRUE_CPU_MEMORY ACCRUE_CPU_MEMORY_SIZE ACCRUE_NOTIFY ACCRUE_TIME
ACCRUE_OPENCL_CACHE ACCRUE_SIM_GPU ACCRUE_SIM_CHECK ACCRUE_SIM_SEED ACCRUE_SIM_STATS ACCRUE_CC ACCRUE_CXX ACCRUE_FC ACCRUE_CLANG ACCRUE_PTXAS ACCRUE_HOME
TMPDIR XDG_CACHE_HOME HOME PATH LANG LC_ALL TERM COLUMNS SOURCE_DATE_EPOCH CPATH LIBRARY_PATH LD_LIBRARY_PATH GCC_COMPARE_DEBUG
DEPENDENCIES_OUTPUT OMP_NUM_THREADS RUST_BACKTRACE NO_COLOR CLICOLOR_FORCE""".split()
VALUES = ["", " ", "-1", "0", "1", "31", "4294967296", "99999999999999999999", "nan", "1e9", "0x10", "+1", "1,2", "k", "4K", "1G", "true"]
VALUES += ["/nonexistent", "/nonexistent/a/b", "/dev/null", "/dev/full", "/proc/self/mem", "/", ".", "..", "a b", "$(touch made) `touch made`"]
VALUES += ["'", '"', "%s%n", ":", ",", ";", "host", "nvidia", "sim", "HOST", "host,sim", "default", "discrete", "h100/0", "h100/99999", "\n"]
VALUES += ["\udcff\udcfe", "é", "x" * 5000, "x/" * 3000, "a.file", "a.folder", "read.only", "garbage", "-o", "--version", "@a.file"]
LIMITS = {
    "-n": [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 32],
    "-v": [20_000, 100_000, 300_000, 500_000, 1_000_000, 3_000_000, 8_000_000],
    "-s": [64, 256, 1024, 4096, "unlimited"],
    "-u": [1, 2, 5, 10, 20, 50],
    "-f": [0, 1, 8, 64, 512],
    "-t": [1],
    "-d": [10_000, 100_000, 500_000],
}
# What may end a process under a limit.
SIGNALS = {"-f": {25}, "-t": {24, 9}, "-s": {11}, "-v": {11}, "-d": {11}}
REDIRECTIONS = ["0<&-", "1>&-", "2>&-", "0<&- 1>&-", "0<&- 1>&- 2>&-", "1>/dev/full", "2>/dev/full", "0<.", "1<&-", "0>/dev/null"]


class Environments(Part):
    NAME = "environments"
    SHARE = 10

    def __init__(self, world):
        super().__init__(world)
        self.other_user = {}
        if os.geteuid() == 0:
            os.chmod(world.scratch, 0o755)
            nobody = pwd.getpwnam("nobody")
            self.other_user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            folder = world.scratch / "may-nobody"
            folder.mkdir(exist_ok=True)
            os.chmod(folder, 0o777)
            if not self.usable(folder):
                self.other_user = {}
                self.note("permissions are not tried: nobody cannot run accrue")

    def usable(self, folder):
        try:
            return self.world.run([self.world.accrue, "--version"], folder, **self.other_user).status == 0
        except PermissionError:
            return False

    def case(self, rng, folder):
        program = self.world.build("shapes.c", "-DSHAPE=", "-DKIND=0", name="shapes")
        make_places(folder)
        source = HERE / "shapes.c"
        kind = rng.choice(["cc", "cc", "run", "program", "program", "doctor"])
        command = {
            "cc": [self.world.accrue, "cc", "-fopenacc", source, "-DSHAPE=", "-DKIND=0", "-o", "out"],
            "run": [self.world.accrue, "run", source, "-DSHAPE=", "-DKIND=0", "--", "1", "1", "1", "100"],
            "program": [program, "1", "1", "1", "100"],
            "doctor": [self.world.accrue, "doctor"],
        }[kind]
        mode = rng.choice(list(MODES))
        environment = self.world.environment(folder, **MODES[mode])
        before, limit = [], ""
        for _ in range(rng.choice([1, 1, 2, 3])):
            trouble = rng.randrange(4)
            if trouble == 0:
                limit = rng.choice(list(LIMITS))
                before.append(f"ulimit {limit} {rng.choice(LIMITS[limit])}")
            elif trouble == 1:
                before.append(f"exec {rng.choice(REDIRECTIONS)}")
            elif trouble == 2 and rng.random() < 0.4:
                before.append(rng.choice(["cd read.only", "cd gone; rmdir ../gone", "umask 777", "umask 0", "trap '' HUP INT TERM PIPE"]))
            else:
                name = rng.choice(VARIABLES)
                environment[name] = rng.choice(VALUES)
        for place in [folder, *folder.rglob("*")]:
            if self.other_user and not place.is_symlink():
                os.chown(place, self.other_user["user"], -1)
        limits = "; ".join([*before, ""])
        done = self.world.run(command, folder, 100, environment=environment, limits=limits, **self.other_user)
        changed = {name: value[:60] for name, value in environment.items() if os.environ.get(name) != value}
        self.note("right" if done.status == 0 else "refused")
        for complaint in self.complaints(kind, done, folder, limits):
            yield f"{kind}: {complaint}\n{limits} {changed}\n{done.text()}"

    def complaints(self, kind, done, folder, limits):
        allowed = set().union(*(signals for limit, signals in SIGNALS.items() if f"ulimit {limit} " in limits))
        # Standard error is a file here, and one of no bytes holds no word.
        silent = "2>" in limits or "ulimit -f 0;" in limits
        if (silent or "memory allocation of" in done.err) and ("-v" in limits or "-d" in limits):
            allowed.add(6)  # Rust's end of a process without memory.
        if "2>&-" in limits and "-n" in limits:
            allowed.add(6)  # And of one whose closed standard streams /dev/null cannot stand in for.
        if complaint := broken(done):
            if -done.status not in allowed or done.hung:
                yield complaint
            return
        # What `doctor` finds is its output, not an error.
        silent |= kind == "doctor" and ("1>" in limits or "1<" in limits)
        if done.status and not done.err and not done.out and not silent and -done.status not in allowed:
            yield "ends without a word"
        if done.status == 0 and kind in ("run", "program") and "1>" not in limits and "1<" not in limits:
            if "right\n" not in done.out:
                yield "gives another output"
        left = [name for name in os.listdir(folder / "tmp") if name.startswith("accrue")]
        if left and done.status >= 0:
            yield f"leaves {left[0]} in TMPDIR"
        if (folder / "made").exists():
            yield "a variable is carried out by a shell"
        if kind == "cc" and done.status and (folder / "out").exists():
            yield "an output file of a compilation that failed"


def make_places(folder):
    (folder / "a.file").write_text("text\n")
    (folder / "a.folder").mkdir()
    (folder / "gone").mkdir()
    (folder / "read.only").mkdir()
    garbage = pathlib.Path(folder / "garbage")
    garbage.write_text("#!/bin/sh\necho garbage; echo '{\"kind\": 7'\n")
    garbage.chmod(0o755)
    (folder / "read.only").chmod(0o555)

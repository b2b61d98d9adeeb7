"""Random nests of loops (tests/fuzz) on the GPU.

    build   programs of 50 nests each, build/gpu/nests/POLICY-FIRST.xz; they take the values of --nest-policies for
            -freduction in turn (`default`: no option). Compressed, because they are many and mostly PTX. Or those that
            `tests/fuzz/fuzz.py run --keep FOLDER` has run in all other modes (--nest-programs FOLDER).
    run     all of them in parallel. A program that breaks off is tried again nest by nest. The summary says how many nests
            agree with the host under each policy, and names those that do not:
            `tests/fuzz/fuzz.py print --seed SEED --only NEST` prints one.
"""

import collections
import concurrent.futures
import lzma
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from correctness import policy_folder
from measure import Done

PER_PROGRAM = 50
COMPILE_SECONDS = 600
SHOWN = 40


def build(root, built, accrue, flags, options):
    """Builds the programs that are missing; gives the failures."""
    folder = built / "nests"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if options.nest_programs:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(lambda kept: _pack(kept, folder), _kept(options.nest_programs)))
        return []
    policies = options.nest_policies.split()
    firsts = range(0, options.nests, PER_PROGRAM)
    jobs = [(first, policies[k % len(policies)]) for k, first in enumerate(firsts)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        return [f for f in pool.map(lambda job: _build_one(root, folder, accrue, flags, options, *job), jobs) if f]


def _build_one(root, folder, accrue, flags, options, first, policy):
    name = f"{policy_folder(policy)}-{first}"
    choice = ["--seed", str(options.nest_seed), "--first", str(first), "--count", str(PER_PROGRAM)]
    printed = subprocess.run(
        [sys.executable, str(root / "tests/fuzz/fuzz.py"), "print", *choice], capture_output=True, check=True
    )
    option = [] if policy == "default" else [f"-freduction={policy}"]
    with tempfile.TemporaryDirectory() as scratch:
        with open(f"{scratch}/nests.c", "wb") as source:
            source.write(printed.stdout)
        command = [str(accrue), "cc", "-fopenacc", "-O1", "-w", *flags, *option, "nests.c", "-o", "nests", "-lm"]
        done = subprocess.run(
            command, cwd=scratch, capture_output=True, text=True, errors="replace", timeout=COMPILE_SECONDS, check=False
        )
        if done.returncode:
            return {"name": f"nests {name}", "failure": (done.stdout + done.stderr)[-2000:]}
        _pack(pathlib.Path(scratch, "nests"), folder, name)
    return None


def _kept(folder):
    """The programs that tests/fuzz has left in the folder."""
    return sorted(file for file in folder.glob("nests-*") if not file.suffix)


def _pack(executable, folder, name=None):
    """Puts a program into the folder. Its own name may be nests-SEED-FIRST-COUNT."""
    if name is None:
        _, _, first, count = executable.name.split("-")
        if int(count) != PER_PROGRAM:
            raise SystemExit(f"{executable}: a program has {PER_PROGRAM} nests")
        name = f"default-{first}"
    packed = folder / f"{name}.xz"
    subprocess.run(["strip", "-o", str(packed), str(executable)], check=True)
    packed.write_bytes(lzma.compress(packed.read_bytes(), preset=6))


def run(session, options):
    """A result whose output is the summary; its status is 0 if all nests agree."""
    files = sorted((session.built / "nests").glob("*.xz"))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        outcomes = list(pool.map(lambda file: _run_one(session, options, file), files))
    agree, wrong = collections.Counter(), collections.Counter()
    complaints = []
    for policy, agreeing, found in outcomes:
        agree[policy] += agreeing
        wrong[policy] += len(found)
        complaints += [f"{policy}: nest {nest}: {message}" for nest, message in sorted(found.items())]
    lines = ["policy                 agree     wrong"]
    lines += [f"{policy:20} {agree[policy]:7} {wrong[policy]:9}" for policy in agree]
    lines += [f"{'all':20} {agree.total():7} {wrong.total():9}", *complaints[:SHOWN]]
    for complaint in complaints:
        session.log(f"== fuzz {complaint}")
    return Done(1 if complaints or not files else 0, "\n".join(lines), "" if files else "no programs were built")


def _run_one(session, options, file):
    """The policy, how many nests agree, and a message for each other nest."""
    policy, first = file.stem.rsplit("-", 1)
    executable = session.work / file.stem
    executable.write_bytes(lzma.decompress(file.read_bytes()))
    executable.chmod(0o755)
    environment = session.environment(ACC_DEVICE_TYPE=options.device)
    done = session.execute([str(executable)], environment, options.timeout)
    agreeing, found = _read(done)
    if agreeing + len(found) != PER_PROGRAM:
        agreeing, found = 0, {}
        for nest in range(int(first), int(first) + PER_PROGRAM):
            if session.remaining() < 1:
                found[nest] = "not run: no time left"
                continue
            done = session.execute([str(executable), str(nest)], environment, options.timeout)
            one, differing = _read(done)
            agreeing += one
            if not one:
                ending = "timeout" if done.timed_out else f"status {done.status}"
                found[nest] = differing.get(nest) or f"{ending}: {done.stderr.strip()[-600:]}"
    executable.unlink()
    return policy, agreeing, found


def _read(done):
    """How many nests agree, and what the program says of others."""
    count = re.search(r"^(\d+) nests agree$", done.stdout, re.MULTILINE)
    if not count or done.timed_out or done.status not in (0, 1):
        return 0, {}
    found = {}
    for nest, message in re.findall(r"^nest (\d+): (.*)$", done.stdout, re.MULTILINE):
        found.setdefault(int(nest), message)
    return int(count.group(1)), found

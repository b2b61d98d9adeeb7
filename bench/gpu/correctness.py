"""Every program of tests/run on the GPU: output and exit status must be those that were stored when it was built.

A compiler that leaves everything on the host would pass that too, so the launches of `ACCRUE_NOTIFY=1` are counted: at
least as many on the device as the test asks for.
"""

import collections
import concurrent.futures
import dataclasses
import shutil
import time

SHOWN_LINES = 6


@dataclasses.dataclass
class Outcome:
    name: str
    verdict: str  # passed, failed, not run
    why: str = ""
    seconds: float = 0.0
    devices: collections.Counter = dataclasses.field(default_factory=collections.Counter)


def run(session, options):
    """Outcomes of all tests, in the order of their names."""
    tests = [t for t in session.manifest["tests"] if options.filter in t["name"]]
    outcomes = many(session, options, session.built / "tests", tests)
    failed = [o for o in outcomes if o.verdict == "failed"]
    for outcome in failed[: options.sanitize]:
        sanitize(session, options, next(t for t in tests if t["name"] == outcome.name))
    return outcomes


def policies(session, options):
    """Outcomes of the tests of reductions, by policy."""
    found = {}
    for policy, tests in session.manifest["policies"].items():
        tests = [t for t in tests if options.filter in t["name"]]
        found[policy] = many(session, options, session.built / "policies" / policy_folder(policy), tests)
    return found


def policy_folder(policy):
    return policy.replace(":", "-").replace(",", "+")


def many(session, options, folder, tests):
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        return list(pool.map(lambda t: one(session, options, folder, t), tests))


def one(session, options, folder, test):
    if session.remaining() <= 0:
        return Outcome(test["name"], "not run", "no time left")
    environment = session.environment(ACC_DEVICE_TYPE=options.device, ACCRUE_NOTIFY="1", **test["env"])
    executable = folder / test["name"]
    begin = time.monotonic()
    done = session.execute([str(executable), *test["args"]], environment, options.timeout)
    outcome = Outcome(test["name"], "failed", seconds=time.monotonic() - begin)
    outcome.devices = launches(done.stderr)
    on_device = outcome.devices[device_name(options)]
    outcome.why = judge(test, done, expected(executable), on_device)
    if not outcome.why:
        outcome.verdict = "passed"
    else:
        session.log(f"== test {folder.name} {test['name']}: {outcome.why}\n-- stderr\n{done.stderr[-4000:]}")
    return outcome


def expected(executable):
    return executable.with_name(executable.name + ".out").read_bytes().decode(errors="replace")


def launches(trace):
    """How many launches each type of device had."""
    found = collections.Counter()
    for line in trace.splitlines():
        if line.startswith("accrue: launch"):
            device = next((w[7:] for w in line.split() if w.startswith("device=")), "unknown")
            found[device.split(":")[0]] += 1
    return found


def device_name(options):
    """What the runtime calls the type of the device of `--device`."""
    return "cpu" if options.device == "host" else options.device.split(":")[0]


def judge(test, done, wanted, on_device):
    """Why the test failed; nothing if it passed."""
    if done.timed_out:
        return f"timeout\n{errors(done)}"
    if done.status != test["status"]:
        return f"exit status {done.status}, expected {test['status']}\n{errors(done)}"
    if done.stdout != wanted:
        return f"{difference(wanted, done.stdout)}{errors(done)}"
    if on_device < test["launches"]:
        return f"{on_device} launches on the device, at least {test['launches']} expected\n{errors(done)}"
    return ""


def errors(done):
    """The program's messages, without the trace of launches."""
    lines = [line for line in done.stderr.splitlines() if not line.startswith("accrue: launch")]
    return "\n".join(lines[:SHOWN_LINES])


def difference(wanted, found):
    """The first lines that differ, `-` expected and `+` found."""
    old, new = wanted.splitlines(), found.splitlines()
    first = next((k for k, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
    shown = [f"first difference in line {first + 1}"]
    shown += [f"- {line[:300]}" for line in old[first : first + SHOWN_LINES]]
    shown += [f"+ {line[:300]}" for line in new[first : first + SHOWN_LINES]]
    return "\n".join(shown) + "\n"


def sanitize(session, options, test):
    """Writes compute-sanitizer's view of a failed test to the log."""
    tool = shutil.which("compute-sanitizer")
    if not tool or session.remaining() < options.timeout:
        return
    environment = session.environment(ACC_DEVICE_TYPE=options.device, **test["env"])
    command = [tool, "--tool", "memcheck", str(session.built / "tests" / test["name"]), *test["args"]]
    done = session.execute(command, environment, options.timeout)
    session.log(f"== compute-sanitizer {test['name']}\n{(done.stdout + done.stderr)[-6000:]}")

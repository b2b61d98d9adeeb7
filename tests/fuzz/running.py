"""Compiles programs of nests with accrue and runs them in every mode.

A program that is not compiled, or that breaks off, says nothing about its other nests: one that is not compiled is halved
until the nest is found, and the nests of one that breaks off are run one by one.
"""

import concurrent.futures
import dataclasses
import os
import re
import subprocess

import programs

COMPILE_SECONDS = 600
OPTIONS = {"acc": "-fopenacc", "omp": "-fopenmp"}
MODES = {
    "shared": {"ACC_DEVICE_TYPE": "host"},
    "discrete": {"ACC_DEVICE_TYPE": "host", "ACCRUE_CPU_MEMORY": "discrete"},
    # Few multiprocessors: some nests have work for every gang that could run at once.
    "sim": {"ACC_DEVICE_TYPE": "sim", "ACCRUE_SIM_CHECK": "all", "ACCRUE_SIM_GPU": "h100/8"},
    "opencl": {"ACC_DEVICE_TYPE": "opencl", "ACCRUE_OPENCL_CODE": "groups", "ACCRUE_OPENCL_CACHE": ""},
    "opencl-cores": {"ACC_DEVICE_TYPE": "opencl", "ACCRUE_OPENCL_CACHE": ""},
    "nvidia": {"ACC_DEVICE_TYPE": "nvidia"},
}


@dataclasses.dataclass
class Outcome:
    """What became of some nests in one mode (or in compilation)."""

    mode: str
    agree: int = 0
    complaints: dict = dataclasses.field(default_factory=dict)  # nest: message


def run(options, folder, numbers):
    """Compiles and runs the nests, prints what went wrong and a summary; gives the exit status."""
    modes = options.modes.replace(",", " ").split()
    groups = [numbers[k : k + options.per_file] for k in range(0, len(numbers), options.per_file)]
    totals = {mode: Outcome(mode) for mode in ["compile", *modes]}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for outcomes in pool.map(lambda group: one_program(options, folder, modes, group), groups):
            for outcome in outcomes:
                total = totals[outcome.mode]
                total.agree += outcome.agree
                total.complaints.update(outcome.complaints)
                for number, message in outcome.complaints.items():
                    print(f"{outcome.mode}: --seed {options.seed} --only {number}: {message}", flush=True)
    for mode in modes:
        print(f"{mode}: {totals[mode].agree} of {len(numbers)} nests agree")
    return 1 if any(total.complaints for total in totals.values()) else 0


def one_program(options, folder, modes, numbers):
    """The outcomes of a group of nests."""
    executable = folder / f"nests-{options.seed}-{numbers[0]}-{len(numbers)}"
    message = compile_program(options, folder, executable, numbers)
    if message and len(numbers) > 1:
        halves = numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :]
        return [o for half in halves for o in one_program(options, folder, modes, half)]
    if message:
        return [Outcome("compile", 0, {numbers[0]: message})]
    outcomes = [one_mode(options, executable, mode, numbers) for mode in modes]
    if not options.keep:
        executable.unlink()
    return outcomes


def compile_program(options, folder, executable, numbers):
    """Builds the program; gives what the compiler said if it failed."""
    source = executable.with_suffix(".c")
    source.write_text(programs.program(options, numbers))
    command = [options.accrue, "cc", OPTIONS[options.language], "-O1", "-w", *options.cc_option]
    command += [source.name, "-o", executable.name, "-lm"]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=COMPILE_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"accrue cc runs for more than {COMPILE_SECONDS} s"
    if not options.keep:
        source.unlink()
    return (done.stderr + done.stdout).strip()[:2000] or "no message" if done.returncode else ""


def one_mode(options, executable, mode, numbers):
    """Runs the program in one mode."""
    status, text, errors = execute(options, executable, mode, [])
    outcome = Outcome(mode, agreeing(text), differences(text))
    if status == 0 and outcome.agree == len(numbers):
        return outcome
    if status == 1 and outcome.agree + len(outcome.complaints) == len(numbers):
        return outcome
    if len(numbers) == 1:
        outcome.complaints[numbers[0]] = f"status {status}: {(text + errors).strip()[-1500:]}"
        return outcome
    outcome = Outcome(mode)
    for number in numbers:
        status, text, errors = execute(options, executable, mode, [str(number)])
        outcome.agree += agreeing(text) if status == 0 else 0
        if status:
            found = differences(text)
            outcome.complaints[number] = found.get(number) or f"status {status}: {(text + errors).strip()[-1500:]}"
    return outcome


def execute(options, executable, mode, arguments):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ACC_") and k != "ACCRUE_CPU_MEMORY"}
    environment.update(MODES[mode])
    environment.update(setting.split("=", 1) for setting in options.env)
    try:
        done = subprocess.run(
            [str(executable), *arguments],
            env=environment,
            capture_output=True,
            timeout=options.timeout,
            errors="replace",
            text=True,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        return 124, "", f"still running after {error.timeout:.0f} s"
    return done.returncode, done.stdout, done.stderr


def agreeing(text):
    found = re.search(r"^(\d+) nests agree$", text, re.MULTILINE)
    return int(found.group(1)) if found else 0


def differences(text):
    """The lines about values that differ, for each nest."""
    found = {}
    for number, message in re.findall(r"^nest (\d+): (.*)$", text, re.MULTILINE):
        found[int(number)] = "; ".join(filter(None, [found.get(int(number)), message]))
    return found

"""Shares out the time among the parts, and says what came of it.

`jobs` threads each take the next case of the part that is furthest behind its share of the time spent so far. No case starts
after the end; one that runs then has its processes ended, and does not count.
"""

import random
import re
import shutil
import threading
import time
import traceback

from world import OutOfTime

# A message that comes again with other names and numbers is printed in full only the first few times.
SHOWN_IN_FULL = 3


class Tally:
    """What one part has done."""

    def __init__(self, part):
        self.part = part
        self.started = self.cases = self.findings = 0
        self.seconds = 0.0


class Findings:
    def __init__(self, world):
        self.world = world
        self.seen = {}

    def show(self, part, number, message):
        key = part.NAME + re.sub(r"0x[0-9a-f]+|\d+", "N", message.partition("\n")[0])
        self.seen[key] = self.seen.get(key, 0) + 1
        print(f"FOUND --seed {self.world.seed} --part {part.NAME} --only {number}: {message.partition(chr(10))[0]}")
        if self.seen[key] <= SHOWN_IN_FULL:
            for line in message.strip().split("\n")[1:41]:
                print(f"    {line[:300]}")
        print(end="", flush=True)


def run(world, parts):
    tallies = [Tally(part) for part in parts]
    findings = Findings(world)
    lock = threading.Lock()

    def work():
        while True:
            with lock:
                if time.monotonic() >= world.deadline:
                    return
                tally = min(tallies, key=lambda one: (one.seconds / one.part.SHARE, one.started))
                number = tally.started
                tally.started += 1
                # Counted before it is known, so that two threads do not both choose a part with long cases.
                tally.seconds += 1
            start = time.monotonic()
            try:
                messages = case(world, tally.part, number)
            except OutOfTime:
                messages = None
            with lock:
                tally.seconds += time.monotonic() - start - 1
                if messages is None:
                    continue
                tally.cases += 1
                tally.findings += len(messages)
                for message in messages:
                    findings.show(tally.part, number, message)

    threads = [threading.Thread(target=work) for _ in range(world.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print_table(world, tallies)
    return 1 if any(tally.findings for tally in tallies) else 0


def one(world, parts, number):
    messages = case(world, parts[0], number)
    for message in messages:
        print(message)
    print(f"{len(messages)} findings")
    return 1 if messages else 0


def case(world, part, number):
    """The findings of one case, which has a directory and a temporary directory of its own."""
    folder = world.scratch / f"{part.NAME}-{number}"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "tmp").mkdir(parents=True)
    rng = random.Random(f"{world.seed}/{part.NAME}/{number}")
    try:
        return list(part.case(rng, folder))
    except OutOfTime:
        raise
    except Exception:  # A mistake of the stress job itself must not end it.
        return [f"the stress job failed\n{traceback.format_exc()}"]
    finally:
        if not world.keep:
            shutil.rmtree(folder, ignore_errors=True)


def print_table(world, tallies):
    print(f"\n{'part':<14}{'share':>6}{'seconds':>9}{'cases':>8}{'findings':>10}   compared")
    for tally in tallies:
        notes = ", ".join(f"{count} {what}" for what, count in sorted(tally.part.notes.items()))
        print(
            f"{tally.part.NAME:<14}{tally.part.SHARE:>6}{tally.seconds:>9.0f}{tally.cases:>8}{tally.findings:>10}   {notes}"
        )
    cases, found = sum(t.cases for t in tallies), sum(t.findings for t in tallies)
    print(f"{'all':<14}{'':>6}{sum(t.seconds for t in tallies):>9.0f}{cases:>8}{found:>10}", flush=True)

"""What every answer of accrue must keep to, whatever it was given."""

import re

# Marks of a panic or of a check inside accrue that failed.
BROKEN = re.compile(r"internal error.*|panicked at.*|.*stack overflow.*|mistake in accrue|defect of accrue")
# `error: …` with `--> FILE:LINE:COLUMN` behind it, or a compiler's own `FILE:LINE:COLUMN: error: …`.
OURS = re.compile(r"^(?:accrue: )?(?:fatal )?error: .*$", re.MULTILINE)
PLACE = re.compile(r"^ *--> (.+):(\d+):(\d+)$", re.MULTILINE)
THEIRS = re.compile(r"^(\S+?):(\d+):(?:(\d+):)? (?:fatal )?error: ", re.MULTILINE)


def broken(done):
    """A complaint about a panic, a signal or a hang; empty if there is none."""
    if done.hung:
        return "hangs"
    if found := BROKEN.search(done.err + done.out):
        return f"breaks: {found.group().strip()}"
    if done.status < 0:
        return f"ends by signal {-done.status}"
    if done.survivors:
        return "leaves processes behind"
    return ""


def compiler(done, source):
    """A complaint about what `accrue cc` did with the file `source`, given by that name on its command line."""
    if complaint := broken(done):
        return complaint
    if done.status not in (0, 1):
        return f"exit status {done.status}"
    if done.status == 1:
        return message(done.err, source)
    return ""


def message(text, source):
    """Every error has a place, and the place is in the user's file."""
    theirs = THEIRS.findall(text)
    ours = OURS.findall(text)
    places = PLACE.findall(text)
    if not theirs and not ours:
        return "refuses without an error"
    strange = [name for name, _line, _column in theirs + places if not named(name, source)]
    if strange:
        return f"an error in another file than the user's: {strange[0]}"
    if len(places) < len(ours):
        return "an error without a place"
    return ""


def named(name, source):
    return name == source or name.startswith("/usr/")

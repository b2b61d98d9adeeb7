"""Where accrue and gcc rightly differ about what is valid, each with its reason.

gcc 12 implements OpenACC 2.6 with parts of 2.7; accrue implements 3.4 for C. A difference that is no entry here is a finding.
"""

import re

from judge import PLACE

# The line of one of gcc's warnings.
WARNING = re.compile(r"^\S+?:(\d+):(?:\d+:)? warning: ", re.MULTILINE)

# A pattern of accrue's messages, one of gcc's, and why only accrue refuses the program.
ONLY_ACCRUE_REFUSES = [
    ("", "ignoring '#pragma acc", "gcc warns of a directive with an unknown name; a misspelt directive is an error of accrue"),
    ("a variable is missing in the list", "", "gcc takes a comma behind the last variable of a list"),
    ("`(?:data|enter data|exit data)` needs a clause", "", "2.6.5 and 2.6.6: at least one clause is required"),
    (
        "`(?:parallel|serial|kernels|init|shutdown|set).*` cannot stand in a function that a compute construct calls",
        "",
        "nested parallelism, which gcc refuses only with a `routine` directive; 2.14.1 to 2.14.3: `init` and its kin are the host's",
    ),
    ("`host_data` needs a `use_device` clause", "", "2.8: at least one `use_device` clause is required"),
    ("is in a `private` and in a `reduction` clause of this directive", "", "2.9.11: a variable that is reduced has its private copies by that"),
    ("`capture` is not a clause of OpenACC", "", "2.12: one of `read`, `write`, `update` and `capture`; gcc takes `update capture` as in OpenMP"),
    ("`wait` cannot stand inside a compute construct", "", "2.16.3: a `wait` directive is the host's; gcc makes a call in the region of it"),
    ("the size of `.*` is not known", "", "docs/openacc.md: regions have no decimal floats, which are a type without size to them"),
    ("the length of a subarray in `cache`", "", "2.10: the length is a constant"),
    (
        "each gang has a `.*` of its own, which a loop over gangs cannot reduce",
        "",
        "2.9.11: gcc sums up each gang's own variable as if it were one",
    ),
    ("`(?:gang|worker|vector)` on `routine` takes no", "", "2.15.1: `gang` has a dimension there, and the other levels no argument; gcc takes sizes"),
    ("`(?:seq|independent|auto)` and `(?:seq|independent|auto)` exclude each other", "", "2.9: at most one of them"),
    (
        "a reduction of .*, whose length or place is not constant, is supported for",
        "",
        "docs/openacc.md: a part of an array behind a pointer is reduced where it is only updated",
    ),
    (
        "a (?:gang|worker|vector) loop in a routine that works at level|"
        "works at (?:gang|worker|vector) level and is called in a (?:gang|worker|vector) loop",
        "",
        "2.15.1: gcc does not look at routines that it inlines",
    ),
]
# A pattern of gcc's messages, and why only gcc refuses the program.
ONLY_GCC_REFUSES = [
    ("internal compiler error", "gcc breaks"),
    ("loop directive must be associated with an OpenACC compute region", "a loop outside of a region is a loop of the host"),
    ("appears more than once in (?:data|map) clauses", "the same data clause twice says nothing new; accrue refuses what contradicts"),
    (r"expected identifier before '\(' token", "1.6: parentheses around a variable, which macros bring, say nothing new"),
    (r"'dim' undeclared.*\n[^\n]*\bgang *\([^)]*\bdim *:", "2.9.2: gcc 12 knows no dimension of gangs"),
    (
        r"too many '(?:collapse|tile)' clauses\n[^\n]*\btile\b",
        "2.9.2 and 2.9.8: `collapse` and `tile` may stand on one loop; gcc counts them as one clause",
    ),
    ("too many '(?:if_present|finalize)' clauses", "2.6.6, 2.8.3 and 2.14.4 do not restrict them; twice says nothing new"),
    (r"clause before '\(' token\n.*device_type *\(|clause before 'dtype'", "gcc 12 knows `device_type` on some directives only, and no `dtype`"),
    (r"'readonly' undeclared.*\n[^\n]*\b\w*copyin *\(", "2.7.7: `readonly` is a modifier since 2.7, which gcc 12 does not know"),
    (r"'(?:devnum|queues)' undeclared.*\n[^\n]*\bwait *\(", "2.16: gcc 12 knows neither `devnum` nor `queues`"),
    ("'(?:async|wait)' is not valid for '#pragma acc data'", "2.6.5: `data` has `async` and `wait` since 3.2"),
    (r"expected end of line before 'if'\n[^\n]*\batomic\b", "2.12: `atomic` has `if` since 3.4"),
    ("'default' is not valid for '#pragma acc data'", "2.6.5: `data` has `default` since 3.2"),
    (
        "'(?:small|turn|either|colour)' not specified in enclosing OpenACC",
        "2.5.16: the `declare` directives of run/declare/kinds are data clauses that are visible",
    ),
    ("'auto' conflicts with other OpenACC loop specifiers", "2.9.7: `auto` may decide that `gang`, `worker` and `vector` are ignored"),
    (
        r"'host' is not valid for '#pragma acc [\w ]+'\n[^\n]*\bself\b",
        "2.5.7: `self` stands on compute constructs, with and without a condition; gcc 12 knows it on `update` only",
    ),
    (
        "requires a 'declare' directive for use in a 'routine' function",
        "2.15.1: of functions with this file's regions only, whose variables are then data of those regions",
    ),
    ("user defined reduction not found for", "2.5.15: structs of numbers are reduced member by member"),
    (r"expected '\)' before '\[' token", "1.6: a subarray can be private"),
    (r"expected '\)' before '\.' token\n[^\n]*\bfirstprivate\b", "1.6: a member is a variable as clauses know it"),
    ("'__builtin_goacc_parlevel_(?:id|size)' only supported in OpenACC code", "outside of regions there is one of each, number 0"),
    ("'(?:reduction|private)' is not valid for '#pragma acc kernels'", "docs/porting.md: taken as nvc takes it, with a warning"),
    (r"clause before ',' token\n[^\n]*#pragma acc [a-z ]+,", "docs/porting.md: a comma behind a directive's name, as nvc takes it"),
]


def known(ours, gcc):
    """Whether the table has this difference."""
    if ours.status:
        return warned(ours, gcc) or any(re.search(a, ours.err) and re.search(g, gcc.err) for a, g, _why in ONLY_ACCRUE_REFUSES)
    return any(re.search(pattern, gcc.err) for pattern, _why in ONLY_GCC_REFUSES)


def warned(ours, gcc):
    """Whether gcc warns at the line where accrue's first error is: both see the mistake, and differ in how much they make of it."""
    place = PLACE.search(ours.err)
    return place is not None and any(line == place.group(2) for line in WARNING.findall(gcc.err))


def first_error(done):
    for line in done.err.split("\n"):
        if "error" in line:
            return line[:160]
    return done.err.partition("\n")[0][:160]


def linker(text):
    """Whether the host compiler's linker refuses the program, which no source line explains."""
    return "collect2: error" in text or "undefined reference" in text

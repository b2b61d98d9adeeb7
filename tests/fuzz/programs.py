"""C programs of nests that compare each nest's results with those of the same nest without directives.

    program         all nests; prints the number of those that agree, and a line for each value that does not
    program K       only nest K

The exit status is 1 if a value differs.
"""

import bodies
import nests
import streams

HEAD = """\
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(PLACE, SHIFT) ((PLACE) + (SHIFT))

static volatile int zero;
static unsigned char data[1024];
static int differences;

/* Complains about the first few values of a variable that differ. */
static void differs(int nest, const char *name, int element, long double got, long double got_i, long double want,
                    long double want_i)
{
    static int last, shown;
    shown = nest == last ? shown + 1 : 0;
    last = nest;
    differences++;
    if (shown < 8)
        printf("nest %d: %s[%d] is %.20Lg %+.20Lgi, expected %.20Lg %+.20Lgi\\n", nest, name, element, got, got_i, want,
               want_i);
}

#define COMPARE(NEST, NAME, COUNT) \\
    for (int k = 0; k < COUNT; k++) \\
        if (NAME##_acc[k] != NAME##_host[k]) \\
    differs(NEST, #NAME, k, __real__ NAME##_acc[k], __imag__ NAME##_acc[k], __real__ NAME##_host[k], __imag__ NAME##_host[k])

"""

TAIL = """\
int main(int argc, char **argv)
{
    int agree = 0;
    for (int k = 0; k < 1024; k++)
        data[k] = (unsigned char)(k * 37 % 61);
    for (int k = 0; k < (int)(sizeof nest / sizeof *nest); k++)
        if (argc < 2 || atoi(argv[1]) == nest[k].number) {
            int before = differences;
            nest[k].compare();
            agree += differences == before;
        }
    printf("%d nests agree\\n", agree);
    return differences > 0;
}
"""


def program(options, numbers):
    """The text of a program of these nests."""
    parts = [f"// Random nests of seed {options.seed}: made by tests/fuzz/fuzz.py.\n" + HEAD]
    for number in numbers:
        nest = _nest(options, number)
        parts += [nest.text("host"), nest.text("acc"), _compare(nest)]
    rows = "".join(f"    {{{number}, compare_{number}}},\n" for number in numbers)
    parts.append("static const struct {\n    int number;\n    void (*compare)(void);\n} nest[] = {\n" + rows + "};\n")
    return "\n".join([*parts, TAIL])


def _nest(options, number):
    if options.kind == "bodies":
        return bodies.bodies(options.seed, number, options.language)
    if options.kind == "streams":
        return streams.streams(options.seed, number)
    return nests.nest(options.seed, number, options.types)


def _compare(nest):
    lines = [f"static void compare_{nest.number}(void)", "{"]
    for result in nest.results:
        for version in ("host", "acc"):
            lines.append(f"    static {result.type.name} {result.name}_{version}[{result.count}];")
    for version in ("host", "acc"):
        arguments = ", ".join(["data", *(f"{result.name}_{version}" for result in nest.results)])
        lines.append(f"    nest_{nest.number}_{version}({arguments});")
    lines += [f"    COMPARE({nest.number}, {result.name}, {result.count});" for result in nest.results]
    return "\n".join([*lines, "}"]) + "\n"

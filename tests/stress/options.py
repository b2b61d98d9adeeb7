"""Sets of compiler options: the host compiler's verdict, and results as without directives.

The options are those that gcc and clang list themselves (--help=…), with and without `no-`, and nvc's below. A program is built
by the compiler without directives and by accrue with them, with the same options; accrue may refuse an option by its name, and
nvc's are translated or dropped.
"""

import functools
import os
import re
import shutil
import signal
import threading

from judge import BROKEN, broken
from verdicts import first_error
from world import HERE, MODES, Part

LISTS = {
    "gcc": [["--help=optimizers"], ["--help=target"], ["--help=c"], ["--help=common"], ["--help=warnings"]],
    "clang": [["--help"]],
}
# Options with a word behind them, or that the lists do not show well.
MORE = ["-g", "-g3", "-ggdb", "-pipe", "-static", "-pie", "-no-pie", "-s", "-rdynamic", "-pthread", "-MD", "-MMD -MP", "-ansi"]
MORE += ["-std=c99", "-std=gnu89", "-std=c11", "-std=gnu17", "-pedantic", "-Wall -Wextra", "-Wl,-z,now", "-Xlinker -z -Xlinker now"]
MORE += ["-O0", "-O1", "-O2", "-O3", "-Os", "-Ofast", "-Og", "-march=native", "-mtune=generic", "-DX=1", "-include stddef.h"]
NVC = """-fast -fastsse -O4 -mp -mp=multicore -Mpreprocess -tp=native -tp=px -c99 -c11 -Minline -Mipa=fast -Mlarge_arrays -Kieee
-Minform=warn -Minfo=mp -Minfo=accel -Minfo=all -Mcuda -cuda -Mvect=simd -Mcache_align -Munroll -Mneginfo
-gpu=cc80 -gpu=fastmath -gpu=nordc -gpu=managed -ta=tesla -ta=tesla:cc70 -ta=multicore -acc=strict -acc=noautopar""".split()
# What clang says of an option that only its preprocessor has.
ONLY_TO_PREPROCESS = re.compile("only allowed with '-E'")
VALUES = ["0", "1", "2", "8", "16", "none", "all", "default", "on", "off", "fast", "full"]
# gcc has an openacc.h of its own, and OpenMP's device routines in its library; those of clang are in one that is often not there,
# and clang 14 knows the rules of OpenMP 5.0 only: what `lastprivate` of a `target` construct leaves is lost there.
ONLY_GCC_BUILDS = re.compile(r"openacc\.h|\bomp_target_|#pragma omp target")
# They stop before there is a program, print, or read and write files of their own.
LEFT_OUT = re.compile(
    r"-(f|W)?(no-)?(syntax-only|dump|save|profile|branch-probab|auto-profile|compare-debug|plugin|lto|wpa|preprocessed|"
    r"directives-only|stack-usage|callgraph|opt-info|record|diagnostics|working|wrapper|random-seed|time-report|mem-report|"
    r"report-bug|openacc|openmp|acc|coverage|test-coverage|help|version|emit|gpu|cuda|offload|hip|analyze|syntax|print|modul|"
    r"embed|proc-stat|crash|driver|sycl|save-temps|E$|S$|c$|M|xray|memory-profile|pch|stack-limit|split-dwarf|ms-|objc|cl-)"
)
# Results of floating point may differ with them, in other ways on the device than on the host.
FLOATING = re.compile(r"math|fp|float|finite|precision|signed-zeros|reciprocal|associative|80387|x87|Ofast|-fast|trapping|Kieee|cx-")


class Options(Part):
    NAME = "options"
    SHARE = 12

    def __init__(self, world):
        super().__init__(world)
        self.taken = {}

    @functools.cached_property
    def compilers(self):
        """The options of each compiler that there is."""
        return {name: self.listed(name) + MORE for name in LISTS if shutil.which(name)}

    @functools.cached_property
    def sources(self):
        # What heap_exhausted allocates on the host depends on the optimizer. What stands under _OPENACC, which may not be C of the
        # year that an option names, the plain compiler does not see.
        programs = [p for p in self.world.programs if p.plain and not p.args and p.name != "library/heap_exhausted"]
        return [p for p in programs if "_OPENACC" not in p.text]

    def listed(self, compiler):
        folder = self.world.scratch / compiler
        (folder / "tmp").mkdir(parents=True, exist_ok=True)
        found = []
        for words in LISTS[compiler]:
            out = self.world.run([compiler, *words], folder).out
            found += re.findall(r"^  (-[fmWO][\w+-]+(?:=\S*)?)", out, re.MULTILINE)
        return [option for option in dict.fromkeys(found) if not LEFT_OUT.match(option)]

    def case(self, rng, folder):
        compiler = rng.choice(list(self.compilers))
        nvc = rng.random() < 0.2
        options = self.chosen(rng, compiler, NVC if nvc else self.compilers[compiler])
        exact = not any(FLOATING.search(option) for option in options)
        sources = [p for p in self.sources if compiler == "gcc" or not ONLY_GCC_BUILDS.search(p.text)]
        program = rng.choice(sources) if exact and rng.random() < 0.5 else None
        text = program.text if program else (HERE / "options.c").read_text()
        (folder / "a.c").write_text(text)
        common = [*(program.cflags if program else []), *options, "a.c", "-lm"]
        # nvc is not there: its options are compared with none.
        plain = common if not nvc else [*(program.cflags if program else []), "a.c", "-lm"]
        theirs = self.world.run([compiler, *plain, "-o", "theirs"], folder, 120, out="theirs.txt")
        left = set(os.listdir(folder / "tmp"))
        command = [self.world.accrue, "cc", f"--accrue-cc={compiler}", "-fopenacc", *common, "-o", "ours"]
        ours = self.world.run(command, folder, 200)
        report = f"\n{program.name if program else 'options.c'}: {' '.join(command[1:])}\naccrue: {ours.text()}"
        if complaint := broken(ours):
            yield f"accrue {complaint}{report}"
        elif not left and (more := os.listdir(folder / "tmp")):
            # Some options leave a file there by themselves; a clang that breaks leaves what is to be reported.
            yield f"leaves {more[0]}{report}"
        elif ours.status and theirs.status:
            self.note("refused by both")
        elif ours.status and refused_by_name(ours.err, options):
            self.note("refused by name")
        elif theirs.status and ONLY_TO_PREPROCESS.search(theirs.err):
            # Each file with directives is preprocessed by a command of its own, which takes the option.
            self.note("taken to preprocess")
        elif ours.status or theirs.status:
            who = "accrue" if ours.status else compiler
            yield f"only {who} refuses: {first_error(ours if ours.status else theirs)}\n{theirs.err[-700:]}{report}"
        else:
            yield from self.compare(rng, folder, report, (compiler, options))

    def chosen(self, rng, compiler, known):
        options = []
        wanted = rng.choice([1, 1, 2, 3, 5, 8])
        while len(options) < wanted:
            option = rng.choice(known)
            if known is not NVC:
                option = self.spelt(rng, option)
            if known is NVC or rng.random() < 0.02 or self.takes(compiler, option):
                options.append(option)
        return [word for option in options for word in option.split()]

    def takes(self, compiler, option):
        """Whether the compiler knows the option: most sets are to be of options that can be taken."""
        key = f"{compiler} {option}"
        if key not in self.taken:
            folder = self.world.scratch / compiler
            (folder / "empty.c").write_text("int x;\n")
            command = [compiler, *option.split(), "-Werror", "-c", "-o", "/dev/null", "empty.c"]
            # Several threads may ask at once.
            out = f"taken-{threading.get_ident()}"
            self.taken[key] = self.world.run(command, folder, 60, out=out).status == 0
        return self.taken[key]

    def spelt(self, rng, option):
        """The option with a value, or with `no-`."""
        head, equals, values = option.partition("=")
        if equals and "|" in values:
            return f"{head}={rng.choice(values.strip('[]{}').split('|'))}"
        if equals and (not values or values.startswith(("<", "["))):
            return f"{head}={rng.choice(VALUES)}"
        if not equals and option[1] in "fmW" and rng.random() < 0.3 and not option[2:].startswith(("no-", "l,")):
            return f"{option[:2]}no-{option[2:]}"
        return option

    def beyond(self, compiler, option):
        """Whether the option lets the compiler use instructions that this machine lacks: a macro then says that they are there."""
        if not option.startswith("-m") or option.startswith(("-mno-", "-mtune")):
            return False
        key = f"beyond {compiler} {option}"
        if key not in self.taken:
            native, more = (self.macros(compiler, words) for words in (["-march=native"], ["-march=native", option]))
            self.taken[key] = not more <= native
        return self.taken[key]

    def macros(self, compiler, options):
        folder = self.world.scratch / compiler
        out = f"macros-{threading.get_ident()}"
        command = [compiler, *options, "-dM", "-E", "-x", "c", "/dev/null"]
        return set(re.findall(r"^#define (__\w+__) 1$", self.world.run(command, folder, 60, out=out).out, re.MULTILINE))

    def compare(self, rng, folder, report, built):
        wanted = self.world.run(["./theirs"], folder, 60, out="wanted.txt")
        mode = rng.choice(list(MODES))
        environment = self.world.environment(folder, **MODES[mode])
        done = self.world.run(["./ours"], folder, 60, environment=environment, out="run.txt")
        if wanted.status < 0 or wanted.hung:
            self.note("not run: the host's program breaks")
        elif done.status == -signal.SIGILL and any(self.beyond(built[0], option) for option in built[1]):
            # The compiler used them in the text of kernels, and by chance not in the program without directives.
            self.note("not run: instructions that this machine lacks")
        elif BROKEN.search(done.err) or (done.status, done.out) != (wanted.status, wanted.out):
            yield f"other results on {mode}: {report.strip().partition(chr(10))[0]}\n{done.text()}\nwanted: {wanted.text()}{report}"
        else:
            self.note("equal results")


def refused_by_name(text, options):
    return any(option.partition("=")[0] in text for option in options if "accrue: error" in text)

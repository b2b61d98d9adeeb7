"""One random nest of OpenACC loops with reductions, as C text.

    nest(seed, number, types)      the same nest for the same arguments

A nest is a C function with one or two compute constructs. It is written out twice: with its directives, and without them as
what the host must agree with. What it leaves behind are the reduction variables and arrays of private results.

What a random nest must keep to, so that OpenACC 3.4 defines its results:

- a variable that is updated in a loop is in a `reduction` clause of every loop directive around, up to where it was declared
  (2.9.11);
- a variable that several gangs share is reduced only by gang loops, or by a clause on the construct; in the latter case
  statements and other loops may change it when there is one gang, or when many equal contributions are as good as one;
- what a gang loop reduces is not looked at before the construct ends, and after the gang loop only gang loops reduce it;
- a result that is used earlier is that of a worker, vector or sequential loop, in a variable private to the code around it;
- an inner loop's level is further in than those around it; a routine is called where its levels are still free (2.15.1);
- each element of an array of results is stored once.
"""

import dataclasses
import random

import memory
import scalars
import sizes
from parts import GANG, LEVEL_NAMES, OUTSIDE, VECTOR, WORKER, Frame, Result, Variable, declaration, indented, readable, scoped

def nest(seed, number, types):
    """Nest `number`; `types` are those of its variables."""
    return Nest(random.Random(f"{seed}/{number}"), number, types)


class Nest:
    def __init__(self, rng, number, types):
        self.rng, self.number, self.types = rng, number, types
        self.names = 0
        self.results = []  # arrays and copies of variables
        self.routines = []  # texts, with @ for the suffix of the version
        self.declared = []  # lines at the top of the function
        self.body = []
        self.last = []  # lines that copy results out
        self._begin_construct()
        self.function()

    def text(self, suffix):
        """The functions of one version: `suffix` is "acc" or "host"; only "acc" has directives."""
        parameters = ["const unsigned char *src"] + [f"{r.type.name} *{r.name}_out" for r in self.results]
        lines = [line for routine in self.routines for line in routine]
        lines += [f"static void nest_{self.number}@({', '.join(parameters)})", "{"]
        lines += ["    " + line for line in self.declared + self.body + self.last] + ["}"]
        if suffix == "host":
            lines = [line for line in lines if not line.lstrip().startswith("#pragma acc")]
        return "\n".join(lines).replace("@", "_" + suffix) + "\n"

    # The function and its constructs.

    def function(self):
        shared = [self.variable(shared=True) for _ in range(self.pick({1: 4, 2: 4, 3: 2, 5: 1}))]
        for variable in shared:
            if self.chance(0.15):
                declared, assigned = declaration(variable, apart=True)
                self.declared += ["static " + line for line in declared] + assigned
            else:
                self.declared += declaration(variable)
            self.result(variable)
        for _ in range(self.pick({1: 6, 2: 1})):
            self.body += self.construct(shared)

    def construct(self, shared):
        self._begin_construct()
        kind = self.pick({"parallel": 8, "kernels": 2, "serial": 1})
        single = kind == "serial" or (kind == "parallel" and self.chance(0.3))
        clauses = sizes.launch(self.rng, kind, single, self.size_variable)
        may_stay = self.chance(0.04)
        if may_stay:
            clauses.append(f"if({self.size_variable(self.rng.randrange(2))})")
        build = self.combined if self.chance(0.4) else self.block
        clauses, lines = build(kind, single, shared, clauses)
        if self.uses_src:
            clauses.append("copyin(src[0:1024])")
        clauses += self.copied
        if self.chance(0.1):
            clauses.append("async(1)")
            lines = [f"#pragma acc {kind}{lines[0]} {self.shuffled(clauses)}", *lines[1:], "#pragma acc wait"]
        else:
            lines = [f"#pragma acc {kind}{lines[0]} {self.shuffled(clauses)}", *lines[1:]]
        if self.chance(0.15) and not may_stay:  # A construct on the host would not see what the data region copied.
            names = ", ".join(v.name for v in shared)
            lines = [f"#pragma acc data copy({names})", "{", *indented(lines), "}"]
        return lines

    def combined(self, kind, single, shared, clauses):
        """`kind loop`: gives the clauses, and the lines from behind the words that name the construct."""
        one_gang = single or kind == "kernels"
        frame = Frame(stores=True)
        directive, lines = self.loop(frame, shared, gang=not one_gang)
        if self.chance(0.3):
            clauses = clauses + [f"copy({v.name})" for v in shared]
        return clauses, [" " + directive, *lines]

    def block(self, kind, single, shared, clauses):
        """`kind { … }` with loops, and what else its single mode may have."""
        one_gang = single or kind == "kernels"
        on_construct = [v for v in shared if kind != "kernels" and not v.lower and self.chance(0.35)]
        for variable in shared:
            if variable in on_construct:
                clauses.append(variable.clause(self.rng))
            elif kind != "kernels" or self.chance(0.5):
                clauses.append(f"copy({variable.name})")
        repeatable = [v for v in on_construct if v.op in scalars.IDEMPOTENT]
        free = list(shared) if one_gang else repeatable  # what others than gang loops may change
        frame = Frame(stores=one_gang)
        lines = []
        if kind != "kernels" and self.chance(0.3):
            more, frame = self.gang_private(frame, clauses)
            lines += more
        for _ in range(self.pick({1: 5, 2: 3, 3: 1})):
            if free and self.chance(0.2):
                lines += self.update(frame.inside(carried=tuple(free)))
            elif free and self.chance(0.35):
                some = self.subset(free)
                lines += self.plain_loop(frame, some) if self.chance(0.2) else self.lined_loop(frame, some, gang=None)
            else:
                some = self.subset(shared)
                free = [v for v in free if v not in some]
                if kind != "kernels" and not any(v.lower for v in some) and self.chance(0.15):
                    lines += self.repeated_gang_loop(frame, some)
                else:
                    lines += self.lined_loop(frame.inside(stores=True), some, gang=True)
        return clauses, ["", "{", *indented(lines), "}"]

    def repeated_gang_loop(self, frame, some):
        """A plain loop that all gangs run, with a gang loop inside."""
        index = self.name("r")
        inner = frame.inside(
            indices=frame.indices + (index,),
            at=sizes.position(frame.at, 3, index),
            total=frame.total * 3,
            stores=True,
        )
        return [f"for (int {index} = 0; {index} < 3; {index}++) {{", *indented(self.lined_loop(inner, some, gang=True)), "}"]

    def gang_private(self, frame, clauses):
        """A variable of each gang, reduced by its workers or lanes; gang loops may read it afterwards."""
        variable = self.variable()
        lines = []
        if self.chance(0.4):
            self.declared += declaration(variable)
            clauses.append(f"firstprivate({variable.name})")
        else:
            lines += declaration(variable)
        lines += self.lined_loop(frame.inside(stores=False), [variable], gang=None)
        frame = frame.inside(readable=frame.readable + tuple(readable(variable)))
        if frame.stores:
            lines += self.store(frame, variable)
        return lines, frame

    # Loops.

    def lined_loop(self, frame, carried, gang=None):
        directive, lines = self.loop(frame, carried, gang)
        return [f"#pragma acc {directive}", *lines]

    def loop(self, frame, carried, gang):
        """A loop with a directive. `gang`: whether it must be a gang loop (`True`), must not (`None`), or may (`False`)."""
        words, level, distributed = self.levels(frame, gang)
        collapse = self.pick({1: 8, 2: 2, 3: 1}) if frame.depth < 3 else 1
        clauses = [v.clause(self.rng) for v in carried]
        if self.chance(0.1):
            clauses = self.merged(carried)
        if collapse > 1 and "seq" not in words and self.chance(0.25):
            clauses.append(f"tile({', '.join(self.rng.choice(['1', '2', '3', '8', '32', '*']) for _ in range(collapse))})")
        elif collapse > 1:
            clauses.append(f"collapse({collapse})")
        heads, inner = [], frame
        for _ in range(collapse):
            head, inner = sizes.loop(self.rng, self, inner, even=collapse > 1)
            heads.append(head)
        inner = inner.inside(
            level=level, carried=tuple(carried), stores=frame.stores or distributed, depth=frame.depth + 1
        )
        private, lines = self.loop_body(inner)
        clauses += [f"private({name})" for name in private]
        for head in reversed(heads):
            lines = [head + " {", *indented(lines), "}"]
        return f"loop {' '.join([*words, self.shuffled(clauses)])}".rstrip(), lines

    def levels(self, frame, gang):
        """The words for the levels of a loop, the innermost level in use inside, and whether gangs share its iterations."""
        free = [level for level in (GANG, WORKER, VECTOR) if level > frame.level]
        if gang is None or frame.depth:
            free = [level for level in free if level != GANG]
        if gang is True:
            if self.chance(0.25):
                return [], frame.level, True
            chosen = [GANG] + [level for level in (WORKER, VECTOR) if self.chance(0.3)]
        elif not free or self.chance(0.12):
            return (["seq"] if self.chance(0.7) or frame.level == OUTSIDE else []), frame.level, False
        elif self.chance(0.15) and (frame.level > OUTSIDE or gang is False):
            return ([] if self.chance(0.7) else ["auto"]), frame.level, False
        else:
            chosen = [level for level in free if self.chance(0.5)] or [self.rng.choice(free)]
        return [LEVEL_NAMES[level] for level in chosen], max(chosen), GANG in chosen

    def plain_loop(self, frame, carried):
        """A loop without a directive."""
        head, inner = sizes.loop(self.rng, self, frame)
        _, lines = self.loop_body(inner.inside(carried=tuple(carried), depth=frame.depth + 1), may_privatize=False)
        return [head + " {", *indented(lines), "}"]

    def loop_body(self, frame, may_privatize=True):
        """The names for a `private` clause, and the statements."""
        private, lines = [], []
        if not frame.in_routine and self.chance(0.04):
            self.uses_src = True
            lines.append("#pragma acc cache(src[0:1024])")
        if self.chance(0.06):
            lines.append(f"if ({self.x(frame)} % 8 == 3) continue;")
        for _ in range(self.pick({1: 6, 2: 2})):
            lines += self.item(frame, private if may_privatize else None)
        for variable in frame.carried:
            if not any(variable.name in line for line in lines) or self.chance(0.2):
                lines += self.update(frame.inside(carried=(variable,)))
        return private, lines

    def item(self, frame, private):
        """Something in a loop's body."""
        deep = frame.depth >= 3 or frame.total * 2 > sizes.LIMIT
        choice = self.pick(
            {
                "update": 3,
                "loop": 0 if deep or not frame.carried else 4,
                "private": 0 if deep else 5,
                "condition": 0 if deep else 1,
                "call": 0 if frame.in_routine else 1,
                "workspace": 0 if frame.in_routine else 1,
                "count": 1 if frame.stores and not frame.in_routine else 0,
            }
        )
        if choice == "loop":
            some = self.subset(frame.carried)
            return self.plain_loop(frame, some) if self.chance(0.15) else self.lined_loop(frame, some, gang=False)
        if choice == "private":
            return self.private_result(frame, private)
        if choice == "condition":
            inner = self.item(frame.inside(depth=frame.depth + 1), None)
            return [f"if ({self.x(frame)} % {self.rng.choice([2, 3, 5])}) {{", *indented(inner), "}"] if inner else []
        if choice == "call":
            return self.call(frame)
        if choice == "workspace":
            return self.workspace(frame)
        if choice == "count":
            return self.count(frame)
        return self.update(frame) if frame.carried else []

    def private_result(self, frame, private):
        """A variable of this iteration, reduced by inner loops, and used."""
        if not frame.stores and not frame.carried:
            return []
        variables = [self.variable() for _ in range(self.pick({1: 4, 2: 2}))]
        lines = []
        for variable in variables:
            if private is not None and self.chance(0.3):
                declared, assigned = declaration(variable, apart=True)
                self.declared += declared
                lines += assigned
                private.append(variable.name)
            else:
                lines += declaration(variable)
        for _ in range(self.pick({1: 5, 2: 2})):
            carried = variables + self.subset(frame.carried, 0.5)
            if self.chance(0.1):
                lines += self.plain_loop(frame, variables)
            else:
                lines += self.lined_loop(frame, carried, gang=False)
            if self.chance(0.2):
                lines += self.update(frame.inside(carried=tuple(variables)))
            if self.chance(0.2):  # Another operator for the next loop: this one's result is an ordinary value by now.
                variables = [self.other_operator(variable) for variable in variables]
        for variable in variables:
            lines += self.use(frame, variable)
        return scoped(lines)

    def other_operator(self, variable):
        """The variable with an operator that its value is fit for, whatever loops have made of it."""
        if variable.type.kind not in ("signed", "unsigned"):
            return variable
        return dataclasses.replace(variable, op=self.rng.choice(["+", "max", "min", "&", "|", "^"]))

    def use(self, frame, variable):
        """Stores a private result, or makes it part of an outer reduction."""
        if frame.stores and frame.total <= sizes.STORED and (not frame.carried or self.chance(0.6)):
            return self.store(frame, variable)
        if frame.carried:
            return self.update(frame.inside(readable=frame.readable + tuple(readable(variable))), must_read=True)
        return []

    def store(self, frame, variable):
        array = self.name("o")
        count = frame.total * max(1, variable.length)
        self.results.append(Result(array, variable.type, count))
        self.copied.append(f"copy({array}_out[0:{count}])")
        if not variable.length:
            return [f"{array}_out[{frame.at}] = {variable.name};"]
        return [
            f"{array}_out[({frame.at}) * {variable.length} + {k}] = {variable.name}[{k}];" for k in range(variable.length)
        ]

    def update(self, frame, must_read=False):
        """Combines a term into one of the carried variables."""
        variable = self.rng.choice(frame.carried)
        x = self.x(frame, must_read)
        value = scalars.term(self.rng, variable.type, variable.op, x, sizes.grouped(frame.at), frame.total)
        target = variable.name
        if variable.length:
            lower = f"{variable.lower} + " if variable.lower else ""
            target += f"[{lower}{self.x(frame)} % {variable.length - variable.lower}]"
        statement = scalars.combine(self.rng, variable.type, variable.op, target, value)
        if self.chance(0.2):
            return [f"if ({self.x(frame)} % {self.rng.choice([2, 3, 7])} == 1) {{", "    " + statement, "}"]
        return [statement]

    def x(self, frame, must_read=False):
        """An int from 0 to 63 that depends on the iteration."""
        if frame.readable and (must_read or self.chance(0.25)):
            kind, value = frame.readable[-1] if must_read else self.rng.choice(frame.readable)
            return scalars.small(kind, value)
        parts = [f"{index} * {self.rng.choice([1, 3, 5, 7, 11, 29])}" for index in frame.indices]
        parts.append(str(self.rng.randrange(64)))
        if not frame.in_routine and self.chance(0.2):
            parts.append(self.size_variable(self.rng.randrange(64)))
        linear = " + ".join(parts)
        if not frame.in_routine and self.chance(0.3):
            self.uses_src = True
            return f"src[({linear}) & 1023]"
        return f"(int)(({linear}) & 63)"

    # Memory.

    def workspace(self, frame):
        """A private array that functions fill and combine, and the use of what they make of it."""
        if not frame.stores and not frame.carried:
            return []
        kind = self.rng.choice(memory.exact(self.types))
        value = Variable(self.name("v"), kind, "+")
        routines, lines = memory.workspace(self.rng, f"{value.name}_{self.number}", kind)
        self.routines += routines
        at = f"(int)({sizes.grouped(frame.at)} & 1023)"
        lines = [line.replace("AT", at).replace("NAME", value.name) for line in lines]
        return scoped([*lines, *self.use(frame, value)])

    def count(self, frame):
        """Counts atomically in a small array, a new one or one of this construct."""
        if not self.counters or self.chance(0.4):
            kind, name = self.rng.choice(memory.exact(self.types)), self.name("h")
            made = memory.counters(self.rng, name, kind)
            self.declared += made.declared
            self.results.append(Result(name, kind, made.count))
            self.last += [f"{name}_out[{k}] = {made.element.format(k=k)};" for k in range(made.count)]
            self.copied.append(f"copy({made.listed})")
            self.counters.append((kind, made))
        kind, made = self.rng.choice(self.counters)
        target = made.element.format(k=f"{self.x(frame)} % {made.count}")
        return memory.count_up(self.rng, kind, target, self.x(frame))

    # Routines.

    def call(self, frame):
        """A call of a routine that reduces with the levels that are still free."""
        if not frame.stores and not frame.carried:
            return []
        level = self.rng.choice([level for level in (WORKER, VECTOR, 3) if level > frame.level])
        function, variable = self.name("f"), self.variable(scalar=True)
        inner = Frame(
            level=level - 1, at="at", total=frame.total, indices=("at",), in_routine=True, depth=min(frame.depth, 2)
        )
        outer, self.declared = self.declared, []
        body = declaration(variable) + self.lined_loop(inner, [variable], gang=False)
        if self.chance(0.3):
            body += self.lined_loop(inner, [variable], gang=False)
        body, self.declared = self.declared + body, outer
        name = f"{function}_{self.number}@"
        self.routines.append(
            [
                f"#pragma acc routine {[*LEVEL_NAMES, 'seq'][level]}",
                f"static {variable.type.name} {name}(int at)",
                "{",
                *indented([*body, f"return {variable.name};"]),
                "}",
            ]
        )
        value = dataclasses.replace(variable, name=self.name("v"))
        line = f"{value.type.name} {value.name} = {name}({frame.at});"
        return scoped([line, *self.use(frame, value)])

    # Small things.

    def _begin_construct(self):
        self.copied, self.counters, self.uses_src = [], [], False

    def merged(self, variables):
        """One clause for all variables of one operator."""
        found = {}
        for variable in variables:
            found.setdefault(variable.op, []).append(variable.listed(self.rng))
        return [f"reduction({op}:{', '.join(names)})" for op, names in found.items()]

    def variable(self, shared=False, scalar=False):
        rng = self.rng
        kind = rng.choice(self.types)
        op = rng.choice(scalars.OPERATORS[kind.kind])
        length = rng.choice([2, 3, 4, 5]) if not scalar and self.chance(0.15) else 0
        lower = rng.randrange(1, length) if length and shared and self.chance(0.2) else 0
        return Variable(self.name("s" if shared else "p"), kind, op, length, lower, scalars.start(rng, kind, op))

    def result(self, variable):
        """Lets the value of `variable` at the end of the function be compared."""
        self.results.append(Result(variable.name, variable.type, max(1, variable.length)))
        for k in range(max(1, variable.length)):
            subscript = f"[{k}]" if variable.length else ""
            self.last.append(f"{variable.name}_out[{k}] = {variable.name}{subscript};")

    def size_variable(self, value):
        """A local variable that has this value, which the compiler cannot know."""
        name = self.name("n")
        self.declared.append(f"int {name} = zero + {value};")
        return name

    def name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def chance(self, probability):
        return self.rng.random() < probability

    def pick(self, weights):
        return self.rng.choices(list(weights), list(weights.values()))[0]

    def subset(self, variables, probability=0.7):
        chosen = [v for v in variables if self.chance(probability)]
        return chosen or ([self.rng.choice(variables)] if variables and probability > 0.5 else [])

    def shuffled(self, clauses):
        clauses = list(clauses)
        self.rng.shuffle(clauses)
        return " ".join(clauses)

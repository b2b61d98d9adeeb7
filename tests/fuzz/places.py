"""What statements of a random body may read and write: variables, arrays, structures, and the functions that they may call."""

import dataclasses

import values
from values import Value


@dataclasses.dataclass(frozen=True)
class Variable:
    """Something that is read and assigned as a scalar is: a variable, a member, what a pointer points to."""

    name: str
    type: object
    bounds: tuple = None  # narrower ones than those of the type
    writable: bool = True
    simple: bool = True  # has an address, and no index that an assignment would evaluate

    def value(self):
        if self.bounds is None:
            return values.any_value(self.name, self.type)
        return Value(self.name, self.type, *self.bounds)


@dataclasses.dataclass(frozen=True)
class Array:
    """`length` elements; `spellings`: texts with {} for the index."""

    spellings: tuple
    type: object  # a type or a structure
    length: int
    writable: bool = True
    pointer: str = None  # the first element's address, if the elements stand one after another

    def at(self, rng, index):
        text = rng.choice(self.spellings).format(index)
        return f"({text})" if text.startswith("*") else text


@dataclasses.dataclass(frozen=True)
class Field:
    name: str
    type: object
    width: int = 0  # of a bit-field
    length: int = 0  # of an array

    def declaration(self):
        ending = f" : {self.width}" if self.width else f"[{self.length}]" if self.length else ""
        return f"{self.type.name} {self.name}{ending};"


@dataclasses.dataclass(frozen=True)
class Structure:
    name: str  # with its keyword
    fields: tuple

    def definition(self):
        return [f"{self.name} {{", *(f"    {field.declaration()}" for field in self.fields), "};"]


@dataclasses.dataclass(frozen=True)
class Object:
    """A structure in memory."""

    text: str
    type: Structure
    writable: bool = True

    def member(self, field):
        if self.text.startswith("(*"):
            return f"{self.text[2:-1]}->{field.name}"
        return f"{self.text}.{field.name}"

    def members(self):
        """Its scalars, as variables."""
        for field in self.type.fields:
            if isinstance(field.type, Structure):
                yield from Object(self.member(field), field.type, self.writable).members()
                continue
            if field.length:
                continue
            bounds = None
            if field.width and field.type.kind != "bool":
                signed = field.type.kind == "signed"
                half = 1 << field.width - 1
                bounds = (-half, half - 1) if signed else (0, 2 * half - 1)
            kind = values.INT if bounds else field.type  # as which C reads a bit-field of fewer bits
            yield Variable(self.member(field), kind, bounds, self.writable, not field.width)

    def arrays(self):
        for field in self.type.fields:
            if isinstance(field.type, Structure):
                yield from Object(self.member(field), field.type, self.writable).arrays()
            elif field.length:
                text = self.member(field)
                yield Array((f"{text}[{{}}]", f"(*({text} + {{}}))"), field.type, field.length, self.writable, text)


@dataclasses.dataclass(frozen=True)
class Function:
    """A function of other bodies; `parameters`: a kind ("scalar", "array", "object", "copy") and its type."""

    name: str
    result: object
    parameters: tuple
    pure: bool


@dataclasses.dataclass(frozen=True)
class Scope:
    """What can be named at a place."""

    variables: tuple = ()
    arrays: tuple = ()
    objects: tuple = ()
    functions: tuple = ()
    weight: int = 1  # how often a statement here runs
    in_loop: bool = False  # `break` and `continue` are possible
    leave: tuple = ()  # other statements that end the body: `return …`, `goto …`

    def inside(self, **changes):
        return dataclasses.replace(self, **changes)

    def and_(self, variables=(), arrays=(), objects=()):
        return self.inside(
            variables=self.variables + tuple(variables),
            arrays=self.arrays + tuple(arrays),
            objects=self.objects + tuple(objects),
        )

    def scalars(self):
        """All that is read as a scalar and has a name."""
        return [*self.variables, *(member for thing in self.objects for member in thing.members())]

    def plain_arrays(self):
        """Arrays of scalars, also those in structures."""
        own = [array for array in self.arrays if not isinstance(array.type, Structure)]
        return own + [array for thing in self.objects for array in thing.arrays()]

    def structure_arrays(self):
        return [array for array in self.arrays if isinstance(array.type, Structure)]

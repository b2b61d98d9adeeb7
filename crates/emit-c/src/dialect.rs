//! What a C-like language says in its own way, and what its devices have beside `core`: all that a back end adds.
//!
//! | question | C of a host's compiler | OpenCL C |
//! | --- | --- | --- |
//! | an unsigned integer of 64 bits | `unsigned long` | `ulong` |
//! | what a pointer to memory of the group leads to | as any other | `__local` |
//! | infinity | `__builtin_inf()` | `INFINITY` |
//! | `a[3] = b[3]` of whole arrays | `__builtin_memmove` | a loop |
//! | an atomic update | `__atomic_fetch_add` | `atomic_add` |
//! | what a kernel knows of its place | variables of the launch | `get_local_id(0)` |

use crate::{diagnostic::Result, expr::Expr, function::FunctionPrinter};
use accrue_dialects::core::{
    AddressSpace, Alloca, AtomicLoad, AtomicStore, AtomicUpdate, Call, Extern, For, Null,
};
use pliron::{
    context::{Context, Ptr},
    operation::Operation,
};

/// A scalar type by its width in bits; of a complex number, that of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    Signed(u32),
    Unsigned(u32),
    Float(u32),
    Complex(u32),
}

/// How a function from outside of the unit is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outside {
    /// By this name, which the compiler knows.
    Known(String),
    /// By this name, or else by its symbol, with a declaration.
    Declared { name: Option<String> },
    /// By another name: the declaration ends with a label that binds it to the symbol.
    Alias { name: String, label: String },
}

/// What a function of the unit gets beside the parameters that the IR gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// `const long gang`
    pub declaration: &'static str,
    /// `gang`
    pub name: &'static str,
}

/// The text of an address, and the memory that it is in.
pub struct Address {
    pub text: String,
    pub space: AddressSpace,
}

/// What became of an operation that is not one of `core`.
pub enum Printed {
    /// This is its value, and it has no effects, unless it is a call of a function that has.
    Expr(Expr),
    /// The printer has it.
    Done,
    /// The dialect does not know it.
    Unknown,
}

/// A C-like language and its devices.
pub trait Dialect {
    /// What messages call the devices: `the CPU device`.
    fn devices(&self) -> &'static str;

    /// The type, if the language has it.
    fn scalar(&self, scalar: Scalar) -> Option<&'static str>;

    /// What stands, with a blank behind it, before the type of objects in this memory; nothing where all memory is one.
    fn space(&self, space: AddressSpace) -> &'static str;

    /// The smaller or larger (`sign`) of two floats, the other one if one is NaN. As here, it keeps loops SIMD code.
    fn extremum(&self, sign: &str, x: &str, y: &str) -> String {
        format!("(({x} {sign} {y}) | ({y} != {y})) ? {x} : {y}")
    }

    /// Whether the language computes with complex numbers; if not, they are structures of parts `re` and `im`, and the dialect has
    /// functions of them: `T_make`, `T_add`, `T_sub`, `T_mul`, `T_div`, `T_neg`, `T_conj`, `T_eq`.
    fn has_complex(&self) -> bool {
        true
    }

    /// Whether records may have bit-fields; if not, they are bytes of it.
    fn has_bit_fields(&self) -> bool {
        true
    }

    /// Words that no name may be, beside C's own.
    fn reserved(&self) -> &'static [&'static str];

    /// Names that variables of functions have in this dialect's texts: a function of the program that is called so gets another name.
    fn variables(&self) -> &'static [&'static str] {
        &[]
    }

    /// Infinity of a floating point type of this width.
    fn infinity(&self, width: u32) -> String;

    fn not_a_number(&self, width: u32) -> String;

    /// A complex number of these parts.
    fn complex(&self, real: &str, imaginary: &str) -> String;

    /// The null pointer of type `ty`.
    fn null(&self, ctx: &Context, op: &Null, ty: &str) -> String {
        let _ = (ctx, op);
        format!("({ty})0")
    }

    /// The statement that copies an object of type `ty`, an array, from address to address; the two may overlap.
    fn copy(&self, to: &Address, from: &Address, ty: &str) -> String;

    /// The statement that sets all bytes of an object of type `ty` to zero.
    fn zero(&self, at: &Address, ty: &str) -> String;

    /// Declarations that do not compile unless a record is laid out as it must be.
    fn check_size(&self, record: &str, size: u64, align: u64) -> String;

    fn check_offset(&self, record: &str, member: &str, offset: u64) -> String;

    /// What a function of the unit is called that is `plain` in the program.
    fn function_name(&self, plain: String) -> String {
        plain
    }

    /// What stands before the declaration of a function of the unit.
    fn linkage(&self, function: &str) -> &'static str {
        let _ = function;
        "static"
    }

    /// The variable's address, if it is not a variable of the function in C's sense.
    fn variable(&self, printer: &mut FunctionPrinter<'_>, op: &Alloca) -> Result<Option<Expr>> {
        let _ = (printer, op);
        Ok(None)
    }

    /// A call of a function from outside that is no call in this language.
    fn call(
        &self,
        printer: &mut FunctionPrinter<'_>,
        op: &Call,
        function: &Extern,
    ) -> Result<Printed> {
        let _ = (printer, op, function);
        Ok(Printed::Unknown)
    }

    /// `by_address`: the function takes a pointer.
    fn outside(&self, ctx: &Context, name: &str, function: &Extern, by_address: bool) -> Outside;

    /// What a function of the unit gets beside its parameters.
    fn hidden(&self, function: &str) -> &[Hidden];

    /// Lines between what a counted loop needs and the loop: what the compiler is told about it.
    fn before_loop(&self, printer: &mut FunctionPrinter<'_>, op: &For) -> Result<()>;

    /// Prints the first iterations of a counted loop in another way, several at a time; gives where the others begin. `bounds` are
    /// those of the loop, which may be written more than once, and `counter` the type of its counter in C.
    fn first_iterations(
        &self,
        printer: &mut FunctionPrinter<'_>,
        op: &For,
        bounds: [&str; 2],
        counter: &str,
    ) -> Result<Option<String>> {
        let _ = (printer, op, bounds, counter);
        Ok(None)
    }

    /// Prints an operation in the dialect's own way. False: as every other one.
    fn prints(&self, printer: &mut FunctionPrinter<'_>, op: Ptr<Operation>) -> Result<bool> {
        let _ = (printer, op);
        Ok(false)
    }

    fn atomic_load(&self, printer: &mut FunctionPrinter<'_>, op: &AtomicLoad) -> Result<()>;

    fn atomic_store(&self, printer: &mut FunctionPrinter<'_>, op: &AtomicStore) -> Result<()>;

    fn atomic_update(&self, printer: &mut FunctionPrinter<'_>, op: &AtomicUpdate) -> Result<()>;

    /// An operation of a dialect of the IR that is for this kind of device only.
    fn own(&self, printer: &mut FunctionPrinter<'_>, op: Ptr<Operation>) -> Result<Printed>;
}

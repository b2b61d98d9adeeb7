//! The kinds of two-operand arithmetic, and what each is defined for.

use pliron::derive::pliron_attr;

/// Two-operand operations. Operands and result have one type.
#[pliron_attr(name = "core.bin_kind", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum BinKind {
    /// Integer, wraps.
    Add,
    /// Integer, wraps.
    Sub,
    /// Integer, wraps.
    Mul,
    /// Signed integer; overflow is undefined, as in C.
    AddS,
    SubS,
    MulS,
    DivS,
    DivU,
    RemS,
    RemU,
    /// Shift amounts have the type of the shifted value.
    Shl,
    ShrS,
    ShrU,
    And,
    Or,
    Xor,
    MinS,
    MaxS,
    MinU,
    MaxU,
    /// Float or complex.
    FAdd,
    FSub,
    FMul,
    FDiv,
    /// C's `fmin`/`fmax`: the other operand if one is NaN.
    FMin,
    FMax,
}

impl BinKind {
    /// Quotients and remainders: on GPUs a sequence of dozens of instructions, often with a branch in it.
    pub fn divides(self) -> bool {
        match self {
            BinKind::DivS | BinKind::DivU | BinKind::RemS | BinKind::RemU | BinKind::FDiv => true,
            BinKind::Add
            | BinKind::Sub
            | BinKind::Mul
            | BinKind::AddS
            | BinKind::SubS
            | BinKind::MulS
            | BinKind::Shl
            | BinKind::ShrS
            | BinKind::ShrU
            | BinKind::And
            | BinKind::Or
            | BinKind::Xor
            | BinKind::MinS
            | BinKind::MaxS
            | BinKind::MinU
            | BinKind::MaxU
            | BinKind::FAdd
            | BinKind::FSub
            | BinKind::FMul
            | BinKind::FMin
            | BinKind::FMax => false,
        }
    }
}

/// The kinds of [`BinKind`] that are defined for integers.
#[derive(PartialEq, Eq, Clone, Copy, Debug)]
pub enum IntBin {
    Add,
    Sub,
    Mul,
    AddS,
    SubS,
    MulS,
    DivS,
    DivU,
    RemS,
    RemU,
    Shl,
    ShrS,
    ShrU,
    And,
    Or,
    Xor,
    MinS,
    MaxS,
    MinU,
    MaxU,
}

/// The kinds of [`BinKind`] that are defined for floats, the first four also for complex numbers.
#[derive(PartialEq, Eq, Clone, Copy, Debug)]
pub enum FloatBin {
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
}

/// A [`BinKind`] by what it is defined for.
#[derive(PartialEq, Eq, Clone, Copy, Debug)]
pub enum Arithmetic {
    Int(IntBin),
    Float(FloatBin),
}

/// What a polynomial of integers is made with.
#[derive(PartialEq, Eq, Clone, Copy, Debug)]
pub enum Ring {
    Sum,
    Difference,
    Product,
}

impl BinKind {
    pub fn arithmetic(self) -> Arithmetic {
        use Arithmetic::{Float, Int};
        match self {
            BinKind::Add => Int(IntBin::Add),
            BinKind::Sub => Int(IntBin::Sub),
            BinKind::Mul => Int(IntBin::Mul),
            BinKind::AddS => Int(IntBin::AddS),
            BinKind::SubS => Int(IntBin::SubS),
            BinKind::MulS => Int(IntBin::MulS),
            BinKind::DivS => Int(IntBin::DivS),
            BinKind::DivU => Int(IntBin::DivU),
            BinKind::RemS => Int(IntBin::RemS),
            BinKind::RemU => Int(IntBin::RemU),
            BinKind::Shl => Int(IntBin::Shl),
            BinKind::ShrS => Int(IntBin::ShrS),
            BinKind::ShrU => Int(IntBin::ShrU),
            BinKind::And => Int(IntBin::And),
            BinKind::Or => Int(IntBin::Or),
            BinKind::Xor => Int(IntBin::Xor),
            BinKind::MinS => Int(IntBin::MinS),
            BinKind::MaxS => Int(IntBin::MaxS),
            BinKind::MinU => Int(IntBin::MinU),
            BinKind::MaxU => Int(IntBin::MaxU),
            BinKind::FAdd => Float(FloatBin::Add),
            BinKind::FSub => Float(FloatBin::Sub),
            BinKind::FMul => Float(FloatBin::Mul),
            BinKind::FDiv => Float(FloatBin::Div),
            BinKind::FMin => Float(FloatBin::Min),
            BinKind::FMax => Float(FloatBin::Max),
        }
    }

    /// The operation, if it is one of integers.
    pub fn integer(self) -> Option<IntBin> {
        match self.arithmetic() {
            Arithmetic::Int(kind) => Some(kind),
            Arithmetic::Float(_) => None,
        }
    }

    /// The operation, if it is one of floats.
    pub fn float(self) -> Option<FloatBin> {
        match self.arithmetic() {
            Arithmetic::Int(_) => None,
            Arithmetic::Float(kind) => Some(kind),
        }
    }

    /// Sums, differences and products of integers, those that wrap and those that cannot; `None` for all others.
    pub fn ring(self) -> Option<Ring> {
        match self.integer()? {
            IntBin::Add | IntBin::AddS => Some(Ring::Sum),
            IntBin::Sub | IntBin::SubS => Some(Ring::Difference),
            IntBin::Mul | IntBin::MulS => Some(Ring::Product),
            IntBin::DivS | IntBin::DivU | IntBin::RemS | IntBin::RemU => None,
            IntBin::Shl | IntBin::ShrS | IntBin::ShrU => None,
            IntBin::And | IntBin::Or | IntBin::Xor => None,
            IntBin::MinS | IntBin::MaxS | IntBin::MinU | IntBin::MaxU => None,
        }
    }
}

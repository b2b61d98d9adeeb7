//! What a PTX text says, before names are resolved.

use crate::Space;
use std::collections::HashMap;

/// Fundamental types (PTX ISA 5.2) and the packed halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    Pred,
    B8,
    B16,
    B32,
    B64,
    B128,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    F16x2,
    Bf16,
    Bf16x2,
    F32,
    F64,
}

impl Ty {
    /// The type of that name, without the dot.
    pub fn named(name: &str) -> Option<Ty> {
        Some(match name {
            "pred" => Ty::Pred,
            "b8" => Ty::B8,
            "b16" => Ty::B16,
            "b32" => Ty::B32,
            "b64" => Ty::B64,
            "b128" => Ty::B128,
            "u8" => Ty::U8,
            "u16" => Ty::U16,
            "u32" => Ty::U32,
            "u64" => Ty::U64,
            "s8" => Ty::S8,
            "s16" => Ty::S16,
            "s32" => Ty::S32,
            "s64" => Ty::S64,
            "f16" => Ty::F16,
            "f16x2" => Ty::F16x2,
            "bf16" => Ty::Bf16,
            "bf16x2" => Ty::Bf16x2,
            "f32" => Ty::F32,
            "f64" => Ty::F64,
            _ => return None,
        })
    }

    pub fn bits(self) -> u32 {
        match self {
            Ty::Pred => 1,
            Ty::B8 | Ty::U8 | Ty::S8 => 8,
            Ty::B16 | Ty::U16 | Ty::S16 | Ty::F16 | Ty::Bf16 => 16,
            Ty::B32 | Ty::U32 | Ty::S32 | Ty::F32 | Ty::F16x2 | Ty::Bf16x2 => 32,
            Ty::B64 | Ty::U64 | Ty::S64 | Ty::F64 => 64,
            Ty::B128 => 128,
        }
    }

    pub fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }

    pub fn signed(self) -> bool {
        matches!(self, Ty::S8 | Ty::S16 | Ty::S32 | Ty::S64)
    }

    pub fn float(self) -> bool {
        matches!(
            self,
            Ty::F16 | Ty::F16x2 | Ty::Bf16 | Ty::Bf16x2 | Ty::F32 | Ty::F64
        )
    }
}

#[derive(Clone, Debug, Default)]
pub struct Module {
    pub variables: Vec<Variable>,
    pub functions: Vec<Function>,
    /// `.file` numbers.
    pub files: HashMap<u64, String>,
}

/// A variable or parameter in a state space.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub space: Space,
    pub ty: Ty,
    /// Elements per dimension; empty for a scalar; `[0]` for `[]`.
    pub dims: Vec<u64>,
    pub align: u64,
    pub init: Option<Init>,
    pub external: bool,
    pub line: u32,
}

impl Variable {
    /// Size in bytes, `None` if it overflows.
    pub fn bytes(&self) -> Option<u64> {
        self.dims
            .iter()
            .try_fold(u64::from(self.ty.bytes()), |size, n| size.checked_mul(*n))
    }
}

/// An initialiser.
#[derive(Clone, Debug)]
pub enum Init {
    Int(u64),
    Single(u32),
    Double(u64),
    /// The address of a variable or function; the address is the same in generic space.
    Symbol(String, i64),
    List(Vec<Init>),
}

/// A formal parameter or result of a function.
#[derive(Clone, Debug)]
pub enum Formal {
    Param(Variable),
    Register(String, Ty),
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub entry: bool,
    pub results: Vec<Formal>,
    pub params: Vec<Formal>,
    /// Absent for a declaration.
    pub body: Option<Vec<Stmt>>,
    pub max_block: Option<[u32; 3]>,
    pub required_block: Option<[u32; 3]>,
    pub line: u32,
}

/// Whose threads all run a piece of code, although only the first of them is to have effects there (OpenACC 3.4, 2.9: the
/// single modes). The compiler says so in notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Single {
    /// Every thread has effects of its own.
    #[default]
    No,
    /// The threads with the same `%tid.y`: the first lane has the effects.
    Worker,
    /// The threads of the block: the first lane of the first worker has the effects.
    Block,
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Block(Vec<Stmt>),
    Label(String, u32),
    /// `.reg .b32 %r<9>`: with a count, the names are `%r0` … `%r8`.
    Registers {
        ty: Ty,
        name: String,
        count: Option<u64>,
        line: u32,
    },
    Variable(Variable),
    Loc {
        file: u64,
        line: u32,
    },
    /// `name: .branchtargets …`
    Targets(String, Vec<String>),
    /// `name: .callprototype …`; only the sizes of a call matter, and the callee knows them.
    Prototype,
    /// `//@ accrue single block`: what follows, up to `//@ accrue single end`, is in a single mode.
    Single(Single),
    /// `//@ accrue contributes %rd1 8`: by the end of the kernel, this block adds to so many bytes at the address in a register,
    /// which are undefined until then.
    Contributes {
        register: String,
        bytes: u32,
        line: u32,
    },
    Inst(Inst),
}

#[derive(Clone, Debug)]
pub struct Inst {
    /// Predicate register, and whether it is negated.
    pub guard: Option<(String, bool)>,
    /// `ld`
    pub name: String,
    /// `param`, `u64`
    pub suffixes: Vec<String>,
    pub operands: Vec<Operand>,
    pub line: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A register, label, variable, function; special registers with their suffix (`%tid.x`).
    Name(String),
    /// `!%p`
    Not(String),
    /// `%p|%q`
    Pair(String, String),
    Int(u64),
    Single(u32),
    Double(u64),
    /// `name + 8`
    Offset(String, i64),
    /// `[base + offset]`; without a base, the offset is the address.
    Address(Option<String>, i64),
    /// `{a, b}`
    Vector(Vec<Operand>),
    /// `(a, b)`, the arguments of a call.
    List(Vec<Operand>),
}

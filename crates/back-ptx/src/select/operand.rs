//! What stands for an SSA value in the text.

use super::types::Class;
use crate::residue::Residue;
use accrue_dialects::core::AddressSpace;

/// One register or literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub text: String,
    pub class: Class,
}

impl Part {
    pub fn new(class: Class, text: impl Into<String>) -> Self {
        Part {
            text: text.into(),
            class,
        }
    }

    /// Not a register.
    pub fn is_literal(&self) -> bool {
        !self.text.starts_with('%')
    }

    /// The value of an integer or predicate literal.
    pub fn literal(&self) -> Option<i128> {
        self.text.parse().ok()
    }
}

/// What an address is relative to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    Register(String),
    /// A variable of the module or function.
    Symbol(String),
    Null,
}

/// What is known about accesses through an address: in the fast version of a kernel, and of variables in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// Nobody writes there while the kernel runs.
    pub constant: bool,
    /// The parameters that the address comes from.
    pub parameters: u64,
    /// What the address is modulo a power of two if the parameters are multiples of 16.
    pub place: Residue,
}

impl About {
    pub const NOTHING: About = About {
        constant: false,
        parameters: 0,
        place: Residue::ANY,
    };
}

/// An address that need not be in a register: `[base+offset]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    pub base: Base,
    pub offset: i64,
    pub space: AddressSpace,
    pub about: About,
}

impl Address {
    pub fn register(register: impl Into<String>, space: AddressSpace) -> Self {
        Address {
            base: Base::Register(register.into()),
            offset: 0,
            space,
            about: About::NOTHING,
        }
    }

    pub fn symbol(name: impl Into<String>, space: AddressSpace) -> Self {
        Address {
            base: Base::Symbol(name.into()),
            offset: 0,
            space,
            about: About::NOTHING,
        }
    }

    /// The address `bytes` further on, if the offset still fits into an instruction.
    pub fn plus(&self, bytes: i64) -> Option<Self> {
        let offset = self.offset.checked_add(bytes)?;
        // Instructions take 32 bits; what is left allows for accesses to the parts of an object.
        (offset.unsigned_abs() < 1 << 30).then(|| Address {
            offset,
            ..self.clone()
        })
    }

    /// `.volatile` for volatile accesses. A thread's own memory has no such accesses, and nobody else sees it.
    pub fn volatile(&self, volatile: bool) -> &'static str {
        match (volatile, self.space) {
            (false, _) | (true, AddressSpace::Local) => "",
            (true, _) => ".volatile",
        }
    }

    /// `.nc` where nobody writes while the kernel runs.
    pub fn constant(&self) -> &'static str {
        match (self.about.constant, self.space) {
            (true, AddressSpace::Global) => ".nc",
            (true, _) | (false, _) => "",
        }
    }

    /// `.global`, `.shared`, …; nothing for a generic address.
    pub fn suffix(&self) -> &'static str {
        suffix(self.space)
    }
}

/// The state space in the name of an instruction; nothing for generic addresses.
pub fn suffix(space: AddressSpace) -> &'static str {
    match space {
        AddressSpace::Generic => "",
        AddressSpace::Global => ".global",
        AddressSpace::Shared => ".shared",
        AddressSpace::Local => ".local",
        AddressSpace::Constant => ".const",
    }
}

/// What stands for a value.
#[derive(Clone, Debug)]
pub enum Operand {
    Parts(Vec<Part>),
    Address(Address),
    /// A product that is part of the addition that uses it.
    Fused,
}

//! IR types as PTX registers, memory accesses and parameters.
//!
//! | IR | registers | in memory |
//! | --- | --- | --- |
//! | `i1` | a predicate | one byte, 0 or 1 |
//! | `i8`, `i16` | 32 bits, sign-extended | 1, 2 bytes |
//! | `i32`, `i64` | 32, 64 bits | the same |
//! | `i128` | two of 64 bits, low half first | the same |
//! | floats of 16, 32, 64 bits | one of that size | the same |
//! | complex | two floats | real part, imaginary part |
//! | pointers | 64 bits | generic addresses |

use crate::diagnostic::{Diagnostic, Result};
use accrue_dialects::core::{complex_part, float_width, int_width, pointee_of};
use pliron::{
    builtin::{type_interfaces::FunctionTypeInterface, types::FunctionType},
    context::Context,
    r#type::TypeHandle,
};

/// Kinds of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    Pred,
    B16,
    B32,
    B64,
    F32,
    F64,
}

impl Class {
    pub const ALL: [Class; 6] = [
        Class::Pred,
        Class::B16,
        Class::B32,
        Class::B64,
        Class::F32,
        Class::F64,
    ];

    /// What the names of its registers start with.
    pub fn prefix(self) -> &'static str {
        match self {
            Class::Pred => "%p",
            Class::B16 => "%h",
            Class::B32 => "%r",
            Class::B64 => "%rd",
            Class::F32 => "%f",
            Class::F64 => "%fd",
        }
    }

    /// The type in declarations, `mov` and `selp`.
    pub fn name(self) -> &'static str {
        match self {
            Class::Pred => "pred",
            Class::B16 => "b16",
            Class::B32 => "b32",
            Class::B64 => "b64",
            Class::F32 => "f32",
            Class::F64 => "f64",
        }
    }
}

/// How one register's worth of a scalar lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Type of the load or store instruction.
    pub access: &'static str,
    pub bytes: u64,
    pub class: Class,
}

impl Cell {
    const fn new(access: &'static str, bytes: u64, class: Class) -> Self {
        Cell {
            access,
            bytes,
            class,
        }
    }

    /// The same for a store, for which signs do not matter.
    pub fn stored(&self) -> Cell {
        let access = match self.access {
            "s8" => "u8",
            "s16" => "u16",
            other => other,
        };
        Cell { access, ..*self }
    }

    /// So many bytes as a number, in a register of 64 bits.
    pub fn of_bits(bytes: u64) -> Cell {
        match bytes {
            1 => Cell::new("u8", 1, Class::B64),
            2 => Cell::new("u16", 2, Class::B64),
            4 => Cell::new("u32", 4, Class::B64),
            _ => Cell::new("u64", 8, Class::B64),
        }
    }
}

/// The registers of a scalar in the order in which they lie in memory.
pub fn cells(ctx: &Context, ty: TypeHandle) -> Result<Vec<Cell>> {
    if let Some(width) = int_width(ctx, ty) {
        return Ok(match width {
            1 => vec![Cell::new("u8", 1, Class::Pred)],
            8 => vec![Cell::new("s8", 1, Class::B32)],
            16 => vec![Cell::new("s16", 2, Class::B32)],
            32 => vec![Cell::new("u32", 4, Class::B32)],
            64 => vec![Cell::new("u64", 8, Class::B64)],
            128 => vec![Cell::new("u64", 8, Class::B64); 2],
            _ => {
                return Err(Diagnostic::error(format!(
                    "an integer of {width} bits cannot be used on a GPU"
                )));
            }
        });
    }
    if let Some(width) = float_width(ctx, ty) {
        return Ok(match width {
            16 => vec![Cell::new("b16", 2, Class::B16)],
            32 => vec![Cell::new("f32", 4, Class::F32)],
            64 => vec![Cell::new("f64", 8, Class::F64)],
            _ => {
                return Err(Diagnostic::error(
                    "a GPU has no floating point numbers of more than 64 bits (`long double`, `__float128`); use \
                     `double`",
                ));
            }
        });
    }
    if let Some(part) = complex_part(ctx, ty) {
        let part = cells(ctx, part)?;
        return Ok([part.clone(), part].concat());
    }
    if pointee_of(ctx, ty).is_some() {
        return Ok(vec![Cell::new("u64", 8, Class::B64)]);
    }
    Err(Diagnostic::error("only scalars can be held in registers"))
}

/// The registers of a scalar.
pub fn classes(ctx: &Context, ty: TypeHandle) -> Result<Vec<Class>> {
    Ok(cells(ctx, ty)?.into_iter().map(|c| c.class).collect())
}

/// Arguments and results of a function type.
pub fn signature(ctx: &Context, ty: TypeHandle) -> Option<(Vec<TypeHandle>, Vec<TypeHandle>)> {
    let ty = ty.deref(ctx);
    ty.downcast_ref::<FunctionType>()
        .map(|f| (f.arg_types(), f.res_types()))
}

/// How a scalar is passed to and from functions: one parameter, in which its registers lie at these offsets.
pub struct Param {
    /// `.param` declaration without name and array size: `.b64`, `.align 8 .b8`.
    pub kind: String,
    /// Bytes of the array that it is, if it is one.
    pub array: Option<u64>,
    /// Type of the access and offset of each register.
    pub slots: Vec<(&'static str, u64)>,
}

impl Param {
    /// Integers of less than 32 bits are passed sign-extended to 32, `_Bool` as 0 or 1.
    pub fn new(ctx: &Context, ty: TypeHandle) -> Result<Self> {
        let cells = cells(ctx, ty)?;
        let access = |c: &Cell| match c.class {
            Class::Pred | Class::B32 => ("b32", 4),
            Class::B16 => ("b16", 2),
            Class::B64 => ("b64", 8),
            Class::F32 => ("f32", 4),
            Class::F64 => ("f64", 8),
        };
        if let [one] = cells.as_slice() {
            let (access, bytes) = access(one);
            return Ok(Param {
                kind: format!(".b{}", 8 * bytes),
                array: None,
                slots: vec![(access, 0)],
            });
        }
        let sizes: Vec<_> = cells.iter().map(access).collect();
        let part = sizes.first().map_or(8, |s| s.1);
        let align = if int_width(ctx, ty) == Some(128) {
            16
        } else {
            part
        };
        Ok(Param {
            kind: format!(".align {align} .b8"),
            array: Some(part * sizes.len() as u64),
            slots: sizes
                .iter()
                .enumerate()
                .map(|(i, s)| (s.0, i as u64 * part))
                .collect(),
        })
    }

    /// The declaration of a parameter of that name.
    pub fn declare(&self, name: &str) -> String {
        match self.array {
            Some(bytes) => format!(".param {} {name}[{bytes}]", self.kind),
            None => format!(".param {} {name}", self.kind),
        }
    }
}

//! The forms of instructions: groups of them, each a module of kernels.

use crate::{compare, convert, cooperation, float, integer, operands::Kind};

pub const INTEGERS: [&str; 6] = ["u16", "s16", "u32", "s32", "u64", "s64"];
pub const UNTYPED: [&str; 3] = ["b16", "b32", "b64"];
pub const ROUNDINGS: [&str; 4] = ["rn", "rz", "rm", "rp"];

/// One form of an instruction.
pub struct Form {
    /// See `kernel` for the registers.
    pub text: String,
    /// Format of the result; `b8` for a truth value.
    pub dest: &'static str,
    pub sources: Vec<Kind>,
    pub bound: Bound,
}

/// How far the result of an approximation may be from the simulator's, which is the exact result rounded to nearest: one of
/// the three is enough. All 0: not at all.
#[derive(Clone, Copy, Default)]
pub struct Bound {
    pub ulps: u32,
    pub relative: f64,
    pub absolute: f64,
}

impl Form {
    pub fn new(text: impl Into<String>, dest: &'static str, sources: &[Kind]) -> Form {
        Form {
            text: text.into(),
            dest,
            sources: sources.to_vec(),
            bound: Bound::default(),
        }
    }

    /// `NAME %d, %a…;` with as many operands as there are sources.
    pub fn plain(name: &str, dest: &'static str, sources: &[Kind]) -> Form {
        let operands = &"%d, %a, %b, %c"[..2 + 4 * sources.len()];
        Form::new(format!("{name} {operands};"), dest, sources)
    }

    /// A predicate `%p` that the text makes becomes the result.
    pub fn truth(text: &str, sources: &[Kind]) -> Form {
        Form::new(format!("{text} selp.u32 %d, 1, 0, %p;"), "b8", sources)
    }

    pub fn within(mut self, ulps: u32, relative: f64, absolute: f64) -> Form {
        self.bound = Bound {
            ulps,
            relative,
            absolute,
        };
        self
    }

    /// Bytes of the result.
    pub fn bytes(&self) -> u64 {
        bits(self.dest) / 8
    }
}

/// Width of a type: `f16x2` has 32 bits.
pub fn bits(ty: &str) -> u64 {
    match ty {
        "f16x2" | "bf16x2" => 32,
        _ => ty
            .trim_start_matches(|c: char| c.is_ascii_lowercase())
            .parse()
            .unwrap_or(32),
    }
}

/// Operands of a type. Integers of 8 bits are in registers of 32 bits, with other bits above them.
pub fn kind(ty: &str) -> Kind {
    match ty {
        "f16" => Kind::Half,
        "bf16" => Kind::Brain,
        "f32" => Kind::Single,
        "f64" => Kind::Double,
        "f16x2" => Kind::HalfPair,
        "bf16x2" => Kind::BrainPair,
        "u16" | "s16" | "b16" => Kind::Integer(16),
        "u64" | "s64" | "b64" => Kind::Integer(64),
        _ => Kind::Integer(32),
    }
}

pub fn groups() -> Vec<(&'static str, Vec<Form>)> {
    vec![
        ("integer", integer::integer()),
        ("bits", integer::bit()),
        ("compare", compare::forms()),
        ("single", float::single()),
        ("double", float::double()),
        ("half", float::half()),
        ("convert", convert::forms()),
        ("warp", cooperation::warp()),
        ("atomic", cooperation::atomic()),
    ]
}

//! A sum as code again.
//!
//! ```text
//! 1·i·n + 2·n - 3     →     core.bin Mul %i, %n;  core.bin Mul %n, 2;  core.bin Add …;  core.bin Add …, -3
//! ```

use super::{Affine, Sum};
use accrue_dialects::core::{BinKind, emit::Emitter};
use pliron::value::Value;

/// The terms of a sum, in values of the program.
pub struct Terms(Vec<Term>);

struct Term {
    /// The atoms, and whether each is extended by its sign.
    product: Vec<(Value, bool)>,
    factor: i64,
}

impl Affine {
    /// The terms of a sum.
    pub fn terms(&self, sum: &Sum) -> Terms {
        let terms = sum.terms().map(|(atoms, factor)| {
            let product = atoms.iter();
            let product = product.map(|atom| (self.atom(*atom).1, self.is_signed(*atom)));
            Term {
                product: product.collect(),
                factor,
            }
        });
        Terms(terms.collect())
    }
}

impl Terms {
    /// Whether all atoms are values that `holds` says yes to.
    pub fn all(&self, holds: impl Fn(Value) -> bool) -> bool {
        let mut atoms = self.0.iter().flat_map(|term| &term.product);
        atoms.all(|(value, _)| holds(*value))
    }

    /// The number of 64 bits; `there` gives the value that an atom has where it is computed.
    pub fn write(
        &self,
        e: &mut Emitter,
        mut there: impl FnMut(&mut Emitter, Value) -> Value,
    ) -> Value {
        let mut whole = None;
        for Term { product, factor } in &self.0 {
            let mut all = None;
            for (value, signed) in product {
                let value = there(e, *value);
                let value = e.widen(value, !signed);
                all = Some(match all {
                    Some(all) => e.bin(BinKind::Mul, all, value),
                    None => value,
                });
            }
            let number = e.i64(i128::from(*factor));
            let term = match (all, factor) {
                (Some(all), 1) => all,
                (Some(all), _) => e.bin(BinKind::Mul, all, number),
                (None, _) => number,
            };
            whole = Some(match whole {
                Some(whole) => e.bin(BinKind::Add, whole, term),
                None => term,
            });
        }
        whole.unwrap_or_else(|| e.i64(0))
    }
}

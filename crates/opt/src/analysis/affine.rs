//! Addresses as sums: where two differ by a constant, or by a value that is at hand, whatever types their indices have.
//!
//! ```text
//! in[(i + 1) * n + j - 1]          in + 1·i·n + 1·n + 1·j - 1         (int: i, n and j extended by their signs)
//! in[(size_t)i * n + n + j]        in + 1·i·n + 1·n + 1·j
//! ```
//! A [`Sum`] is one of products of *atoms* with factors, modulo 2^64, as addresses are computed. In 64 bits, additions, subtractions and
//! multiplications are just that, whether they wrap or not. A signed number of fewer bits does not overflow (C17, 6.5p5), so that its
//! extension is the sum of the extensions. An atom is a value that is computed in another way, with how it is extended.
//!
//! An address is the value that a chain of indices starts from, and a sum of elements: a row of an array of arrays is as many elements as
//! it has.
//!
//! Cost: linear in the number of operations, times [`MOST_TERMS`].

use accrue_dialects::core::{
    Bin, BinKind, Cast, CastKind, Decay, PtrAdd, array_parts, fold::constant, int_width, pointee,
};
use pliron::{
    builtin::op_interfaces::OneOpdInterface,
    context::Context,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::collections::{BTreeMap, HashMap};

/// Longer sums are atoms.
const MOST_TERMS: usize = 12;
/// So are products of more atoms.
const MOST_FACTORS: usize = 4;

/// A value that is not taken apart, and how it is extended to 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Atom {
    pub value: Value,
    pub signed: bool,
}

/// Factors of products of atoms, which are in order. The constant is the factor of no atoms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sum(BTreeMap<Vec<usize>, u64>);

impl Sum {
    fn constant(number: i128) -> Sum {
        Sum(BTreeMap::from([(vec![], number as u64)])).without_zeros()
    }

    fn without_zeros(mut self) -> Sum {
        self.0.retain(|_, factor| *factor != 0);
        self
    }

    /// `self` and `times` times `other`.
    fn plus(mut self, other: &Sum, times: u64) -> Sum {
        for (atoms, factor) in &other.0 {
            let own = self.0.entry(atoms.clone()).or_insert(0);
            *own = own.wrapping_add(factor.wrapping_mul(times));
        }
        self.without_zeros()
    }

    fn times(&self, other: &Sum) -> Sum {
        let mut product = Sum::default();
        for (a, f) in &self.0 {
            for (b, g) in &other.0 {
                let mut atoms = [a.as_slice(), b.as_slice()].concat();
                atoms.sort_unstable();
                let own = product.0.entry(atoms).or_insert(0);
                *own = own.wrapping_add(f.wrapping_mul(*g));
            }
        }
        product.without_zeros()
    }

    fn is_short(&self) -> bool {
        self.0.len() <= MOST_TERMS && self.0.keys().all(|atoms| atoms.len() <= MOST_FACTORS)
    }

    /// The sum without its constant, and the constant.
    pub fn split(mut self) -> (Sum, i64) {
        let constant = self.0.remove(&vec![]).unwrap_or(0);
        (self, constant as i64)
    }

    /// `self - other`.
    pub fn minus(&self, other: &Sum) -> Sum {
        self.clone().plus(other, u64::MAX)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a product of atoms is in it.
    pub fn multiplies(&self) -> bool {
        self.0.keys().any(|atoms| atoms.len() > 1)
    }

    /// The only term, if it is an atom with a factor.
    fn single(&self) -> Option<(usize, i64)> {
        let mut terms = self.0.iter();
        match (terms.next(), terms.next()) {
            (Some((atoms, factor)), None) if atoms.len() == 1 => Some((atoms[0], *factor as i64)),
            _ => None,
        }
    }
}

/// What an address is: where it starts, the type of the elements that are counted, and how many of them further it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub root: Value,
    pub element: TypeHandle,
    pub distance: Sum,
}

/// The sums of a function.
#[derive(Default)]
pub struct Affine {
    atoms: Vec<Atom>,
    numbers: HashMap<Atom, usize>,
    sums: HashMap<Atom, Sum>,
}

impl Affine {
    /// What an address is made of.
    pub fn place(&mut self, ctx: &Context, address: Value) -> Option<Place> {
        let element = pointee(ctx, address)?;
        let (root, distance) = self.walk(ctx, address);
        Some(Place {
            root,
            element,
            distance,
        })
    }

    /// The only atom of a sum, with its factor.
    pub fn single(&self, sum: &Sum) -> Option<(Atom, i64)> {
        let (atom, factor) = sum.single()?;
        Some((self.atoms[atom], factor))
    }

    /// Whether a sum changes evenly with `value`: no product has it twice, and nothing else in it depends on it.
    pub fn is_linear(&self, sum: &Sum, value: Value, depends: impl Fn(Value) -> bool) -> bool {
        let is_own = |atom: &&usize| self.atoms[**atom].value == value;
        sum.0.keys().all(|atoms| {
            let own = atoms.iter().filter(is_own).count();
            let mut others = atoms.iter().filter(|atom| !is_own(atom));
            own <= 1 && !others.any(|atom| depends(self.atoms[*atom].value))
        })
    }

    /// Where an address starts, and how many elements of its own type it is away from there.
    fn walk(&mut self, ctx: &Context, address: Value) -> (Value, Sum) {
        let nowhere = (address, Sum::default());
        let Some(op) = address.defining_op() else {
            return nowhere;
        };
        if let Some(step) = Operation::get_op::<PtrAdd>(op, ctx) {
            let index = self.sum(ctx, step.get_operand_index(ctx), true);
            let (root, before) = self.walk(ctx, step.get_operand_base(ctx));
            let distance = before.plus(&index, 1);
            return match distance.is_short() {
                true => (root, distance),
                false => nowhere,
            };
        }
        if let Some(decay) = Operation::get_op::<Decay>(op, ctx) {
            let rows = decay.get_operand(ctx);
            let parts = pointee(ctx, rows).and_then(|ty| array_parts(ctx, ty));
            // The first element of the row; of an array as a whole it is where the address starts.
            let (root, before) = self.walk(ctx, rows);
            if let Some((length, _)) = parts.filter(|_| root != rows) {
                return (root, Sum::default().plus(&before, length));
            }
        }
        nowhere
    }

    /// An integer of at most 64 bits as a sum, extended by its sign or by zeros.
    fn sum(&mut self, ctx: &Context, value: Value, signed: bool) -> Sum {
        // What has 64 bits is not extended.
        let signed = signed || int_width(ctx, value.get_type(ctx)) == Some(64);
        let atom = Atom { value, signed };
        if let Some(known) = self.sums.get(&atom) {
            return known.clone();
        }
        let sum = self.compute(ctx, atom).filter(Sum::is_short);
        let sum = sum.unwrap_or_else(|| self.opaque(atom));
        self.sums.insert(atom, sum.clone());
        sum
    }

    fn compute(&mut self, ctx: &Context, atom: Atom) -> Option<Sum> {
        let Atom { value, signed } = atom;
        let width = int_width(ctx, value.get_type(ctx)).filter(|width| *width <= 64)?;
        let wide = width == 64;
        if let Some(number) = constant(ctx, value) {
            let mask = (1i128 << width) - 1;
            let plain = number & mask;
            let negative = signed && plain >> (width - 1) != 0;
            return Some(Sum::constant(if negative {
                plain - mask - 1
            } else {
                plain
            }));
        }
        let op = value.defining_op()?;
        if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
            let inner = cast.get_operand(ctx);
            return match cast.kind(ctx) {
                CastKind::SExt if signed || wide => Some(self.sum(ctx, inner, true)),
                CastKind::ZExt => Some(self.sum(ctx, inner, false)),
                _ => None,
            };
        }
        let bin = Operation::get_op::<Bin>(op, ctx)?;
        let exact = match bin.kind(ctx) {
            BinKind::AddS | BinKind::SubS | BinKind::MulS => wide || signed,
            BinKind::Add | BinKind::Sub | BinKind::Mul | BinKind::Shl => wide,
            _ => false,
        };
        if !exact {
            return None;
        }
        let (lhs, rhs) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
        if bin.kind(ctx) == BinKind::Shl {
            let count = u32::try_from(constant(ctx, rhs)?)
                .ok()
                .filter(|c| *c < 64)?;
            return Some(Sum::default().plus(&self.sum(ctx, lhs, signed), 1 << count));
        }
        let (left, right) = (self.sum(ctx, lhs, signed), self.sum(ctx, rhs, signed));
        Some(match bin.kind(ctx) {
            BinKind::Add | BinKind::AddS => left.plus(&right, 1),
            BinKind::Sub | BinKind::SubS => left.plus(&right, u64::MAX),
            _ => left.times(&right),
        })
    }

    fn opaque(&mut self, atom: Atom) -> Sum {
        let next = self.atoms.len();
        let number = *self.numbers.entry(atom).or_insert(next);
        if number == next {
            self.atoms.push(atom);
        }
        Sum(BTreeMap::from([(vec![number], 1)]))
    }
}

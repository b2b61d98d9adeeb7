//! What an address is computed from, in a form that is equal for equal addresses of different rows.
//!
//! ```text
//! in[(row + 1 - 1) * n + k]   and   in[(row + 0) * n + k]   →   in, row·n + k
//! ```
//! A form is a sum of products of *atoms* with factors, modulo 2^width: integer addition, subtraction and multiplication are
//! just that, whatever they overflow to. An atom is a value that is computed in another way, or the extension of a
//! narrower form. The extension of a row's number plus a small constant is the sum of the extensions: the numbers of all
//! rows of a thread are below 2^31.

use accrue_dialects::core::fold::constant;
use accrue_dialects::core::{Bin, BinKind, Cast, CastKind, Decay, Member, PtrAdd, int_width};
use pliron::{
    builtin::op_interfaces::OneOpdInterface, context::Context, operation::Operation, r#type::Typed,
    value::Value,
};
use std::collections::{BTreeMap, HashMap};

/// An address, equal for equal ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address(usize);

/// Factors of products of atoms, which are in order.
type Sum = BTreeMap<Vec<usize>, i128>;

/// Something that is not a sum, or an address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Atom {
    Value(Value),
    Extended { signed: bool, from: u32, sum: Sum },
    Element { base: usize, width: u32, index: Sum },
    Member { record: usize, field: u32 },
    Decayed(usize),
}

/// The forms of the values of a body.
pub struct Forms {
    atoms: HashMap<Atom, usize>,
    sums: HashMap<Value, Sum>,
    /// The first row's number, and how many rows there are.
    row: usize,
    rows: i128,
}

impl Forms {
    /// `rows`: the rows' numbers, one after the other.
    pub fn new(rows: &[Value]) -> Forms {
        let mut forms = Forms {
            atoms: HashMap::new(),
            sums: HashMap::new(),
            row: 0,
            rows: rows.len() as i128,
        };
        for (distance, number) in rows.iter().enumerate() {
            if distance == 0 {
                forms.row = forms.atom(Atom::Value(*number));
            }
            let mut sum = Sum::from([(vec![forms.row], 1)]);
            if distance > 0 {
                sum.insert(vec![], distance as i128);
            }
            forms.sums.insert(*number, sum);
        }
        forms
    }

    /// The form of an address.
    pub fn address(&mut self, ctx: &Context, address: Value) -> Address {
        Address(self.place(ctx, address))
    }

    fn place(&mut self, ctx: &Context, address: Value) -> usize {
        let Some(op) = address.defining_op() else {
            return self.atom(Atom::Value(address));
        };
        let atom = if let Some(element) = Operation::get_op::<PtrAdd>(op, ctx) {
            let index = element.get_operand_index(ctx);
            Atom::Element {
                base: self.place(ctx, element.get_operand_base(ctx)),
                width: int_width(ctx, index.get_type(ctx)).unwrap_or(64),
                index: self.sum(ctx, index),
            }
        } else if let Some(member) = Operation::get_op::<Member>(op, ctx) {
            Atom::Member {
                record: self.place(ctx, member.get_operand(ctx)),
                field: member.field(ctx),
            }
        } else if let Some(decay) = Operation::get_op::<Decay>(op, ctx) {
            Atom::Decayed(self.place(ctx, decay.get_operand(ctx)))
        } else {
            Atom::Value(address)
        };
        self.atom(atom)
    }

    fn atom(&mut self, atom: Atom) -> usize {
        let next = self.atoms.len();
        *self.atoms.entry(atom).or_insert(next)
    }

    /// The form of an integer.
    fn sum(&mut self, ctx: &Context, value: Value) -> Sum {
        if let Some(known) = self.sums.get(&value) {
            return known.clone();
        }
        let sum = self.compute(ctx, value);
        self.sums.insert(value, sum.clone());
        sum
    }

    fn compute(&mut self, ctx: &Context, value: Value) -> Sum {
        let Some(width) = int_width(ctx, value.get_type(ctx)).filter(|w| *w <= 64) else {
            return self.opaque(value);
        };
        if let Some(number) = constant(ctx, value) {
            return reduced(Sum::from([(vec![], number)]), width);
        }
        let Some(op) = value.defining_op() else {
            return self.opaque(value);
        };
        if let Some(bin) = Operation::get_op::<Bin>(op, ctx) {
            let operands = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
            let sign = match bin.kind(ctx) {
                BinKind::Add | BinKind::AddS => 1,
                BinKind::Sub | BinKind::SubS => -1,
                BinKind::Mul | BinKind::MulS => {
                    let (left, right) = (self.sum(ctx, operands.0), self.sum(ctx, operands.1));
                    return reduced(product(&left, &right, width), width);
                }
                _ => return self.opaque(value),
            };
            let (mut sum, right) = (self.sum(ctx, operands.0), self.sum(ctx, operands.1));
            for (atoms, factor) in right {
                *sum.entry(atoms).or_insert(0) += sign * factor;
            }
            return reduced(sum, width);
        }
        let Some(cast) = Operation::get_op::<Cast>(op, ctx) else {
            return self.opaque(value);
        };
        let signed = match cast.kind(ctx) {
            CastKind::SExt => true,
            CastKind::ZExt => false,
            _ => return self.opaque(value),
        };
        let inner = cast.get_operand(ctx);
        let Some(from) = int_width(ctx, inner.get_type(ctx)) else {
            return self.opaque(value);
        };
        let sum = self.sum(ctx, inner);
        match self.distance_from_row(&sum) {
            Some(distance) => {
                let row = Sum::from([(vec![self.row], 1)]);
                let row = self.atom(Atom::Extended {
                    signed,
                    from,
                    sum: row,
                });
                reduced(Sum::from([(vec![row], 1), (vec![], distance)]), width)
            }
            None => {
                let extended = self.atom(Atom::Extended { signed, from, sum });
                Sum::from([(vec![extended], 1)])
            }
        }
    }

    /// How far behind the first row, if it is the number of a row of the thread.
    fn distance_from_row(&self, sum: &Sum) -> Option<i128> {
        let constant = sum.get(&vec![]).copied().unwrap_or(0);
        let others = sum.iter().filter(|(atoms, _)| !atoms.is_empty());
        let only_row = others.eq([(&vec![self.row], &1)]);
        (only_row && (0..self.rows).contains(&constant)).then_some(constant)
    }

    fn opaque(&mut self, value: Value) -> Sum {
        let atom = self.atom(Atom::Value(value));
        Sum::from([(vec![atom], 1)])
    }
}

/// The factors modulo 2^width, without zeros.
fn reduced(sum: Sum, width: u32) -> Sum {
    let mask = (1i128 << width) - 1;
    let factors = sum
        .into_iter()
        .map(|(atoms, factor)| (atoms, factor & mask));
    factors.filter(|(_, factor)| *factor != 0).collect()
}

fn product(left: &Sum, right: &Sum, width: u32) -> Sum {
    let mask = (1i128 << width) - 1;
    let mut product = Sum::new();
    for (a, f) in left {
        for (b, g) in right {
            let mut atoms = [a.as_slice(), b.as_slice()].concat();
            atoms.sort_unstable();
            let factor = product.entry(atoms).or_insert(0);
            // Both have at most 64 bits, so that the product has its low 64 bits right.
            *factor = (*factor + (f.wrapping_mul(*g) & mask)) & mask;
        }
    }
    product
}

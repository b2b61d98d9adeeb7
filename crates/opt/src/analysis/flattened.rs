//! Subscripts of variable-length arrays, which one address has as one sum.
//!
//! An array whose rows have a length that is computed at run time is accessed through a pointer to its elements; the importer
//! multiplies each subscript by the lengths of what is inside:
//!
//! ```text
//! double a[n][m][k];   a[i][j + 1][l]        a + i·(m·k) + (j + 1)·k + l       [i][j + 1][l]
//! double (*c)[4][k];   c[i][3][l]            c + i·(4·k) + 3·k + l             [i][3][l]
//! ```
//! That a subscript is within its dimension is known from the language only (C17, 6.5.6p8), as it is for arrays of constant lengths,
//! so it is lost in the sum. Steps: of the product that is added to an address, the factors are sorted into lengths of the
//! variable ([`Extent`]), constants and the rest; where the lengths are those of all dimensions inside of one, the rest is the subscript
//! of that. What is added in another way counts elements, from the last dimension on.
//!
//! Cost: linear in the size of the product.

use accrue_dialects::core::{Alloca, Bin, Extent, Ring, ShapeDim, fold::constant};
use pliron::{
    builtin::op_interfaces::OneOpdInterface, context::Context, operation::Operation, value::Value,
};

/// The dimensions of a variable from the outside in to the last one of a length that is computed: those that an address counts
/// together. None for other variables.
pub struct Flattened {
    variable: Value,
    dims: Vec<ShapeDim>,
}

/// What an address is moved on by.
pub enum Moved {
    /// So many times the subscript of a dimension, or just so many.
    Along {
        dimension: usize,
        subscript: Option<Value>,
        times: i64,
    },
    Otherwise,
}

impl Flattened {
    /// Of a variable: an array, or a pointer to one.
    pub fn of(ctx: &Context, variable: Value) -> Option<Flattened> {
        let alloca = Operation::get_op::<Alloca>(variable.defining_op()?, ctx)?;
        let mut dims = alloca.variable(ctx)?.shape.dims;
        let last = dims.iter().rposition(|dim| *dim == ShapeDim::Variable)?;
        dims.truncate(last + 1);
        (last > 0).then_some(Flattened { variable, dims })
    }

    /// How many dimensions it has.
    pub fn dimensions(&self) -> usize {
        self.dims.len()
    }

    /// Which dimension an index is along.
    pub fn moved(&self, ctx: &Context, index: Value) -> Moved {
        let mut factors = Factors {
            extents: vec![],
            times: 1,
            rest: vec![],
        };
        self.take_apart(ctx, index, &mut factors);
        factors.extents.sort_unstable();
        let inside = (0..self.dims.len() - 1).find(|at| self.inside(*at).0 == factors.extents);
        let (Some(dimension), [] | [_]) = (inside, factors.rest.as_slice()) else {
            return Moved::Otherwise;
        };
        let length = self.inside(dimension).1;
        match factors.times % length {
            0 => Moved::Along {
                dimension,
                subscript: factors.rest.first().copied(),
                times: factors.times / length,
            },
            _ => Moved::Otherwise,
        }
    }

    /// The lengths of the dimensions inside of one: the numbers of those that are computed, and the product of the others.
    fn inside(&self, dimension: usize) -> (Vec<u32>, i64) {
        let (mut extents, mut length) = (vec![], 1i64);
        for (at, dim) in self.dims.iter().enumerate().skip(dimension + 1) {
            match dim {
                ShapeDim::Variable => extents.push(at as u32),
                ShapeDim::Fixed(n) => length = length.saturating_mul((*n).max(1) as i64),
                ShapeDim::Pointer => {}
            }
        }
        (extents, length)
    }

    fn take_apart(&self, ctx: &Context, value: Value, factors: &mut Factors) {
        let op = value.defining_op();
        if let Some(number) = constant(ctx, value) {
            factors.times = factors
                .times
                .saturating_mul(i64::try_from(number).unwrap_or(i64::MAX));
            return;
        }
        if let Some(extent) = op.and_then(|op| Operation::get_op::<Extent>(op, ctx))
            && extent.get_operand(ctx) == self.variable
        {
            factors.extents.push(extent.dim(ctx));
            return;
        }
        let product = op.and_then(|op| Operation::get_op::<Bin>(op, ctx));
        if let Some(product) = product.filter(|bin| bin.kind(ctx).ring() == Some(Ring::Product)) {
            self.take_apart(ctx, product.get_operand_lhs(ctx), factors);
            self.take_apart(ctx, product.get_operand_rhs(ctx), factors);
            return;
        }
        factors.rest.push(value);
    }
}

/// The factors of a product.
struct Factors {
    extents: Vec<u32>,
    times: i64,
    rest: Vec<Value>,
}

//! Loops of kernels before they are shared out, and what they reduce.
//!
//! ```text
//! par.reduce [loop 1, Add, signed …, Whole] (%sum)
//! par.loop 1 [gang, vector …] [Lt …] (%lower, %upper, %step) { ^(%i: i32): … core.yield }
//! ```
//! A directive language's own loops become these when a compute construct becomes a kernel; whatever its clauses said has
//! been settled by then.

use super::{GangDim, Levels, LoopDim, LoopDims, LoopId, ReductionOperator, TileSizes};
use crate::{
    core::{Shape, Variable, int_width, pointee},
    ends::{is_iteration_end, verify_end},
};
use accrue_ir::{
    attributes,
    build::{build, entry},
    effects,
    effects::{Effect, EffectOp, Effects},
};
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::{NResultsInterface, OneRegionInterface, SingleBlockRegionInterface},
    common_traits::Verify,
    context::{Context, Ptr},
    derive::{op_interface_impl, pliron_attr, pliron_op},
    op::Op,
    operation::Operation,
    result::Result,
    r#type::Typed,
    value::Value,
    verify_err,
};

/// A loop over one or more dimensions, spread over levels. Operands: the lower bounds of all dimensions, then the upper
/// bounds, then the steps. The body's arguments are the induction variables in the types of the bounds; it ends in `core.yield`,
/// and `core.continue` goes on with the next iteration of the innermost dimension.
#[pliron_op(
    name = "par.loop",
    format = "attr($par_loop_id, $LoopId) ` ` attr($par_loop_levels, $Levels) opt_attr($par_loop_gang_dim, $GangDim, label($dim), delimiters(`[`, `]`)) ` ` attr($par_loop_dims, $LoopDims) opt_attr($par_loop_tile, $TileSizes, label($tile), delimiters(`[`, `]`)) ` (` operands(CharSpace(`,`)) `) ` region($0)",
    interfaces = [NResultsInterface<0>, OneRegionInterface, SingleBlockRegionInterface]
)]
pub struct Loop;

attributes! { Loop:
    /// Its identifier, unique per function, from 1.
    required par_loop_id: LoopId = id, set_id;
    /// The levels that it is spread over.
    required par_loop_levels: Levels = levels, set_levels;
    /// The only gang dimension that it is spread over; `None`: if it is spread over gangs, then over all of them as one.
    optional par_loop_gang_dim: GangDim = gang_dim, set_gang_dim;
    required par_loop_dims: LoopDims = all_dims, set_all_dims;
    /// What its `tile` clause says.
    optional par_loop_tile: TileSizes = tile, set_tile;
}
effects!(structure: Loop);

/// Lower bound, upper bound and step of one dimension.
pub type LoopBounds = (Value, Value, Value);

impl Loop {
    /// Gives the operation and its body block, without terminator. `gang_dim`: the only gang dimension that it is spread
    /// over, if it is not all gangs as one.
    pub fn new(
        ctx: &mut Context,
        id: LoopId,
        levels: Levels,
        gang_dim: Option<GangDim>,
        dims: &[(LoopBounds, LoopDim)],
    ) -> (Self, Ptr<BasicBlock>) {
        let bounds = |part: fn(&LoopBounds) -> Value| dims.iter().map(move |(b, _)| part(b));
        let operands = bounds(|b| b.0)
            .chain(bounds(|b| b.1))
            .chain(bounds(|b| b.2));
        let operands = operands.collect();
        let ivs = dims.iter().map(|((lower, _, _), _)| lower.get_type(ctx));
        let ivs = ivs.collect();
        let op: Self = build(ctx, vec![], operands, 1);
        op.set_id(ctx, id);
        op.set_levels(ctx, levels);
        if let Some(dim) = gang_dim {
            op.set_gang_dim(ctx, dim);
        }
        let dims = dims.iter().map(|(_, dim)| *dim).collect();
        op.set_all_dims(ctx, LoopDims(dims));
        let body = entry(ctx, &op, 0, ivs);
        (op, body)
    }

    /// Its dimensions, outermost first.
    pub fn dims(&self, ctx: &Context) -> Vec<(LoopBounds, LoopDim)> {
        let dims = self.all_dims(ctx).0;
        let op = self.get_operation().deref(ctx);
        let count = dims.len();
        let bounds = |i| {
            (
                op.get_operand(i),
                op.get_operand(count + i),
                op.get_operand(2 * count + i),
            )
        };
        dims.into_iter()
            .enumerate()
            .map(|(i, dim)| (bounds(i), dim))
            .collect()
    }
}

impl Verify for Loop {
    fn verify(&self, ctx: &Context) -> Result<()> {
        let body = self.get_body(ctx, 0);
        let ivs: Vec<_> = body.deref(ctx).arguments().collect();
        let dims = self.all_dims(ctx).0.len();
        let op = self.get_operation().deref(ctx);
        if dims == 0 || dims != ivs.len() || op.get_num_operands() != 3 * dims {
            return verify_err!(
                self.loc(ctx),
                "one lower bound, upper bound, step and test per induction variable"
            );
        }
        let same = |(index, operand): (usize, Value)| {
            operand.get_type(ctx) == ivs[index % dims].get_type(ctx)
        };
        if !op.operands().enumerate().all(same) {
            return verify_err!(
                self.loc(ctx),
                "bounds have the type of the induction variable"
            );
        }
        if self.id(ctx).0 == super::CONSTRUCT {
            return verify_err!(self.loc(ctx), "loops are counted from 1");
        }
        if ivs
            .iter()
            .any(|iv| int_width(ctx, iv.get_type(ctx)).is_none())
        {
            return verify_err!(self.loc(ctx), "the bounds are integers");
        }
        verify_end(
            ctx,
            self,
            0,
            is_iteration_end,
            "core.yield or core.continue",
        )
    }
}

/// Which elements of a variable are reduced.
#[pliron::derive::format]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum Elements {
    /// The variable as a whole.
    Whole,
    /// One dimension: the operands say from where on, and how many.
    Section,
    /// Others: how many, or which, is not said in a way that a LOCAL can be made of.
    Other,
}

/// What is reduced, and by which loop.
#[pliron_attr(name = "par.reduced", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct Reduced {
    /// The identifier of the loop, or [`CONSTRUCT`](super::CONSTRUCT).
    pub loop_id: u32,
    pub operator: ReductionOperator,
    /// Integers compare as signed (`max`, `min`).
    pub signed: bool,
    pub elements: Elements,
    /// As the clause names it, for messages: `a[0:n]`.
    pub spelling: String,
    /// The variable's name, and the shape of what the clause names.
    pub variable: Variable,
}

/// A variable that a loop, or the construct, reduces. It stands before its loop, and at the start of the kernel for the construct. Operands: the
/// variable's address, and for a section its first element and its length.
#[pliron_op(
    name = "par.reduce",
    format = "attr($par_reduced, $Reduced) ` (` operands(CharSpace(`,`)) `)`",
    interfaces = [NResultsInterface<0>]
)]
pub struct Reduce;

attributes! { Reduce:
    /// What is reduced, and by which loop.
    required par_reduced: Reduced = reduced, set_reduced;
}

impl Reduce {
    /// `section`: first element and length, if [`Elements::Section`].
    pub fn new(
        ctx: &mut Context,
        reduced: Reduced,
        var: Value,
        section: Option<(Value, Value)>,
    ) -> Self {
        let mut operands = vec![var];
        operands.extend(
            section
                .into_iter()
                .flat_map(|(first, length)| [first, length]),
        );
        let op: Self = build(ctx, vec![], operands, 0);
        op.set_reduced(ctx, reduced);
        op
    }

    /// Reduces the whole of `var`, of this shape, from now on.
    pub fn redirect(&self, ctx: &Context, var: Value, shape: Shape) {
        let op = self.get_operation();
        if self.section(ctx).is_some() {
            Operation::pop_operand(op, ctx);
            Operation::pop_operand(op, ctx);
        }
        Operation::replace_operand(op, ctx, 0, var);
        let mut reduced = self.reduced(ctx);
        reduced.elements = Elements::Whole;
        reduced.variable.shape = shape;
        self.set_reduced(ctx, reduced);
    }

    /// The variable's address.
    pub fn var(&self, ctx: &Context) -> Value {
        self.get_operation().deref(ctx).get_operand(0)
    }

    /// First element and length of a section.
    pub fn section(&self, ctx: &Context) -> Option<(Value, Value)> {
        let op = self.get_operation().deref(ctx);
        (op.get_num_operands() > 2).then(|| (op.get_operand(1), op.get_operand(2)))
    }
}

impl Verify for Reduce {
    fn verify(&self, ctx: &Context) -> Result<()> {
        let op = self.get_operation().deref(ctx);
        let operands = match self.reduced(ctx).elements {
            Elements::Whole | Elements::Other => 1,
            Elements::Section => 3,
        };
        if op.get_num_operands() != operands || pointee(ctx, op.get_operand(0)).is_none() {
            return verify_err!(
                self.loc(ctx),
                "the address of a variable, and for a section its first element and length"
            );
        }
        Ok(())
    }
}

#[op_interface_impl]
impl EffectOp for Reduce {
    fn effects(&self, ctx: &Context) -> Effects {
        let var = Some(self.var(ctx));
        Effects::Known(vec![Effect::Read(var), Effect::Write(var)])
    }
}

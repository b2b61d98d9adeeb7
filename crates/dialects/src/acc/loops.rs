//! The `loop` construct (OpenACC 3.4, section 2.9).

use super::{
    AccOp,
    clauses::{self, ClauseOp, DeviceTypes, Group},
    compute::DirectiveOp,
};
use crate::{
    View, clause_op,
    core::CoreOp,
    ends::verify_end,
    par::{GangDim, Levels, LoopDim, LoopDims},
    source::SourceOp,
};
use accrue_ir::{attributes, build::entry, effects};
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::{NResultsInterface, OneRegionInterface, SingleBlockRegionInterface},
    common_traits::Verify,
    context::{Context, Ptr},
    derive::{pliron_attr, pliron_op},
    op::Op,
    result::Result,
    r#type::Typed,
    value::Value,
    verify_err,
};

/// The clauses without operands, per device type.
#[pliron_attr(name = "acc.loop_clauses", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Debug, Hash, Default)]
pub struct LoopClauses {
    /// `gang`, with or without arguments.
    pub gang: DeviceTypes,
    pub worker: DeviceTypes,
    pub vector: DeviceTypes,
    pub seq: DeviceTypes,
    pub independent: DeviceTypes,
    pub auto: DeviceTypes,
    /// Not written by the user: a canonical loop in a `kernels` construct, offered to dependence analysis as `auto`.
    pub implicit: bool,
}

/// `loop`. Per dimension one lower bound, upper bound and step, all of the induction variable's type; the body's
/// arguments are the induction variables in that type. The user's variable is an `alloca` in the body that starts with the
/// argument's value. Ends in `acc.yield`; `core.continue` goes on with the next iteration of the innermost dimension.
#[pliron_op(
    name = "acc.loop",
    interfaces = [NResultsInterface<0>, OneRegionInterface, SingleBlockRegionInterface, DirectiveOp]
)]
pub struct Loop;
clause_op!(Loop: LowerBound, UpperBound, Step, GangNum, GangDim, GangStatic, WorkerNum, VectorLength, Tile, Reduction, Private);

attributes! { Loop:
    required acc_loop_dims: LoopDims = all_dims, set_all_dims;
    /// The clauses without operands.
    required acc_loop_clauses: LoopClauses = clauses, set_clauses;
    /// `collapse` has the modifier `force`: its loops may have statements around the next one.
    flag acc_loop_force = is_forced, set_forced;
    /// What the pass `assign-levels` decided, once it has.
    optional acc_loop_levels: Levels = levels, set_levels;
    /// The only gang dimension that it is spread over; `None`: if it is spread over gangs, then over all of them as one.
    optional acc_loop_gang_dim: GangDim = gang_dim, set_gang_dim;
}
effects!(structure: Loop);

impl Loop {
    /// Gives the operation and its body block, without terminator. Bounds: (lower, upper, step) per dimension.
    pub fn new(
        ctx: &mut Context,
        bounds: Vec<(Value, Value, Value)>,
        dims: Vec<LoopDim>,
        loop_clauses: LoopClauses,
    ) -> (Self, Ptr<BasicBlock>) {
        let ivs = bounds
            .iter()
            .map(|(lower, _, _)| lower.get_type(ctx))
            .collect();
        let mut groups = vec![
            bounds.iter().map(|b| b.0).collect(),
            bounds.iter().map(|b| b.1).collect(),
            bounds.iter().map(|b| b.2).collect(),
        ];
        groups.resize(Self::GROUPS.len(), vec![]);
        let op: Self = clauses::build(ctx, vec![], groups, 1);
        op.set_all_dims(ctx, LoopDims(dims));
        op.set_clauses(ctx, loop_clauses);
        let body = entry(ctx, &op, 0, ivs);
        (op, body)
    }

    /// The dimensions.
    pub fn dims(&self, ctx: &Context) -> Vec<LoopDim> {
        self.all_dims(ctx).0
    }

    /// Lower bound, upper bound and step of every dimension.
    pub fn bounds(&self, ctx: &Context) -> Vec<(Value, Value, Value)> {
        let (lower, upper, step) = (
            self.clause(ctx, Group::LowerBound),
            self.clause(ctx, Group::UpperBound),
            self.clause(ctx, Group::Step),
        );
        let pairs = lower.into_iter().zip(upper).zip(step);
        pairs.map(|((l, u), s)| (l, u, s)).collect()
    }
}

/// What each induction variable has one of.
const BOUNDS: [Group; 3] = [Group::LowerBound, Group::UpperBound, Group::Step];

impl Verify for Loop {
    fn verify(&self, ctx: &Context) -> Result<()> {
        let ivs = self.get_body(ctx, 0).deref(ctx).get_num_arguments();
        let dims = self.dims(ctx).len();
        let same = BOUNDS.into_iter().all(|c| self.clause(ctx, c).len() == ivs);
        if dims != ivs || !same || ivs == 0 {
            return verify_err!(
                self.loc(ctx),
                "one lower bound, upper bound, step and test per induction variable"
            );
        }
        let c = self.clauses(ctx);
        let parallel = [&c.gang, &c.worker, &c.vector];
        if parallel
            .iter()
            .any(|p| p.0.iter().any(|d| c.seq.0.contains(d)))
        {
            return verify_err!(
                self.loc(ctx),
                "gang, worker or vector together with seq (2.9.5)"
            );
        }
        let exclusive = [&c.seq, &c.independent, &c.auto];
        let both = |a: &DeviceTypes, b: &DeviceTypes| a.0.iter().any(|d| b.0.contains(d));
        if (0..3).any(|i| both(exclusive[i], exclusive[(i + 1) % 3])) {
            return verify_err!(
                self.loc(ctx),
                "two of seq, independent and auto for one device type (2.9)"
            );
        }
        let typed = |group| {
            let ivs = self
                .get_body(ctx, 0)
                .deref(ctx)
                .arguments()
                .collect::<Vec<_>>();
            let values = self.clause(ctx, group).into_iter();
            values
                .zip(ivs)
                .all(|(v, iv)| v.get_type(ctx) == iv.get_type(ctx))
        };
        if !BOUNDS.into_iter().all(typed) {
            return verify_err!(
                self.loc(ctx),
                "bounds and steps are of the types of the induction variables"
            );
        }
        let ends = |end: &View| {
            matches!(
                end,
                View::Source(SourceOp::Acc(AccOp::Yield(_))) | View::Core(CoreOp::Continue(_))
            )
        };
        verify_end(ctx, self, 0, ends, "acc.yield or core.continue")
    }
}

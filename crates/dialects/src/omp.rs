//! The `omp` dialect: who executes what of a device's region, as OpenMP says it. The names are those of MLIR's dialect.
//!
//! ```text
//! #pragma omp target teams num_teams(8) map(to: a[0:n])        %a = acc.copyin var(%a_var) bounds(…)
//! #pragma omp distribute parallel for                          omp.target dataOperands(%a) {
//! for (…) …                                                →     omp.teams numTeams(%8) {
//!                                                                  omp.loop_nest … [distribute, parallel, for] { … }
//!                                                                  omp.yield } omp.yield }
//! ```
//!
//! A composite construct is one `omp.loop_nest` with the list of its leaves: their loops are the same loops.
//!
//! What a directive says about *variables* are the data operations of [`crate::acc`]: `map(to:)` has the meaning of `copyin`,
//! `map(from:)` of `copyout`, `map(alloc:)` of `create`, `map(release:)` and `map(delete:)` of `delete`, all of them counted in one present
//! table, and the data directives are `acc.data`, `acc.enter_data`, `acc.exit_data` and `acc.update`. So both languages share mapped
//! data in one program, and everything that knows sections, members and attachment serves both.

use crate::{
    View,
    acc::{
        DirectiveOp,
        clauses::{self, ClauseOp, Group},
    },
    clause_op,
    core::CoreOp,
    ends::verify_end,
    par::{LoopDim, LoopDims, ReductionInfo},
    source::SourceOp,
};
use accrue_ir::{attributes, build::entry, effects, keys};
use pliron::{
    basic_block::BasicBlock,
    builtin::attributes::{BoolAttr, StringAttr},
    builtin::op_interfaces::{
        IsTerminatorInterface, NOpdsInterface, NResultsInterface, OneOpdInterface,
        OneRegionInterface, OneResultInterface, SingleBlockRegionInterface,
    },
    common_traits::Verify,
    context::{Context, Ptr},
    derive::{pliron_attr, pliron_op},
    op::Op,
    result::Result,
    r#type::{TypeHandle, Typed},
    value::Value,
    verify_err,
};

keys! {
    /// Of a module: regions of other files call its functions.
    FOR_OTHERS "omp_for_others": BoolAttr;
}

accrue_ir::view! {
    /// Every operation of the dialect.
    OmpOp of "omp": Target, Teams, Parallel, LoopNest, Barrier, Query, Critical, SetLock, UnsetLock, TestLock, Scan, TeamVariable, Yield,
}

/// Ends the regions of this dialect.
#[pliron_op(
    name = "omp.yield",
    format = "",
    interfaces = [IsTerminatorInterface, NResultsInterface<0>],
    verifier = "succ"
)]
pub struct Yield;

impl Yield {
    pub fn new(ctx: &mut Context) -> Self {
        accrue_ir::build::build(ctx, vec![], vec![], 0)
    }
}

/// A construct that says who runs the iterations of a loop nest.
#[pliron_attr(name = "omp.share", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum Share {
    /// The teams of the league (11.6).
    Distribute,
    /// Threads that start here (10.1), for one of the next two.
    Parallel,
    /// The threads of the team (11.5).
    For,
    /// The lanes of a thread (10.4).
    Simd,
    /// Whoever there is (11.7).
    Loop,
    /// Nobody: the thread that comes to it runs all iterations.
    Alone,
}

/// The constructs of a loop nest, outermost first.
#[pliron_attr(
    name = "omp.shares",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct Shares(pub Vec<Share>);

/// The region that `loop` binds to (11.7.1).
#[pliron_attr(name = "omp.binding", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum Binding {
    Teams,
    Parallel,
    Thread,
}

macro_rules! regions {
    ($($(#[$doc:meta])* $op:ident $name:literal: $($clause:ident),*;)*) => {$(
        $(#[$doc])*
        #[pliron_op(
            name = $name,
            interfaces = [NResultsInterface<0>, OneRegionInterface, SingleBlockRegionInterface, DirectiveOp]
        )]
        pub struct $op;
        clause_op!($op: $($clause),*);

        impl $op {
            /// An operation without operands (add them with `clauses::push`) and its block, without terminator.
            pub fn new(ctx: &mut Context, directive: u32) -> (Self, Ptr<BasicBlock>) {
                let groups = vec![vec![]; Self::GROUPS.len()];
                let op: Self = clauses::build(ctx, vec![], groups, 1);
                op.set_directive(ctx, directive);
                let block = entry(ctx, &op, 0, vec![]);
                (op, block)
            }
        }

        impl Verify for $op {
            fn verify(&self, ctx: &Context) -> Result<()> {
                verify_end(ctx, self, 0, is_end, "omp.yield")
            }
        }
    )*};
}

fn is_end(end: &View) -> bool {
    matches!(end, View::Source(SourceOp::Omp(OmpOp::Yield(_))))
}

regions! {
    /// `target` (13.8). The host evaluates the sizes that a combined directive asks for.
    Target "omp.target": If, DeviceNum, NumTeams, NumThreads, ThreadLimit, Private, Firstprivate, Data;
    /// `teams` (10.2).
    Teams "omp.teams": NumTeams, ThreadLimit, Reduction, Private, Firstprivate;
    /// `parallel` (10.1) that is not part of a loop nest's construct.
    Parallel "omp.parallel": NumThreads, Reduction, Private, Firstprivate;
}

/// All threads of the team come here before one goes on (15.3.1).
#[pliron_op(
    name = "omp.barrier",
    format = "",
    interfaces = [NResultsInterface<0>],
    verifier = "succ"
)]
pub struct Barrier;

impl Barrier {
    pub fn new(ctx: &mut Context) -> Self {
        accrue_ir::build::build(ctx, vec![], vec![], 0)
    }
}

/// One thread at a time runs the region (15.2). `$0` is a word for it in the device's memory, for regions that several teams come to.
#[pliron_op(
    name = "omp.critical",
    format = "$0 ` ` attr($omp_critical_name, $StringAttr) ` ` region($0)",
    interfaces = [
        NOpdsInterface<1>, OneOpdInterface, NResultsInterface<0>, OneRegionInterface, SingleBlockRegionInterface
    ],
    operands = (lock)
)]
pub struct Critical;

attributes! { Critical:
    /// Regions with the same name exclude each other.
    required omp_critical_name: StringAttr = name, set_name;
}

impl Critical {
    /// Gives the operation and its block, without terminator.
    pub fn new(ctx: &mut Context, name: &str, lock: Value) -> (Self, Ptr<BasicBlock>) {
        let op: Self = accrue_ir::build::build(ctx, vec![], vec![lock], 1);
        op.set_name(ctx, StringAttr::new(name.to_string()));
        let block = entry(ctx, &op, 0, vec![]);
        (op, block)
    }
}

impl Verify for Critical {
    fn verify(&self, ctx: &Context) -> Result<()> {
        verify_end(ctx, self, 0, is_end, "omp.yield")
    }
}

/// Waits until nobody holds the lock `$0`, a word that is 0 then, and takes it (18.9.4).
#[pliron_op(
    name = "omp.set_lock",
    format = "$0",
    interfaces = [NOpdsInterface<1>, OneOpdInterface, NResultsInterface<0>],
    operands = (lock),
    verifier = "succ"
)]
pub struct SetLock;

impl SetLock {
    pub fn new(ctx: &mut Context, lock: Value) -> Self {
        accrue_ir::build::build(ctx, vec![], vec![lock], 0)
    }
}

/// Gives the lock `$0` back (18.9.5).
#[pliron_op(
    name = "omp.unset_lock",
    format = "$0",
    interfaces = [NOpdsInterface<1>, OneOpdInterface, NResultsInterface<0>],
    operands = (lock),
    verifier = "succ"
)]
pub struct UnsetLock;

impl UnsetLock {
    pub fn new(ctx: &mut Context, lock: Value) -> Self {
        accrue_ir::build::build(ctx, vec![], vec![lock], 0)
    }
}

/// Takes the lock `$0` if nobody holds it; the result is whether it did (18.9.6).
#[pliron_op(
    name = "omp.test_lock",
    format = "$0 ` : ` type($0)",
    interfaces = [NOpdsInterface<1>, OneOpdInterface, OneResultInterface, NResultsInterface<1>],
    operands = (lock),
    verifier = "succ"
)]
pub struct TestLock;

impl TestLock {
    pub fn new(ctx: &mut Context, lock: Value) -> Self {
        let ty = crate::core::int(ctx, 32);
        accrue_ir::build::build(ctx, vec![ty], vec![lock], 0)
    }
}

/// A variable that the threads of the team share, wherever it stands: its address.
#[pliron_op(
    name = "omp.team_variable",
    format = "` : ` type($0)",
    interfaces = [NOpdsInterface<0>, OneResultInterface, NResultsInterface<1>],
    verifier = "succ"
)]
pub struct TeamVariable;

impl TeamVariable {
    pub fn new(ctx: &mut Context, ty: TypeHandle) -> Self {
        let ty = crate::core::pointer(ctx, ty);
        accrue_ir::build::build(ctx, vec![ty], vec![], 0)
    }
}

/// What a routine of `omp.h` says of the thread that calls it (18.2, 18.4).
#[pliron_attr(name = "omp.asked", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum Asked {
    /// `omp_get_thread_num`
    ThreadNum,
    /// `omp_get_num_threads`
    NumThreads,
    /// `omp_get_team_num`
    TeamNum,
    /// `omp_get_num_teams`
    NumTeams,
    /// `omp_in_parallel`
    InParallel,
    /// `omp_get_level`
    Level,
    /// `omp_get_max_threads`
    MaxThreads,
    /// `omp_get_thread_limit`
    ThreadLimit,
}

/// Parts the iteration of a loop that scans: what is in front of it gives the value at `$1` to the sum at `$0`, or, with `exclusive`, what
/// is behind it does (5.6).
#[pliron_op(
    name = "omp.scan",
    format = "$0 `, ` $1 ` ` attr($omp_scan_reduction, $ReductionInfo)",
    interfaces = [NOpdsInterface<2>, NResultsInterface<0>],
    operands = (sum, own),
    verifier = "succ"
)]
pub struct Scan;

attributes! { Scan:
    /// How values are combined.
    required omp_scan_reduction: ReductionInfo = reduction, set_reduction;
    /// The part behind it gives the value.
    flag omp_scan_exclusive = is_exclusive, set_exclusive;
}

impl Scan {
    pub fn new(ctx: &mut Context, sum: Value, own: Value, reduction: ReductionInfo) -> Self {
        let op: Self = accrue_ir::build::build(ctx, vec![], vec![sum, own], 0);
        op.set_reduction(ctx, reduction);
        op
    }
}

effects!(structure: Scan);

/// The answer of such a routine, an `i32`.
#[pliron_op(
    name = "omp.query",
    format = "attr($omp_query_asked, $Asked) ` : ` type($0)",
    interfaces = [OneResultInterface, NResultsInterface<1>],
    verifier = "succ"
)]
pub struct Query;

attributes! { Query:
    /// What is asked.
    required omp_query_asked: Asked = asked, set_asked;
}

impl Query {
    pub fn new(ctx: &mut Context, asked: Asked) -> Self {
        let ty = crate::core::int(ctx, 32);
        let op: Self = accrue_ir::build::build(ctx, vec![ty], vec![], 0);
        op.set_asked(ctx, asked);
        op
    }
}

/// Loops that are shared out. Bounds, steps and variables are those of [`crate::acc::Loop`].
#[pliron_op(
    name = "omp.loop_nest",
    interfaces = [NResultsInterface<0>, OneRegionInterface, SingleBlockRegionInterface, DirectiveOp]
)]
pub struct LoopNest;
clause_op!(LoopNest: LowerBound, UpperBound, Step, NumThreads, Chunk, TeamChunk, Reduction, Private, Firstprivate);

attributes! { LoopNest:
    required omp_loop_dims: LoopDims = all_dims, set_all_dims;
    /// Its constructs.
    required omp_loop_shares: Shares = shares, set_shares;
    /// What a `bind` clause says.
    optional omp_loop_binding: Binding = binding, set_binding;
    /// Its iterations run one after another, in the order of the loop.
    flag omp_loop_in_order = is_in_order, set_in_order;
    /// No barrier is behind it (15.6).
    flag omp_loop_nowait = is_nowait, set_nowait;
    /// A clause says which thread or team runs which iteration, and the iterations are also those of loops in the body.
    flag omp_loop_scheduled = is_scheduled, set_scheduled;
    /// Its iterations are the threads of a team, or the teams.
    flag omp_loop_of_threads = is_of_threads, set_of_threads;
}

impl LoopNest {
    /// Gives the operation and its body block, without terminator. Bounds: (lower, upper, step) per dimension.
    pub fn new(
        ctx: &mut Context,
        directive: u32,
        bounds: Vec<(Value, Value, Value)>,
        dims: Vec<LoopDim>,
        shares: Shares,
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
        op.set_directive(ctx, directive);
        op.set_all_dims(ctx, LoopDims(dims));
        op.set_shares(ctx, shares);
        let body = entry(ctx, &op, 0, ivs);
        (op, body)
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

    /// Whether `share` is one of its constructs.
    pub fn is_shared_by(&self, ctx: &Context, share: Share) -> bool {
        self.shares(ctx).0.contains(&share)
    }
}

impl Verify for LoopNest {
    fn verify(&self, ctx: &Context) -> Result<()> {
        let ivs = self.get_body(ctx, 0).deref(ctx).get_num_arguments();
        if ivs == 0 || self.bounds(ctx).len() != ivs || self.all_dims(ctx).0.len() != ivs {
            return verify_err!(
                self.loc(ctx),
                "one lower bound, upper bound, step and test per induction variable"
            );
        }
        if self.shares(ctx).0.is_empty() {
            return verify_err!(self.loc(ctx), "a loop nest has a construct");
        }
        let ends = |end: &View| is_end(end) || matches!(end, View::Core(CoreOp::Continue(_)));
        verify_end(ctx, self, 0, ends, "omp.yield or core.continue")
    }
}

effects!(structure: Yield, LoopNest, Parallel, Teams, Critical);
effects!(convergent: Barrier);
effects!(none: Query, TeamVariable);
effects!(unknown: SetLock, UnsetLock, TestLock);
// It moves data.
effects!(unknown: Target);

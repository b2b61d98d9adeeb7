//! The numbers in `gang`, `worker` and `vector` of loops in `kernels`: how many gangs, workers and lanes their kernel is launched
//! with (OpenACC 3.4, sections 2.9.2 to 2.9.4). By the letter loops in `parallel` have none; they mean the same there.
//!
//! ```text
//! kernels num_workers(2) {                             words of the call:
//!   loop gang(n)                      { … }       →      gangs n, workers 0 (those of the construct), lanes 0
//!   loop gang(4) { loop vector(64)    { … } }            gangs 4, workers 0, lanes 64
//! }
//! ```
//! Several loops of one kernel may say different things: the kernel has the largest number, since each loop runs right with any.
//! A number that the region computes comes too late, and has no effect.
//!
//! [`outline`](crate::outline) takes them from the loops and notes them on the kernel; [`call`](crate::call) makes the words.

use accrue_dialects::{
    acc::{
        ClauseOp, ComputeOp, DeviceType, DeviceTypes, DirectiveOp, Expression, Given, Group,
        Kernels, Loop, Parallel, device_type_clause, given,
    },
    core::fold::constant,
};
use accrue_hostcall::ClauseSize;
use accrue_ir::walk;
use accrue_opt::Target;
use pliron::{
    context::{Context, Ptr},
    derive::{format, pliron_attr},
    op::Op,
    operation::Operation,
};

use crate::device_types::{argument, closeness};

/// Of a loop, of a kernel, and of a construct: the three sizes by the same index.
pub const OF_LOOP: [Group; 3] = [Group::GangNum, Group::WorkerNum, Group::VectorLength];
pub const OF_CONSTRUCT: [Group; 3] = [Group::NumGangs, Group::NumWorkers, Group::VectorLength];

/// A number in a clause.
#[format]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct LoopSize {
    /// Which of the three.
    pub size: u32,
    pub device: DeviceType,
    /// All device types that the directive names: `*` is the others.
    pub named: DeviceTypes,
    /// The directive of the loop, and the clause of it.
    pub directive: u32,
    pub clause: u32,
    pub item: u32,
    /// 0 where it is known at the launch only.
    pub value: u64,
}

/// Those of a kernel's loops.
#[pliron_attr(
    name = "lower.loop_sizes",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash, Default)]
pub struct LoopSizes(pub Vec<LoopSize>);

/// What the clauses of the loops in `ops` say, if these are in a `kernels` or `parallel` construct. The construct's own clauses come first.
pub fn of_operations(ctx: &Context, ops: &[Ptr<Operation>]) -> LoopSizes {
    let loops = ops.iter().flat_map(|op| {
        let own = Operation::get_op::<Loop>(*op, ctx);
        own.into_iter().chain(walk::nested::<Loop>(ctx, *op))
    });
    let in_construct = loops.filter(|lp| {
        let op = lp.get_operation();
        walk::enclosing::<Kernels>(ctx, op).is_some()
            || walk::enclosing::<Parallel>(ctx, op).is_some()
    });
    let all = in_construct.flat_map(|lp| {
        let groups = OF_LOOP.into_iter().enumerate();
        groups.flat_map(move |(size, group)| {
            let op = lp.get_operation();
            let parallel = walk::enclosing::<Parallel>(ctx, op);
            let said = parallel.is_some_and(|of| !of.clause(ctx, OF_CONSTRUCT[size]).is_empty());
            let given = given(&lp, ctx, group).into_iter().filter(move |_| !said);
            given.filter_map(move |given| noted(ctx, lp, size as u32, given))
        })
    });
    LoopSizes(all.collect())
}

fn noted(ctx: &Context, lp: Loop, size: u32, given: Given) -> Option<LoopSize> {
    let Expression::Clause { clause, item } = given.expression else {
        return None;
    };
    let value = constant(ctx, given.value).and_then(|value| u64::try_from(value).ok());
    Some(LoopSize {
        size,
        device: given.device,
        named: device_type_clause(ctx, &lp),
        directive: lp.directive(ctx).0,
        clause,
        item,
        value: value.unwrap_or(0),
    })
}

/// Whether a number of the loop is none that the host can evaluate before the launch.
pub fn comes_late(ctx: &Context, lp: &Loop, group: Group) -> bool {
    let given = given(lp, ctx, group).into_iter();
    let mut unwritten = given.filter(|given| given.expression == Expression::Unwritten);
    unwritten.next().is_some()
}

impl LoopSizes {
    /// The numbers of one of the three sizes, loop by loop.
    pub fn by_loop(&self, size: usize) -> Vec<Vec<&LoopSize>> {
        let of_size: Vec<_> = self.0.iter().filter(|s| s.size as usize == size).collect();
        let mut found: Vec<Vec<&LoopSize>> = vec![];
        for entry in of_size {
            match found
                .iter_mut()
                .find(|of| of[0].directive == entry.directive)
            {
                Some(of) => of.push(entry),
                None => found.push(vec![entry]),
            }
        }
        found
    }

    /// What they say on `target`: the largest.
    pub fn on(&self, size: usize, target: Target) -> ClauseSize {
        let of_loop = |entries: Vec<&LoopSize>| {
            let fitting = entries.into_iter();
            let fitting = fitting.filter_map(|e| Some((closeness(e.device, target)?, e.value)));
            fitting.max_by_key(|(closeness, _)| *closeness)
        };
        let values = self.by_loop(size).into_iter().filter_map(of_loop);
        let values: Vec<u64> = values.map(|(_, value)| value).collect();
        match values.iter().max() {
            None => ClauseSize::Absent,
            Some(_) if values.contains(&0) => ClauseSize::Runtime,
            Some(largest) => ClauseSize::Constant(*largest),
        }
    }

    /// The three sizes of the kernel on `target`: what the construct says where its loops say nothing.
    pub fn with_construct(
        &self,
        ctx: &Context,
        construct: &dyn ComputeOp,
        target: Target,
    ) -> [ClauseSize; 3] {
        [0, 1, 2].map(|size| match self.on(size, target) {
            ClauseSize::Absent => clause_size(ctx, construct, OF_CONSTRUCT[size], target),
            own @ (ClauseSize::Constant(_) | ClauseSize::Runtime) => own,
        })
    }

    /// Whether they say that there is one gang, on all devices.
    pub fn says_one_gang(&self) -> bool {
        let gangs = self.by_loop(0);
        let one = |entry: &&LoopSize| entry.value == 1 && entry.device == DeviceType::None;
        !gangs.is_empty() && gangs.iter().flatten().all(one)
    }
}

/// What the clause of a construct says on `target`.
fn clause_size(
    ctx: &Context,
    construct: &dyn ComputeOp,
    group: Group,
    target: Target,
) -> ClauseSize {
    match argument(ctx, construct, group, target) {
        None => ClauseSize::Absent,
        Some(value) => match constant(ctx, value).and_then(|c| u64::try_from(c).ok()) {
            Some(size) => ClauseSize::Constant(size),
            None => ClauseSize::Runtime,
        },
    }
}

//! What has been chosen for each reduction, for those who ask (`accrue explain`).

use super::{
    super::unit::Unit, Builtin, Object, Reduction, choose::Scalar, gang::Contribution, group,
    policy::Algorithm, runs::Run,
};
use accrue_dialects::{
    core::{Alloca, Load},
    par::{Level, ReductionId, ReductionOperator},
};
use accrue_ir::build::line_column;
use pliron::{
    context::{Context, Ptr},
    operation::Operation,
};
use std::collections::HashMap;

/// How the values of one reduction are combined at one level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The variable; empty if it has no name.
    pub name: String,
    pub operator: ReductionOperator,
    pub scalar: Scalar,
    /// Elements of an array; 0 for a scalar.
    pub elements: u64,
    pub level: Level,
    /// Stage by stage; none where there is nothing to combine: one gang, one worker.
    pub algorithms: Vec<Algorithm>,
    /// Where the reduction is in the source, if that is known.
    pub position: Option<(u32, u32)>,
}

impl Chosen {
    /// Every gang updates the RESULT in memory.
    pub fn every_gang_updates(&self) -> bool {
        let updates = |algorithm: &Algorithm| match algorithm {
            Algorithm::Atomic | Algorithm::Lock => true,
            Algorithm::Shuffle
            | Algorithm::Contiguous
            | Algorithm::Dispersed
            | Algorithm::Redux
            | Algorithm::Slots
            | Algorithm::FirstWarp
            | Algorithm::Tree
            | Algorithm::Launches => false,
        };
        self.level == Level::Gang && self.algorithms.iter().any(updates)
    }
}

/// Those of a function, before they are expanded.
pub fn chosen(
    ctx: &Context,
    unit: &Unit,
    runs: &[Run],
    contributions: &[Contribution],
) -> Vec<Chosen> {
    let names = names(ctx, runs);
    let mut found = vec![];
    for run in runs.iter().filter(|r| r.builtin == Builtin::Teardown) {
        for reduction in &run.members {
            let algorithms = match run.level {
                Level::Gang => of_gangs(unit, reduction, contributions),
                Level::Worker | Level::Vector => group::stages(ctx, unit, run, reduction),
            };
            let object = Object::of(ctx, reduction.local(ctx));
            found.push(Chosen {
                name: names.get(&reduction.info.id).cloned().unwrap_or_default(),
                operator: reduction.info.operator,
                scalar: Scalar::of(ctx, object.scalar),
                elements: if object.by_address { object.count } else { 0 },
                level: run.level,
                algorithms,
                position: line_column(reduction.op.deref(ctx).loc()),
            });
        }
    }
    found
}

fn of_gangs(unit: &Unit, reduction: &Reduction, contributions: &[Contribution]) -> Vec<Algorithm> {
    let single = unit.kernel.as_ref().is_some_and(|k| k.single_gang);
    let mut own = contributions
        .iter()
        .filter(|c| c.info.id == reduction.info.id);
    own.next()
        .filter(|_| !single)
        .map(|c| c.algorithm)
        .into_iter()
        .collect()
}

/// The names of the variables, by reduction: a LOCAL is loaded from its variable at one of the builtins.
fn names(ctx: &Context, runs: &[Run]) -> HashMap<ReductionId, String> {
    let mut names = HashMap::new();
    for reduction in runs.iter().flat_map(|r| &r.members) {
        if let Some(name) = name(ctx, reduction) {
            names.entry(reduction.info.id).or_insert(name);
        }
    }
    names
}

fn name(ctx: &Context, reduction: &Reduction) -> Option<String> {
    let op = reduction.local(ctx).defining_op()?;
    let variable: Ptr<Operation> = match Operation::get_op::<Load>(op, ctx) {
        Some(load) => load.get_operand_address(ctx).defining_op()?,
        None => op,
    };
    let alloca = Operation::get_op::<Alloca>(variable, ctx)?;
    alloca.variable(ctx).map(|v| v.name)
}

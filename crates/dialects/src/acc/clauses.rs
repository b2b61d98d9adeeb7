//! Operand groups ("clauses") of acc operations: storage and verification, once for all operations. [`text`] prints
//! and reads them, [`edit`] changes them.
//!
//! ```text
//! acc.parallel dataOperands(v1, v2) numGangs(v3, v4 [nvidia]) [attrs] : <> { regions }
//! ```

mod edit;
mod text;

pub use edit::{push, push_expression, push_front, take};
pub use text::{Maker, parse, print};

use pliron::{
    builtin::op_interfaces::OperandSegmentInterface,
    context::{Context, Ptr},
    derive::{op_interface, pliron_attr},
    dict_key,
    op::{Op, op_cast, op_impls},
    operation::Operation,
    result::Result,
    r#type::Typed,
    value::Value,
    verify_err,
};

use super::data::{Bounds, DataOp, Firstprivate, Private, Reduction};
use super::declare::DeclareEnter;
use crate::core::{boolean, int_width, pointee};

/// The device type that an operand or a property applies to (OpenACC 3.4, section 2.4, `device_type`). `None`: given
/// before any `device_type` clause; `Star`: after `device_type(*)`.
#[pliron_attr(name = "acc.device_type", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash, Default)]
pub enum DeviceType {
    #[default]
    None,
    Star,
    Host,
    Multicore,
    Nvidia,
    Radeon,
    /// accrue's simulator.
    Sim,
    OpenCl,
    Default,
}

/// A list of device types; as an attribute of an operation, one per operand in operand order.
#[pliron_attr(
    name = "acc.device_types",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash, Default)]
pub struct DeviceTypes(pub Vec<DeviceType>);

dict_key!(DEVICE_TYPES, "acc_operand_device_types");

/// Which expression of the directive an operand was written as. The items of a clause are counted in the order of its grammar: of
/// `wait` the device number comes before the queues.
#[pliron::derive::format]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash, Default)]
pub enum Expression {
    /// None of the user's.
    #[default]
    Unwritten,
    /// An item of the directive's own argument.
    Directive { item: u32 },
    /// Clause and item.
    Clause { clause: u32, item: u32 },
}

/// The expressions of an operation's operands, one per operand.
#[pliron_attr(
    name = "acc.expressions",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash, Default)]
pub struct Expressions(pub Vec<Expression>);

dict_key!(EXPRESSIONS, "acc_operand_expressions");

macro_rules! groups {
    ($($(#[$doc:meta])* $group:ident $name:literal $takes:ident;)*) => {
        /// What operands of an operation are for. Each operation has some of the groups, in an order of its own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Group {
            $($(#[$doc])* $group),*
        }

        impl Group {
            /// As it is written in the text.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Group::$group => $name),*
                }
            }

            const fn takes(self) -> Takes {
                match self {
                    $(Group::$group => Takes::$takes),*
                }
            }
        }
    };
}

/// What the operands of a group have to be.
enum Takes {
    Integer,
    /// An `i1`.
    Condition,
    /// The address of a variable.
    Variable,
    /// What an `acc.bounds` gives.
    Bounds,
    /// What an operation of a data clause gives.
    Entry,
    /// The same, or where only exit operations stand, the address of the variable.
    EntryOrVariable,
    /// What an `acc.private` gives.
    Private,
    Firstprivate,
    Reduction,
    /// What an `acc.declare_enter` gives.
    Token,
}

groups! {
    Async "async_" Integer;
    Wait "wait" Integer;
    NumGangs "numGangs" Integer;
    NumWorkers "numWorkers" Integer;
    VectorLength "vectorLength" Integer;
    NumTeams "numTeams" Integer;
    ThreadLimit "threadLimit" Integer;
    NumThreads "numThreads" Integer;
    If "if_" Condition;
    /// The `self` clause of a compute construct.
    SelfCondition "self_" Condition;
    Reduction "reduction" Reduction;
    Private "private" Private;
    Firstprivate "firstprivate" Firstprivate;
    /// The data clauses.
    Data "dataOperands" EntryOrVariable;
    /// The arguments of a `wait` directive.
    Queues "queues" Integer;
    /// `devnum` in the argument of a `wait` directive.
    Devnum "devnum" Integer;
    DeviceNum "deviceNum" Integer;
    DefaultAsync "defaultAsync" Integer;
    LowerBound "lowerbound" Integer;
    UpperBound "upperbound" Integer;
    Extent "extent" Integer;
    Stride "stride" Integer;
    Step "step" Integer;
    /// How many iterations one thread takes at once; 0 for as many as there are for each.
    Chunk "chunk" Integer;
    /// The same of a team.
    TeamChunk "teamChunk" Integer;
    /// The variable of a data clause.
    Var "var" Variable;
    Bounds "bounds" Bounds;
    /// Of an exit operation: what the entry operation gave.
    Entry "acc" Entry;
    GangNum "gangNum" Integer;
    GangDim "gangDim" Integer;
    GangStatic "gangStatic" Integer;
    WorkerNum "workerNum" Integer;
    Tile "tile" Integer;
    /// Of `acc.declare_exit`: which `acc.declare_enter` it ends.
    Token "token" Token;
}

/// An op whose operands fall into groups.
#[op_interface]
pub trait ClauseOp: OperandSegmentInterface {
    /// The groups, in operand order.
    fn groups(&self) -> &'static [Group];

    /// Whether the operation has such operands at all.
    fn has(&self, group: Group) -> bool {
        self.groups().contains(&group)
    }

    /// Operands of the group; none for a group that the operation does not have.
    fn clause(&self, ctx: &Context, group: Group) -> Vec<Value> {
        match place(self.groups(), group) {
            Some(index) => self.get_segment(ctx, index),
            None => vec![],
        }
    }

    /// Device type of each operand.
    fn device_types(&self, ctx: &Context) -> Vec<DeviceType> {
        let op = self.get_operation().deref(ctx);
        match op.attributes.get::<DeviceTypes>(&DEVICE_TYPES) {
            Some(types) => types.0.clone(),
            None => vec![DeviceType::None; op.get_num_operands()],
        }
    }

    /// The expression that each operand was written as.
    fn expressions(&self, ctx: &Context) -> Vec<Expression> {
        let op = self.get_operation().deref(ctx);
        match op.attributes.get::<Expressions>(&EXPRESSIONS) {
            Some(expressions) => expressions.0.clone(),
            None => vec![Expression::Unwritten; op.get_num_operands()],
        }
    }

    fn verify(op: &dyn Op, ctx: &Context) -> Result<()>
    where
        Self: Sized,
    {
        let operation = op.get_operation().deref(ctx);
        let types = operation.attributes.get::<DeviceTypes>(&DEVICE_TYPES);
        if types.is_some_and(|t| t.0.len() != operation.get_num_operands()) {
            return verify_err!(operation.loc(), "one device type per operand expected");
        }
        let expressions = operation.attributes.get::<Expressions>(&EXPRESSIONS);
        if expressions.is_some_and(|e| e.0.len() != operation.get_num_operands()) {
            return verify_err!(operation.loc(), "one expression per operand expected");
        }
        match op_cast::<dyn ClauseOp>(op) {
            Some(clauses) => verify_operands(ctx, clauses),
            None => Ok(()),
        }
    }
}

fn place(groups: &[Group], group: Group) -> Option<usize> {
    groups.iter().position(|g| *g == group)
}

fn verify_operands(ctx: &Context, op: &dyn ClauseOp) -> Result<()> {
    for group in op.groups() {
        for value in op.clause(ctx, *group) {
            if let Some(expected) = misfit(ctx, *group, value) {
                let loc = op.get_operation().deref(ctx).loc().clone();
                let name = group.name();
                return verify_err!(loc, "`{name}` of `{}` takes {expected}", op.get_opid());
            }
        }
    }
    Ok(())
}

/// What the group takes instead of `value`; `None` if it takes it.
fn misfit(ctx: &Context, group: Group, value: Value) -> Option<&'static str> {
    let ty = value.get_type(ctx);
    let made_by = |fits: fn(&Context, Ptr<Operation>) -> bool| {
        value.defining_op().is_some_and(|op| fits(ctx, op))
    };
    let is_entry = |ctx: &Context, op: Ptr<Operation>| {
        op_impls::<dyn DataOp>(&*Operation::get_op_dyn(op, ctx))
    };
    let (fits, expected) = match group.takes() {
        Takes::Integer => (int_width(ctx, ty).is_some(), "integers"),
        Takes::Condition => (ty == boolean(ctx), "an i1"),
        Takes::Variable => (pointee(ctx, value).is_some(), "the address of a variable"),
        Takes::Bounds => (made_by(is::<Bounds>), "what acc.bounds gives"),
        Takes::Entry => (made_by(is_entry), "what a data entry operation gives"),
        Takes::EntryOrVariable => (
            made_by(is_entry) || pointee(ctx, value).is_some(),
            "what data entry operations give, or addresses of variables",
        ),
        Takes::Private => (made_by(is::<Private>), "what acc.private gives"),
        Takes::Firstprivate => (made_by(is::<Firstprivate>), "what acc.firstprivate gives"),
        Takes::Reduction => (made_by(is::<Reduction>), "what acc.reduction gives"),
        Takes::Token => (made_by(is::<DeclareEnter>), "what acc.declare_enter gives"),
    };
    (!fits).then_some(expected)
}

fn is<T: Op>(ctx: &Context, op: Ptr<Operation>) -> bool {
    Operation::is_op::<T>(op, ctx)
}

/// Implements `ClauseOp` and the clause syntax for an op.
#[macro_export]
macro_rules! clause_op {
    ($op:ident: $($group:ident),* $(,)?) => {
        impl $op {
            pub const GROUPS: &[$crate::acc::Group] = &[$($crate::acc::Group::$group),*];
        }
        #[pliron::derive::op_interface_impl]
        impl pliron::builtin::op_interfaces::OperandSegmentInterface for $op {
            fn expected_num_segments(&self, _: &pliron::context::Context) -> Option<usize> {
                Some(Self::GROUPS.len())
            }
        }
        #[pliron::derive::op_interface_impl]
        impl $crate::acc::clauses::ClauseOp for $op {
            fn groups(&self) -> &'static [$crate::acc::Group] {
                Self::GROUPS
            }
        }
        impl pliron::printable::Printable for $op {
            fn fmt(&self, ctx: &pliron::context::Context, state: &pliron::printable::State,
                   f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $crate::acc::clauses::print(self, ctx, state, f)
            }
        }
        impl pliron::parsable::Parsable for $op {
            type Arg = Vec<(pliron::identifier::Identifier, pliron::location::Location)>;
            type Parsed = pliron::op::OpObj;
            fn parse<'a>(stream: &mut pliron::parsable::StateStream<'a>, results: Self::Arg)
                -> pliron::parsable::ParseResult<'a, Self::Parsed> {
                $crate::acc::clauses::parse(stream, results,
                    <$op as pliron::op::Op>::get_concrete_op_info(), Self::GROUPS)
            }
        }
    };
}

/// Stores operand groups on a freshly built op.
pub fn build<T: ClauseOp + Op>(
    ctx: &mut Context,
    results: Vec<pliron::r#type::TypeHandle>,
    groups: Vec<Vec<Value>>,
    regions: usize,
) -> T {
    let (operands, sizes) = T::compute_segment_sizes(groups);
    let op: T = accrue_ir::build::build(ctx, results, operands, regions);
    op.set_operand_segment_sizes(ctx, sizes);
    op
}

/// An operand of a clause, for a device type.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    pub value: Value,
    pub device: DeviceType,
    pub expression: Expression,
}

/// The operands of the group with all that is known of them.
pub fn given(op: &dyn ClauseOp, ctx: &Context, group: Group) -> Vec<Given> {
    let Some(index) = place(op.groups(), group) else {
        return vec![];
    };
    let expressions = op.expressions(ctx)[op.segment_range(ctx, index)].to_vec();
    let operands = operands_with_devices(op, ctx, group).into_iter();
    let with_expressions = operands.zip(expressions);
    with_expressions
        .map(|((value, device), expression)| Given {
            value,
            device,
            expression,
        })
        .collect()
}

/// Operands of the group with their device types.
pub fn operands_with_devices(
    op: &dyn ClauseOp,
    ctx: &Context,
    group: Group,
) -> Vec<(Value, DeviceType)> {
    let Some(index) = place(op.groups(), group) else {
        return vec![];
    };
    let devices = op.device_types(ctx)[op.segment_range(ctx, index)].to_vec();
    op.clause(ctx, group).into_iter().zip(devices).collect()
}

/// Fails when one of the groups has more operands for one device type than it may have.
pub fn verify_counts(op: &dyn ClauseOp, ctx: &Context, limits: &[(Group, usize)]) -> Result<()> {
    for (group, most) in limits {
        let seen = operands_with_devices(op, ctx, *group);
        let of = |device| seen.iter().filter(|(_, d)| *d == device).count();
        if seen.iter().any(|(_, device)| of(*device) > *most) {
            let loc = op.get_operation().deref(ctx).loc().clone();
            let name = group.name();
            return verify_err!(
                loc,
                "{name} has more than {most} operands for one device type"
            );
        }
    }
    Ok(())
}

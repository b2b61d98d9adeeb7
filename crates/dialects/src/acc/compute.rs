//! Compute constructs and structured data constructs (OpenACC 3.4, sections 2.5, 2.6.5, 2.8).

use super::AccOp;
use super::clauses::{self, ClauseOp, DeviceTypes, Group};
use super::data::DataOp;
use super::loops::Loop;
use super::standalone::{DEVICE_TYPE_CLAUSE, FINALIZE, IF_PRESENT};
use crate::{View, clause_op, ends::verify_end, source::SourceOp};
use accrue_ir::{attributes, attributes::Declared, build::entry, effects};
use pliron::{
    basic_block::BasicBlock,
    builtin::{
        attributes::BoolAttr,
        op_interfaces::{
            IsTerminatorInterface, NResultsInterface, OneRegionInterface,
            SingleBlockRegionInterface,
        },
    },
    common_traits::Verify,
    context::{Context, Ptr},
    derive::{op_interface, pliron_attr, pliron_op},
    dict_key,
    op::{Op, op_impls},
    operation::Operation,
    result::Result,
    verify_err,
};
use std::collections::HashSet;

/// Ends the region of an acc construct.
#[pliron_op(
    name = "acc.yield",
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

/// `default(none)` or `default(present)`.
#[pliron_attr(name = "acc.default_clause", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum DefaultClause {
    None,
    Present,
}

/// Whose rules hold for the variables that no clause of a construct names.
#[pliron_attr(name = "acc.rules", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash, Default)]
pub enum ImplicitRules {
    /// OpenACC 3.4, section 2.6.2, and what programs that follow it by habit mean.
    #[default]
    OpenAcc,
    /// OpenMP 5.2, section 5.8.1: a scalar is firstprivate whatever is mapped, and nothing is inferred.
    OpenMp,
}

/// What OpenMP's `defaultmap` says of a variable that no clause names (OpenMP 5.2, section 5.8.7).
#[pliron_attr(name = "acc.map_behavior", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash, Default)]
pub enum MapBehavior {
    /// Nothing.
    #[default]
    Default,
    Alloc,
    To,
    From,
    ToFrom,
    Firstprivate,
    Present,
    /// It must be named.
    None,
}

/// The same for the three categories of variables.
#[pliron_attr(
    name = "acc.defaultmap",
    format = "`{scalar=` $scalar `,aggregate=` $aggregate `,pointer=` $pointer `}`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash, Default)]
pub struct DefaultMap {
    pub scalar: MapBehavior,
    pub aggregate: MapBehavior,
    pub pointer: MapBehavior,
}

/// Ordinal number of the directive in its translation unit.
#[pliron_attr(name = "acc.directive", format = "$0", verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct DirectiveId(pub u32);

dict_key!(DIRECTIVE, "acc_directive");
dict_key!(DEFAULT, "acc_default");
dict_key!(COMBINED, "acc_combined");
dict_key!(RULES, "acc_rules");
dict_key!(DEFAULTMAP, "acc_defaultmap");
dict_key!(OPENMP, "acc_openmp");
dict_key!(ASYNC_ONLY, "acc_async_only");
dict_key!(WAIT_ONLY, "acc_wait_only");

/// What every operation made from a directive of its own shares.
#[op_interface]
pub trait DirectiveOp: ClauseOp {
    /// Which directive of the unit this is. Loops that nobody wrote a directive for have none, and must not be asked.
    fn directive(&self, ctx: &Context) -> DirectiveId {
        attributes::required(ctx, self.get_operation(), &DIRECTIVE)
    }

    fn set_directive(&self, ctx: &Context, id: u32) {
        attributes::set(ctx, self.get_operation(), &DIRECTIVE, DirectiveId(id));
    }

    /// The directive is OpenMP's: its rules say what a device number means, and that a mapping has one counter.
    fn is_openmp(&self, ctx: &Context) -> bool {
        attributes::flag(ctx, self.get_operation(), &OPENMP)
    }

    fn set_openmp(&self, ctx: &Context) {
        attributes::set(ctx, self.get_operation(), &OPENMP, BoolAttr::new(true));
    }

    /// Device types with an `async` clause without argument.
    fn async_only(&self, ctx: &Context) -> DeviceTypes {
        attributes::optional(ctx, self.get_operation(), &ASYNC_ONLY).unwrap_or_default()
    }

    fn set_async_only(&self, ctx: &Context, types: DeviceTypes) {
        attributes::set(ctx, self.get_operation(), &ASYNC_ONLY, types);
    }

    /// Device types with a `wait` clause without argument.
    fn wait_only(&self, ctx: &Context) -> DeviceTypes {
        attributes::optional(ctx, self.get_operation(), &WAIT_ONLY).unwrap_or_default()
    }

    fn set_wait_only(&self, ctx: &Context, types: DeviceTypes) {
        attributes::set(ctx, self.get_operation(), &WAIT_ONLY, types);
    }

    /// What `defaultmap` says.
    fn defaultmap(&self, ctx: &Context) -> DefaultMap {
        attributes::optional(ctx, self.get_operation(), &DEFAULTMAP).unwrap_or_default()
    }

    fn set_defaultmap(&self, ctx: &Context, said: DefaultMap) {
        attributes::set(ctx, self.get_operation(), &DEFAULTMAP, said);
    }

    fn verify(op: &dyn Op, ctx: &Context) -> Result<()>
    where
        Self: Sized,
    {
        let directive = Declared {
            required: !Operation::is_op::<Loop>(op.get_operation(), ctx),
            key: &DIRECTIVE,
            fits: attributes::is::<DirectiveId>,
        };
        attributes::verify(op, ctx, &[directive])?;
        attributes::verify(op, ctx, DIRECTIVE_ATTRIBUTES)
    }
}

/// What directives may have beside their number.
const DIRECTIVE_ATTRIBUTES: &[Declared] = &[
    Declared {
        key: &ASYNC_ONLY,
        required: false,
        fits: attributes::is::<DeviceTypes>,
    },
    Declared {
        key: &WAIT_ONLY,
        required: false,
        fits: attributes::is::<DeviceTypes>,
    },
    Declared {
        key: &DEFAULT,
        required: false,
        fits: attributes::is::<DefaultClause>,
    },
    Declared {
        key: &COMBINED,
        required: false,
        fits: attributes::is::<BoolAttr>,
    },
    Declared {
        key: &FINALIZE,
        required: false,
        fits: attributes::is::<BoolAttr>,
    },
    Declared {
        key: &OPENMP,
        required: false,
        fits: attributes::is::<BoolAttr>,
    },
    Declared {
        key: &IF_PRESENT,
        required: false,
        fits: attributes::is::<BoolAttr>,
    },
    Declared {
        key: &RULES,
        required: false,
        fits: attributes::is::<ImplicitRules>,
    },
    Declared {
        key: &DEFAULTMAP,
        required: false,
        fits: attributes::is::<DefaultMap>,
    },
    Declared {
        key: &DEVICE_TYPE_CLAUSE,
        required: false,
        fits: attributes::is::<DeviceTypes>,
    },
];

/// A construct with a region and data operands.
#[op_interface]
pub trait RegionOp: DirectiveOp {
    /// `default(none|present)`.
    fn default_clause(&self, ctx: &Context) -> Option<DefaultClause> {
        attributes::optional(ctx, self.get_operation(), &DEFAULT)
    }

    fn set_default_clause(&self, ctx: &Context, clause: DefaultClause) {
        attributes::set(ctx, self.get_operation(), &DEFAULT, clause);
    }

    /// Part of a combined construct (`parallel loop` …): its region has the `acc.loop` in it.
    fn is_combined(&self, ctx: &Context) -> bool {
        attributes::flag(ctx, self.get_operation(), &COMBINED)
    }

    fn set_combined(&self, ctx: &Context) {
        attributes::set(ctx, self.get_operation(), &COMBINED, BoolAttr::new(true));
    }

    fn verify(op: &dyn Op, ctx: &Context) -> Result<()>
    where
        Self: Sized,
    {
        let Some(region_op) = pliron::op::op_cast::<dyn RegionOp>(op) else {
            return Ok(());
        };
        let groups = [
            Group::Data,
            Group::Private,
            Group::Firstprivate,
            Group::Reduction,
        ];
        let mut seen = HashSet::new();
        for value in groups.into_iter().flat_map(|g| region_op.clause(ctx, g)) {
            let is_data = value
                .defining_op()
                .is_some_and(|d| op_impls::<dyn DataOp>(&*Operation::get_op_dyn(d, ctx)));
            if !is_data {
                return verify_err!(
                    op.loc(ctx),
                    "a data operand comes from a data entry operation"
                );
            }
            if !seen.insert(value) {
                return verify_err!(op.loc(ctx), "the same data operand twice");
            }
        }
        Ok(())
    }
}

/// A compute construct.
#[op_interface]
pub trait ComputeOp: RegionOp {
    /// Whose rules hold.
    fn rules(&self, ctx: &Context) -> ImplicitRules {
        attributes::optional(ctx, self.get_operation(), &RULES).unwrap_or_default()
    }

    fn set_rules(&self, ctx: &Context, rules: ImplicitRules) {
        attributes::set(ctx, self.get_operation(), &RULES, rules);
    }

    fn verify(_op: &dyn Op, _ctx: &Context) -> Result<()>
    where
        Self: Sized,
    {
        Ok(())
    }
}

/// How many operands a clause has for one device type (2.5.10: `num_gangs` up to one per dimension).
const LIMITS: &[(Group, usize)] = &[
    (Group::NumGangs, 3),
    (Group::Async, 1),
    (Group::NumWorkers, 1),
    (Group::VectorLength, 1),
    (Group::If, 1),
    (Group::SelfCondition, 1),
];

macro_rules! region_ops {
    ($($(#[$doc:meta])* $op:ident $name:literal [$($interface:ident),*]: $($clause:ident),*;)*) => {$(
        $(#[$doc])*
        #[pliron_op(
            name = $name,
            interfaces = [
                NResultsInterface<0>, OneRegionInterface, SingleBlockRegionInterface,
                DirectiveOp, RegionOp $(, $interface)*
            ]
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
                clauses::verify_counts(self, ctx, LIMITS)?;
                verify_end(ctx, self, 0, |end| matches!(end, View::Source(SourceOp::Acc(AccOp::Yield(_)))), "acc.yield")
            }
        }
    )*};
}

region_ops! {
    /// `parallel` (2.5.1).
    Parallel "acc.parallel" [ComputeOp]:
        Async, Wait, Devnum, NumGangs, NumWorkers, VectorLength, If, SelfCondition, Reduction, Private, Firstprivate, Data;
    /// `serial` (2.5.2).
    Serial "acc.serial" [ComputeOp]:
        Async, Wait, Devnum, If, SelfCondition, Reduction, Private, Firstprivate, Data;
    /// `kernels` (2.5.3).
    Kernels "acc.kernels" [ComputeOp]:
        Async, Wait, Devnum, NumGangs, NumWorkers, VectorLength, If, SelfCondition, Data;
    /// `data` (2.6.5).
    Data "acc.data" []: Async, Wait, Devnum, If, Data;
    /// `host_data` (2.8).
    HostData "acc.host_data" []: If, Devnum, Data;
}
effects!(structure: Yield);
// They wait for queues and move data.
effects!(unknown: Parallel, Serial, Kernels, Data, HostData);

//! Executable directives without a region: `enter data`, `exit data` (2.6.6), `update` (2.14.4), `wait` (2.16.3), `init`,
//! `shutdown` and `set` (2.14.1–2.14.3).

use super::{
    clauses::{self, ClauseOp, DeviceTypes, Group},
    compute::{DirectiveOp, HostData},
};
use crate::clause_op;
use accrue_ir::{attributes, effects};
use pliron::{
    builtin::{attributes::BoolAttr, op_interfaces::NResultsInterface},
    common_traits::Verify,
    context::Context,
    derive::pliron_op,
    dict_key,
    op::Op,
    result::Result,
    verify_err,
};

dict_key!(FINALIZE, "acc_finalize");
dict_key!(IF_PRESENT, "acc_if_present");
dict_key!(DEVICE_TYPE_CLAUSE, "acc_device_type_clause");

macro_rules! standalone_ops {
    ($($(#[$doc:meta])* $op:ident $name:literal: $($clause:ident),*;)*) => {$(
        $(#[$doc])*
        #[pliron_op(name = $name, interfaces = [NResultsInterface<0>, DirectiveOp])]
        pub struct $op;
        clause_op!($op: $($clause),*);

        impl $op {
            /// An operation without operands (add them with `clauses::push`).
            pub fn new(ctx: &mut Context, directive: u32) -> Self {
                let groups = vec![vec![]; Self::GROUPS.len()];
                let op: Self = clauses::build(ctx, vec![], groups, 0);
                op.set_directive(ctx, directive);
                op
            }
        }

        impl Verify for $op {
            fn verify(&self, ctx: &Context) -> Result<()> {
                clauses::verify_counts(self, ctx, &[(Group::Async, 1), (Group::If, 1)])?;
                match self.has(Group::Data) && self.clause(ctx, Group::Data).is_empty() {
                    true => verify_err!(self.loc(ctx), "`{}` is about no data", $name),
                    false => Ok(()),
                }
            }
        }
    )*};
}

standalone_ops! {
    /// `enter data`; the entry operations stand before it.
    EnterData "acc.enter_data": Async, Wait, Devnum, If, Data;
    /// `exit data`; the exit operations follow it. The operands are the variables' addresses.
    ExitData "acc.exit_data": Async, Wait, Devnum, If, Data;
    /// `update`; `acc.update_device` before and `acc.update_self` after it belong to it.
    Update "acc.update": Async, Wait, Devnum, If, Data;
    /// `wait`: the operands are queues.
    Wait "acc.wait": Queues, Async, Devnum, If;
    /// `init`.
    Init "acc.init": DeviceNum, If;
    /// `shutdown`.
    Shutdown "acc.shutdown": DeviceNum, If;
    /// `set`.
    Set "acc.set": DefaultAsync, DeviceNum, If;
}
effects!(unknown: EnterData, ExitData, Update, Wait, Init, Shutdown, Set);

impl ExitData {
    /// `finalize` was given.
    pub fn set_finalize(&self, ctx: &Context) {
        set_flag(ctx, self, &FINALIZE);
    }

    pub fn finalize(&self, ctx: &Context) -> bool {
        attributes::flag(ctx, self.get_operation(), &FINALIZE)
    }
}

impl HostData {
    /// `if_present` was given.
    pub fn set_if_present(&self, ctx: &Context) {
        set_flag(ctx, self, &IF_PRESENT);
    }

    pub fn if_present(&self, ctx: &Context) -> bool {
        attributes::flag(ctx, self.get_operation(), &IF_PRESENT)
    }
}

impl Update {
    /// `if_present` was given.
    pub fn set_if_present(&self, ctx: &Context) {
        set_flag(ctx, self, &IF_PRESENT);
    }

    pub fn if_present(&self, ctx: &Context) -> bool {
        attributes::flag(ctx, self.get_operation(), &IF_PRESENT)
    }
}

/// The `device_type` clause of `init`, `shutdown` and `set`.
pub fn set_device_type_clause(ctx: &Context, op: &dyn ClauseOp, types: DeviceTypes) {
    attributes::set(ctx, op.get_operation(), &DEVICE_TYPE_CLAUSE, types);
}

/// The device types that `device_type` clauses of the directive name; empty when it has none.
pub fn device_type_clause(ctx: &Context, op: &dyn ClauseOp) -> DeviceTypes {
    attributes::optional(ctx, op.get_operation(), &DEVICE_TYPE_CLAUSE).unwrap_or_default()
}

fn set_flag(ctx: &Context, op: &dyn ClauseOp, key: &pliron::identifier::Identifier) {
    attributes::set(ctx, op.get_operation(), key, BoolAttr::new(true));
}

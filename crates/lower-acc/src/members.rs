//! Which members of structs are on the way to an address, and which of them share their memory with others.
//!
//! ```text
//! &p[i].at.x        struct body (at), struct point (x)            unions: those of the module
//! ```
//! Cost: the length of the way.

use accrue_dialects::core::{Decay, Member, PtrAdd, RecordDef, pointee, record_tag};
use accrue_ir::walk::{self, operands_of};
use pliron::{
    builtin::ops::ModuleOp, context::Context, op::Op, operation::Operation, value::Value,
};
use std::collections::HashSet;

/// The tags of a module's unions.
pub struct Unions(HashSet<String>);

impl Unions {
    pub fn of_module(ctx: &Context, module: ModuleOp) -> Self {
        let records = walk::directly_in::<RecordDef>(ctx, module.get_operation());
        let unions = records.iter().filter(|record| record.layout(ctx).union_);
        Unions(unions.map(|record| record.tag(ctx)).collect())
    }

    /// Whether other members of such a record may be at the same place.
    pub fn may_be(&self, record: &Record) -> bool {
        record.0.as_ref().is_none_or(|tag| self.0.contains(tag))
    }
}

/// The record that a member is of, if its tag is known.
#[derive(PartialEq, Eq)]
pub struct Record(Option<String>);

/// Of each member on the way to an address, from the outside in, the record.
pub fn records(ctx: &Context, address: Value) -> Vec<Record> {
    let mut found = vec![];
    let mut at = address;
    while let Some(op) = at.defining_op() {
        if let Some(member) = Operation::get_op::<Member>(op, ctx) {
            let record = pointee(ctx, member.get_operand_record(ctx));
            found.push(Record(record.and_then(|ty| record_tag(ctx, ty))));
        } else if !Operation::is_op::<PtrAdd>(op, ctx) && !Operation::is_op::<Decay>(op, ctx) {
            break;
        }
        let Some(inner) = operands_of(ctx, op).first().copied() else {
            break;
        };
        at = inner;
    }
    found.reverse();
    found
}

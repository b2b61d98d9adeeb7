//! What variables hold: where nobody writes them, and where they are set once.

use accrue_dialects::{
    address_use::{UseKind, use_of},
    core::{Alloca, Store},
};
use accrue_ir::walk;
use pliron::{
    context::{Context, Ptr},
    operation::Operation,
    region::Region,
    value::Value,
};
use std::collections::HashSet;

use crate::analysis::variables::{Root, root_of};

/// A part of a function, in which variables keep what they hold if nothing in it writes them.
pub struct Scope {
    pub(super) region: Ptr<Region>,
    written: HashSet<Root>,
    /// What is computed outside of it is not taken apart.
    pub(super) closed: bool,
}

impl Scope {
    /// What is computed around it is taken apart as well.
    pub fn open(ctx: &Context, region: Ptr<Region>) -> Scope {
        Scope {
            region,
            written: written_in(ctx, region),
            closed: false,
        }
    }

    /// What is computed around it is as it is: a value at hand.
    pub fn closed(ctx: &Context, region: Ptr<Region>) -> Scope {
        Scope {
            closed: true,
            ..Scope::open(ctx, region)
        }
    }

    pub fn region(&self) -> Ptr<Region> {
        self.region
    }

    /// Whether it stores to the variable itself.
    pub fn writes(&self, root: &Root) -> bool {
        self.written.contains(root)
    }
}

/// The variables that a region writes directly.
fn written_in(ctx: &Context, region: Ptr<Region>) -> HashSet<Root> {
    let mut ops = vec![];
    walk::nested_in_region(ctx, region, &mut ops);
    let mut written = HashSet::new();
    for op in ops {
        let operands = walk::operands_of(ctx, op).into_iter().enumerate();
        let changed = operands.filter(|(index, _)| match use_of(ctx, op, *index) {
            UseKind::Write { .. } | UseKind::Update { .. } => true,
            UseKind::Read { .. } | UseKind::Derive | UseKind::Look => false,
            UseKind::Pass | UseKind::Clause | UseKind::Keep => false,
        });
        written.extend(changed.filter_map(|(_, address)| root_of(ctx, address)));
    }
    written
}

/// The only store to a local variable, in the block that makes it, if it is otherwise only loaded or named in clauses.
pub(super) fn set_once(ctx: &Context, variable: Value) -> Option<Store> {
    let made = variable.defining_op()?;
    Operation::get_op::<Alloca>(made, ctx)?;
    let block = made.deref(ctx).get_parent_block();
    let mut set = None;
    for using in variable.uses(ctx) {
        let op = using.user_op();
        match use_of(ctx, op, using.find_index(ctx)) {
            UseKind::Read { volatile: false } | UseKind::Clause | UseKind::Look => {}
            UseKind::Write { volatile: false } => {
                let store = Operation::get_op::<Store>(op, ctx)?;
                if op.deref(ctx).get_parent_block() != block || set.replace(store).is_some() {
                    return None;
                }
            }
            UseKind::Read { volatile: true } | UseKind::Write { volatile: true } => return None,
            UseKind::Update { .. } | UseKind::Derive | UseKind::Pass | UseKind::Keep => {
                return None;
            }
        }
    }
    set
}

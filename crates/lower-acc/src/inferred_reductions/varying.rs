//! Whether an address is another one in each iteration of a loop.
//!
//! ```text
//! #pragma acc parallel loop
//! for (i …)
//!     for (j …) { h[j] += a[i][j];       the same h[j] in several iterations: j does not depend on i
//!                 y[i] += a[i][j]; }     each has its own
//! ```
//!
//! From the address its operands are followed, and through variables what the loop stores to them. What leads to the loop's counters
//! is another one in each iteration, or may be; so is what comes from calls, and from variables that go from one iteration to the next.
//!
//! Cost: what is stored to the variables that the address depends on.

use crate::certain_races::short_dims;
use accrue_dialects::{
    acc::Loop,
    address_use::{UseKind, use_of},
    core::{Alloca, Bin, Cast, Const, Decay, Extent, Load, Member, PtrAdd, Store, Un},
};
use accrue_ir::walk::operands_of;
use accrue_opt::analysis::variables::{Root, defined_inside, root_of, uses_of};
use pliron::{
    builtin::op_interfaces::{OneRegionInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    operation::Operation,
    region::Region,
    value::Value,
};

/// The iterations of a loop.
pub struct Iterations {
    region: Ptr<Region>,
    counters: Vec<Counter>,
}

/// A counter of the loop.
struct Counter {
    value: Value,
    /// It has one value at most.
    short: bool,
}

/// What has been followed on the way.
#[derive(Default)]
struct Way {
    counters: Vec<Value>,
    variables: Vec<Root>,
}

impl Iterations {
    pub fn of(ctx: &Context, lp: Loop) -> Self {
        let body = lp.get_body(ctx, 0);
        let values: Vec<Value> = body.deref(ctx).arguments().collect();
        let counters = values.into_iter().zip(short_dims(ctx, lp));
        Iterations {
            region: lp.get_region(ctx),
            counters: counters
                .map(|(value, short)| Counter { value, short })
                .collect(),
        }
    }

    /// Whether several iterations have the address for certain: one of the loop's counters at least has no part in it.
    pub fn share(&self, ctx: &Context, address: Value) -> bool {
        let mut way = Way::default();
        let known = self.follow(ctx, address, &mut way).is_some();
        let several = self.counters.iter().filter(|it| !it.short);
        known
            && several
                .into_iter()
                .any(|it| !way.counters.contains(&it.value))
    }

    /// Notes what the value depends on; `None` if that is not known.
    fn follow(&self, ctx: &Context, value: Value, way: &mut Way) -> Option<()> {
        if !defined_inside(ctx, value, self.region) {
            return Some(());
        }
        let Some(op) = value.defining_op() else {
            return self.follow_counter(ctx, value, way);
        };
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            let address = load.get_operand_address(ctx);
            return match root_of(ctx, address) {
                Some(root) if !load.is_volatile(ctx) => self.follow_variable(ctx, root, way),
                Some(_) => None,
                None => self.follow(ctx, address, way),
            };
        }
        let computes = Operation::is_op::<PtrAdd>(op, ctx)
            || Operation::is_op::<Decay>(op, ctx)
            || Operation::is_op::<Member>(op, ctx)
            || Operation::is_op::<Bin>(op, ctx)
            || Operation::is_op::<Un>(op, ctx)
            || Operation::is_op::<Cast>(op, ctx)
            || Operation::is_op::<Const>(op, ctx)
            || Operation::is_op::<Extent>(op, ctx);
        let mut operands = operands_of(ctx, op).into_iter();
        // What has no operands is a constant or the address of a global; what is in arrays and structs of the body is not known.
        let leaf = operands.len() == 0 && !Operation::is_op::<Alloca>(op, ctx);
        (computes || leaf).then_some(())?;
        operands.try_for_each(|operand| self.follow(ctx, operand, way))
    }

    /// The counter of this loop, or of one inside, which goes on from where it begins.
    fn follow_counter(&self, ctx: &Context, counter: Value, way: &mut Way) -> Option<()> {
        if self.counters.iter().any(|it| it.value == counter) {
            way.counters.push(counter);
            return Some(());
        }
        let block = counter.get_parent_block(ctx)?;
        let inner = Operation::get_op::<Loop>(block.deref(ctx).get_parent_op(ctx)?, ctx)?;
        let index = block.deref(ctx).arguments().position(|it| it == counter)?;
        let (first, _, step) = *inner.bounds(ctx).get(index)?;
        self.follow(ctx, first, way)?;
        self.follow(ctx, step, way)
    }

    /// What the loop stores to the variable.
    fn follow_variable(&self, ctx: &Context, root: Root, way: &mut Way) -> Option<()> {
        if way.variables.contains(&root) {
            return Some(());
        }
        let uses = uses_of(ctx, self.region, &root);
        let mut stored = vec![];
        for at in uses {
            match use_of(ctx, at.op, at.index) {
                UseKind::Read { volatile: false } | UseKind::Clause | UseKind::Look => {}
                UseKind::Write { volatile: false } => {
                    let store = Operation::get_op::<Store>(at.op, ctx)?;
                    stored.push(store.get_operand_value(ctx));
                }
                UseKind::Read { volatile: true }
                | UseKind::Write { volatile: true }
                | UseKind::Update { .. }
                | UseKind::Derive
                | UseKind::Pass
                | UseKind::Keep => return None,
            }
        }
        let inside = match &root {
            Root::Local(variable) => defined_inside(ctx, *variable, self.region),
            Root::Global(_) => false,
        };
        // A variable that goes from one iteration to the next has no value that another one does not change.
        if !stored.is_empty() && !inside {
            return None;
        }
        way.variables.push(root);
        stored
            .into_iter()
            .try_for_each(|value| self.follow(ctx, value, way))
    }
}

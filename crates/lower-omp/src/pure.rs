//! Functions that write nothing but variables of their own: doing them twice, or by several threads, makes no difference.
//!
//! ```text
//! static double f(double x) { double t = sqrt(x); return t + 1; }      one
//! static void g(double *p) { *p = 1; }                                 none
//! ```
//! All are taken to be ones until something in them is found that is not, a call of another one among it.
//!
//! Cost: the size of the module, times the depth of calls.

use accrue_dialects::address_use::object_of;
use accrue_dialects::core::{Call, Externs, Known};
use accrue_ir::{
    effects::{Effect, effects_of},
    walk,
};
use accrue_opt::analysis::variables::{Root, root_of};
use pliron::{
    builtin::{
        op_interfaces::SymbolOpInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::HashSet;

/// What is known of functions.
pub struct Pure {
    outside: Externs,
    own: HashSet<String>,
}

impl Pure {
    /// The functions of a module.
    pub fn of(ctx: &Context, module: ModuleOp) -> Self {
        let module = module.get_operation();
        let functions = walk::directly_in::<FuncOp>(ctx, module);
        let name = |func: &FuncOp| func.get_symbol_name(ctx).to_string();
        let mut pure = Pure {
            outside: Externs::of_module(ctx, module),
            own: functions.iter().map(name).collect(),
        };
        loop {
            let left: HashSet<String> = functions
                .iter()
                .filter(|func| pure.own.contains(&name(func)) && pure.writes_own_only(ctx, **func))
                .map(name)
                .collect();
            if left.len() == pure.own.len() {
                return pure;
            }
            pure.own = left;
        }
    }

    /// Whether an operation is a call of such a function, or orders accesses only.
    pub fn is_call(&self, ctx: &Context, op: Ptr<Operation>) -> bool {
        Operation::get_op::<Call>(op, ctx).is_some_and(|call| {
            let callee = call.callee(ctx);
            self.own.contains(&callee)
                || self.outside.traits(&callee).pure
                || self.outside.known(&callee) == Some(Known::Fence)
        })
    }

    /// Whether an operation is a call that does nothing but compute a value, from its arguments and what is in memory.
    pub fn computes(&self, ctx: &Context, op: Ptr<Operation>) -> bool {
        op.deref(ctx).get_num_results() > 0 && self.is_call(ctx, op)
    }

    fn writes_own_only(&self, ctx: &Context, func: FuncOp) -> bool {
        let op = func.get_operation();
        let region = op.deref(ctx).get_region(0);
        walk::nested_ops(ctx, op).into_iter().all(|inner| {
            let is_own = |address: Value| {
                root_of_object(ctx, address).is_some_and(|root| match root {
                    Root::Local(variable) => variable
                        .defining_op()
                        .is_some_and(|made| walk::is_inside(ctx, made, region)),
                    Root::Global(_) => false,
                })
            };
            self.is_call(ctx, inner)
                || effects_of(ctx, inner)
                    .expected()
                    .iter()
                    .all(|effect| match effect {
                        Effect::Write(to) | Effect::Free(to) => to.is_some_and(is_own),
                        Effect::Convergent => false,
                        Effect::Read(_) | Effect::Alloc | Effect::Structure => true,
                    })
        })
    }
}

/// The variable that an address leads into, by members and elements.
pub fn root_of_object(ctx: &Context, address: Value) -> Option<Root> {
    root_of(ctx, object_of(ctx, address))
}

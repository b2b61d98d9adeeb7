//! What a call does with memory, as far as the function's body says it.
//!
//! ```text
//! double square(double x) { return x * x; }                        nothing
//! double dot(const double *a, const double *b) { … }               reads what its arguments lead to
//! void cross(double *c, const double *a, const double *b) { … }    writes what the first leads to, and reads the others
//! void count(void) { calls++; }                                    not known
//! ```
//! Addresses in the body are followed to where they start: a variable of the function's own, or a pointer parameter that is not changed.
//! Functions that it calls are looked into. Not known is what a function does that accesses something else, volatile objects among them, keeps
//! an address, or does anything that cannot be undone.
//!
//! Cost: linear in the functions, each of which is looked into once.

use accrue_dialects::{
    View,
    address_use::{UseKind, use_of},
    core::{Alloca, Call, Decay, Load, Member, Opaque, PtrAdd, Store},
};
use accrue_ir::{
    effects::{Effect, effects_of},
    walk::{nested_ops, operands_of},
};
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};
use std::{cell::RefCell, collections::HashMap};

use crate::analysis::read_only::Functions;

/// What a function does with what its arguments lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThroughParameter {
    pub parameter: usize,
    pub write: bool,
}

type Effects = Option<Vec<ThroughParameter>>;

/// What is known of the functions of a module so far.
#[derive(Default)]
pub struct CallEffects(RefCell<HashMap<String, Effects>>);

impl CallEffects {
    /// What a call does with memory; `None` if that is not known.
    pub fn of(&self, ctx: &Context, functions: &Functions, call: Call) -> Effects {
        let name = call.callee(ctx);
        if functions.externs.traits(&name).pure {
            return Some(vec![]);
        }
        let function = functions.get(&name)?;
        if let Some(known) = self.0.borrow().get(&name) {
            return known.clone();
        }
        // Of a function that calls itself nothing is known.
        self.0.borrow_mut().insert(name.clone(), None);
        let found = self.of_body(ctx, functions, *function);
        self.0.borrow_mut().insert(name, found.clone());
        found
    }

    fn of_body(&self, ctx: &Context, functions: &Functions, function: FuncOp) -> Effects {
        let mut all = vec![];
        for op in nested_ops(ctx, function.get_operation()) {
            for (address, write) in self.touched(ctx, functions, op)? {
                match origin(ctx, function, address)? {
                    Origin::Own => {}
                    Origin::Parameter(parameter) => {
                        let effect = ThroughParameter { parameter, write };
                        if !all.contains(&effect) {
                            all.push(effect);
                        }
                    }
                }
            }
        }
        Some(all)
    }

    /// The addresses at which an operation reads, and writes.
    fn touched(
        &self,
        ctx: &Context,
        functions: &Functions,
        op: Ptr<Operation>,
    ) -> Option<Vec<(Value, bool)>> {
        if let Some(call) = Operation::get_op::<Call>(op, ctx) {
            let arguments = operands_of(ctx, op);
            let effects = self.of(ctx, functions, call)?.into_iter();
            let touched = effects.map(|it| Some((*arguments.get(it.parameter)?, it.write)));
            return touched.collect();
        }
        let understood = match View::of(ctx, op) {
            View::Core(_) => !Operation::is_op::<Opaque>(op, ctx),
            View::Par(_) | View::Simt(_) | View::Source(_) | View::Other => false,
        };
        let plain = (0..operands_of(ctx, op).len()).all(|index| match use_of(ctx, op, index) {
            UseKind::Read { volatile } | UseKind::Write { volatile } => !volatile,
            UseKind::Update { .. } => false,
            UseKind::Derive | UseKind::Pass | UseKind::Clause | UseKind::Look | UseKind::Keep => {
                true
            }
        });
        if !understood || !plain {
            return None;
        }
        let mut touched = vec![];
        for effect in effects_of(ctx, op).expected() {
            match effect {
                Effect::Read(Some(address)) => touched.push((*address, false)),
                Effect::Write(Some(address)) => touched.push((*address, true)),
                Effect::Alloc | Effect::Structure => {}
                Effect::Read(None) | Effect::Write(None) | Effect::Free(_) | Effect::Convergent => {
                    return None;
                }
            }
        }
        Some(touched)
    }
}

/// Where an address in a function starts.
enum Origin {
    Own,
    Parameter(usize),
}

fn origin(ctx: &Context, function: FuncOp, address: Value) -> Option<Origin> {
    let mut at = address;
    loop {
        let op = at.defining_op()?;
        if Operation::is_op::<Alloca>(op, ctx) {
            return Some(Origin::Own);
        }
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            return parameter(ctx, function, load.get_operand_address(ctx)).map(Origin::Parameter);
        }
        let derived = Operation::is_op::<PtrAdd>(op, ctx)
            || Operation::is_op::<Member>(op, ctx)
            || Operation::is_op::<Decay>(op, ctx);
        at = *operands_of(ctx, op).first().filter(|_| derived)?;
    }
}

/// Which parameter the variable at `address` holds, if that is all it ever does.
fn parameter(ctx: &Context, function: FuncOp, address: Value) -> Option<usize> {
    let variable = Operation::get_op::<Alloca>(address.defining_op()?, ctx)?;
    let mut held = None;
    for used in variable.get_result(ctx).uses(ctx) {
        let op = used.user_op();
        match use_of(ctx, op, used.find_index(ctx)) {
            UseKind::Read { .. } | UseKind::Look | UseKind::Clause => {}
            UseKind::Write { .. } if held.is_none() => {
                held = Some(Operation::get_op::<Store>(op, ctx)?.get_operand_value(ctx));
            }
            UseKind::Write { .. }
            | UseKind::Update { .. }
            | UseKind::Derive
            | UseKind::Pass
            | UseKind::Keep => return None,
        }
    }
    let entry = function.get_entry_block(ctx);
    let mut parameters = entry.deref(ctx).arguments().collect::<Vec<_>>().into_iter();
    parameters.position(|parameter| Some(parameter) == held)
}

//! What a call does with memory, as far as the function's body says it.
//!
//! ```text
//! double square(double x) { return x * x; }                        nothing
//! double dot(const double *a, const double *b) { … }               reads what its arguments lead to
//! void cross(double *c, const double *a, const double *b) { … }    writes what the first leads to, and reads the others
//! double scaled(double x) { return scale * x; }                    reads the global
//! void keep(double *a) { kept = a; }                               not known
//! ```
//! Addresses in the body are followed to where they start: a variable of the function's own, a global, or a parameter, which is a pointer or
//! what stands for a struct that is passed or returned by value. A pointer variable leads to where all that is stored into it starts
//! (`for (p = a; p != end; p++)`). Constant globals are nobody's business. Functions that it calls are looked into. Not known is what a
//! function does that accesses something else, volatile objects among them, keeps an address, or does anything that cannot be undone.
//!
//! Cost: linear in the functions, each of which is looked into once.

use accrue_dialects::{
    View,
    address_use::{UseKind, use_of},
    core::{AddressOf, Alloca, Call, If, Load, Opaque, Select, Store, pointee},
};
use accrue_ir::{
    effects::{Effect, effects_of},
    walk::{nested_ops, operands_of, results_of},
};
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::TypeHandle,
    value::Value,
};
use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
};

use crate::analysis::read_only::{Functions, is_constant};

/// What a function does with memory that is not its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallEffect {
    pub target: Target,
    pub write: bool,
}

/// Where an address starts that is none of the function's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// What the argument leads to.
    Parameter(usize),
    /// A global, by its linkage name, and the type of it.
    Global(String, TypeHandle),
}

type Effects = Option<Vec<CallEffect>>;

/// What an operation accesses: at which addresses, and whether it writes there; and the globals that a function names.
#[derive(Default)]
struct Touched {
    addresses: Vec<(Value, bool)>,
    globals: Vec<CallEffect>,
}

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
        let mut add = |effect| {
            if !all.contains(&effect) {
                all.push(effect);
            }
        };
        for op in nested_ops(ctx, function.get_operation()) {
            let touched = self.touched(ctx, functions, op)?;
            for (address, write) in touched.addresses {
                let mut starts = Starts::new(ctx, function);
                starts.follow(address)?;
                let targets = starts.targets.into_iter();
                targets.for_each(|target| add(CallEffect { target, write }));
            }
            touched.globals.into_iter().for_each(&mut add);
        }
        Some(all)
    }

    /// What an operation accesses.
    fn touched(&self, ctx: &Context, functions: &Functions, op: Ptr<Operation>) -> Option<Touched> {
        if let Some(call) = Operation::get_op::<Call>(op, ctx) {
            let arguments = operands_of(ctx, op);
            let mut touched = Touched::default();
            for effect in self.of(ctx, functions, call)? {
                match effect.target {
                    Target::Parameter(index) => touched
                        .addresses
                        .push((*arguments.get(index)?, effect.write)),
                    Target::Global(..) => touched.globals.push(effect),
                }
            }
            return Some(touched);
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
        let mut touched = Touched::default();
        for effect in effects_of(ctx, op).expected() {
            match effect {
                Effect::Read(Some(address)) => touched.addresses.push((*address, false)),
                Effect::Write(Some(address)) => touched.addresses.push((*address, true)),
                Effect::Alloc | Effect::Structure => {}
                Effect::Read(None) | Effect::Write(None) | Effect::Free(_) | Effect::Convergent => {
                    return None;
                }
            }
        }
        Some(touched)
    }
}

/// Where addresses in a function start.
struct Starts<'a> {
    ctx: &'a Context,
    function: FuncOp,
    seen: HashSet<Value>,
    targets: Vec<Target>,
}

impl<'a> Starts<'a> {
    fn new(ctx: &'a Context, function: FuncOp) -> Self {
        let (seen, targets) = (HashSet::new(), vec![]);
        Starts {
            ctx,
            function,
            seen,
            targets,
        }
    }

    /// Adds where an address starts, unless that is in a variable of the function's own or in a constant one; `None` if that is not known.
    fn follow(&mut self, address: Value) -> Option<()> {
        let ctx = self.ctx;
        if !self.seen.insert(address) {
            return Some(());
        }
        let Some(op) = address.defining_op() else {
            let entry = self.function.get_entry_block(ctx).deref(ctx);
            let index = entry
                .arguments()
                .position(|parameter| parameter == address)?;
            self.targets.push(Target::Parameter(index));
            return Some(());
        };
        if Operation::is_op::<Alloca>(op, ctx) || is_constant(ctx, address) {
            return Some(());
        }
        if let Some(global) = Operation::get_op::<AddressOf>(op, ctx) {
            global.variable(ctx)?;
            let target = Target::Global(global.symbol(ctx), pointee(ctx, address)?);
            self.targets.push(target);
            return Some(());
        }
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            return self.follow_held(load.get_operand_address(ctx));
        }
        if let Some(choice) = Operation::get_op::<If>(op, ctx) {
            let results = results_of(ctx, op);
            let index = results.into_iter().position(|it| it == address)?;
            return [0, 1]
                .into_iter()
                .try_for_each(|side| self.follow(choice.given(ctx, side, index)?));
        }
        let of = operands_of(ctx, op);
        let from = match (Operation::is_op::<Select>(op, ctx), use_of(ctx, op, 0)) {
            (true, _) => of.get(1..)?,
            (false, UseKind::Derive) => of.get(..1)?,
            (false, _) => return None,
        };
        from.iter().try_for_each(|value| self.follow(*value))
    }

    /// The same for all that the pointer variable at `address` ever holds.
    fn follow_held(&mut self, address: Value) -> Option<()> {
        let ctx = self.ctx;
        let variable = Operation::get_op::<Alloca>(address.defining_op()?, ctx)?;
        for used in variable.get_result(ctx).uses(ctx) {
            let op = used.user_op();
            match use_of(ctx, op, used.find_index(ctx)) {
                UseKind::Read { .. } | UseKind::Look | UseKind::Clause => {}
                UseKind::Write { .. } => {
                    let value = Operation::get_op::<Store>(op, ctx)?.get_operand_value(ctx);
                    self.follow(value)?;
                }
                UseKind::Update { .. } | UseKind::Derive | UseKind::Pass | UseKind::Keep => {
                    return None;
                }
            }
        }
        Some(())
    }
}

//! Pass `unobserved-waits`: finds loops of the host in which nothing can tell whether a synchronous construct is complete.
//!
//! ```text
//! for (k = 0; k < n; k++) {                                   a stretch: the host waits behind the loop, once
//!     #pragma acc parallel loop present(a[0:n * n])
//!     for (i = k + 1; …) a[i * n + k] /= a[k * n + k];
//!     #pragma acc parallel loop collapse(2) present(a[0:n * n])
//!     …
//!     half = 1 << k;                                          the host's own variables are fine
//! }
//! ```
//! A construct without `async` is complete when the host goes on (OpenACC 3.4, 2.5 and 2.16). The host can see that by what the
//! construct does to host memory, by directives and routines, by calls (a clock, output, another thread's lock), `volatile` and
//! atomic accesses. In a loop without any of them constructs that leave host memory alone, which the library knows at the launch,
//! need not be waited for one by one.
//!
//! Steps: the outermost loops of the host around constructs, in which all other operations are the host's own arithmetic, accesses
//! to memory and control flow within the loop. Each gets the attribute [`UNOBSERVED`]; the pass `sites` tells the front end.
//!
//! Cost: one walk over the host's code.

use accrue_dialects::{
    View,
    acc::{DirectiveOp, Group},
    core::{self, CoreOp, Externs},
    source::{PLACE, Role},
};
use accrue_ir::walk;
use accrue_opt::{State, Switch, analysis::read_only::functions, diagnostic::position};
use pliron::{
    builtin::ops::{FuncOp, ModuleOp},
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
};

use std::{collections::HashSet, ops::Range};

use crate::attributes::{UNOBSERVED, Unobserved};

/// Marks the loops.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.off.is_off(Switch::Waits) {
        return;
    }
    let externs = functions(ctx, module.get_operation()).externs;
    for function in walk::nested::<FuncOp>(ctx, module.get_operation()) {
        let mut found = Found::default();
        look(ctx, function.get_operation(), &externs, &mut found);
        let marked = found.outermost_stretches();
        for stretch in &marked {
            UNOBSERVED.set(ctx, stretch.op, Unobserved);
        }
        if state.target.beside_host {
            say(ctx, &found, &marked, state);
        }
    }
}

/// What a function has.
#[derive(Default)]
struct Found {
    /// The constructs that the host waits for, in the order of the text.
    constructs: Vec<Ptr<Operation>>,
    /// The loops that can have something in front, inner ones before those around them.
    loops: Vec<HostLoop>,
}

/// A loop of the host.
#[derive(Clone)]
struct HostLoop {
    op: Ptr<Operation>,
    /// Those of [`Found::constructs`] that are inside.
    constructs: Range<usize>,
    /// What in it may tell whether one is complete.
    observer: Option<Observer>,
}

/// The first operation of a loop that may tell, and what it is.
type Observer = (Ptr<Operation>, &'static str);

impl Found {
    /// The loops in which nothing can tell, without those inside of such ones.
    fn outermost_stretches(&self) -> Vec<HostLoop> {
        let mut marked: Vec<HostLoop> = vec![];
        for it in self.loops.iter().rev() {
            let may_be_put_off = it.observer.is_none() && !it.constructs.is_empty();
            let is_inside = |outer: &HostLoop| outer.constructs.contains(&it.constructs.start);
            if may_be_put_off && !marked.last().is_some_and(is_inside) {
                marked.push(it.clone());
            }
        }
        marked
    }
}

/// Looks at `op` and what is inside; gives what may tell.
fn look(
    ctx: &Context,
    op: Ptr<Operation>,
    externs: &Externs,
    found: &mut Found,
) -> Option<Observer> {
    if is_construct(ctx, op) {
        let object = Operation::get_op_dyn(op, ctx);
        let waits = op_cast::<dyn DirectiveOp>(&*object).is_some_and(|d| is_synchronous(ctx, d));
        return match waits {
            true => {
                found.constructs.push(op);
                None
            }
            false => Some((op, "the `async` or `wait` clause")),
        };
    }
    let first = found.constructs.len();
    let mut observer = observer(ctx, op, externs).map(|what| (op, what));
    for region in walk::regions_of(ctx, op) {
        for inner in walk::ops_of_region(ctx, region) {
            let inside = look(ctx, inner, externs, found);
            observer = observer.or(inside);
        }
    }
    if Operation::is_op::<core::Loop>(op, ctx) && PLACE.is_on(ctx, op) {
        found.loops.push(HostLoop {
            op,
            constructs: first..found.constructs.len(),
            observer,
        });
    }
    observer
}

/// Says of each construct in a loop where it is waited for.
fn say(ctx: &Context, found: &Found, marked: &[HostLoop], state: &mut State) {
    let mut said = HashSet::new();
    for it in marked.iter().chain(&found.loops) {
        let line = position(ctx, it.op).0;
        for construct in &found.constructs[it.constructs.clone()] {
            if !said.insert(*construct) {
                continue;
            }
            let message = match it.observer {
                None => format!(
                    "is not waited for where it copies nothing, but behind the loop at line {line}, in which nothing can tell"
                ),
                Some((observer, what)) => format!(
                    "is waited for in each iteration of the loop at line {line}: {what} in line {} may tell whether it is complete",
                    position(ctx, observer).0
                ),
            };
            state.remark(ctx, *construct, "unobserved-waits", message);
        }
    }
}

fn is_construct(ctx: &Context, op: Ptr<Operation>) -> bool {
    match View::of(ctx, op) {
        View::Source(source) => matches!(source.role(ctx), Role::Construct { .. }),
        View::Core(_) | View::Par(_) | View::Simt(_) | View::Other => false,
    }
}

fn is_synchronous(ctx: &Context, construct: &dyn DirectiveOp) -> bool {
    let none = |group| construct.clause(ctx, group).is_empty();
    none(Group::Async)
        && none(Group::Wait)
        && construct.async_only(ctx).0.is_empty()
        && construct.wait_only(ctx).0.is_empty()
}

/// What `op` is if it may tell; `None` for the host's own work.
fn observer(ctx: &Context, op: Ptr<Operation>, externs: &Externs) -> Option<&'static str> {
    let op = match View::of(ctx, op) {
        View::Core(op) => op,
        View::Source(source) => {
            return match source.role(ctx) {
                Role::Variable | Role::Reduction | Role::Part | Role::End => None,
                Role::Construct { .. }
                | Role::Loop
                | Role::Region
                | Role::Standalone
                | Role::Outside => Some("the directive"),
            };
        }
        View::Par(_) | View::Simt(_) | View::Other => return Some("the code"),
    };
    match op {
        CoreOp::Call(call) => {
            let pure = externs.traits(&call.callee(ctx)).pure;
            (!pure).then_some("the call")
        }
        CoreOp::Opaque(_) => Some("the statement"),
        CoreOp::Load(load) => load.is_volatile(ctx).then_some("the `volatile` access"),
        CoreOp::Store(store) => store.is_volatile(ctx).then_some("the `volatile` access"),
        CoreOp::AtomicLoad(_) | CoreOp::AtomicStore(_) | CoreOp::AtomicUpdate(_) => {
            Some("the atomic access")
        }
        CoreOp::LoadBits(_) | CoreOp::StoreBits(_) => {
            Some("the bit-field, which may be `volatile`,")
        }
        CoreOp::Return(_) => Some("the `return`"),
        CoreOp::Const(_)
        | CoreOp::FConst(_)
        | CoreOp::Null(_)
        | CoreOp::Bin(_)
        | CoreOp::Un(_)
        | CoreOp::Cmp(_)
        | CoreOp::Cast(_)
        | CoreOp::ComplexMake(_)
        | CoreOp::Real(_)
        | CoreOp::Imag(_)
        | CoreOp::Select(_)
        | CoreOp::Alloca(_)
        | CoreOp::AddressOf(_)
        | CoreOp::StringConst(_)
        | CoreOp::Copy(_)
        | CoreOp::Zero(_)
        | CoreOp::PtrAdd(_)
        | CoreOp::PtrDiff(_)
        | CoreOp::Decay(_)
        | CoreOp::Member(_)
        | CoreOp::Extent(_)
        | CoreOp::Yield(_)
        | CoreOp::Break(_)
        | CoreOp::Continue(_)
        | CoreOp::If(_)
        | CoreOp::Loop(_)
        | CoreOp::Switch(_)
        | CoreOp::For(_) => None,
        CoreOp::ExternFunc(_) | CoreOp::RecordDef(_) => None,
    }
}

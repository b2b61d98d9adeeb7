//! Pass `unobserved-waits`: finds loops of the host in which synchronous constructs need not be waited for one by one.
//!
//! ```text
//! for (k = 0; k < n; k++) {                                   a stretch: the host waits behind the loop, once
//!     #pragma acc parallel loop present(a[0:n * n])
//!     for (i = k + 1; …) a[i * n + k] /= a[k * n + k];
//!     update_rest(a, n, k);                                   a function of this file with constructs
//!     half = 1 << k;                                          the host's own variables are fine
//!     if (k % 100 == 0)
//!         printf("%d\n", k);                                  may tell: the host waits in front of it
//! }
//! ```
//! A construct without `async` is complete when the host goes on (OpenACC 3.4, 2.5 and 2.16). The host can see that by what the
//! construct does to host memory, by directives and routines, by calls (a clock, output, another thread's lock), `volatile` and
//! atomic accesses. Where it comes to none of them, constructs that leave host memory alone, which the library knows at the launch,
//! need not be waited for one by one. Directives wait for themselves what is under way.
//!
//! Steps: what each function and loop has that may tell (functions once, when the first call is met), and whether something can be
//! put in front of it; a loop without constructs is one such thing. The outermost loops with constructs in which nothing is left get
//! [`StretchPart::Loop`], what may tell inside and in functions that they call [`StretchPart::Observer`]; the pass `sites` tells the
//! front end.
//!
//! Cost: one walk over the host's code.

use accrue_dialects::{
    View,
    acc::{DirectiveOp, Group},
    core::{self, CoreOp, Externs},
    source::{PLACE, Role, TextPlace},
};
use accrue_ir::walk;
use accrue_opt::{State, Switch, analysis::read_only::functions, diagnostic::position};
use pliron::{
    builtin::{
        op_interfaces::SymbolOpInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
};

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::attributes::{STRETCH, StretchPart};

/// Marks the loops and what may tell.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.off.is_off(Switch::Waits) {
        return;
    }
    let all = walk::directly_in::<FuncOp>(ctx, module.get_operation());
    let mut host = Host {
        ctx,
        externs: functions(ctx, module.get_operation()).externs,
        functions: all
            .iter()
            .map(|function| (function.get_symbol_name(ctx).to_string(), *function))
            .collect(),
        seen: HashMap::new(),
        loops: vec![],
    };
    for function in &all {
        host.function(*function);
    }
    let Host { loops, seen, .. } = host;
    let stretches = outermost_stretches(&loops);
    for stretch in &stretches {
        STRETCH.set(ctx, stretch.op, StretchPart::Loop);
        for observer in with_called(&stretch.seen, &seen)
            .iter()
            .flat_map(|it| &it.settled)
        {
            STRETCH.set(ctx, observer.op, StretchPart::Observer);
        }
    }
    if state.target.beside_host {
        say(ctx, &loops, &stretches, &seen, state);
    }
}

/// The code of the host.
struct Host<'a> {
    ctx: &'a Context,
    externs: Externs,
    functions: HashMap<String, FuncOp>,
    /// What functions have; `None` while one is being looked at.
    seen: HashMap<String, Option<Seen>>,
    /// The loops with constructs that can have something in front, inner ones before those around them.
    loops: Vec<HostLoop>,
}

/// A loop of the host.
struct HostLoop {
    op: Ptr<Operation>,
    seen: Seen,
}

/// What code of the host has.
#[derive(Clone, Default)]
struct Seen {
    /// The constructs that the host waits for, and the calls of functions that have some.
    constructs: Vec<Ptr<Operation>>,
    /// What may tell whether one is complete, where the host cannot wait in front of it: the first.
    observer: Option<Observer>,
    /// The same, where it can.
    settled: Vec<Observer>,
    /// What leaves a loop, but not a function, without passing its end.
    leaves: Option<Observer>,
    /// The functions that it calls, in which the host can wait in front of whatever may tell.
    calls: BTreeSet<String>,
}

/// An operation of the host that may tell whether a construct is complete, and what it is.
#[derive(Clone, Copy)]
struct Observer {
    op: Ptr<Operation>,
    what: &'static str,
}

impl Seen {
    fn only(observer: Observer) -> Seen {
        Seen {
            observer: Some(observer),
            ..Seen::default()
        }
    }

    /// What may tell, or leaves.
    fn obstacle(&self) -> Option<Observer> {
        self.observer.or(self.leaves)
    }

    fn add(&mut self, other: Seen) {
        self.constructs.extend(other.constructs);
        self.observer = self.observer.or(other.observer);
        self.settled.extend(other.settled);
        self.leaves = self.leaves.or(other.leaves);
        self.calls.extend(other.calls);
    }

    /// An expression that both starts constructs and may tell would wait too early.
    fn check_expressions(&mut self, ctx: &Context) {
        let places: HashSet<TextPlace> = self
            .constructs
            .iter()
            .filter_map(|op| PLACE.get(ctx, *op))
            .collect();
        let starts_constructs =
            |it: &&Observer| PLACE.get(ctx, it.op).is_some_and(|p| places.contains(&p));
        self.observer = self
            .observer
            .or(self.settled.iter().find(starts_constructs).copied());
    }
}

impl Host<'_> {
    /// What a function has, for those who call it.
    fn function(&mut self, function: FuncOp) -> Seen {
        let name = function.get_symbol_name(self.ctx).to_string();
        let recursive = Observer {
            op: function.get_operation(),
            what: "the recursion",
        };
        if let Some(known) = self.seen.get(&name) {
            return known.clone().unwrap_or_else(|| Seen::only(recursive));
        }
        self.seen.insert(name.clone(), None);
        let mut seen = self.inside(function.get_operation());
        seen.leaves = None;
        self.seen.insert(name, Some(seen.clone()));
        seen
    }

    /// What `op` and what is inside have.
    fn look(&mut self, op: Ptr<Operation>) -> Seen {
        let ctx = self.ctx;
        if is_construct(ctx, op) {
            return match is_synchronous(ctx, op) {
                true => Seen {
                    constructs: vec![op],
                    ..Seen::default()
                },
                false => Seen::only(Observer {
                    op,
                    what: "the `async` or `wait` clause",
                }),
            };
        }
        let mut seen = self.operation(op);
        seen.add(self.inside(op));
        seen.check_expressions(ctx);
        match Operation::is_op::<core::Loop>(op, ctx) && PLACE.is_on(ctx, op) {
            true => self.host_loop(op, seen),
            false => seen,
        }
    }

    /// What the regions of `op` have.
    fn inside(&mut self, op: Ptr<Operation>) -> Seen {
        let mut seen = Seen::default();
        for region in walk::regions_of(self.ctx, op) {
            for inner in walk::ops_of_region(self.ctx, region) {
                seen.add(self.look(inner));
            }
        }
        seen
    }

    /// What a loop has is waited for in front of it where it starts nothing.
    fn host_loop(&mut self, op: Ptr<Operation>, seen: Seen) -> Seen {
        if seen.leaves.is_none() && seen.constructs.is_empty() {
            let first = seen.settled.first().copied().or(seen.observer);
            return Seen {
                settled: first.map(|it| Observer { op, ..it }).into_iter().collect(),
                ..Seen::default()
            };
        }
        if !seen.constructs.is_empty() {
            self.loops.push(HostLoop {
                op,
                seen: seen.clone(),
            });
        }
        seen
    }

    /// What an operation of the host is itself.
    fn operation(&mut self, op: Ptr<Operation>) -> Seen {
        let ctx = self.ctx;
        if let View::Core(CoreOp::Call(call)) = View::of(ctx, op)
            && let Some(callee) = self.functions.get(&call.callee(ctx)).copied()
            && PLACE.is_on(ctx, callee.get_operation())
        {
            let seen = self.function(callee);
            if seen.observer.is_none() {
                return Seen {
                    constructs: match seen.constructs.is_empty() {
                        true => vec![],
                        false => vec![op],
                    },
                    calls: BTreeSet::from([call.callee(ctx)]),
                    ..Seen::default()
                };
            }
        }
        let Some((what, kind)) = observer(ctx, op, &self.externs) else {
            return Seen::default();
        };
        let it = Observer { op, what };
        match kind {
            Telling::Leaves => Seen {
                leaves: Some(it),
                ..Seen::default()
            },
            Telling::Expression if PLACE.is_on(ctx, op) => Seen {
                settled: vec![it],
                ..Seen::default()
            },
            Telling::Expression | Telling::Statement => Seen::only(it),
        }
    }
}

/// The loops in which nothing can tell, without those inside of such ones.
fn outermost_stretches(loops: &[HostLoop]) -> Vec<&HostLoop> {
    let mut stretches: Vec<&HostLoop> = vec![];
    for it in loops.iter().rev() {
        let is_inside = |outer: &&HostLoop| {
            let first = it.seen.constructs.first();
            first.is_some_and(|first| outer.seen.constructs.contains(first))
        };
        if it.seen.obstacle().is_none() && !stretches.iter().any(is_inside) {
            stretches.push(it);
        }
    }
    stretches
}

/// What code that has `seen` has together with the functions that it calls.
fn with_called<'a>(seen: &'a Seen, functions: &'a HashMap<String, Option<Seen>>) -> Vec<&'a Seen> {
    let (mut all, mut next, mut done) = (vec![seen], 0, HashSet::new());
    while let Some(seen) = all.get(next) {
        next += 1;
        let new = seen.calls.iter().filter(|name| done.insert(*name));
        let new: Vec<&Seen> = new
            .filter_map(|name| functions.get(name).and_then(Option::as_ref))
            .collect();
        all.extend(new);
    }
    all
}

/// Says of each construct in a loop where it is waited for.
fn say(
    ctx: &Context,
    loops: &[HostLoop],
    stretches: &[&HostLoop],
    functions: &HashMap<String, Option<Seen>>,
    state: &mut State,
) {
    let mut said = HashSet::new();
    for it in stretches.iter().copied().chain(loops) {
        let line = position(ctx, it.op).0;
        let all = with_called(&it.seen, functions);
        let settled = all.iter().flat_map(|seen| &seen.settled).next();
        for construct in all.iter().flat_map(|seen| &seen.constructs) {
            if !is_construct(ctx, *construct) || !said.insert(*construct) {
                continue;
            }
            let message = match (it.seen.obstacle(), settled) {
                (None, None) => format!(
                    "is not waited for where it copies nothing, but behind the loop at line {line}, in which nothing can tell"
                ),
                (None, Some(Observer { op, what })) => format!(
                    "is not waited for where it copies nothing, but behind the loop at line {line} and in front of what may tell: {what} in line {}",
                    position(ctx, *op).0
                ),
                (Some(Observer { op, what }), _) => format!(
                    "is waited for in each iteration of the loop at line {line}: {what} in line {} may tell whether it is complete",
                    position(ctx, op).0
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

fn is_synchronous(ctx: &Context, op: Ptr<Operation>) -> bool {
    let object = Operation::get_op_dyn(op, ctx);
    let Some(construct) = op_cast::<dyn DirectiveOp>(&*object) else {
        return true;
    };
    let none = |group| construct.clause(ctx, group).is_empty();
    none(Group::Async)
        && none(Group::Wait)
        && construct.async_only(ctx).0.is_empty()
        && construct.wait_only(ctx).0.is_empty()
}

/// How something tells, and whether the host can wait in front of it.
#[derive(Clone, Copy)]
enum Telling {
    /// An expression, or a part of one.
    Expression,
    /// A statement that is not understood: it may also leave the loop.
    Statement,
    /// Leaves loops without passing their ends.
    Leaves,
}

/// What `op` is if it may tell; `None` for the host's own work.
fn observer(
    ctx: &Context,
    op: Ptr<Operation>,
    externs: &Externs,
) -> Option<(&'static str, Telling)> {
    use Telling::{Expression, Leaves, Statement};
    let core_op = match View::of(ctx, op) {
        View::Core(core_op) => core_op,
        View::Source(source) => {
            return match source.role(ctx) {
                Role::Variable | Role::Reduction | Role::Part | Role::End => None,
                Role::Region | Role::Standalone if is_synchronous(ctx, op) => None,
                Role::Construct { .. }
                | Role::Loop
                | Role::Region
                | Role::Standalone
                | Role::Outside => Some(("the directive", Statement)),
            };
        }
        View::Par(_) | View::Simt(_) | View::Other => return Some(("the code", Statement)),
    };
    match core_op {
        CoreOp::Call(call) => {
            let pure = externs.traits(&call.callee(ctx)).pure;
            (!pure).then_some(("the call", Expression))
        }
        CoreOp::Opaque(_) => Some(("the statement", Statement)),
        CoreOp::Load(load) => load
            .is_volatile(ctx)
            .then_some(("the `volatile` access", Expression)),
        CoreOp::Store(store) => store
            .is_volatile(ctx)
            .then_some(("the `volatile` access", Expression)),
        CoreOp::AtomicLoad(_) | CoreOp::AtomicStore(_) | CoreOp::AtomicUpdate(_) => {
            Some(("the atomic access", Expression))
        }
        CoreOp::LoadBits(_) | CoreOp::StoreBits(_) => {
            Some(("the bit-field, which may be `volatile`,", Expression))
        }
        CoreOp::Return(_) => Some(("the `return`", Leaves)),
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

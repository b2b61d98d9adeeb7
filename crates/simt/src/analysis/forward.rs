//! Facts about values that follow from the facts about what they are computed from.
//!
//! A fact says where a value comes from (its address space, the parameters it may be). It passes through address
//! arithmetic, selections, results of control flow and variables in registers until nothing changes; what a value takes
//! from memory, from a call or out of another thread's hands is not known. What an operation makes of its operands' facts
//! is the [`Rules`]' answer:
//!
//! ```text
//! %q = core.alloca (register)
//! core.store %a, %q               in %q: the fact of %a
//! %p = core.load %q               the fact of %a
//! %e = core.ptr_add %p, %i        Rules::element
//! %r = core.select %c, %e, %a     Fact::or of both
//! ```
//!
//! Facts only ever get less precise, so that it ends: every round visits all operations, and there are seldom more than
//! three.

use crate::expanded::Storage;
use accrue_dialects::{
    View,
    core::{Alloca, Bin, Call, Cast, CoreOp, For, Member, PtrAdd, Yield},
    simt::SimtOp,
};
use accrue_ir::walk::{nested_ops, operands_of, ops_of_region, regions_of, results_of};
use pliron::{
    builtin::{op_interfaces::SingleBlockRegionInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::HashMap;

/// What is known about a value.
pub trait Fact: Copy + PartialEq {
    /// Nothing.
    const UNKNOWN: Self;

    /// About a value that may be either of two: what holds for both.
    fn or(self, other: Self) -> Self;
}

/// The facts about a function's values, and about what is in its register variables (by the variable's address).
#[derive(Clone, Debug)]
pub struct Facts<F> {
    values: HashMap<Value, F>,
    contents: HashMap<Value, F>,
}

impl<F> Default for Facts<F> {
    fn default() -> Self {
        Facts {
            values: HashMap::new(),
            contents: HashMap::new(),
        }
    }
}

impl<F: Fact> Facts<F> {
    /// About `value`.
    pub fn of(&self, value: Value) -> F {
        self.known(value).unwrap_or(F::UNKNOWN)
    }

    /// About `value`; `None` where nothing has reached it.
    pub fn known(&self, value: Value) -> Option<F> {
        self.values.get(&value).copied()
    }

    /// About what is in the register variable at `variable`.
    pub fn in_variable(&self, variable: Value) -> F {
        let known = self.contents.get(&variable);
        known.copied().unwrap_or(F::UNKNOWN)
    }
}

/// What operations make of facts. `None`: the operands' facts, which this needs, are not there yet.
pub trait Rules {
    type Fact: Fact;

    /// Whether facts about `value` are kept.
    fn follows(&self, value: Value) -> bool;

    /// Where a variable is.
    fn storage(&self, variable: &Alloca) -> Storage;

    /// About what comes from memory, from a call or out of another thread's hands.
    fn unknown(&self) -> Self::Fact {
        Fact::UNKNOWN
    }

    fn constant(&self, value: i128) -> Self::Fact;

    fn binary(&self, bin: &Bin, facts: &Facts<Self::Fact>) -> Option<Self::Fact>;

    fn cast(&self, cast: &Cast, facts: &Facts<Self::Fact>) -> Option<Self::Fact>;

    /// The address of an element.
    fn element(&self, add: &PtrAdd, facts: &Facts<Self::Fact>) -> Option<Self::Fact>;

    /// The address of a record's field.
    fn member(&self, member: &Member, facts: &Facts<Self::Fact>) -> Option<Self::Fact>;

    /// The address of a variable.
    fn variable(&self, alloca: &Alloca) -> Self::Fact;

    /// What a call gives.
    fn called(&self, call: &Call, facts: &Facts<Self::Fact>) -> Option<Self::Fact> {
        let _ = (call, facts);
        Some(self.unknown())
    }

    /// The address of a string.
    fn literal(&self) -> Self::Fact;

    /// The null pointer; `None` if it goes with any other fact.
    fn null(&self) -> Option<Self::Fact>;

    /// The address of memory that a block shares.
    fn shared(&self) -> Self::Fact;

    /// The address of memory that a launch brings along for its own use.
    fn scratch(&self) -> Self::Fact;

    /// A loop's counter, behind its first value.
    fn next_count(&self, lp: &For, facts: &Facts<Self::Fact>) -> Option<Self::Fact>;
}

/// Follows facts through `function` from those about its arguments.
pub fn infer<R: Rules>(
    ctx: &Context,
    function: FuncOp,
    rules: &R,
    arguments: impl IntoIterator<Item = (Value, Option<R::Fact>)>,
) -> Facts<R::Fact> {
    let mut pass = Pass {
        ctx,
        rules,
        facts: Facts::default(),
        changed: true,
    };
    for (value, fact) in arguments {
        pass.join(value, fact);
    }
    let ops = nested_ops(ctx, function.get_operation());
    while std::mem::take(&mut pass.changed) {
        for op in &ops {
            pass.visit(*op);
        }
    }
    pass.facts
}

struct Pass<'a, R: Rules> {
    ctx: &'a Context,
    rules: &'a R,
    facts: Facts<R::Fact>,
    changed: bool,
}

impl<R: Rules> Pass<'_, R> {
    fn visit(&mut self, op: Ptr<Operation>) {
        let fact = match View::of(self.ctx, op) {
            View::Core(of_core) => self.visit_core(op, &of_core),
            View::Simt(of_simt) => self.of_simt(op, &of_simt),
            View::Par(_) | View::Source(_) | View::Other => Some(self.rules.unknown()),
        };
        for result in results_of(self.ctx, op) {
            self.join(result, fact);
        }
    }

    /// What holds for the results of an operation; what it says about other values is noted.
    fn visit_core(&mut self, op: Ptr<Operation>, of_core: &CoreOp) -> Option<R::Fact> {
        let ctx = self.ctx;
        match of_core {
            CoreOp::Store(store) => {
                let to = store.get_operand_address(ctx);
                if self.is_register(to) {
                    let fact = self.facts.known(store.get_operand_value(ctx));
                    self.changed |= join(&mut self.facts.contents, to, fact);
                }
                None
            }
            CoreOp::Load(load) => {
                let from = load.get_operand_address(ctx);
                match self.is_register(from) {
                    true => self.facts.contents.get(&from).copied(),
                    false => Some(self.rules.unknown()),
                }
            }
            CoreOp::Select(select) => {
                let yes = self.facts.known(select.get_operand_yes(ctx));
                let no = self.facts.known(select.get_operand_no(ctx));
                either(yes, no)
            }
            CoreOp::If(_) => {
                self.visit_if(op);
                None
            }
            CoreOp::For(lp) => {
                let counter = lp.get_body(ctx, 0).deref(ctx).get_argument(0);
                let first = self.facts.known(lp.get_operand_lower(ctx));
                self.join(counter, first);
                let next = self.rules.next_count(lp, &self.facts);
                self.join(counter, next);
                None
            }
            CoreOp::Const(constant) => Some(self.rules.constant(constant.value(ctx))),
            CoreOp::Bin(bin) => self.rules.binary(bin, &self.facts),
            CoreOp::Cast(cast) => self.rules.cast(cast, &self.facts),
            CoreOp::PtrAdd(add) => self.rules.element(add, &self.facts),
            CoreOp::Member(member) => self.rules.member(member, &self.facts),
            // The same address.
            CoreOp::Decay(_) => self.of_first_operand(op),
            CoreOp::Alloca(alloca) => Some(self.rules.variable(alloca)),
            CoreOp::StringConst(_) => Some(self.rules.literal()),
            CoreOp::Null(_) => self.rules.null(),
            CoreOp::Call(call) => self.rules.called(call, &self.facts),
            CoreOp::FConst(_)
            | CoreOp::Un(_)
            | CoreOp::Cmp(_)
            | CoreOp::ComplexMake(_)
            | CoreOp::Real(_)
            | CoreOp::Imag(_)
            | CoreOp::AddressOf(_)
            | CoreOp::Copy(_)
            | CoreOp::Zero(_)
            | CoreOp::PtrDiff(_)
            | CoreOp::LoadBits(_)
            | CoreOp::StoreBits(_)
            | CoreOp::Extent(_)
            | CoreOp::AtomicLoad(_)
            | CoreOp::AtomicStore(_)
            | CoreOp::AtomicUpdate(_)
            | CoreOp::Yield(_)
            | CoreOp::Break(_)
            | CoreOp::Continue(_)
            | CoreOp::Return(_)
            | CoreOp::Loop(_)
            | CoreOp::Switch(_)
            | CoreOp::ExternFunc(_)
            | CoreOp::RecordDef(_)
            | CoreOp::Opaque(_) => Some(self.rules.unknown()),
        }
    }

    fn of_simt(&self, op: Ptr<Operation>, of_simt: &SimtOp) -> Option<R::Fact> {
        match of_simt {
            // The same variable of another lane.
            SimtOp::Shuffle(_) => self.of_first_operand(op),
            SimtOp::Shared(_) | SimtOp::DynamicShared(_) => Some(self.rules.shared()),
            SimtOp::Scratch(_) => Some(self.rules.scratch()),
            SimtOp::Query(_)
            | SimtOp::Barrier(_)
            | SimtOp::Fence(_)
            | SimtOp::Reduce(_)
            | SimtOp::Ballot(_)
            | SimtOp::Mask(_)
            | SimtOp::Locked(_)
            | SimtOp::ModuleLock(_)
            | SimtOp::Contribute(_) => Some(self.rules.unknown()),
        }
    }

    fn visit_if(&mut self, op: Ptr<Operation>) {
        let results = results_of(self.ctx, op);
        for region in regions_of(self.ctx, op) {
            let end = ops_of_region(self.ctx, region).last().copied();
            let Some(end) = end.filter(|e| Operation::is_op::<Yield>(*e, self.ctx)) else {
                continue;
            };
            for (result, value) in results.iter().zip(operands_of(self.ctx, end)) {
                let fact = self.facts.known(value);
                self.join(*result, fact);
            }
        }
    }

    fn of_first_operand(&self, op: Ptr<Operation>) -> Option<R::Fact> {
        let operands = operands_of(self.ctx, op);
        operands.first().and_then(|base| self.facts.known(*base))
    }

    fn is_register(&self, address: Value) -> bool {
        let op = address.defining_op();
        let alloca = op.and_then(|op| Operation::get_op::<Alloca>(op, self.ctx));
        alloca.is_some_and(|alloca| self.rules.storage(&alloca) == Storage::Register)
    }

    fn join(&mut self, value: Value, fact: Option<R::Fact>) {
        if self.rules.follows(value) {
            self.changed |= join(&mut self.facts.values, value, fact);
        }
    }
}

/// Where one may not be known.
pub fn either<F: Fact>(a: Option<F>, b: Option<F>) -> Option<F> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.or(b)),
        (one, None) | (None, one) => one,
    }
}

/// Whether this changed what is known.
fn join<F: Fact>(map: &mut HashMap<Value, F>, value: Value, fact: Option<F>) -> bool {
    let Some(fact) = fact else {
        return false;
    };
    let old = map.get(&value).copied();
    let new = old.map_or(fact, |old| old.or(fact));
    map.insert(value, new);
    old != Some(new)
}

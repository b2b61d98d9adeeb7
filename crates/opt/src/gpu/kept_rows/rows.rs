//! What an iteration has of what the loops before it have loaded, stored and computed in the iteration with the same counter.
//!
//! ```text
//! for (k …) most = max(most, x[k])       x[k]: loaded
//! t[i] = most                            x[k]: lost, t[i] might be there
//! for (k …) sum += y[k] = x[k] - most    x[k]: loaded again    y[k]: stored
//! for (k …) y[k] /= sum                  y[k]: kept from the loop before
//! ```

use accrue_dialects::core::{For, Load, Store};
use accrue_ir::{
    effects::is_pure,
    walk::{nested_ops, operands_of, ops_of_block},
};
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
};
use std::collections::{HashMap, HashSet};

use super::{
    accesses::{is_plain_address, may_change_memory, may_read_memory, words},
    chains::{Chain, Found, GROUP, Member, Role, Slot},
    values::{self, Number, Numbers},
};
use crate::{
    analysis::{
        affine::{Affine, Place},
        straight::PureFunctions,
        variables::is_in_variable,
    },
    gpu::interleave,
};

/// A lane's iterations of a row, at most …
const MOST_ITERATIONS: usize = 16;
/// … and registers for what they keep.
const MOST_WORDS: usize = 16;
/// Operations of all versions of a chain's loops.
const MOST_OPERATIONS: usize = 1600;

/// Where a value is from that lanes can keep.
#[derive(Clone, Copy)]
enum Source {
    Load,
    Store(Store),
    Operation,
}

/// What a value is of.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Of {
    Place(Place),
    Number(Number),
}

/// A value that lanes can keep.
struct Known {
    by: Ptr<Operation>,
    source: Source,
    /// The loop in which that is.
    member: usize,
    of: Of,
    ty: TypeHandle,
    /// Operations that need not be done again, and their loops.
    uses: Vec<(Ptr<Operation>, usize)>,
}

/// What happens to memory.
enum Event {
    Load(Ptr<Operation>),
    /// By its number in `all`.
    Store(usize),
    /// Memory may be read, or what comes behind it may not.
    Anything,
}

/// Goes through loops over the same rows, and what is between them.
pub struct Rows<'a> {
    ctx: &'a Context,
    pure: &'a PureFunctions,
    block: Ptr<BasicBlock>,
    loops: Vec<For>,
    affine: Affine,
    numbers: Numbers,
    all: Vec<Known>,
    /// What is known at this point, by its number in `all`.
    valid: HashMap<Of, usize>,
    /// Places that something may have been written to since.
    lost: HashSet<Of>,
    /// What is loaded, what is stored in every iteration, and where others may read, in its order.
    events: Vec<Event>,
    again: Vec<For>,
}

impl<'a> Rows<'a> {
    pub fn new(
        ctx: &'a Context,
        block: Ptr<BasicBlock>,
        loops: Vec<For>,
        pure: &'a PureFunctions,
    ) -> Rows<'a> {
        let counter = |lp: &For| lp.get_body(ctx, 0).deref(ctx).get_argument(0);
        let mut affine = Affine::of_equals();
        let mut numbers = Numbers::default();
        for lp in &loops[1..] {
            affine.take_for(counter(lp), counter(&loops[0]));
            numbers.join(counter(lp), counter(&loops[0]));
        }
        Rows {
            ctx,
            pure,
            block,
            loops,
            affine,
            numbers,
            all: vec![],
            valid: HashMap::new(),
            lost: HashSet::new(),
            events: vec![],
            again: vec![],
        }
    }

    /// Goes through the block, and adds what it finds.
    pub fn chain(mut self, found: &mut Found) {
        let ctx = self.ctx;
        let mut next = 0;
        for op in ops_of_block(ctx, self.block) {
            match self.loops.get(next) {
                Some(lp) if lp.get_operation() == op => {
                    self.member(next);
                    next += 1;
                }
                Some(_) => {
                    for op in std::iter::once(op).chain(nested_ops(ctx, op)) {
                        self.numbers.pass(ctx, op, self.pure);
                        if may_change_memory(ctx, op, self.pure) {
                            self.forget();
                        }
                        if may_read_memory(ctx, op, self.pure) {
                            self.events.push(Event::Anything);
                        }
                    }
                }
                None => break,
            }
        }
        let why = "what is written in between may be at the same place";
        found.refused.extend(self.again.iter().map(|lp| (*lp, why)));
        match self.finish() {
            Some(Ok(chain)) => found.chains.push(chain),
            Some(Err((lp, why))) => found.refused.push((lp, why)),
            None => {}
        }
    }

    /// Notes what an iteration of a loop loads and stores, in its order.
    fn member(&mut self, number: usize) {
        let ctx = self.ctx;
        let lp = self.loops[number];
        let body = lp.get_body(ctx, 0);
        let carried = interleave::carried_variables(ctx, lp).unwrap_or_default();
        let late = interleave::late_operations(ctx, lp, &carried, self.pure);
        let mut written = false;
        self.numbers.enter(ctx, lp.get_operation());
        for op in nested_ops(ctx, lp.get_operation()) {
            let each = op.deref(ctx).get_parent_block() == Some(body);
            self.numbers.pass(ctx, op, self.pure);
            let load = Operation::get_op::<Load>(op, ctx);
            if load.is_none() && may_read_memory(ctx, op, self.pure) {
                self.events.push(Event::Anything);
            }
            if values::is_dear(ctx, op, self.pure) {
                self.operation(op, number, each && !late.contains(&op));
            } else if let Some(load) = load {
                if !is_in_variable(ctx, load.get_operand_address(ctx)) {
                    self.events.push(Event::Load(op));
                    self.load(load, number, each && !written);
                }
            } else if may_change_memory(ctx, op, self.pure) {
                written = true;
                self.forget();
                let store = Operation::get_op::<Store>(op, ctx).filter(|_| each);
                if let Some(store) = store {
                    self.store(store, number);
                }
            }
        }
    }

    /// A division or a call: `first` if its result can be kept.
    fn operation(&mut self, op: Ptr<Operation>, member: usize, first: bool) {
        let ctx = self.ctx;
        let result = op.deref(ctx).get_result(0);
        let ty = result.get_type(ctx);
        let of = Of::Number(self.numbers.of(result));
        match self.valid.get(&of) {
            Some(number) => self.all[*number].uses.push((op, member)),
            None if first && words(ctx, ty).is_some() => {
                self.know(op, Source::Operation, member, of, ty);
            }
            None => {}
        }
    }

    fn load(&mut self, load: Load, member: usize, first: bool) {
        let ctx = self.ctx;
        let (op, result) = (load.get_operation(), load.get_result(ctx));
        let ty = result.get_type(ctx);
        let place = Of::Place(self.affine.place(ctx, load.get_operand_address(ctx)));
        if let Some(known) = self.valid.get(&place).map(|number| &mut self.all[*number])
            && known.ty == ty
        {
            known.uses.push((op, member));
            let value = match known.source {
                Source::Store(store) => store.get_operand_value(ctx),
                Source::Load | Source::Operation => known.by.deref(ctx).get_result(0),
            };
            self.numbers.join(result, value);
            return;
        }
        if self.lost.contains(&place) && !self.again.contains(&self.loops[member]) {
            self.again.push(self.loops[member]);
        }
        let lp = self.loops[member];
        if first && words(ctx, ty).is_some() && is_plain_address(ctx, lp, load) {
            self.know(op, Source::Load, member, place, ty);
        }
    }

    fn store(&mut self, store: Store, member: usize) {
        let ctx = self.ctx;
        let (address, ty) = (
            store.get_operand_address(ctx),
            store.get_operand_value(ctx).get_type(ctx),
        );
        if words(ctx, ty).is_some() {
            let place = Of::Place(self.affine.place(ctx, address));
            let source = Source::Store(store);
            self.events.push(Event::Store(self.all.len()));
            self.know(store.get_operation(), source, member, place, ty);
        }
    }

    fn know(&mut self, by: Ptr<Operation>, source: Source, member: usize, of: Of, ty: TypeHandle) {
        self.lost.remove(&of);
        self.valid.insert(of.clone(), self.all.len());
        self.all.push(Known {
            by,
            source,
            member,
            of,
            ty,
            uses: vec![],
        });
    }

    /// Something is written that may be anywhere.
    fn forget(&mut self) {
        let in_memory = |of: &Of| matches!(of, Of::Place(_));
        let lost = self.valid.extract_if(|of, _| in_memory(of));
        self.lost.extend(lost.map(|(of, _)| of));
    }

    /// Leaves out what only leads to operations that are not done again.
    fn leave_out(&mut self) {
        let ctx = self.ctx;
        let mut again: HashSet<Ptr<Operation>> = HashSet::new();
        for known in &self.all {
            if matches!(known.source, Source::Operation) {
                let later = known
                    .uses
                    .iter()
                    .filter(|(_, member)| *member > known.member);
                again.extend(later.map(|(op, _)| *op));
            }
        }
        let mut needed: HashSet<Ptr<Operation>> = HashSet::new();
        for lp in &self.loops {
            let inside = nested_ops(ctx, lp.get_operation());
            let quiet = |op: &Ptr<Operation>| {
                let alone = op.deref(ctx).num_regions() == 0;
                alone && (is_pure(ctx, *op) || Operation::is_op::<Load>(*op, ctx))
                    || self.pure.is_called(ctx, *op)
            };
            let mut open: Vec<_> = inside.into_iter().filter(|op| !quiet(op)).collect();
            while let Some(op) = open.pop() {
                if needed.insert(op) && !again.contains(&op) {
                    let operands = operands_of(ctx, op).into_iter();
                    open.extend(operands.filter_map(|operand| operand.defining_op()));
                }
            }
        }
        for known in &mut self.all {
            known.uses.retain(|(op, _)| needed.contains(op));
        }
    }

    /// Stores whose values nobody reads before another loop stores to the same places; `roles`: loads that are not made.
    fn overwritten(&self, roles: &[HashMap<Ptr<Operation>, Role>]) -> HashSet<Ptr<Operation>> {
        let mut found = HashSet::new();
        let mut unread: HashMap<(&Of, TypeHandle), usize> = HashMap::new();
        for event in &self.events {
            match event {
                Event::Store(number) => {
                    let known = &self.all[*number];
                    if let Some(before) = unread.insert((&known.of, known.ty), *number) {
                        found.insert(self.all[before].by);
                    }
                }
                Event::Load(op) => {
                    let role = roles.iter().find_map(|roles| roles.get(op));
                    let made = match role {
                        Some(Role::Kept(_) | Role::Stored(_)) => false,
                        Some(Role::Ahead(_) | Role::Keeps(_)) | None => true,
                    };
                    if made {
                        unread.clear();
                    }
                }
                Event::Anything => unread.clear(),
            }
        }
        found
    }

    /// The chain, if a loop has something from one before it, or what is against it.
    fn finish(mut self) -> Option<Result<Chain, (For, &'static str)>> {
        let ctx = self.ctx;
        self.leave_out();
        let mut slots: Vec<TypeHandle> = vec![];
        let mut by_place: HashMap<(Of, TypeHandle), Slot> = HashMap::new();
        let mut roles: Vec<HashMap<Ptr<Operation>, Role>> = vec![];
        roles.resize_with(self.loops.len(), HashMap::new);
        // Registers that are full between a loop and the next one.
        let mut full = vec![0; self.loops.len()];
        let mut last = None;
        for known in &self.all {
            let Some(until) = known.uses.iter().map(|(_, member)| *member).max() else {
                continue;
            };
            if until == known.member {
                continue;
            }
            let slot = *by_place
                .entry((known.of.clone(), known.ty))
                .or_insert_with(|| {
                    slots.push(known.ty);
                    Slot(slots.len() - 1)
                });
            let own = match known.source {
                Source::Store(_) | Source::Operation => Role::Keeps(slot),
                Source::Load => Role::Ahead(slot),
            };
            roles[known.member].insert(known.by, own);
            for (op, member) in &known.uses {
                let role = match known.source {
                    Source::Store(store) if *member == known.member => Role::Stored(store),
                    Source::Operation if *member == known.member => continue,
                    Source::Store(_) | Source::Operation | Source::Load => Role::Kept(slot),
                };
                roles[*member].insert(*op, role);
            }
            for between in &mut full[known.member..until] {
                *between += words(ctx, known.ty).unwrap_or(0);
            }
            last = last.max(Some(until));
        }
        let most = full.into_iter().max().filter(|most| *most > 0)?;
        let last = self.loops[last?];
        let sizes = self
            .loops
            .iter()
            .zip(&roles)
            .filter(|(_, roles)| !roles.is_empty());
        let operations: usize = sizes
            .map(|(lp, _)| self.pure.size(ctx, &nested_ops(ctx, lp.get_operation())))
            .sum();
        let iterations = [MOST_WORDS / most, MOST_OPERATIONS / operations.max(1)]
            .into_iter()
            .fold(MOST_ITERATIONS, usize::min)
            / GROUP
            * GROUP;
        if iterations < GROUP {
            return Some(Err((last, "that takes too many registers")));
        }
        let overwritten = self.overwritten(&roles);
        let members = self
            .loops
            .iter()
            .zip(roles)
            .filter(|(_, roles)| !roles.is_empty());
        let members = members.map(|(lp, roles)| {
            let carried = interleave::carried_variables(ctx, *lp).unwrap_or_default();
            Member {
                lp: *lp,
                roles,
                overwritten: overwritten.clone(),
                late: interleave::late_operations(ctx, *lp, &carried, self.pure),
            }
        });
        let chain = Chain {
            loops: members.collect(),
            slots,
            iterations,
            block: self.block,
        };
        // What is loaded ahead and kept must not wait for what keeps its order.
        let ahead_is_late = chain.loops.iter().any(|member| {
            let mut roles = member.roles.iter();
            roles.any(|(op, role)| match role {
                Role::Ahead(_) => member.late.contains(op),
                Role::Keeps(_) | Role::Kept(_) | Role::Stored(_) => false,
            })
        });
        match ahead_is_late {
            true => Some(Err((
                last,
                "where it loads depends on what the loop computes",
            ))),
            false => Some(Ok(chain)),
        }
    }
}

//! Barriers where threads of a group need what other threads of it have stored.
//!
//! Between two barriers the threads of a group run freely. In a single mode all of them load, the leader alone stores;
//! in a partitioned region each thread does both. Program order is kept where two accesses may be of the same memory and
//! one of them is a store ([`super::pending`]).
//!
//! A forward walk keeps what has been accessed since the last barrier and puts a barrier before the first access that is
//! in the way; loops are walked until nothing changes. A partitioned region counts as one access, at its fork; a worker
//! region is walked once more for the barriers among the lanes of a worker. There is none before the return.
//!
//! Iterations of an independent loop do not touch each other's data, so memory from outside of the function is forgotten at
//! its back edge. The group's own variables are not: iterations take turns with them.
//!
//! Control flow of a single mode is the same for all threads of the group, so that all of them come to each barrier.

use super::{
    at::Emitter,
    calls::{Calls, Kind, Touches},
    modes::{Mode, join_of},
    pending::{Accesses, Named, Places, State, Who},
    roots::{Access, Root, root, uses},
    storage::is_private,
    unit::{Guard, Unit},
};
use crate::dialect::{Barrier, Scope, Shared};
use accrue_dialects::{
    core::{Alloca, Call, For, Loop},
    flow::Flow,
    par::{Fork, Level},
};
use accrue_ir::{
    effects::{Effect, effects_of},
    walk::{nested_ops, ops_of_block, regions_of},
};
use pliron::{
    basic_block::BasicBlock,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::HashMap;

/// Inserts the barriers of the function.
pub fn insert(ctx: &mut Context, unit: &Unit, calls: &Calls) {
    let mut walk = Walk {
        ctx,
        unit,
        calls,
        record: true,
        points: vec![],
        barriers: 0,
        loops: HashMap::new(),
        escaped: HashMap::new(),
        hidden: false,
    };
    let all = nested_ops(walk.ctx, unit.function.get_operation());
    walk.hidden = all.into_iter().any(|op| walk.is_hidden(op));
    let ops = ops_of_block(walk.ctx, unit.function.get_entry_block(walk.ctx));
    walk.run(&ops, unit.base, &mut State::default(), &mut vec![]);
    for (op, mode) in walk.points {
        let (scope, lanes) = (unit.scope(mode), unit.lanes(mode));
        if scope == Scope::Subgroup && !unit.target.has_subgroups() {
            continue;
        }
        Emitter::before(ctx, op).op(|c| Barrier::new(c, scope, lanes));
    }
}

/// A loop or switch that is being walked, and the states that leave it early.
#[derive(Default)]
struct Frame {
    is_loop: bool,
    breaks: State,
    continues: State,
}

/// What is known of a loop.
#[derive(Clone)]
struct Settled {
    /// The state at the start of any iteration.
    entry: State,
    /// The states in which the loop may be left.
    exits: State,
    /// Barriers in an iteration.
    barriers: usize,
}

struct Walk<'a> {
    ctx: &'a Context,
    unit: &'a Unit,
    calls: &'a Calls,
    /// False while a loop is walked to find its state.
    record: bool,
    points: Vec<(Ptr<Operation>, Mode)>,
    /// Barriers come by, recorded or not.
    barriers: usize,
    /// Loops that have been settled, by the state before them.
    loops: HashMap<Ptr<Operation>, Vec<(State, Settled)>>,
    /// Whether the address of a variable gets out of sight.
    escaped: HashMap<Ptr<Operation>, bool>,
    /// Whether there are variables of the group whose address does.
    hidden: bool,
}

impl Walk<'_> {
    fn run(
        &mut self,
        ops: &[Ptr<Operation>],
        mode: Mode,
        state: &mut State,
        frames: &mut Vec<Frame>,
    ) {
        let mut at = 0;
        while at < ops.len() {
            let op = ops[at];
            at += 1;
            if let Some(fork) = Operation::get_op::<Fork>(op, self.ctx) {
                if fork.level(self.ctx) == Level::Gang {
                    continue;
                }
                let Some(join) = join_of(self.ctx, ops, at - 1) else {
                    continue;
                };
                let region = &ops[at..join];
                let accesses = self.all_of(region);
                self.access(op, mode, Who::Several, &accesses, state);
                let inner = mode.after(self.ctx, op);
                if !self.unit.is_alone(inner) {
                    self.run(region, inner, &mut State::default(), &mut vec![]);
                }
                at = join;
                continue;
            }
            self.operation(op, mode, state, frames);
        }
    }

    fn operation(
        &mut self,
        op: Ptr<Operation>,
        mode: Mode,
        state: &mut State,
        frames: &mut Vec<Frame>,
    ) {
        if let Some(guard) = self.unit.guards.get(&op) {
            let who = match guard {
                Guard::Leader => Who::Leader,
                Guard::Some => Who::Several,
            };
            let accesses = self.all_of(&[op]);
            self.access(op, mode, who, &accesses, state);
        } else if let Some(call) = Operation::get_op::<Call>(op, self.ctx) {
            let who = match self.calls.kind(&call.callee(self.ctx)) {
                Kind::Seq => Who::All,
                Kind::Vector | Kind::Block => Who::Several,
            };
            let accesses = self.of(op);
            self.access(op, mode, who, &accesses, state);
        } else {
            self.flow(op, mode, state, frames);
        }
    }

    fn flow(&mut self, op: Ptr<Operation>, mode: Mode, state: &mut State, frames: &mut Vec<Frame>) {
        match Flow::of(self.ctx, op) {
            Flow::If(_) => {
                let before = state.clone();
                *state = State::default();
                for block in self.blocks(op) {
                    let mut branch = before.clone();
                    self.run(&ops_of_block(self.ctx, block), mode, &mut branch, frames);
                    state.join(&branch);
                }
            }
            Flow::For(_) | Flow::Loop(_) | Flow::Shared => self.repeat(op, mode, state),
            Flow::Switch(_) => self.switch(op, mode, state, frames),
            Flow::Break => {
                if let Some(frame) = frames.last_mut() {
                    frame.breaks.join(state);
                }
                *state = State::default();
            }
            Flow::Continue => {
                if let Some(frame) = frames.iter_mut().rev().find(|f| f.is_loop) {
                    frame.continues.join(state);
                }
                *state = State::default();
            }
            Flow::Return => *state = State::default(),
            Flow::Next | Flow::Once | Flow::Yield => {
                let accesses = self.of(op);
                self.access(op, mode, Who::All, &accesses, state);
                state.forget_reads(&self.unit.alternating);
            }
        }
    }

    /// Walks a loop until what comes around its back edge is known, then once more for the barriers. One barrier in front
    /// of the loop is better than one in each iteration because of what was before the loop.
    fn repeat(&mut self, op: Ptr<Operation>, mode: Mode, state: &mut State) {
        let before = self.barriers;
        let mut settled = self.settled(op, mode, state);
        if settled.barriers > 0 && *state != State::default() {
            let fresh = self.settled(op, mode, &State::default());
            if fresh.barriers < settled.barriers {
                settled = fresh;
                settled.barriers += 1;
                if self.record {
                    self.points.push((op, mode));
                }
            }
        }
        if self.record {
            self.iteration(op, mode, &settled.entry);
        }
        self.barriers = before + settled.barriers;
        *state = settled.entry;
        state.join(&settled.exits);
    }

    /// What is known of a loop that is entered in state `before`.
    fn settled(&mut self, op: Ptr<Operation>, mode: Mode, before: &State) -> Settled {
        let known = self.loops.get(&op).into_iter().flatten();
        if let Some((_, settled)) = known.into_iter().find(|(b, _)| b == before) {
            return settled.clone();
        }
        let record = std::mem::replace(&mut self.record, false);
        let mut entry = before.clone();
        let settled = loop {
            let so_far = self.barriers;
            let (mut around, exits) = self.iteration(op, mode, &entry);
            if self.is_independent(op) {
                around.forget_outside();
            }
            let old = entry.clone();
            entry.join(&around);
            if entry == old {
                let barriers = self.barriers - so_far;
                break Settled {
                    entry,
                    exits,
                    barriers,
                };
            }
        };
        self.record = record;
        let known = self.loops.entry(op).or_default();
        known.push((before.clone(), settled.clone()));
        settled
    }

    /// Whether what the iterations of a loop do to memory from outside cannot be in each other's way. A gang's variables
    /// whose addresses get out of sight cannot be told from such memory, and iterations may take turns with them.
    fn is_independent(&self, op: Ptr<Operation>) -> bool {
        let counted = Operation::get_op::<For>(op, self.ctx);
        !self.hidden && counted.is_some_and(|f| f.info(self.ctx).independent)
    }

    /// One iteration: the state at its end, and the states in which the loop may be left.
    fn iteration(&mut self, op: Ptr<Operation>, mode: Mode, entry: &State) -> (State, State) {
        let mut frames = vec![Frame {
            is_loop: true,
            ..Frame::default()
        }];
        let mut state = entry.clone();
        let mut exits = State::default();
        let mut blocks = self.blocks(op);
        // `do … while` begins with the body.
        let lp = Operation::get_op::<Loop>(op, self.ctx);
        if lp.is_some_and(|lp| lp.tests_last(self.ctx)) {
            blocks.rotate_left(1);
        }
        for block in blocks {
            state.join(&frames[0].continues);
            self.run(
                &ops_of_block(self.ctx, block),
                mode,
                &mut state,
                &mut frames,
            );
            exits.join(&state);
        }
        state.join(&frames[0].continues);
        exits.join(&frames[0].breaks);
        (state, exits)
    }

    fn switch(
        &mut self,
        op: Ptr<Operation>,
        mode: Mode,
        state: &mut State,
        frames: &mut Vec<Frame>,
    ) {
        let before = state.clone();
        frames.push(Frame::default());
        let mut through = State::default();
        for block in self.blocks(op) {
            through.join(&before);
            self.run(&ops_of_block(self.ctx, block), mode, &mut through, frames);
        }
        state.join(&through);
        if let Some(frame) = frames.pop() {
            state.join(&frame.breaks);
        }
    }

    fn blocks(&self, op: Ptr<Operation>) -> Vec<Ptr<BasicBlock>> {
        let regions = regions_of(self.ctx, op).into_iter();
        regions
            .filter_map(|r| r.deref(self.ctx).get_entry_block())
            .collect()
    }

    fn access(
        &mut self,
        op: Ptr<Operation>,
        mode: Mode,
        who: Who,
        accesses: &Accesses,
        state: &mut State,
    ) {
        if state.needs_barrier(who, accesses) {
            self.barriers += 1;
            if self.record {
                self.points.push((op, mode));
            }
            *state = State::default();
        }
        state.add(who, accesses);
    }

    /// The accesses of `ops` and of everything inside them.
    fn all_of(&mut self, ops: &[Ptr<Operation>]) -> Accesses {
        let mut all = Accesses::default();
        for op in ops {
            let nested = nested_ops(self.ctx, *op);
            for op in std::iter::once(*op).chain(nested) {
                let own = self.of(op);
                all.reads.add(&own.reads);
                all.writes.add(&own.writes);
            }
        }
        all
    }

    /// The accesses of one operation.
    fn of(&mut self, op: Ptr<Operation>) -> Accesses {
        let mut accesses = Accesses::default();
        if let Some(call) = Operation::get_op::<Call>(op, self.ctx) {
            let name = call.callee(self.ctx);
            let Touches { reads, writes } = self.calls.touches(&name);
            (accesses.reads.any, accesses.writes.any) = (reads, writes);
            if self.calls.kind(&name) != Kind::Seq {
                // Its shared variables and those of what it calls.
                for name in std::iter::once(name.clone()).chain(self.calls.reached(&name)) {
                    accesses.reads.named.insert(Named::Function(name.clone()));
                    accesses.writes.named.insert(Named::Function(name));
                }
            }
            return accesses;
        }
        for effect in effects_of(self.ctx, op).expected() {
            match *effect {
                Effect::Read(address) => self.place(address, &mut accesses.reads),
                Effect::Write(address) | Effect::Free(address) => {
                    self.place(address, &mut accesses.writes);
                }
                Effect::Alloc | Effect::Structure | Effect::Convergent => {}
            }
        }
        accesses
    }

    fn place(&mut self, address: Option<Value>, places: &mut Places) {
        let Some(address) = address else {
            places.any = true;
            return;
        };
        match root(self.ctx, address) {
            Root::Variable(v) if is_private(self.unit, v) => {}
            Root::Variable(v) | Root::Shared(v) if !self.escapes(v) => {
                places.named.insert(Named::Variable(v));
            }
            Root::Mapped(argument) => {
                places.mapped.insert(argument);
            }
            Root::Variable(_) | Root::Shared(_) | Root::Other => places.any = true,
        }
    }

    /// Whether `op` makes a variable of the group whose address gets out of sight.
    fn is_hidden(&mut self, op: Ptr<Operation>) -> bool {
        let variable = (Operation::is_op::<Alloca>(op, self.ctx) && !is_private(self.unit, op))
            || Operation::is_op::<Shared>(op, self.ctx);
        variable && self.escapes(op)
    }

    fn escapes(&mut self, variable: Ptr<Operation>) -> bool {
        let ctx = self.ctx;
        *self.escaped.entry(variable).or_insert_with(|| {
            let uses = uses(ctx, variable.deref(ctx).get_result(0));
            uses.iter().any(|(_, access)| *access == Access::Escape)
        })
    }
}

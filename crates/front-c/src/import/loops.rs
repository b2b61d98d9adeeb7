//! The `loop` construct (OpenACC 3.4, section 2.9) and loops that `kernels` offers for analysis.
//!
//! ```text
//! for (i = lower; i < upper; i += step) body
//!     → acc.loop lowerbound(%lower) upperbound(%upper) step(%step) { ^(%iv): %i = alloca; store %iv, %i; body }
//! ```
//! The bounds are evaluated once, before the loop. The user's variable is a new one in every iteration,
//! which is what "private" means for it.

use super::canonical::{Canonical, Step};
use super::compute::Compute;
use super::data_clauses::Use;
use super::directive::{View, device_type_clause, devices, written};
use super::functions::Module;
use super::state::{Nest, Result, Stop, Variable};
use super::types::Scalar;
use crate::ast::constant;
use crate::ast::node::{Kind, NodeId};
use crate::ast::types::TypeId;
use crate::text::carriers::{Owner, Role};
use accrue_dialects::acc::{self, DeviceType, DeviceTypes, Expression, Group, LoopClauses};
use accrue_dialects::core;
use accrue_dialects::par::{LoopDim, LoopTest};
use accrue_directives::{ClauseArgs, ClauseKind, SizeExpr};
use pliron::basic_block::BasicBlock;
use pliron::context::Ptr;
use pliron::value::Value;

/// What a loop operation says of its loops.
pub(super) struct Bounds {
    /// Lower bound, upper bound and step.
    pub(super) bounds: Vec<(Value, Value, Value)>,
    pub(super) dims: Vec<LoopDim>,
    /// Where the pointers among the loop variables start.
    pub(super) starts: Vec<Option<Value>>,
}

impl Module<'_> {
    /// The `loop` construct, or the loop half of a combined one.
    pub fn loop_construct(&mut self, view: &View<'_>) -> Result<()> {
        let statement = view.statement()?;
        let mut count = 1;
        let mut force = false;
        for (index, clause) in view.clauses() {
            match (&clause.kind, &clause.args) {
                (ClauseKind::Collapse, args) => {
                    force |= matches!(args, ClauseArgs::Collapse { force: Some(_), .. });
                    let argument = view.argument(Owner::Clause(index), 0, Role::Value);
                    let value = argument.and_then(|a| constant::integer(&mut self.types, a));
                    match value.and_then(|value| usize::try_from(value).ok()) {
                        Some(value) if value > 0 => count = count.max(value),
                        _ => {
                            return Err(Stop::at(
                                argument.unwrap_or(view.at),
                                "`collapse` takes a positive integer constant",
                            )
                            .section("2.9.1"));
                        }
                    }
                }
                (_, ClauseArgs::Tile(sizes)) => count = count.max(sizes.len()),
                _ => {}
            }
        }
        let clauses = loop_clauses(view);
        if count == 1 && self.is_free_loop(statement, &clauses) {
            return self.free_loop(view, statement);
        }
        let asked = [&clauses.gang, &clauses.vector].map(|types| !types.0.is_empty());
        let open = self.function.compute == Some(Compute::Parallel)
            && match asked {
                [true, _] => true,
                [false, false] => !self.function.in_loop,
                [false, true] => false,
            }
            && [&clauses.worker, &clauses.seq, &clauses.auto]
                .iter()
                .all(|types| types.0.is_empty());
        let in_kernels = self.function.compute == Some(Compute::Kernels);
        let nest = self.canonical_nest(statement, count, force)?;
        let entries = self.data_entries(view, Use::Loop)?;
        let Bounds {
            bounds,
            dims,
            starts,
        } = self.loop_bounds(&nest)?;
        let (op, block) = acc::Loop::new(self.ctx, bounds, dims, clauses);
        if force {
            op.set_forced(self.ctx);
        }
        self.loop_operands(view, &op)?;
        self.add_entries(&op, &entries);
        acc::DirectiveOp::set_directive(&op, self.ctx, view.ordinal());
        self.emit(op);
        let offered = self.function.offers_loops;
        self.function.offers_loops = offered && in_kernels || open;
        let around = std::mem::replace(&mut self.function.in_loop, true);
        let imported = self.loop_body(&nest, block, starts, |_| Ok(()), (end_of_acc, false));
        self.function.in_loop = around;
        self.function.offers_loops = offered;
        imported
    }

    /// A `for` without directive in `kernels`, in a loop over gangs, which may have the lanes, too, or in one whose levels are open, offered as
    /// `auto` when nothing speaks against it.
    /// False when it stays a plain loop.
    pub fn implicit_loop(&mut self, statement: NodeId) -> Result<bool> {
        let Ok(nest) = self.canonical_nest(statement, 1, false) else {
            return Ok(false);
        };
        let Some(first) = nest.first() else {
            return Ok(false);
        };
        let may_go_round = self.may_go_round(first);
        if may_go_round
            || first.body.is_some_and(|body| self.jumps_out(body))
            || !self.is_loop_only(first.variable)
            || !self.is_fixed(first)
        {
            return Ok(false);
        }
        let auto = DeviceTypes(vec![DeviceType::None]);
        let clauses = LoopClauses {
            auto,
            implicit: true,
            ..LoopClauses::default()
        };
        let Bounds {
            bounds,
            dims,
            starts,
        } = self.loop_bounds(&nest)?;
        let (op, block) = acc::Loop::new(self.ctx, bounds, dims, clauses);
        self.emit(op);
        self.loop_body(&nest, block, starts, |_| Ok(()), (end_of_acc, false))?;
        Ok(true)
    }

    /// Whether bound and step are the same in all iterations.
    pub(super) fn is_fixed(&mut self, dim: &Canonical) -> bool {
        let step = match dim.step {
            Step::One | Step::MinusOne => None,
            Step::Plus(step) | Step::Minus(step) => Some(step),
        };
        let read: Vec<NodeId> = step.into_iter().chain([dim.bound]).collect();
        dim.body.is_none_or(|body| self.are_fixed(&read, body))
    }

    /// Whether an unsigned variable may go round the end of its type before it is the bound that `!=` names, as in
    /// `for (unsigned i = 2; i != -1u; i--)`: the iterations of a loop operation do not.
    fn may_go_round(&mut self, dim: &Canonical) -> bool {
        if dim.signed || dim.test != LoopTest::Ne {
            return false;
        }
        let lower = constant::integer(&mut self.types, dim.lower);
        let bound = constant::integer(&mut self.types, dim.bound);
        match (dim.step, lower, bound) {
            (Step::One, Some(0), _) => false,
            (Step::One, Some(lower), Some(bound)) => lower > bound,
            (Step::MinusOne, Some(lower), Some(bound)) => lower < bound,
            (Step::One | Step::MinusOne, _, _) | (Step::Plus(_) | Step::Minus(_), _, _) => true,
        }
    }

    /// What a loop operation says of its loops, in any directive language.
    pub(super) fn loop_bounds(&mut self, nest: &[Canonical]) -> Result<Bounds> {
        let mut bounds = Vec::new();
        let mut dims = Vec::new();
        let mut starts = Vec::new();
        for dim in nest {
            let (lower, upper, test, start) = match dim.is_pointer {
                true => {
                    let (lower, upper, start) = self.pointer_bounds(dim)?;
                    (lower, upper, dim.test, start)
                }
                false => {
                    let lower = self.first_count(dim)?;
                    let (upper, test) = self.last_count(dim, lower)?;
                    (lower, upper, test, None)
                }
            };
            bounds.push((lower, upper, self.step_value(dim)?));
            dims.push(LoopDim {
                test,
                unsigned: !dim.signed,
            });
            starts.push(start);
        }
        Ok(Bounds {
            bounds,
            dims,
            starts,
        })
    }

    /// What the loop counts from: where its variable starts, and what its condition adds to that.
    fn first_count(&mut self, dim: &Canonical) -> Result<Value> {
        let known = constant::integer(&mut self.types, dim.lower).map(|lower| lower + dim.offset);
        match known.filter(|first| dim.offset != 0 && (0..1 << (dim.bits - 1)).contains(first)) {
            Some(first) => Ok(self.constant(dim.bits, first)),
            None => {
                let lower = self.in_loop_type(dim, dim.lower)?;
                Ok(self.moved((dim.bits, dim.signed), lower, dim.offset))
            }
        }
    }

    /// Where the loop ends, and the test for it, in the variable's type. C compares in another type where the bound has a wider one
    /// or none with a sign, and where the variable is narrower than `int`: a loop that has no iteration there must have none here.
    ///
    /// ```text
    /// for (unsigned i = 0; i < l; i++), l long       i < (0 < l ? (unsigned)l : 0)
    /// for (unsigned char i = 0; i <= n; i++)         i < (0 < n + 1 ? (unsigned char)(n + 1) : 0)
    /// for (int i = s; i > u; i--), u unsigned        i > s - ((unsigned)s > u ? s - (int)u : 0)
    /// ```
    /// A loop that has an iteration meets the bound in its variable's type, or never. Numbers of iterations, and sections, are found from that
    /// (`lower-acc/src/written_end.rs`).
    fn last_count(&mut self, dim: &Canonical, first: Value) -> Result<(Value, LoopTest)> {
        let compared = self.scalar(dim.compared);
        let Some(Scalar::Int { bits, signed }) = compared.filter(|_| !self.is_exact(dim)) else {
            return Ok((self.in_loop_type(dim, dim.bound)?, dim.test));
        };
        let ty = self.type_of(dim.bound)?;
        let bound = self.value(dim.bound)?;
        let bound = self.convert(bound, ty, dim.compared, dim.bound)?;
        let (by, test) = match dim.test {
            LoopTest::Le => (1, LoopTest::Lt),
            LoopTest::Ge => (-1, LoopTest::Gt),
            LoopTest::Lt | LoopTest::Gt | LoopTest::Ne => (0, dim.test),
        };
        let bound = self.moved((bits, signed), bound, by);
        let down = test == LoopTest::Gt;
        let less = match (down, signed) {
            (false, true) => core::CmpKind::LtS,
            (false, false) => core::CmpKind::LtU,
            (true, true) => core::CmpKind::GtS,
            (true, false) => core::CmpKind::GtU,
        };
        let start = self.convert(first, dim.ty, dim.compared, dim.lower)?;
        let any = self.compare(less, start, bound);
        let end = self.convert(bound, dim.compared, dim.ty, dim.bound)?;
        let from_zero = constant::integer(&mut self.types, dim.lower)
            .is_some_and(|lower| lower + dim.offset == 0);
        let none = self.constant(dim.bits, 0);
        let end = match (down, from_zero) {
            (false, true) => self.select(any, end, none),
            (false, false) => {
                let distance = self.binary(core::BinKind::Sub, end, first);
                let distance = self.select(any, distance, none);
                self.binary(core::BinKind::Add, first, distance)
            }
            (true, _) => {
                let distance = self.binary(core::BinKind::Sub, first, end);
                let distance = self.select(any, distance, none);
                self.binary(core::BinKind::Sub, first, distance)
            }
        };
        Ok((end, test))
    }

    /// Whether the bound in the variable's type ends the loop where C does.
    fn is_exact(&mut self, dim: &Canonical) -> bool {
        let Some(Scalar::Int { bits, signed }) = self.scalar(dim.compared) else {
            return true;
        };
        let same = (bits, signed) == (dim.bits, dim.signed);
        if same || dim.test == LoopTest::Ne {
            return true;
        }
        let first = constant::integer(&mut self.types, dim.lower).map(|lower| lower + dim.offset);
        // Nothing below zero is taken for a large number.
        let keeps_values = signed || !dim.signed || first.is_some_and(|first| first >= 0);
        let last = match dim.signed {
            true => (1 << (dim.bits - 1)) - 1,
            false => (1 << dim.bits) - 1,
        };
        let bound = constant::integer(&mut self.types, dim.bound);
        let least = if dim.signed && signed { -last - 1 } else { 0 };
        let up = matches!(dim.test, LoopTest::Lt | LoopTest::Le);
        // Without sign no bound is below the variable's numbers.
        let meets = !signed && up || bound.is_some_and(|bound| (least..=last).contains(&bound));
        keeps_values && meets
    }

    /// A number of an integer type and a constant.
    fn moved(&mut self, (bits, signed): (u32, bool), value: Value, by: i128) -> Value {
        if by == 0 {
            return value;
        }
        let by = self.constant(bits, by);
        let kind = match signed {
            true => core::BinKind::AddS,
            false => core::BinKind::Add,
        };
        self.binary(kind, value, by)
    }

    fn in_loop_type(&mut self, dim: &Canonical, expression: NodeId) -> Result<Value> {
        let ty = self.type_of(expression)?;
        let value = self.value(expression)?;
        self.convert(value, ty, dim.ty, expression)
    }

    /// The loop over a pointer counts from 0 to its distance from the bound.
    fn pointer_bounds(&mut self, dim: &Canonical) -> Result<(Value, Value, Option<Value>)> {
        let start = self.in_loop_type(dim, dim.lower)?;
        let end = self.in_loop_type(dim, dim.bound)?;
        let op = core::PtrDiff::new(self.ctx, end, start);
        let distance = self.emit_value(op);
        Ok((self.constant(64, 0), distance, Some(start)))
    }

    fn step_value(&mut self, dim: &Canonical) -> Result<Value> {
        let (step, negate) = match dim.step {
            Step::One => return Ok(self.constant(dim.bits, 1)),
            Step::MinusOne => return Ok(self.constant(dim.bits, -1)),
            Step::Plus(step) => (step, false),
            Step::Minus(step) => (step, true),
        };
        if let Some(value) = constant::integer(&mut self.types, step) {
            return Ok(self.constant(dim.bits, if negate { -value } else { value }));
        }
        let value = match dim.is_pointer {
            true => {
                let ty = self.type_of(step)?;
                let value = self.value(step)?;
                self.widen_index(value, ty)
            }
            false => self.in_loop_type(dim, step)?,
        };
        if !negate {
            return Ok(value);
        }
        let op = core::Un::new(self.ctx, core::UnKind::Neg, value);
        Ok(self.emit_value(op))
    }

    fn loop_operands(&mut self, view: &View<'_>, op: &acc::Loop) -> Result<()> {
        for (index, clause) in view.clauses() {
            let owner = Owner::Clause(index);
            let one = |role| view.argument(owner, 0, role);
            match (&clause.kind, &clause.args) {
                (ClauseKind::Gang, ClauseArgs::Gang { static_size, .. }) => {
                    let size = (Group::GangNum, Role::GangNum);
                    self.size_of_loop(view, op, size, (owner, clause))?;
                    let groups = [
                        (1, Group::GangDim, one(Role::GangDim)),
                        (2, Group::GangStatic, one(Role::GangStatic)),
                    ];
                    for (item, group, argument) in groups {
                        if let Some(argument) = argument {
                            let value = self.integer_operand(argument)?;
                            self.add(op, group, value, clause, written(owner, item));
                        }
                    }
                    // `static: *` is -1.
                    if let Some(SizeExpr::Any(_)) = static_size {
                        let any = self.constant(32, -1);
                        self.add(op, Group::GangStatic, any, clause, Expression::Unwritten);
                    }
                }
                (ClauseKind::Worker, ClauseArgs::Worker(_)) => {
                    let size = (Group::WorkerNum, Role::Value);
                    self.size_of_loop(view, op, size, (owner, clause))?;
                }
                (ClauseKind::Vector, ClauseArgs::Vector(_)) => {
                    let size = (Group::VectorLength, Role::Value);
                    self.size_of_loop(view, op, size, (owner, clause))?;
                }
                (ClauseKind::Tile, ClauseArgs::Tile(sizes)) => {
                    for (item, _) in sizes.iter().enumerate() {
                        // `*` is -1.
                        let value = match view.argument(owner, item, Role::Value) {
                            Some(argument) => self.integer_operand(argument)?,
                            None => self.constant(32, -1),
                        };
                        self.add(op, Group::Tile, value, clause, written(owner, item));
                    }
                }
                _ => {}
            }
        }
        let named = device_type_clause(view);
        if !named.0.is_empty() {
            acc::set_device_type_clause(self.ctx, op, named);
        }
        Ok(())
    }

    /// The statements of a loop operation's block, which `end` ends.
    pub(super) fn loop_body(
        &mut self,
        nest: &[Canonical],
        block: Ptr<BasicBlock>,
        starts: Vec<Option<Value>>,
        begin: impl FnOnce(&mut Self) -> Result<()>,
        (end, comes_back): (impl FnOnce(&mut Self) -> Result<()>, bool),
    ) -> Result<()> {
        let ivs: Vec<Value> = block.deref(self.ctx).arguments().collect();
        let scope = self.function.variables.enter();
        self.function.nest.push(Nest::AccLoop);
        let imported = self.in_block(block, |this| {
            begin(this)?;
            for ((dim, iv), start) in nest.iter().zip(ivs).zip(starts) {
                let address = this.own_variable(dim.variable, dim.ty)?;
                let value = match start {
                    Some(start) => {
                        let op = core::PtrAdd::new(this.ctx, start, iv);
                        this.emit_value(op)
                    }
                    None => this.moved((dim.bits, dim.signed), iv, -dim.offset),
                };
                this.store(value, address, false);
            }
            for statement in nest.iter().flat_map(|dim| &dim.before) {
                this.statement(*statement);
            }
            match nest.last().and_then(|dim| dim.body) {
                Some(body) if comes_back => this.once(body)?,
                Some(body) => this.statement(body),
                None => {}
            }
            for statement in nest.iter().rev().flat_map(|dim| &dim.after) {
                this.statement(*statement);
            }
            end(this)
        });
        self.function.nest.pop();
        self.function.variables.leave(scope);
        imported.map(|_| ())
    }

    /// A statement in which `continue` leads to its end.
    fn once(&mut self, body: NodeId) -> Result<()> {
        let (op, blocks) = core::Loop::new(self.ctx, true);
        self.emit(op);
        self.in_block(blocks.cond, |this| {
            let never = this.constant(1, 0);
            this.yield_values(vec![never]);
            Ok(())
        })?;
        self.function.nest.push(Nest::Loop);
        let imported = self.in_yielding_block(blocks.body, |this| {
            this.statement(body);
            Ok(())
        });
        self.function.nest.pop();
        imported?;
        self.in_yielding_block(blocks.step, |_| Ok(()))
    }

    /// A variable from outside as one of this iteration's own; its address.
    pub(super) fn own_variable(&mut self, declaration: NodeId, ty: TypeId) -> Result<Value> {
        let name = self.source.ast.name(declaration);
        let ir = self.ir_type(ty, declaration)?;
        let user = self.user_variable(name, ty, declaration)?;
        let op = core::Alloca::new(self.ctx, ir, Some(user));
        let address = self.emit_value(op);
        let variable = Variable {
            address,
            ty: ty.into(),
            dims: Vec::new(),
            construct: self.function.construct,
        };
        self.function.variables.insert(declaration, variable);
        Ok(address)
    }

    /// True when `body` leaves the loop otherwise than by its condition.
    pub(super) fn jumps_out(&self, body: NodeId) -> bool {
        let ast = self.source.ast;
        let mut pending = vec![(body, false)];
        while let Some((id, breaks_inside)) = pending.pop() {
            let breaks_inside = match ast.kind(id) {
                Kind::ReturnStmt | Kind::GotoStmt | Kind::IndirectGotoStmt => return true,
                Kind::BreakStmt if !breaks_inside => return true,
                Kind::ForStmt | Kind::WhileStmt | Kind::DoStmt | Kind::SwitchStmt => true,
                _ => breaks_inside,
            };
            pending.extend(ast.children(id).map(|child| (child, breaks_inside)));
        }
        false
    }
}

fn end_of_acc(module: &mut Module<'_>) -> Result<()> {
    let end = acc::Yield::new(module.ctx);
    module.terminate(end);
    Ok(())
}

/// The clauses of a loop that have no operands.
fn loop_clauses(view: &View<'_>) -> LoopClauses {
    let mut clauses = LoopClauses::default();
    for (_, clause) in view.clauses() {
        let list = match clause.kind {
            ClauseKind::Gang => &mut clauses.gang,
            ClauseKind::Worker => &mut clauses.worker,
            ClauseKind::Vector => &mut clauses.vector,
            ClauseKind::Seq => &mut clauses.seq,
            ClauseKind::Independent => &mut clauses.independent,
            ClauseKind::Auto => &mut clauses.auto,
            _ => continue,
        };
        list.0.extend(devices(clause));
    }
    clauses
}

//! Statements.
//!
//! Host code need not be understood completely: a statement (or the condition of one) that is not
//! becomes `core.opaque` with the variables it mentions, unless a directive is inside. Where a condition is opaque, a temporary
//! takes its result. Its jumps by `goto` are opaque too (those of a device are in [`super::goto`]), and in a function with labels no statement is
//! taken to be unreachable.

use super::functions::{Module, is_executable};
use super::goto::Aim;
use super::state::{Nest, Result, Stop};
use crate::ast::carrier::{carrier, unread};
use crate::ast::constant;
use crate::ast::node::{Flags, Kind, NodeId};
use crate::ast::tree::is_expression;
use crate::text::stretches;
use accrue_dialects::{
    core,
    source::{PLACE, TextPlace},
};
use pliron::{op::Op, value::Value};

impl Module<'_> {
    /// Imports a statement; what is wrong with it is reported.
    pub fn statement(&mut self, statement: NodeId) {
        if self.function.terminated {
            return;
        }
        self.locate(statement);
        let mark = self.mark();
        let imported = self.outside_expressions(|this| this.try_statement(statement));
        if let Err(stop) = imported {
            let must = self.on_device() || stop.details.section.is_some();
            if must || self.has_executable_directive(statement) {
                self.report(stop);
            } else {
                self.roll_back(mark);
                self.opaque(statement, None);
            }
        }
    }

    fn try_statement(&mut self, statement: NodeId) -> Result<()> {
        if let Some(number) = unread(&mut self.types, statement) {
            return self.left_out(statement, number, None);
        }
        if let Some(found) = carrier(&mut self.types, statement) {
            return self.directive(statement, found);
        }
        let ast = self.source.ast;
        match ast.kind(statement) {
            Kind::CompoundStmt => {
                if !self.block_with_labels(statement)? {
                    self.block(statement);
                }
                Ok(())
            }
            Kind::DeclStmt => self.declarations(statement),
            Kind::NullStmt | Kind::StaticAssertDecl => Ok(()),
            Kind::IfStmt => self.if_statement(statement),
            Kind::ForStmt => self.for_statement(statement),
            Kind::WhileStmt => self.while_statement(statement),
            Kind::DoStmt => self.do_statement(statement),
            Kind::SwitchStmt => self.switch_statement(statement),
            Kind::BreakStmt => self.break_statement(statement),
            Kind::ContinueStmt => self.continue_statement(statement),
            Kind::ReturnStmt => self.return_statement(statement),
            Kind::LabelStmt => {
                if !self.on_device() {
                    self.opaque(statement, None);
                }
                let inner = self.child(statement, 0)?;
                self.statement(inner);
                Ok(())
            }
            Kind::AttributedStmt => {
                let inner = ast.children(statement).last();
                if let Some(inner) = inner {
                    self.statement(inner);
                }
                Ok(())
            }
            Kind::GotoStmt if self.on_device() => self.goto_statement(statement),
            Kind::GotoStmt | Kind::IndirectGotoStmt => Err(Stop::at(
                statement,
                "a jump to a computed label is not supported in code for a device",
            )
            .help("use `switch`")),
            Kind::GCCAsmStmt => {
                Err(Stop::at(statement, "assembly cannot run on a device").help("write it in C"))
            }
            Kind::CaseStmt | Kind::DefaultStmt => Err(Stop::at(
                statement,
                "a case label inside another statement of the `switch` is not supported",
            )
            .help("put the labels directly into the body of the `switch`")),
            kind if is_expression(kind) => {
                self.full_expression(statement, |this| this.discard(statement))
            }
            _ => Err(self.unsupported(statement)),
        }
    }

    /// The statements between braces.
    fn block(&mut self, statement: NodeId) {
        let scopes = self.function.scopes.len();
        let children: Vec<NodeId> = self.source.ast.children(statement).collect();
        for (index, child) in children.iter().enumerate() {
            let open = self.function.scopes.len();
            self.statement(*child);
            if self.function.scopes.len() > open {
                self.no_jump_past(*child, &children[index + 1..]);
            }
        }
        self.end_scopes(scopes);
    }

    /// Whether a directive with an effect of its own is inside of a statement.
    pub(super) fn has_executable_directive(&mut self, statement: NodeId) -> bool {
        let ast = self.source.ast;
        let mut inside = Vec::new();
        ast.walk(statement, &mut |id| {
            inside.push(id);
            true
        });
        inside.into_iter().any(|id| {
            let ordinal = carrier(&mut self.types, id).map(|found| found.ordinal);
            let directive = ordinal.and_then(|ordinal| self.source.unit.directives.get(ordinal));
            directive.is_some_and(|scanned| is_executable(&scanned.directive))
        })
    }

    fn if_statement(&mut self, statement: NodeId) -> Result<()> {
        let ast = self.source.ast;
        let condition = self.child(statement, 0)?;
        let condition =
            self.full_expression(condition, |this| this.condition_or_opaque(condition))?;
        let (op, yes, no) = core::If::new(self.ctx, condition, vec![]);
        self.emit(op);
        let then = self.child(statement, 1)?;
        let otherwise = match ast.node(statement).has(Flags::ELSE) {
            true => ast.child(statement, 2),
            false => None,
        };
        self.in_branch(yes, |this| {
            this.statement(then);
            Ok(())
        })?;
        self.in_branch(no, |this| {
            if let Some(otherwise) = otherwise {
                this.statement(otherwise);
            }
            Ok(())
        })
    }

    fn for_statement(&mut self, statement: NodeId) -> Result<()> {
        if self.function.offers_loops && self.implicit_loop(statement)? {
            return Ok(());
        }
        self.plain_for(statement)
    }

    /// A `for` that no directive is about, or that runs in order.
    pub(super) fn plain_for(&mut self, statement: NodeId) -> Result<()> {
        let ast = self.source.ast;
        if let Some(init) = ast.child(statement, 0) {
            self.statement(init);
        }
        let (condition, step, body) = (
            ast.child(statement, 2),
            ast.child(statement, 3),
            ast.child(statement, 4),
        );
        self.plain_loop(statement, false, condition, step, body)
    }

    fn while_statement(&mut self, statement: NodeId) -> Result<()> {
        let ast = self.source.ast;
        self.plain_loop(
            statement,
            false,
            ast.child(statement, 0),
            None,
            ast.child(statement, 1),
        )
    }

    /// A body that runs once, as macros have theirs, is no loop: it would keep arrays from becoming scalars, and loops around it from
    /// being unrolled.
    fn do_statement(&mut self, statement: NodeId) -> Result<()> {
        let ast = self.source.ast;
        let (body, condition) = (ast.child(statement, 0), ast.child(statement, 1));
        let known = condition.and_then(|c| constant::integer(&mut self.types, c));
        if let Some(body) = body.filter(|body| known == Some(0) && !self.jumps_in_loop(*body)) {
            self.statement(body);
            return Ok(());
        }
        self.plain_loop(statement, true, condition, None, body)
    }

    /// Whether a `break` or `continue` in the body of a loop is about that loop.
    fn jumps_in_loop(&self, body: NodeId) -> bool {
        let ast = self.source.ast;
        let mut pending = vec![(body, false)];
        while let Some((id, in_switch)) = pending.pop() {
            let in_switch = match ast.kind(id) {
                Kind::ContinueStmt => return true,
                Kind::BreakStmt if !in_switch => return true,
                Kind::ForStmt | Kind::WhileStmt | Kind::DoStmt => continue,
                Kind::SwitchStmt => true,
                _ => in_switch,
            };
            pending.extend(ast.children(id).map(|child| (child, in_switch)));
        }
        false
    }

    /// A loop without directive; a condition that is left out is true.
    fn plain_loop(
        &mut self,
        statement: NodeId,
        test_last: bool,
        condition: Option<NodeId>,
        step: Option<NodeId>,
        body: Option<NodeId>,
    ) -> Result<()> {
        let (op, blocks) = core::Loop::new(self.ctx, test_last);
        self.emit(op);
        self.in_block(blocks.cond, |this| {
            let value = match condition {
                Some(condition) => {
                    this.full_expression(condition, |this| this.condition_or_opaque(condition))?
                }
                None => this.constant(1, 1),
            };
            this.yield_values(vec![value]);
            Ok(())
        })?;
        self.function.nest.push(Nest::Loop);
        let imported = self.in_yielding_block(blocks.body, |this| {
            if let Some(body) = body {
                this.statement(body);
            }
            Ok(())
        });
        self.function.nest.pop();
        imported?;
        self.in_yielding_block(blocks.step, |this| {
            if let Some(step) = step {
                this.statement(step);
            }
            Ok(())
        })?;
        let node = self.source.ast.node(statement);
        let range = self.preprocessed(node.begin as usize..node.end as usize);
        if !self.on_device() && stretches::can_begin(self.source.unit, &range) {
            let place = TextPlace(range.start as u64);
            PLACE.set(self.ctx, op.get_operation(), place);
        }
        self.arrive()
    }

    pub(super) fn break_statement(&mut self, statement: NodeId) -> Result<()> {
        match self.function.nest.last() {
            Some(Nest::Loop | Nest::Switch) | None => {
                let op = core::Break::new(self.ctx);
                let kept = self.function.nest.len().saturating_sub(1);
                self.leave(statement, op, Some(kept))
            }
            Some(Nest::Labels) => self.jump(Aim::Break, statement),
            Some(Nest::AccLoop) => Err(Stop::at(
                statement,
                "`break` cannot leave a loop of a `loop` construct",
            )
            .help("make the rest of the body conditional, or use a loop without directive")
            .section("2.9")),
            Some(Nest::Construct) => Err(leaves_construct(statement, "`break`")),
        }
    }

    pub(super) fn continue_statement(&mut self, statement: NodeId) -> Result<()> {
        let nest = &self.function.nest;
        let around = nest.iter().rposition(|nest| *nest != Nest::Switch);
        match around.map(|index| nest[index]) {
            Some(Nest::Loop | Nest::AccLoop) | None => {
                let op = core::Continue::new(self.ctx);
                self.leave(statement, op, Some(around.unwrap_or(0)))
            }
            Some(Nest::Labels) => self.jump(Aim::Continue, statement),
            Some(Nest::Construct | Nest::Switch) => Err(leaves_construct(statement, "`continue`")),
        }
    }

    fn return_statement(&mut self, statement: NodeId) -> Result<()> {
        for nest in self.function.nest.iter().rev() {
            match nest {
                Nest::Construct => return Err(leaves_construct(statement, "`return`")),
                Nest::AccLoop => {
                    return Err(Stop::at(
                        statement,
                        "`return` cannot leave a loop of a `loop` construct",
                    )
                    .help("make the rest of the body conditional")
                    .section("2.9"));
                }
                Nest::Loop | Nest::Switch | Nest::Labels => {}
            }
        }
        let value = self.source.ast.child(statement, 0);
        if let Some(value) = value.filter(|_| self.on_device()) {
            self.no_address_of_static(value)?;
        }
        let value = match (value, self.function.result_address) {
            (None, _) => None,
            (Some(value), Some(address)) => {
                let from = self.full_expression(value, |this| this.object(value))?;
                let op = core::Copy::new(self.ctx, address, from);
                self.emit(op);
                None
            }
            (Some(value), None) if self.is_void(self.function.result.ty) => {
                self.full_expression(value, |this| this.discard(value))?;
                None
            }
            (Some(value), None) => {
                Some(self.full_expression(value, |this| this.value_or_opaque(value))?)
            }
        };
        let op = core::Return::new(self.ctx, value);
        self.leave(statement, op, None)
    }

    /// Ends the block with a jump, which leaves all but `kept` of the nests around it (`None`: it leaves the function). In a host function with labels the code behind it may be reached
    /// all the same, so there the jump is one that may or may not happen.
    fn leave<T: pliron::op::Op>(
        &mut self,
        statement: NodeId,
        jump: T,
        kept: Option<usize>,
    ) -> Result<()> {
        if self.on_device() || !self.function.has_labels {
            self.jump_out(kept);
            self.terminate(jump);
            return Ok(());
        }
        let boolean = core::boolean(self.ctx);
        let condition = self.opaque_value(statement, boolean);
        let (op, yes, no) = core::If::new(self.ctx, condition, vec![]);
        self.emit(op);
        self.in_block(yes, |this| {
            this.jump_out(kept);
            this.terminate(jump);
            Ok(())
        })?;
        self.in_yielding_block(no, |_| Ok(()))
    }

    /// GNU `({ … })` with a scalar value or none.
    pub fn statement_expression(&mut self, expression: NodeId) -> Result<Option<Value>> {
        let Some(last) = self.all_but_last(expression)? else {
            return Ok(None);
        };
        let ty = self.type_of(last)?;
        if self.is_void(ty) {
            self.discard(last)?;
            return Ok(None);
        }
        self.value(last).map(Some)
    }

    /// GNU `({ … })` with a record as its value.
    pub fn statement_expression_object(&mut self, expression: NodeId) -> Result<Value> {
        match self.all_but_last(expression)? {
            Some(last) => self.object(last),
            None => Err(self.unsupported(expression)),
        }
    }

    /// Imports the statements of `({ … })` but for the expression at its end, which is returned.
    fn all_but_last(&mut self, expression: NodeId) -> Result<Option<NodeId>> {
        let ast = self.source.ast;
        let body = self.child(expression, 0)?;
        let statements: Vec<NodeId> = ast.children(body).collect();
        let Some((last, others)) = statements.split_last() else {
            return Ok(None);
        };
        for statement in others {
            if self.is_declare(*statement) {
                return Err(Stop::at(
                    *statement,
                    "`declare` in a statement expression is not supported",
                )
                .help("put it into a block of its own inside, or in front of the statement")
                .section("2.13"));
            }
            self.statement(*statement);
        }
        if self.function.terminated {
            return Err(Stop::at(
                expression,
                "a jump out of a statement expression is not supported",
            )
            .help("write the statements out"));
        }
        if is_expression(ast.kind(*last)) {
            return Ok(Some(*last));
        }
        self.statement(*last);
        Ok(None)
    }
}

pub(super) fn leaves_construct(statement: NodeId, what: &str) -> Stop {
    Stop::at(
        statement,
        format!("{what} cannot leave the region of a construct"),
    )
    .help("let the region end normally; set a variable and test it behind the region")
    .section("2.5.4")
}

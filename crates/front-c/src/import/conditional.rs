//! Operators that evaluate one of their operands only, or the second one only sometimes: `&&`, `||`, `?:`.
//!
//! ```text
//! a && b           core.if %a { core.yield %b } else { core.yield 0 }
//! c ? s : t        %r = core.alloca   core.if %c { core.copy %r, %s } else { core.copy %r, %t }       (structs)
//! ```

use super::functions::Module;
use super::state::Result;
use crate::ast::node::{NodeId, Operator};
use accrue_dialects::core::{self};
use pliron::r#type::Typed;
use pliron::value::Value;

/// Bytes of records that are copied where one of two is chosen.
const MOST_COPIED: u64 = 64;

impl Module<'_> {
    /// `&&` and `||` as a condition: the right side is evaluated only if needed.
    pub fn logical(&mut self, expression: NodeId) -> Result<Value> {
        let is_and = self.source.ast.node(expression).op == Some(Operator::LAnd);
        let (left, right) = (self.child(expression, 0)?, self.child(expression, 1)?);
        let condition = self.condition(left)?;
        let boolean = core::boolean(self.ctx);
        let (op, yes, no) = core::If::new(self.ctx, condition, vec![boolean]);
        let (evaluated, known) = if is_and { (yes, no) } else { (no, yes) };
        let result = self.emit_value(op);
        self.in_arm(evaluated, |this| {
            let value = this.condition(right)?;
            this.yield_values(vec![value]);
            Ok(())
        })?;
        self.in_arm(known, |this| {
            let value = this.constant(1, i128::from(!is_and));
            this.yield_values(vec![value]);
            Ok(())
        })?;
        Ok(result)
    }

    /// Ends the current block with values for the operation around it.
    pub fn yield_values(&mut self, values: Vec<Value>) {
        let end = core::Yield::new(self.ctx, values);
        self.terminate(end);
    }

    /// A condition as the `int` that C makes of it.
    pub(super) fn condition_as_int(
        &mut self,
        condition: Value,
        expression: NodeId,
    ) -> Result<Value> {
        let ty = self.ir_type_of(expression)?;
        if condition.get_type(self.ctx) == ty {
            return Ok(condition);
        }
        Ok(self.cast(core::CastKind::ZExt, condition, ty))
    }

    /// `a ? b : c` with a scalar value.
    pub fn conditional(&mut self, expression: NodeId) -> Result<Value> {
        let condition = self.child(expression, 0)?;
        let condition = self.condition(condition)?;
        let ty = self.ir_type_of(expression)?;
        let branches = (self.child(expression, 1)?, self.child(expression, 2)?);
        self.choose(condition, ty, branches, Module::value)
    }

    /// `a ? b : c` with a record value: the address of one that is like the one chosen. Small ones are copied, so that the members of
    /// both can be in registers; of large ones it is the address.
    pub fn choose_object(&mut self, expression: NodeId) -> Result<Value> {
        let condition = self.child(expression, 0)?;
        let condition = self.condition(condition)?;
        let record = self.ir_type_of(expression)?;
        let ty = core::pointer(self.ctx, record);
        let branches = (self.child(expression, 1)?, self.child(expression, 2)?);
        let declared = self.type_of(expression)?;
        let is_small = self
            .types
            .size_of(declared)
            .is_ok_and(|it| it <= MOST_COPIED);
        if !is_small {
            return self.choose(condition, ty, branches, Module::object);
        }
        let copy = self.temporary(record);
        let (op, yes, no) = core::If::new(self.ctx, condition, vec![]);
        self.emit(op);
        for (block, branch) in [(yes, branches.0), (no, branches.1)] {
            self.in_yielding_arm(block, |this| {
                let mut from = this.object(branch)?;
                if from.get_type(this.ctx) != ty {
                    from = this.cast(core::CastKind::PtrCast, from, ty);
                }
                let op = core::Copy::new(this.ctx, copy, from);
                this.emit(op);
                Ok(())
            })?;
        }
        Ok(copy)
    }

    fn choose(
        &mut self,
        condition: Value,
        ty: pliron::r#type::TypeHandle,
        branches: (NodeId, NodeId),
        evaluate: fn(&mut Self, NodeId) -> Result<Value>,
    ) -> Result<Value> {
        let (op, yes, no) = core::If::new(self.ctx, condition, vec![ty]);
        let result = self.emit_value(op);
        for (block, branch) in [(yes, branches.0), (no, branches.1)] {
            self.in_arm(block, |this| {
                let mut value = evaluate(this, branch)?;
                if value.get_type(this.ctx) != ty {
                    value = match core::pointee_of(this.ctx, ty) {
                        Some(_) => this.cast(core::CastKind::PtrCast, value, ty),
                        None => return Err(this.unsupported(branch)),
                    };
                }
                this.yield_values(vec![value]);
                Ok(())
            })?;
        }
        Ok(result)
    }

    /// `a ? f() : g()` without value.
    pub fn conditional_statement(&mut self, expression: NodeId) -> Result<()> {
        let condition = self.child(expression, 0)?;
        let condition = self.condition(condition)?;
        let (yes_branch, no_branch) = (self.child(expression, 1)?, self.child(expression, 2)?);
        let (op, yes, no) = core::If::new(self.ctx, condition, vec![]);
        self.emit(op);
        self.in_yielding_arm(yes, |this| this.discard(yes_branch))?;
        self.in_yielding_arm(no, |this| this.discard(no_branch))
    }

    /// GNU `a ?: b`: `a` is evaluated once.
    pub fn conditional_with_common(&mut self, expression: NodeId) -> Result<Value> {
        let common = self.child(expression, 0)?;
        let common = self.value(common)?;
        self.function.common.push(common);
        let result = self.conditional_of_common(expression);
        self.function.common.pop();
        result
    }

    fn conditional_of_common(&mut self, expression: NodeId) -> Result<Value> {
        let condition = self.child(expression, 1)?;
        let condition = self.condition(condition)?;
        let ty = self.ir_type_of(expression)?;
        let branches = (self.child(expression, 2)?, self.child(expression, 3)?);
        self.choose(condition, ty, branches, Module::value)
    }
}

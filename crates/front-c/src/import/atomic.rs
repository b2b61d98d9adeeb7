//! The `atomic` construct (OpenACC 3.4, section 2.12).
//!
//! Its statement must have one of these forms, `x` being the object that is accessed in one piece:
//!
//! ```text
//! read      v = x;
//! write     x = expr;
//! update    x++; x--; ++x; --x; x op= expr; x = x op expr; x = expr op x;
//! capture   v = UPDATE;  { v = x; UPDATE; }  { UPDATE; v = x; }  { v = x; x = expr; }
//! ```
//!
//! [`Module::form`] finds out which one it is; then one atomic operation is made, with ordinary code for `v` and `expr`
//! around it. What `expr` is made of is computed once, before the operation; only what depends on the old value of `x`
//! goes into its region. The two `x` of `x = x op expr` are the same object if they are written the same way.
//!
//! Beside these places, no part of the statement may use `x`, and `expr` may not use `v`: nothing would make those accesses
//! atomic with the others.
//!
//! An `if` clause is evaluated, but the access is atomic also when it is false: nothing can be told from that.

use super::atomic_form::{Change, Form, Update};
use super::directive::View;
use super::functions::Module;
use super::place::Place;
use super::state::{Result, Stop};
use super::types::Scalar;
use crate::ast::node::{NodeId, Operator};
use crate::text::carriers::{Owner, Role};
use accrue_dialects::core;
use accrue_directives::{AnyDirective, AtomicKind, ClauseKind, DirectiveArgs};
use pliron::r#type::Typed;
use pliron::value::Value;

pub(super) const RULE: &str = "2.12";

/// An operand of the right side, computed before the operation.
#[derive(Clone, Copy)]
enum Operand {
    /// The old value of `x`, of the type of this expression.
    Old(NodeId),
    /// Another value.
    Value(Value),
}

/// `left op right`, or a chain `x op a op b` of it.
enum Tree {
    Leaf(Operand),
    Node {
        at: NodeId,
        /// The same with the conversions that the language adds.
        whole: NodeId,
        left: Box<Tree>,
        right: Box<Tree>,
    },
}

impl Module<'_> {
    /// An `atomic` construct in code for a device.
    pub fn atomic_construct(&mut self, view: &View<'_>) -> Result<()> {
        let form = self.check_atomic(view)?;
        for (index, clause) in view.clauses() {
            if clause.kind == ClauseKind::If
                && let Some(condition) = view.argument(Owner::Clause(index), 0, Role::Condition)
            {
                self.condition(condition)?;
            }
        }
        match form {
            Form::Read { v, x } => {
                let address = self.atomic_object(x)?;
                let place = self.place(v)?;
                let op = core::AtomicLoad::new(self.ctx, address);
                let value = self.emit_value(op);
                self.capture(place, v, value, x)
            }
            Form::Write { x, expression } => {
                let address = self.atomic_object(x)?;
                let value = self.value(expression)?;
                let value = self.fit(value, address, x)?;
                let op = core::AtomicStore::new(self.ctx, value, address);
                self.emit(op);
                Ok(())
            }
            Form::Update(update) => {
                let address = self.atomic_object(update.x)?;
                self.atomic_update(address, update)?;
                Ok(())
            }
            Form::Capture { v, update, before } => {
                let address = self.atomic_object(update.x)?;
                let place = self.place(v)?;
                let op = self.atomic_update(address, update)?;
                let value = match before {
                    true => op.old(self.ctx),
                    false => op.new_value(self.ctx),
                };
                self.capture(place, v, value, update.x)
            }
        }
    }

    /// The form of an `atomic` construct, which its statement must have wherever it stands.
    pub fn check_atomic(&self, view: &View<'_>) -> Result<Form> {
        let statement = view.statement()?;
        let kind = match &view.scanned.directive {
            AnyDirective::Acc(acc) => match &acc.args {
                DirectiveArgs::Atomic { kind, .. } => *kind,
                DirectiveArgs::None
                | DirectiveArgs::Wait(_)
                | DirectiveArgs::Cache { .. }
                | DirectiveArgs::Routine { .. } => AtomicKind::Update,
            },
            AnyDirective::Omp(omp) => omp.atomic_kind(),
        };
        let form = self.form(kind, statement)?;
        self.check_other_uses(form)?;
        Ok(form)
    }

    /// The address of `x`, which must be a scalar in memory.
    pub(super) fn atomic_object(&mut self, x: NodeId) -> Result<Value> {
        self.scalar_of(x).map_err(|stop| stop.section(RULE))?;
        match self.place(x)? {
            Place::Memory { address, .. } | Place::Atomic { address } => Ok(address),
            Place::Bits { .. } => Err(Stop::at(x, "a bit-field cannot be accessed atomically")
                .help("use a member that is no bit-field")
                .section(RULE)),
        }
    }

    /// `v = value`, where `value` has the type of `x`.
    pub(super) fn capture(
        &mut self,
        place: Place,
        v: NodeId,
        value: Value,
        x: NodeId,
    ) -> Result<()> {
        let (from, to) = (self.type_of(x)?, self.type_of(v)?);
        let value = self.convert(value, from, to, v)?;
        self.write(place, value);
        Ok(())
    }

    /// The operation that changes the object at `address`.
    pub(super) fn atomic_update(
        &mut self,
        address: Value,
        update: Update,
    ) -> Result<core::AtomicUpdate> {
        let x = update.x;
        let tree = match update.change {
            Change::Step { .. } => None,
            Change::Compound(at) => {
                let expression = self.child(at, 1)?;
                Some(Tree::Leaf(Operand::Value(self.value(expression)?)))
            }
            Change::Binary(at) => Some(self.operands_before(at, x)?),
            Change::Replace(at) => {
                let value = self.value(at)?;
                let value = self.fit(value, address, x)?;
                Some(Tree::Leaf(Operand::Value(value)))
            }
        };
        let (op, block) = core::AtomicUpdate::new(self.ctx, address);
        self.emit(op);
        let old = block.deref(self.ctx).get_argument(0);
        self.in_block(block, |this| {
            let new = match (update.change, &tree) {
                (Change::Step { at, up }, _) => this.stepped(at, x, old, up)?,
                (Change::Compound(at), Some(Tree::Leaf(Operand::Value(right)))) => {
                    this.compounded(at, old, *right)?
                }
                (Change::Replace(_), Some(Tree::Leaf(Operand::Value(value)))) => *value,
                (Change::Binary(at), Some(tree)) => {
                    let new = this.combined(tree, old, x)?;
                    let (from, to) = (this.type_of(at)?, this.type_of(x)?);
                    this.convert(new, from, to, at)?
                }
                (Change::Compound(at) | Change::Replace(at) | Change::Binary(at), _) => {
                    return Err(this.unsupported(at));
                }
            };
            let new = match core::pointee(this.ctx, address) {
                Some(wanted) if wanted != new.get_type(this.ctx) => this.fit(new, address, x)?,
                Some(_) | None => new,
            };
            this.yield_values(vec![new]);
            Ok(())
        })?;
        Ok(op)
    }

    /// Computes all operands of `x op expr` but `x`; a chain `x op a op b` has several.
    fn operands_before(&mut self, at: NodeId, x: NodeId) -> Result<Tree> {
        let ast = self.source.ast;
        let inner = ast.strip_implicit(at);
        if self.same_object(inner, x) {
            return Ok(Tree::Leaf(Operand::Old(at)));
        }
        let (left, right) = (self.child(inner, 0)?, self.child(inner, 1)?);
        let in_left = self.leads_to(left, x, ast.node(inner).op);
        let side = |this: &mut Self, side: NodeId, has_x: bool| match has_x {
            true => this.operands_before(side, x),
            false => Ok(Tree::Leaf(Operand::Value(this.value(side)?))),
        };
        let left = side(self, left, in_left)?;
        let right = side(self, right, !in_left)?;
        Ok(Tree::Node {
            at: inner,
            whole: at,
            left: Box::new(left),
            right: Box::new(right),
        })
    }

    /// The value of the right side for the value `old` of `x`.
    fn combined(&mut self, tree: &Tree, old: Value, x: NodeId) -> Result<Value> {
        match tree {
            Tree::Leaf(Operand::Value(value)) => Ok(*value),
            Tree::Leaf(Operand::Old(at)) => {
                let (from, to) = (self.type_of(x)?, self.type_of(*at)?);
                self.convert(old, from, to, *at)
            }
            Tree::Node {
                at,
                whole,
                left,
                right,
            } => {
                let (left_node, right_node) = (self.child(*at, 0)?, self.child(*at, 1)?);
                let left = self.combined(left, old, x)?;
                let right = self.combined(right, old, x)?;
                let value = self.operated(*at, (left, left_node), (right, right_node))?;
                let (from, to) = (self.type_of(*at)?, self.type_of(*whole)?);
                self.convert(value, from, to, *whole)
            }
        }
    }

    /// The value of the binary operator `at` for the values of its operands.
    fn operated(
        &mut self,
        at: NodeId,
        (left, left_node): (Value, NodeId),
        (right, right_node): (Value, NodeId),
    ) -> Result<Value> {
        let Some(op) = self.source.ast.node(at).op else {
            return Err(self.unsupported(at));
        };
        let (left_type, left_scalar) = self.scalar_of(left_node)?;
        let (right_type, right_scalar) = self.scalar_of(right_node)?;
        match (left_scalar, right_scalar) {
            (Scalar::Pointer, Scalar::Pointer) => return Err(self.unsupported(at)),
            (Scalar::Pointer, _) => {
                return self.offset(left, left_node, right, right_type, op == Operator::Sub);
            }
            (_, Scalar::Pointer) => return self.offset(right, right_node, left, left_type, false),
            _ => {}
        }
        let ty = self.type_of(at)?;
        let left = self.convert(left, left_type, ty, at)?;
        let right = match op {
            Operator::Shl | Operator::Shr => right,
            _ => self.convert(right, right_type, ty, at)?,
        };
        self.arithmetic(at, op, ty, left, right, right_type)
    }
}

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

use super::directive::View;
use super::functions::Module;
use super::place::Place;
use super::state::{Result, Stop};
use super::types::Scalar;
use crate::ast::node::{Flags, Kind, NodeId, Operator};
use crate::text::carriers::{Owner, Role};
use accrue_dialects::core;
use accrue_directives::{AtomicKind, ClauseKind, DirectiveArgs};
use pliron::r#type::Typed;
use pliron::value::Value;

const RULE: &str = "2.12";

/// What an atomic construct does.
#[derive(Clone, Copy)]
pub enum Form {
    Read {
        v: NodeId,
        x: NodeId,
    },
    Write {
        x: NodeId,
        expression: NodeId,
    },
    Update(Update),
    Capture {
        v: NodeId,
        update: Update,
        before: bool,
    },
}

/// One change of `x`.
#[derive(Clone, Copy)]
pub struct Update {
    x: NodeId,
    change: Change,
}

#[derive(Clone, Copy)]
pub enum Change {
    /// `x++` and its kin.
    Step { at: NodeId, up: bool },
    /// `x op= expr`: the assignment.
    Compound(NodeId),
    /// `x = x op expr` or `x = expr op x`: the right side.
    Binary(NodeId),
    /// `x = expr`, only where the old value is captured.
    Replace(NodeId),
}

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
        let kind = match &view.scanned.directive.args {
            DirectiveArgs::Atomic { kind, .. } => *kind,
            DirectiveArgs::None
            | DirectiveArgs::Wait(_)
            | DirectiveArgs::Cache { .. }
            | DirectiveArgs::Routine { .. } => AtomicKind::Update,
        };
        let form = self.form(kind, statement)?;
        self.check_other_uses(form)?;
        Ok(form)
    }

    /// The address of `x`, which must be a scalar in memory.
    fn atomic_object(&mut self, x: NodeId) -> Result<Value> {
        self.scalar_of(x).map_err(|stop| stop.section(RULE))?;
        match self.place(x)? {
            Place::Memory { address, .. } => Ok(address),
            Place::Bits { .. } => Err(Stop::at(x, "a bit-field cannot be accessed atomically")
                .help("use a member that is no bit-field")
                .section(RULE)),
        }
    }

    /// `v = value`, where `value` has the type of `x`.
    fn capture(&mut self, place: Place, v: NodeId, value: Value, x: NodeId) -> Result<()> {
        let (from, to) = (self.type_of(x)?, self.type_of(v)?);
        let value = self.convert(value, from, to, v)?;
        self.write(place, value);
        Ok(())
    }

    /// The operation that changes the object at `address`.
    fn atomic_update(&mut self, address: Value, update: Update) -> Result<core::AtomicUpdate> {
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
            Tree::Node { at, left, right } => {
                let (left_node, right_node) = (self.child(*at, 0)?, self.child(*at, 1)?);
                let left = self.combined(left, old, x)?;
                let right = self.combined(right, old, x)?;
                self.operated(*at, (left, left_node), (right, right_node))
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

    /// Which form the statement has.
    fn form(&self, kind: AtomicKind, statement: NodeId) -> Result<Form> {
        let ast = self.source.ast;
        let inner = ast.strip_parens(statement);
        let found = match kind {
            AtomicKind::Read => self.assignment(inner).and_then(|(v, right)| {
                let x = self.object_read(right)?;
                Some(Form::Read { v, x })
            }),
            AtomicKind::Write => self
                .assignment(inner)
                .map(|(x, expression)| Form::Write { x, expression }),
            AtomicKind::Update => self.update_of(inner).map(Form::Update),
            AtomicKind::Capture => match ast.kind(inner) {
                Kind::CompoundStmt => self.capture_block(inner),
                _ => self.capture_expression(inner),
            },
        };
        let (name, forms) = match kind {
            AtomicKind::Read => ("read", "write `v = x;`"),
            AtomicKind::Write => ("write", "write `x = expr;`"),
            AtomicKind::Update => (
                "update",
                "write `x++;`, `x--;`, `x op= expr;`, `x = x op expr;` or `x = expr op x;` with one of + * - / & ^ | << >>",
            ),
            AtomicKind::Capture => (
                "capture",
                "write `v = x op= expr;`, `v = x++;`, `{ v = x; x op= expr; }`, `{ x op= expr; v = x; }` or `{ v = x; x = expr; }`",
            ),
        };
        found.ok_or_else(|| {
            Stop::at(
                inner,
                format!("this statement is none that `atomic {name}` can have"),
            )
            .help(forms)
            .section(RULE)
        })
    }

    /// Only the `x` of the form may be used, and `v` only on the left.
    fn check_other_uses(&self, form: Form) -> Result<()> {
        let (x, expression, allowed, v) = match form {
            Form::Read { .. } => return Ok(()),
            Form::Write { x, expression } => (x, Some(expression), 0, None),
            Form::Update(update) | Form::Capture { update, .. } => {
                let (expression, allowed) = match update.change {
                    Change::Step { .. } => (None, 0),
                    Change::Compound(at) => (self.source.ast.child(at, 1), 0),
                    Change::Binary(right) => (Some(right), 1),
                    Change::Replace(right) => (Some(right), 0),
                };
                let v = match form {
                    Form::Capture { v, .. } => Some(v),
                    Form::Read { .. } | Form::Write { .. } | Form::Update(_) => None,
                };
                (update.x, expression, allowed, v)
            }
        };
        let Some(expression) = expression else {
            return Ok(());
        };
        let wrong = |message: &str| {
            Err(Stop::at(expression, message)
                .help("write `x op= expr;` or `x = x op expr;`, where `expr` uses neither")
                .section(RULE))
        };
        if self.uses(expression, x) > allowed {
            return wrong("the new value uses the object of the atomic operation once more");
        }
        if v.is_some_and(|v| self.uses(expression, v) > 0) {
            return wrong(
                "the new value uses the variable that the old or new value is captured in",
            );
        }
        Ok(())
    }

    /// How often `object` stands in an expression, written the same way.
    fn uses(&self, expression: NodeId, object: NodeId) -> usize {
        if self.is_object(expression, object) {
            return 1;
        }
        let parts = self.source.ast.children(expression);
        parts.map(|part| self.uses(part, object)).sum()
    }

    /// `v = x++`, `v = x op= expr`, `v = x = x op expr`.
    fn capture_expression(&self, statement: NodeId) -> Option<Form> {
        let ast = self.source.ast;
        let (v, right) = self.assignment(statement)?;
        let right = ast.strip_implicit(right);
        let update = self.update_of(right)?;
        let before = ast.kind(right) == Kind::UnaryOperator && ast.node(right).has(Flags::POSTFIX);
        Some(Form::Capture { v, update, before })
    }

    /// The forms with two statements in braces.
    fn capture_block(&self, block: NodeId) -> Option<Form> {
        let ast = self.source.ast;
        let mut statements = ast.children(block).map(|child| ast.strip_parens(child));
        let (first, second, end) = (statements.next()?, statements.next()?, statements.next());
        if end.is_some() {
            return None;
        }
        if let Some((v, right)) = self.assignment(first)
            && let Some(x) = self.object_read(right)
        {
            let replaced = |(x, right)| Update {
                x,
                change: Change::Replace(right),
            };
            let update = self
                .update_of(second)
                .or_else(|| self.assignment(second).map(replaced));
            if let Some(update) = update.filter(|update| self.same_object(update.x, x)) {
                return Some(Form::Capture {
                    v,
                    update,
                    before: true,
                });
            }
        }
        let update = self.update_of(first)?;
        let (v, right) = self.assignment(second)?;
        let x = self.object_read(right)?;
        self.same_object(update.x, x).then_some(Form::Capture {
            v,
            update,
            before: false,
        })
    }

    /// The update that an expression is.
    fn update_of(&self, expression: NodeId) -> Option<Update> {
        let ast = self.source.ast;
        let node = ast.node(expression);
        let x = ast.child(expression, 0)?;
        let change = match (node.kind, node.op?) {
            (Kind::UnaryOperator, Operator::Inc) => Change::Step {
                at: expression,
                up: true,
            },
            (Kind::UnaryOperator, Operator::Dec) => Change::Step {
                at: expression,
                up: false,
            },
            (Kind::CompoundAssignOperator, op) => {
                let op = op.of_compound_assignment().filter(|op| is_atomic(*op));
                op.map(|_| Change::Compound(expression))?
            }
            (Kind::BinaryOperator, Operator::Assign) => {
                let right = ast.child(expression, 1)?;
                let inner = ast.strip_implicit(right);
                let is_operator = ast.kind(inner) == Kind::BinaryOperator
                    && ast.node(inner).op.is_some_and(is_atomic);
                let in_left = self.leads_to(ast.child(inner, 0)?, x, ast.node(inner).op);
                if !is_operator || !(in_left || self.is_object(ast.child(inner, 1)?, x)) {
                    return None;
                }
                Change::Binary(right)
            }
            _ => return None,
        };
        Some(Update { x, change })
    }

    /// Left and right side of an assignment of scalars.
    fn assignment(&self, expression: NodeId) -> Option<(NodeId, NodeId)> {
        let ast = self.source.ast;
        let is_assignment = ast.kind(expression) == Kind::BinaryOperator
            && ast.node(expression).op == Some(Operator::Assign);
        if !is_assignment {
            return None;
        }
        Some((ast.child(expression, 0)?, ast.child(expression, 1)?))
    }

    /// The object whose value `expression` is.
    fn object_read(&self, expression: NodeId) -> Option<NodeId> {
        let ast = self.source.ast;
        let inner = ast.strip_implicit(expression);
        ast.node(inner).has(Flags::LVALUE).then_some(inner)
    }

    /// Whether `operand`, the left side of `op`, is `x`, or starts with it in a chain of operators of one rank, as `x + a`
    /// in `x + a - b`.
    fn leads_to(&self, operand: NodeId, x: NodeId, op: Option<Operator>) -> bool {
        let ast = self.source.ast;
        let mut at = operand;
        loop {
            if self.is_object(at, x) {
                return true;
            }
            // Parentheses would group otherwise than the form does.
            while ast.kind(at) == Kind::ImplicitCastExpr {
                match ast.child(at, 0) {
                    Some(inner) => at = inner,
                    None => return false,
                }
            }
            let chained = ast.kind(at) == Kind::BinaryOperator && rank(ast.node(at).op) == rank(op);
            match ast.child(at, 0) {
                Some(left) if chained => at = left,
                _ => return false,
            }
        }
    }

    fn is_object(&self, operand: NodeId, x: NodeId) -> bool {
        self.same_object(self.source.ast.strip_implicit(operand), x)
    }

    /// Whether two expressions are written the same way: the same names, members and operators.
    fn same_object(&self, a: NodeId, b: NodeId) -> bool {
        let ast = self.source.ast;
        let (a, b) = (ast.strip_implicit(a), ast.strip_implicit(b));
        let (first, second) = (ast.node(a), ast.node(b));
        let alike = first.kind == second.kind
            && first.op == second.op
            && ast.text(first.value) == ast.text(second.value)
            && first.has(Flags::ARROW) == second.has(Flags::ARROW)
            && ast.referenced(a) == ast.referenced(b)
            && ast.slots(a).len() == ast.slots(b).len();
        alike
            && ast
                .children(a)
                .zip(ast.children(b))
                .all(|(a, b)| self.same_object(a, b))
    }
}

/// Whether the operator may stand in an atomic update.
fn is_atomic(op: Operator) -> bool {
    rank(Some(op)).is_some()
}

/// Operators of one rank bind equally tightly; `None` for those that no atomic update can have.
fn rank(op: Option<Operator>) -> Option<u32> {
    match op? {
        Operator::Mul | Operator::Div => Some(0),
        Operator::Add | Operator::Sub => Some(1),
        Operator::Shl | Operator::Shr => Some(2),
        Operator::And => Some(3),
        Operator::Xor => Some(4),
        Operator::Or => Some(5),
        _ => None,
    }
}

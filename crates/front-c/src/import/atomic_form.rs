//! Which form of the `atomic` construct a statement has (OpenACC 3.4, section 2.12; the forms are listed in [`super::atomic`]).
//!
//! ```text
//! { v = x; x += e; }      Capture { v, update: Update { x, change: Compound }, before: true }
//! ```

use super::atomic::RULE;
use super::functions::Module;
use super::state::{Result, Stop};
use crate::ast::node::{Flags, Kind, NodeId, Operator};
use accrue_directives::AtomicKind;

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
    pub x: NodeId,
    pub change: Change,
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

impl Module<'_> {
    /// Which form the statement has.
    pub(super) fn form(&self, kind: AtomicKind, statement: NodeId) -> Result<Form> {
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
    pub(super) fn check_other_uses(&self, form: Form) -> Result<()> {
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
    pub(super) fn assignment(&self, expression: NodeId) -> Option<(NodeId, NodeId)> {
        let ast = self.source.ast;
        let is_assignment = ast.kind(expression) == Kind::BinaryOperator
            && ast.node(expression).op == Some(Operator::Assign);
        if !is_assignment {
            return None;
        }
        Some((ast.child(expression, 0)?, ast.child(expression, 1)?))
    }

    /// The object whose value `expression` is.
    pub(super) fn object_read(&self, expression: NodeId) -> Option<NodeId> {
        let ast = self.source.ast;
        let inner = ast.strip_implicit(expression);
        ast.node(inner).has(Flags::LVALUE).then_some(inner)
    }

    /// Whether `operand`, the left side of `op`, is `x`, or starts with it in a chain of operators of one rank, as `x + a`
    /// in `x + a - b`.
    pub(super) fn leads_to(&self, operand: NodeId, x: NodeId, op: Option<Operator>) -> bool {
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
    pub(super) fn same_object(&self, a: NodeId, b: NodeId) -> bool {
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

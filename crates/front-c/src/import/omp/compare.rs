//! The `atomic compare` construct (OpenMP 5.2, section 15.8.4): an object that gets a new value if its old one compares as wanted.
//!
//! ```text
//! compare           if (x == e) { x = d; }       if (x < e) { x = e; }       x = x == e ? d : x;      also with `>`, and `e` on the left
//! compare capture   { v = x; IF }   { IF v = x; }   if (x == e) { x = d; } else { v = x; }
//!                   { r = x == e; if (r) { x = d; } }     { r = x == e; if (r) { x = d; } else { v = x; } }
//! ```
//! It is one atomic update, whose new value is a selection:
//!
//! ```text
//! core.atomic_update %x { ^(%old): %c = core.cmp %old, %e   core.yield (core.select %c, %d, %old) }
//! ```

use crate::ast::node::{Kind, NodeId, Operator};
use crate::import::directive::View;
use crate::import::functions::Module;
use crate::import::state::{Result, Stop};
use accrue_dialects::core::{self, BinKind, CastKind};
use accrue_directives::omp::{ClauseKind, Directive};
use pliron::value::Value;

/// What is done if a comparison holds.
struct Conditional {
    x: NodeId,
    /// The comparison, and whether `x` is its left side.
    compare: NodeId,
    x_is_left: bool,
    new: NodeId,
}

/// What else is written.
#[derive(Default)]
struct Captured {
    /// The value before.
    before: Option<NodeId>,
    /// The value afterwards.
    after: Option<NodeId>,
    /// Whether the comparison held.
    result: Option<NodeId>,
    /// The value, if the comparison did not hold.
    failed: Option<NodeId>,
}

impl Module<'_> {
    /// The construct.
    pub(super) fn atomic_compare(&mut self, view: &View<'_>, omp: &Directive) -> Result<()> {
        let statement = view.statement()?;
        let form = match omp.has(ClauseKind::Capture) {
            true => self.compare_capture(statement),
            false => self
                .update_if(statement)
                .map(|update| (update, Captured::default())),
        };
        let Some((update, captured)) = form else {
            return Err(Stop::at(
                statement,
                "this statement is none that `atomic compare` can have",
            )
            .help("write `if (x == e) { x = d; }`, `if (x < e) { x = e; }` or `x = x == e ? d : x;`, with `capture` beside `v = x;`")
            .openmp("15.8.4"));
        };
        self.compare_and_set(&update, &captured)
    }

    fn compare_and_set(&mut self, update: &Conditional, captured: &Captured) -> Result<()> {
        let Conditional {
            x,
            compare,
            x_is_left,
            new,
        } = *update;
        let address = self.atomic_object(x)?;
        let mut places = Vec::new();
        for v in [
            captured.before,
            captured.after,
            captured.result,
            captured.failed,
        ] {
            places.push(match v {
                Some(v) => Some((v, self.place(v)?)),
                None => None,
            });
        }
        let mut places = places.into_iter();
        let other = self.child(compare, usize::from(x_is_left))?;
        let other = self.value(other)?;
        let (from, to) = (self.type_of(new)?, self.type_of(x)?);
        let new_value = self.value(new)?;
        let new_value = self.convert(new_value, from, to, new)?;
        let new_value = self.fit(new_value, address, x)?;
        let (op, block) = core::AtomicUpdate::new(self.ctx, address);
        self.emit(op);
        let old = block.deref(self.ctx).get_argument(0);
        self.in_block(block, |this| {
            let holds = this.holds(update, old, other)?;
            let select = core::Select::new(this.ctx, holds, new_value, old);
            let value = this.emit_value(select);
            this.yield_values(vec![value]);
            Ok(())
        })?;
        let (old, new_value) = (op.old(self.ctx), op.new_value(self.ctx));
        let mut next = || places.next().flatten();
        if let Some((v, place)) = next() {
            self.capture(place, v, old, x)?;
        }
        if let Some((v, place)) = next() {
            self.capture(place, v, new_value, x)?;
        }
        let (result, failed) = (next(), next());
        if result.is_none() && failed.is_none() {
            return Ok(());
        }
        let holds = self.holds(update, old, other)?;
        if let Some((r, place)) = result {
            let int = core::int(self.ctx, 32);
            let value = self.cast(CastKind::ZExt, holds, int);
            let (from, to) = (self.type_of(compare)?, self.type_of(r)?);
            let value = self.convert(value, from, to, r)?;
            self.write(place, value);
        }
        if let Some((v, place)) = failed {
            let one = self.constant(1, 1);
            let fails = self.binary(BinKind::Xor, holds, one);
            let (op, yes, no) = core::If::new(self.ctx, fails, vec![]);
            self.emit(op);
            self.in_yielding_block(yes, |this| this.capture(place, v, old, x))?;
            self.in_yielding_block(no, |_| Ok(()))?;
        }
        Ok(())
    }

    /// Whether the comparison holds for the value `old` of the object.
    fn holds(&mut self, update: &Conditional, old: Value, other: Value) -> Result<Value> {
        let side = self.child(update.compare, usize::from(!update.x_is_left))?;
        let (from, to) = (self.type_of(update.x)?, self.type_of(side)?);
        let old = self.convert(old, from, to, side)?;
        match update.x_is_left {
            true => self.compared(update.compare, old, other),
            false => self.compared(update.compare, other, old),
        }
    }

    /// `IF`, or an assignment with `?:`.
    fn update_if(&self, statement: NodeId) -> Option<Conditional> {
        let ast = self.source.ast;
        let inner = self.only_statement(statement);
        if ast.kind(inner) == Kind::IfStmt {
            if ast.child(inner, 2).is_some() {
                return None;
            }
            let (x, new) = self.assignment(self.only_statement(ast.child(inner, 1)?))?;
            return self.compared_with(ast.child(inner, 0)?, x, new);
        }
        let (x, right) = self.assignment(inner)?;
        let choice = ast.strip_implicit(right);
        if ast.kind(choice) != Kind::ConditionalOperator {
            return None;
        }
        let otherwise = self.object_read(ast.child(choice, 2)?)?;
        if !self.same_object(otherwise, x) {
            return None;
        }
        self.compared_with(ast.child(choice, 0)?, x, ast.child(choice, 1)?)
    }

    /// The update of `x` that a condition allows.
    fn compared_with(&self, condition: NodeId, x: NodeId, new: NodeId) -> Option<Conditional> {
        let ast = self.source.ast;
        let compare = ast.strip_implicit(condition);
        let known = ast.kind(compare) == Kind::BinaryOperator
            && matches!(
                ast.node(compare).op,
                Some(Operator::Eq | Operator::Lt | Operator::Gt)
            );
        if !known {
            return None;
        }
        let is_x = |index| {
            let side = self.object_read(ast.child(compare, index)?)?;
            Some(self.same_object(side, x))
        };
        let x_is_left = is_x(0) == Some(true);
        (x_is_left || is_x(1) == Some(true)).then_some(Conditional {
            x,
            compare,
            x_is_left,
            new,
        })
    }

    fn compare_capture(&self, statement: NodeId) -> Option<(Conditional, Captured)> {
        let ast = self.source.ast;
        let inner = self.only_statement(statement);
        if ast.kind(inner) == Kind::IfStmt {
            let (x, new) = self.assignment(self.only_statement(ast.child(inner, 1)?))?;
            let failed = self.read_of(ast.child(inner, 2)?, x)?;
            let update = self.compared_with(ast.child(inner, 0)?, x, new)?;
            let captured = Captured {
                failed: Some(failed),
                ..Captured::default()
            };
            return Some((update, captured));
        }
        let mut statements = ast.children(inner).map(|child| ast.strip_parens(child));
        let (first, second, end) = (statements.next()?, statements.next()?, statements.next());
        if end.is_some() {
            return None;
        }
        if let Some(update) = self.update_if(second) {
            let v = self.read_of(first, update.x)?;
            let captured = Captured {
                before: Some(v),
                ..Captured::default()
            };
            return Some((update, captured));
        }
        if let Some(update) = self.update_if(first) {
            let v = self.read_of(second, update.x)?;
            let captured = Captured {
                after: Some(v),
                ..Captured::default()
            };
            return Some((update, captured));
        }
        // { r = x == e; if (r) { x = d; } else { v = x; } }
        let (r, condition) = self.assignment(first)?;
        if ast.kind(second) != Kind::IfStmt
            || !self.same_object(self.object_read(ast.child(second, 0)?)?, r)
        {
            return None;
        }
        let (x, new) = self.assignment(self.only_statement(ast.child(second, 1)?))?;
        let failed = match ast.child(second, 2) {
            Some(otherwise) => Some(self.read_of(otherwise, x)?),
            None => None,
        };
        let captured = Captured {
            result: Some(r),
            failed,
            ..Captured::default()
        };
        Some((self.compared_with(condition, x, new)?, captured))
    }

    /// `v` of `v = x;`.
    fn read_of(&self, statement: NodeId, x: NodeId) -> Option<NodeId> {
        let (v, right) = self.assignment(self.only_statement(statement))?;
        let read = self.object_read(right)?;
        self.same_object(read, x).then_some(v)
    }

    /// What a block consists of, if that is one statement.
    fn only_statement(&self, statement: NodeId) -> NodeId {
        let ast = self.source.ast;
        let inner = ast.strip_parens(statement);
        let mut statements = ast.children(inner);
        match (ast.kind(inner), statements.next(), statements.next()) {
            (Kind::CompoundStmt, Some(only), None) => self.only_statement(only),
            _ => inner,
        }
    }
}

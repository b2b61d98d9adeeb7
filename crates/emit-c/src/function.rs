//! The walk over a function: which value becomes an expression, which a variable.
//!
//! A value that is used once, later in its own block, is written where it is used. Any other value becomes a `const`-like
//! temporary `t1`, `t2`, … . A value that reads memory must be evaluated before the next write: what is still waiting
//! then is put into a temporary first.
//! ```text
//! %1 = core.load %p            (waits)
//! %2 = core.bin FMul %1, %1    double t1 = *p;
//! core.store %2, %q            *q = t1 * t1;
//! ```
//! User variables are C variables of the same name. One that is written once, at its start, and whose address is not
//! taken is the value it got: reading it does not count as reading memory.

use super::{
    Unit,
    expr::{Expr, Form},
    lines::Lines,
    names::Names,
};
use crate::diagnostic::{Diagnostic, Result, or_at};
use accrue_dialects::core::{Alloca, Load, Store};
use accrue_ir::walk::{operands_of, ops_of_block};
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    operation::Operation,
    region::Region,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::collections::HashMap;

/// Longest expression that is written where it is used.
const LONGEST_INLINE: usize = 160;

/// What `break` and `continue` are in the C text around.
#[derive(Clone, Debug)]
pub enum Target {
    /// A `core.for`.
    For,
    /// A `core.loop`; with a label when C's own `continue` would skip the step.
    Loop {
        next: Option<String>,
        used: bool,
    },
    Switch,
}

/// How a user variable is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Declared where it is made.
    Declared,
    /// Declared by its first store.
    ByStore(Ptr<Operation>),
    /// Never changed after its only store: its loads are the stored value.
    Constant(Ptr<Operation>),
}

/// Prints one function.
pub struct FunctionPrinter<'a> {
    pub ctx: &'a Context,
    pub unit: &'a Unit<'a>,
    pub names: Names,
    pub lines: Lines,
    pub targets: Vec<Target>,
    exprs: HashMap<Value, Expr>,
    /// Values that wait to be written where they are used, oldest first.
    waiting: Vec<Value>,
    /// Loads of these variables are the value itself.
    constants: HashMap<Value, Expr>,
    starts: HashMap<Value, Start>,
    temporaries: u32,
}

impl<'a> FunctionPrinter<'a> {
    pub fn new(unit: &'a Unit<'a>, names: Names) -> Self {
        FunctionPrinter {
            ctx: unit.ctx,
            unit,
            names,
            lines: Lines::default(),
            targets: vec![],
            exprs: HashMap::new(),
            waiting: vec![],
            constants: HashMap::new(),
            starts: HashMap::new(),
            temporaries: 0,
        }
    }

    /// Prints the operations of the only block of `region` but its terminator, which is returned.
    pub fn open_region(&mut self, region: Ptr<Region>) -> Result<Option<Ptr<Operation>>> {
        let Some(block) = region.deref(self.ctx).get_entry_block() else {
            return Ok(None);
        };
        self.block(block)
    }

    /// Prints the operations of `block` but its terminator, which is returned.
    pub fn block(&mut self, block: Ptr<BasicBlock>) -> Result<Option<Ptr<Operation>>> {
        let mut ops = ops_of_block(self.ctx, block);
        self.plan_variables(&ops);
        let terminator = ops.pop();
        for op in ops {
            self.locate(op);
            self.operation(op).map_err(|d| or_at(d, self.ctx, op))?;
        }
        Ok(terminator)
    }

    /// Says where the next lines come from.
    pub fn locate(&mut self, op: Ptr<Operation>) {
        let place = self.unit.place(op);
        self.lines.place = place.or(self.lines.place);
    }

    /// Decides how the variables made in a block start.
    fn plan_variables(&mut self, ops: &[Ptr<Operation>]) {
        let order: HashMap<_, _> = ops.iter().enumerate().map(|(i, op)| (*op, i)).collect();
        for op in ops {
            if let Some(alloca) = Operation::get_op::<Alloca>(*op, self.ctx) {
                let start = self.start_of(&alloca, &order);
                self.starts.insert(alloca.get_result(self.ctx), start);
            }
        }
    }

    fn start_of(&self, alloca: &Alloca, order: &HashMap<Ptr<Operation>, usize>) -> Start {
        let variable = alloca.get_result(self.ctx);
        let users: Vec<_> = variable
            .uses(self.ctx)
            .iter()
            .map(|u| u.user_op())
            .collect();
        let place = |user: &Ptr<Operation>| {
            let mut at = *user;
            while !order.contains_key(&at) {
                at = at.deref(self.ctx).get_parent_op(self.ctx)?;
            }
            order.get(&at).copied()
        };
        let first = users
            .iter()
            .min_by_key(|u| (place(u), !order.contains_key(u)));
        let stores = |op: Ptr<Operation>| {
            Operation::get_op::<Store>(op, self.ctx).is_some_and(|s| {
                !s.is_volatile(self.ctx)
                    && s.get_operand_address(self.ctx) == variable
                    && s.get_operand_value(self.ctx) != variable
            })
        };
        let Some(&first) = first.filter(|f| order.contains_key(f) && stores(**f)) else {
            return Start::Declared;
        };
        if users.iter().filter(|u| place(u) == place(&first)).count() != 1
            || alloca.count(self.ctx).is_some()
        {
            return Start::Declared;
        }
        let only_loaded = users.iter().filter(|u| **u != first).all(|u| {
            Operation::get_op::<Load>(*u, self.ctx).is_some_and(|l| !l.is_volatile(self.ctx))
        });
        if only_loaded {
            Start::Constant(first)
        } else {
            Start::ByStore(first)
        }
    }

    pub fn start(&self, variable: Value) -> Start {
        self.starts
            .get(&variable)
            .copied()
            .unwrap_or(Start::Declared)
    }

    /// The store that gives `variable` its constant value makes `value` stand for its loads.
    pub fn set_constant(&mut self, variable: Value, value: Expr) {
        self.constants.insert(variable, value);
    }

    pub fn constant(&self, variable: Value) -> Option<&Expr> {
        self.constants.get(&variable)
    }

    /// Gives `value` a fixed form that can be written any number of times.
    pub fn bind(&mut self, value: Value, expr: Expr) {
        self.exprs.insert(value, expr);
    }

    /// Gives `value` the expression that computes it.
    pub fn define(&mut self, value: Value, expr: Expr) -> Result<()> {
        if expr.atom {
            self.bind(value, expr);
        } else if value.num_uses(self.ctx) == 0 {
            // Nothing that gets here has effects.
        } else if expr.text.len() <= LONGEST_INLINE && self.used_once_in_its_block(value) {
            self.exprs.insert(value, expr);
            self.waiting.push(value);
        } else {
            self.evaluate(value, expr)?;
        }
        Ok(())
    }

    fn used_once_in_its_block(&self, value: Value) -> bool {
        match value.uses(self.ctx).as_slice() {
            [one] => {
                one.user_op().deref(self.ctx).get_parent_block() == value.get_parent_block(self.ctx)
            }
            _ => false,
        }
    }

    /// Puts `expr` into a temporary now.
    pub fn evaluate(&mut self, value: Value, expr: Expr) -> Result<Expr> {
        let temporary = self.temporary(value.get_type(self.ctx), &expr.whole())?;
        self.bind(value, temporary.clone());
        Ok(temporary)
    }

    fn temporary(&mut self, ty: TypeHandle, text: &str) -> Result<Expr> {
        let name = self.temporary_name();
        let declaration = self.declare(ty, &name)?;
        self.lines.push(format!("{declaration} = {text};"));
        Ok(Expr::atom(name))
    }

    pub fn temporary_name(&mut self) -> String {
        self.names.numbered("t", &mut self.temporaries)
    }

    /// Evaluates everything that reads memory and has not been written yet. To be called after the operands of a
    /// statement have been taken, before the statement is written.
    pub fn settle(&mut self) -> Result<()> {
        for value in std::mem::take(&mut self.waiting) {
            match self.exprs.get(&value).cloned() {
                Some(expr) if expr.memory => {
                    self.evaluate(value, expr)?;
                }
                _ => self.waiting.push(value),
            }
        }
        Ok(())
    }

    /// The expression for a use of `value`.
    pub fn take(&mut self, value: Value) -> Result<Expr> {
        let expr = match self.exprs.get(&value) {
            Some(expr) if expr.atom => Some(expr.clone()),
            _ => {
                self.waiting.retain(|v| *v != value);
                self.exprs.remove(&value)
            }
        };
        expr.ok_or_else(|| Diagnostic::error("a value is used where it has not been computed"))
    }

    /// Like `take`, for an operand that is written more than once.
    pub fn take_simple(&mut self, value: Value) -> Result<Expr> {
        match self.take(value)? {
            expr if expr.is_simple() => Ok(expr),
            expr => self.temporary(value.get_type(self.ctx), &expr.whole()),
        }
    }

    /// Like `take`, for an operand that must not be evaluated conditionally.
    pub fn take_evaluated(&mut self, value: Value) -> Result<Expr> {
        match self.take(value)? {
            expr if !expr.memory || expr.is_simple() => Ok(expr),
            expr => self.temporary(value.get_type(self.ctx), &expr.whole()),
        }
    }

    /// Like `take`, for an operand that is evaluated again and again while memory changes.
    pub fn take_fixed(&mut self, value: Value) -> Result<Expr> {
        match self.take(value)? {
            expr if expr.atom && expr.form == Form::Value => Ok(expr),
            expr => self.temporary(value.get_type(self.ctx), &expr.whole()),
        }
    }

    /// All operands of `op`.
    pub fn take_operands(&mut self, op: Ptr<Operation>) -> Result<Vec<Expr>> {
        operands_of(self.ctx, op)
            .into_iter()
            .map(|v| self.take(v))
            .collect()
    }

    /// Writes one statement, after what it must not overtake.
    pub fn statement(&mut self, text: String) -> Result<()> {
        self.settle()?;
        self.lines.push(text);
        Ok(())
    }

    /// Runs `inside` with its lines kept apart.
    pub fn apart<R>(&mut self, inside: impl FnOnce(&mut Self) -> Result<R>) -> Result<(Lines, R)> {
        let apart = self.lines.at_same_place();
        let outer = std::mem::replace(&mut self.lines, apart);
        let result = inside(self);
        let lines = std::mem::replace(&mut self.lines, outer);
        Ok((lines, result?))
    }

    /// The same for what may turn out not to be possible: then nothing of it stays.
    pub fn attempt<R>(
        &mut self,
        inside: impl FnOnce(&mut Self) -> Result<R>,
    ) -> Option<(Lines, R)> {
        let (exprs, waiting) = (self.exprs.clone(), self.waiting.clone());
        let (targets, done) = (self.targets.len(), self.apart(inside));
        if done.is_err() {
            (self.exprs, self.waiting) = (exprs, waiting);
            self.targets.truncate(targets);
        }
        done.ok()
    }

    pub fn type_name(&self, ty: TypeHandle) -> Result<String> {
        self.unit.types().name(ty).map_err(Diagnostic::error)
    }

    pub fn declare(&self, ty: TypeHandle, name: &str) -> Result<String> {
        self.unit
            .types()
            .declare(ty, name)
            .map_err(Diagnostic::error)
    }
}

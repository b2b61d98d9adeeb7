//! Loops in canonical form (OpenACC 3.4, section 2.9): `for (i = a; i < b; i += c)`.
//!
//! Problem: only a loop whose trip count is known before it starts can be spread over a device. What is not
//! in the form is said with its place, because the user can usually write it that way. A condition may compare the variable and a constant
//! (`i + 1 < n`, as one writes it where `n - 1` could go round): the loop then counts their sum, of which the body takes the constant off,
//! so that sums go round where they do in C.
//!
//! With `collapse(force: n)` statements may stand between the loops (section 2.9.1): they run in every iteration
//! of the joined loop, before and behind the innermost body. That they run at all must be certain: an inner
//! loop without constant bounds and an iteration is not joined, but stays in the body as it is.

use super::functions::Module;
use super::state::{Result, Stop};
use super::types::Scalar;
use crate::ast::carrier::carrier;
use crate::ast::constant;
use crate::ast::node::{Kind, NodeId, Operator};
use crate::ast::types::TypeId;
use accrue_dialects::par::LoopTest;

/// A loop in canonical form.
#[derive(Clone, Debug)]
pub struct Canonical {
    pub variable: NodeId,
    pub ty: TypeId,
    pub bits: u32,
    pub signed: bool,
    pub lower: NodeId,
    pub test: LoopTest,
    pub bound: NodeId,
    /// The type that the test compares in: that of C's usual conversions, which need not be the variable's.
    pub compared: TypeId,
    /// What the test adds to the variable.
    pub offset: i128,
    pub step: Step,
    pub body: Option<NodeId>,
    /// The variable is a pointer; the loop counts its distance from the start, in elements.
    pub is_pointer: bool,
    /// Statements between the loop around and this one, and behind this one.
    pub before: Vec<NodeId>,
    pub after: Vec<NodeId>,
}

/// What is added to the loop variable.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    One,
    MinusOne,
    Plus(NodeId),
    Minus(NodeId),
}

/// What a condition compares.
struct Compared {
    test: LoopTest,
    bound: NodeId,
    /// What it adds to the loop variable.
    offset: i128,
    /// The operand that has the type it compares in.
    left: NodeId,
}

const RULE: &str = "2.9";
const FORM: &str = "write the loop as `for (i = a; i < b; i += c)` with an integer `i` that the body does not change";

impl Module<'_> {
    /// The `count` nested canonical loops that start at `statement`; tightly nested unless `force`.
    pub fn canonical_nest(
        &mut self,
        statement: NodeId,
        count: usize,
        force: bool,
    ) -> Result<Vec<Canonical>> {
        let mut nest: Vec<Canonical> = Vec::new();
        let mut next = statement;
        for depth in 0..count {
            let (mut before, mut after) = (Vec::new(), Vec::new());
            let found = match force && depth > 0 {
                true => self.loosely_nested(next, &mut before, &mut after)?,
                false => self.tightly_nested(next, depth)?,
            };
            let mut dim = self.canonical(found)?;
            if !(before.is_empty() && after.is_empty())
                && let Err(stop) = self.must_iterate(found, &dim)
            {
                // The loop stays one of the body, which is as good if its variable is its own.
                let init = self.source.ast.child(found, 0);
                match init.map(|init| self.source.ast.kind(init)) {
                    Some(Kind::DeclStmt) => break,
                    _ => return Err(stop),
                }
            }
            (dim.before, dim.after) = (before, after);
            for outer in &nest {
                let fixed = [Some(dim.lower), Some(dim.bound), step_expression(dim.step)];
                if let Some(uses) = fixed
                    .into_iter()
                    .flatten()
                    .find(|e| self.mentions(*e, outer.variable))
                {
                    let name = self.source.ast.name(outer.variable);
                    return Err(Stop::at(
                        uses,
                        format!("the inner loop's bounds depend on `{name}`, a variable of the collapsed loops"),
                    )
                    .help("collapse fewer loops")
                    .section("2.9.1"));
                }
            }
            if depth + 1 < count {
                next = dim.body.ok_or_else(|| missing_loop(found, depth + 1))?;
            }
            nest.push(dim);
        }
        Ok(nest)
    }

    /// The first of `count` nested loops, as many as can be joined, and those inside of them, which stay in the body: loops whose bounds
    /// depend on an outer one (OpenMP 5.2, section 4.4.2), and loops with statements beside them. Joining fewer loops than a clause
    /// says means the same.
    pub fn joinable_nest(
        &mut self,
        statement: NodeId,
        count: usize,
    ) -> Result<(Vec<Canonical>, Vec<Canonical>)> {
        let first = match self.canonical_nest(statement, count, false) {
            Ok(nest) => return Ok((nest, vec![])),
            Err(stop) => stop,
        };
        for joined in (1..count).rev() {
            let Ok(nest) = self.canonical_nest(statement, joined, false) else {
                continue;
            };
            let (mut inner, mut body) = (Vec::new(), nest.last().and_then(|dim| dim.body));
            while let Some(statement) = body.filter(|_| joined + inner.len() < count) {
                let found = self.loosely_nested(statement, &mut vec![], &mut vec![]);
                let Ok(dim) = found.and_then(|found| self.canonical(found)) else {
                    return Err(first);
                };
                body = dim.body;
                inner.push(dim);
            }
            return match joined + inner.len() == count {
                true => Ok((nest, inner)),
                false => Err(first),
            };
        }
        Err(first)
    }

    /// The `for` that `statement` is or contains as its only statement.
    fn tightly_nested(&mut self, statement: NodeId, depth: usize) -> Result<NodeId> {
        let ast = self.source.ast;
        let mut next = statement;
        loop {
            if carrier(&mut self.types, next).is_some() && depth > 0 {
                return Err(Stop::at(
                    next,
                    "a directive stands between loops that `collapse` or `tile` joins",
                )
                .help("remove it, or collapse fewer loops")
                .section("2.9.1"));
            }
            match ast.kind(next) {
                Kind::ForStmt => return Ok(next),
                Kind::CompoundStmt => {
                    let mut inner = ast
                        .children(next)
                        .filter(|child| ast.kind(*child) != Kind::NullStmt);
                    match (inner.next(), inner.next()) {
                        (Some(only), None) => next = only,
                        _ => return Err(missing_loop(next, depth)),
                    }
                }
                Kind::AttributedStmt => match ast.children(next).last() {
                    Some(inner) => next = inner,
                    None => return Err(missing_loop(next, depth)),
                },
                _ => return Err(missing_loop(next, depth)),
            }
        }
    }

    /// The `for` among the statements of `statement`, with the others on both sides of it.
    fn loosely_nested(
        &mut self,
        statement: NodeId,
        before: &mut Vec<NodeId>,
        after: &mut Vec<NodeId>,
    ) -> Result<NodeId> {
        let ast = self.source.ast;
        if ast.kind(statement) != Kind::CompoundStmt {
            return self.tightly_nested(statement, 1);
        }
        let mut found = None;
        for child in ast.children(statement) {
            match (ast.kind(child), found) {
                (Kind::NullStmt, _) => {}
                (Kind::ForStmt, None) => found = Some(child),
                (Kind::ForStmt, Some(_)) => return Err(missing_loop(child, 1)),
                (_, None) => before.push(child),
                (_, Some(_)) => after.push(child),
            }
        }
        for between in before.iter().chain(after.iter()) {
            let mut jump = None;
            ast.walk(*between, &mut |id| {
                if matches!(ast.kind(id), Kind::ContinueStmt | Kind::BreakStmt) {
                    jump = Some(id);
                }
                jump.is_none()
            });
            if let Some(jump) = jump {
                return Err(Stop::at(
                    jump,
                    "a jump between loops that `collapse` joins is not supported",
                )
                .help("collapse fewer loops")
                .section("2.9.1"));
            }
        }
        found.ok_or_else(|| missing_loop(statement, 1))
    }

    /// Statements beside an inner loop run in its iterations, so it must have one.
    fn must_iterate(&mut self, at: NodeId, dim: &Canonical) -> Result<()> {
        let lower = constant::integer(&mut self.types, dim.lower);
        let bound = constant::integer(&mut self.types, dim.bound);
        let iterates = lower.zip(bound).is_some_and(|(lower, bound)| {
            let first = lower + dim.offset;
            match dim.test {
                LoopTest::Lt => first < bound,
                LoopTest::Le => first <= bound,
                LoopTest::Gt => first > bound,
                LoopTest::Ge => first >= bound,
                LoopTest::Ne => first != bound,
            }
        });
        match iterates {
            true => Ok(()),
            false => Err(Stop::at(
                at,
                "statements beside this loop need it to have constant bounds and an iteration",
            )
            .help("move the other statements into the innermost loop, or collapse fewer loops")
            .section("2.9.1")),
        }
    }

    /// Reads a `for` as a canonical loop; says which part is not.
    fn canonical(&mut self, statement: NodeId) -> Result<Canonical> {
        let ast = self.source.ast;
        let part = |index: usize, what: &str| {
            ast.child(statement, index)
                .ok_or_else(|| not_canonical(statement, what))
        };
        let init = part(0, "it has no initialisation")?;
        let (variable, lower) = self
            .loop_variable(init)
            .ok_or_else(|| not_canonical(init, "it must start with `i = a`, with one variable"))?;
        let ty = self.type_of(variable)?;
        let (bits, signed) = match self.scalar(ty) {
            Some(Scalar::Int { bits, signed }) => (bits, signed),
            Some(Scalar::Pointer) if self.types.is_variably_modified(ty) => {
                return Err(not_canonical(
                    init,
                    "a pointer to variable-length arrays as loop variable is not supported",
                ));
            }
            // Counted in elements.
            Some(Scalar::Pointer) => (64, true),
            Some(Scalar::Bool | Scalar::Float(_) | Scalar::Complex(_)) | None => {
                return Err(not_canonical(init, "the loop variable must be an integer"));
            }
        };
        let condition = part(2, "it has no condition")?;
        let Compared {
            test,
            bound,
            offset,
            left: compared,
        } = self
            .loop_test(condition, variable, (bits, signed))
            .ok_or_else(|| {
                not_canonical(
                    condition,
                    "the condition must compare the loop variable with a bound",
                )
            })?;
        let bound_type = self.type_of(bound)?;
        let is_pointer = self.scalar(ty) == Some(Scalar::Pointer);
        let fits = match self.scalar(bound_type) {
            Some(Scalar::Int { .. } | Scalar::Bool) => !is_pointer,
            Some(Scalar::Pointer) => is_pointer,
            Some(Scalar::Float(_) | Scalar::Complex(_)) | None => false,
        };
        if !fits {
            return Err(not_canonical(condition, "the bound must be an integer"));
        }
        let compared = self.type_of(compared)?;
        let unsigned_test = matches!(
            self.scalar(compared),
            Some(Scalar::Int { signed: false, .. })
        );
        let starts_negative =
            constant::integer(&mut self.types, lower).is_some_and(|value| value + offset < 0);
        if signed && unsigned_test && starts_negative {
            return Err(not_canonical(
                condition,
                "a loop variable that starts negative is compared with an unsigned bound",
            ));
        }
        let increment = part(3, "it has no increment")?;
        let step = self.loop_step(increment, variable).ok_or_else(|| {
            not_canonical(
                increment,
                "the increment must be `i++`, `i--`, `i += c` or `i -= c`",
            )
        })?;
        for expression in [Some(lower), Some(bound), step_expression(step)]
            .into_iter()
            .flatten()
        {
            if self.mentions(expression, variable) {
                return Err(not_canonical(
                    expression,
                    "bounds and step must not use the loop variable",
                ));
            }
        }
        self.check_direction(increment, test, step, (!signed).then_some(bits))?;
        let body = ast.child(statement, 4);
        if let Some(body) = body
            && let Some(at) = self.modification(body, variable)
        {
            let name = ast.name(variable);
            return Err(not_canonical(
                at,
                &format!("the body changes the loop variable `{name}` or takes its address"),
            ));
        }
        Ok(Canonical {
            variable,
            ty,
            bits,
            signed,
            lower,
            test,
            bound,
            compared,
            offset,
            step,
            body,
            is_pointer,
            before: Vec::new(),
            after: Vec::new(),
        })
    }

    /// Variable and start value of `int i = a` or `i = a`.
    pub fn loop_variable(&self, init: NodeId) -> Option<(NodeId, NodeId)> {
        let ast = self.source.ast;
        if ast.kind(init) == Kind::DeclStmt {
            let mut declared = ast.children(init);
            let variable = declared.next().filter(|v| ast.kind(*v) == Kind::VarDecl)?;
            if declared.next().is_some() {
                return None;
            }
            return Some((variable, ast.initialiser(variable)?));
        }
        let assignment = ast.strip_parens(init);
        if ast.kind(assignment) != Kind::BinaryOperator
            || ast.node(assignment).op != Some(Operator::Assign)
        {
            return None;
        }
        let (variable, _) = self.named_variable(ast.child(assignment, 0)?)?;
        let local = matches!(ast.kind(variable), Kind::VarDecl | Kind::ParmVarDecl);
        local.then_some((variable, ast.child(assignment, 1)?))
    }

    fn loop_test(
        &mut self,
        condition: NodeId,
        variable: NodeId,
        of_variable: (u32, bool),
    ) -> Option<Compared> {
        let ast = self.source.ast;
        let comparison = ast.strip_parens(condition);
        if ast.kind(comparison) != Kind::BinaryOperator {
            return None;
        }
        let (left, right) = (ast.child(comparison, 0)?, ast.child(comparison, 1)?);
        let [on_left, on_right] =
            [left, right].map(|side| self.offset_from(side, variable, of_variable));
        let (swapped, bound, offset) = match (on_left, on_right) {
            (Some(offset), None) => (false, right, offset),
            (None, Some(offset)) => (true, left, offset),
            _ => return None,
        };
        let test = match (ast.node(comparison).op?, swapped) {
            (Operator::Lt, false) | (Operator::Gt, true) => LoopTest::Lt,
            (Operator::Le, false) | (Operator::Ge, true) => LoopTest::Le,
            (Operator::Gt, false) | (Operator::Lt, true) => LoopTest::Gt,
            (Operator::Ge, false) | (Operator::Le, true) => LoopTest::Ge,
            // Its sum with a constant may go round before it is the bound.
            (Operator::Ne, _) if offset == 0 => LoopTest::Ne,
            _ => return None,
        };
        Some(Compared {
            test,
            bound,
            offset,
            left,
        })
    }

    /// What an expression adds to the variable, if it is the variable and perhaps a constant, in the variable's type.
    fn offset_from(
        &mut self,
        side: NodeId,
        variable: NodeId,
        of_variable: (u32, bool),
    ) -> Option<i128> {
        let ast = self.source.ast;
        if self.is_variable(side, variable) {
            return Some(0);
        }
        let sum = ast.strip_implicit(side);
        if ast.kind(sum) != Kind::BinaryOperator {
            return None;
        }
        let (left, right) = (ast.child(sum, 0)?, ast.child(sum, 1)?);
        let (constant, negative) = match ast.node(sum).op? {
            Operator::Add if self.is_variable(left, variable) => (right, false),
            Operator::Add if self.is_variable(right, variable) => (left, false),
            Operator::Sub if self.is_variable(left, variable) => (right, true),
            _ => return None,
        };
        let ty = self.type_of(sum).ok()?;
        let Some(Scalar::Int { bits, signed }) = self.scalar(ty) else {
            return None;
        };
        let added = constant::integer(&mut self.types, constant)?;
        ((bits, signed) == of_variable).then_some(if negative { -added } else { added })
    }

    /// Whether an expression is the variable alone.
    fn is_variable(&self, side: NodeId, variable: NodeId) -> bool {
        let named = self.named_variable(self.source.ast.strip_implicit(side));
        named.is_some_and(|(found, _)| found == variable)
    }

    fn loop_step(&self, increment: NodeId, variable: NodeId) -> Option<Step> {
        let ast = self.source.ast;
        let increment = ast.strip_parens(increment);
        let node = ast.node(increment);
        let is_variable = |side: NodeId| self.is_variable(side, variable);
        let first = ast
            .child(increment, 0)
            .filter(|first| is_variable(*first))?;
        match (node.kind, node.op?) {
            (Kind::UnaryOperator, Operator::Inc) => Some(Step::One),
            (Kind::UnaryOperator, Operator::Dec) => Some(Step::MinusOne),
            (Kind::CompoundAssignOperator, Operator::AddAssign) => {
                Some(Step::Plus(ast.child(increment, 1)?))
            }
            (Kind::CompoundAssignOperator, Operator::SubAssign) => {
                Some(Step::Minus(ast.child(increment, 1)?))
            }
            (Kind::BinaryOperator, Operator::Assign) => {
                let _ = first;
                let sum = ast.strip_implicit(ast.child(increment, 1)?);
                let (left, right) = (ast.child(sum, 0)?, ast.child(sum, 1)?);
                match (ast.kind(sum), ast.node(sum).op?) {
                    (Kind::BinaryOperator, Operator::Add) if is_variable(left) => {
                        Some(Step::Plus(right))
                    }
                    (Kind::BinaryOperator, Operator::Add) if is_variable(right) => {
                        Some(Step::Plus(left))
                    }
                    (Kind::BinaryOperator, Operator::Sub) if is_variable(left) => {
                        Some(Step::Minus(right))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A constant step must lead towards the bound. Without sign, the upper half of the numbers are steps down, too.
    fn check_direction(
        &mut self,
        at: NodeId,
        test: LoopTest,
        step: Step,
        unsigned: Option<u32>,
    ) -> Result<()> {
        let value = match step {
            Step::One => Some(1),
            Step::MinusOne => Some(-1),
            Step::Plus(step) => constant::integer(&mut self.types, step),
            Step::Minus(step) => constant::integer(&mut self.types, step).map(|v| -v),
        };
        let is_large = |value: i128| unsigned.is_some_and(|bits| value >= 1i128 << (bits - 1));
        let fits = match (test, value) {
            (_, None) => true,
            (LoopTest::Lt | LoopTest::Le, Some(value)) => value > 0 || is_large(-value),
            (LoopTest::Gt | LoopTest::Ge, Some(value)) => value < 0 || is_large(value),
            (LoopTest::Ne, Some(value)) => value != 0,
        };
        match fits {
            true => Ok(()),
            false => Err(not_canonical(at, "the step leads away from the bound")),
        }
    }

    /// True when `expression` uses `variable`.
    pub(super) fn mentions(&self, expression: NodeId, variable: NodeId) -> bool {
        let ast = self.source.ast;
        let mut found = false;
        ast.walk(expression, &mut |id| {
            found |= ast.kind(id) == Kind::DeclRefExpr && ast.referenced(id) == Some(variable);
            !found
        });
        found
    }
}

/// The form that OpenMP's loops have (5.2, section 4.4.1): the condition compares the variable alone, whose last value counts.
pub(super) fn must_be_plain<'a>(nest: impl IntoIterator<Item = &'a Canonical>) -> Result<()> {
    let mut shifted = nest.into_iter().filter(|dim| dim.offset != 0);
    shifted.next().map_or(Ok(()), |dim| {
        Err(not_canonical(
            dim.bound,
            "the condition must compare the loop variable with a bound",
        ))
    })
}

fn step_expression(step: Step) -> Option<NodeId> {
    match step {
        Step::One | Step::MinusOne => None,
        Step::Plus(step) | Step::Minus(step) => Some(step),
    }
}

fn not_canonical(at: NodeId, why: &str) -> Stop {
    Stop::at(at, format!("the loop is not in canonical form: {why}"))
        .help(FORM)
        .section(RULE)
}

fn missing_loop(at: NodeId, depth: usize) -> Stop {
    match depth {
        0 => Stop::at(at, "a `for` loop must follow this directive").help(FORM).section(RULE),
        _ => Stop::at(at, "the loops to be joined must be tightly nested: one `for` and nothing else in each body")
            .help("move the other statements into the innermost loop, or collapse fewer loops")
            .section("2.9.1"),
    }
}

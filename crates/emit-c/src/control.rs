//! Structured control flow.
//!
//! | operation | C |
//! | --- | --- |
//! | `core.for` | `for (T i = lower; i < upper; ++i)` |
//! | `core.loop` | `while (c)`, `for (; c; step)` or `do … while (c)` if condition and step are expressions |
//! | `core.loop` otherwise | `for (;;) { … if (!c) break; … next: step }`; `continue` becomes `goto next` |
//! | `core.if` | `if`; its results are temporaries that both branches assign |
//! | `core.switch` | `switch` |

use super::{
    dialect::Scalar,
    expr::{Expr, Prec},
    function::{FunctionPrinter, Target},
    lines::Lines,
};
use crate::diagnostic::{Diagnostic, Result, or_at};
use accrue_dialects::{
    core::{Const, For, If, Loop, Switch, int_width},
    flow::Flow,
};
use accrue_ir::walk::{operands_of, results_of};
use pliron::{context::Ptr, op::Op, operation::Operation, r#type::Typed, value::Value};

impl FunctionPrinter<'_> {
    /// Prints the end of a region; a `core.yield` is handed back.
    fn leave(&mut self, terminator: Option<Ptr<Operation>>) -> Result<Option<Vec<Value>>> {
        let Some(op) = terminator else {
            return Ok(Some(vec![]));
        };
        let jump = match Flow::of(self.ctx, op) {
            Flow::Yield => return Ok(Some(operands_of(self.ctx, op))),
            Flow::Break => self.break_(),
            Flow::Continue => self.continue_(),
            Flow::Return => self.return_(op),
            // A region that ends without one of these ends in an ordinary operation.
            Flow::If(_)
            | Flow::Switch(_)
            | Flow::Loop(_)
            | Flow::For(_)
            | Flow::Shared
            | Flow::Once
            | Flow::Next => {
                self.operation(op).map_err(|d| or_at(d, self.ctx, op))?;
                return Ok(Some(vec![]));
            }
        };
        jump.map_err(|d| or_at(d, self.ctx, op)).map(|()| None)
    }

    fn return_(&mut self, op: Ptr<Operation>) -> Result<()> {
        if self.targets.iter().any(|t| matches!(t, Target::For)) {
            return Err(Diagnostic::error("`return` cannot leave a counted loop"));
        }
        let operands = self.take_operands(op)?;
        let text = operands.first().map_or_else(
            || "return;".to_string(),
            |e| format!("return {};", e.whole()),
        );
        self.statement(text)
    }

    fn break_(&mut self) -> Result<()> {
        match self.targets.last() {
            Some(Target::Loop { .. } | Target::Switch) => self.statement("break;".to_string()),
            Some(Target::For) | None => {
                Err(Diagnostic::error("`break` cannot leave a counted loop"))
            }
        }
    }

    fn continue_(&mut self) -> Result<()> {
        let target = self
            .targets
            .iter_mut()
            .rev()
            .find(|t| !matches!(t, Target::Switch));
        let text = match target {
            Some(Target::Loop {
                next: Some(label),
                used,
            }) => {
                *used = true;
                format!("goto {label};")
            }
            Some(Target::Loop { next: None, .. } | Target::For) => "continue;".to_string(),
            Some(Target::Switch) | None => {
                return Err(Diagnostic::error("`continue` outside of a loop"));
            }
        };
        self.statement(text)
    }

    /// The function body or the body of a loop: a yield at the end means nothing.
    pub fn body(&mut self, region: Ptr<pliron::region::Region>) -> Result<()> {
        let terminator = self.open_region(region)?;
        let ends_in_continue = terminator.is_some_and(|t| Flow::of(self.ctx, t) == Flow::Continue);
        if ends_in_continue && !self.targets.is_empty() {
            return Ok(());
        }
        self.leave(terminator).map(|_| ())
    }

    pub(super) fn if_(&mut self, op: &If) -> Result<()> {
        let cond = self.take(op.get_operand_cond(self.ctx))?;
        self.settle()?;
        let mut names = vec![];
        for result in results_of(self.ctx, op.get_operation()) {
            let name = self.temporary_name();
            let declaration = self.declare(result.get_type(self.ctx), &name)?;
            self.lines.push(format!("{declaration};"));
            self.bind(result, Expr::atom(name.clone()));
            names.push(name);
        }
        let yes = self.branch(op.get_operation(), 0, &names)?;
        let no = self.branch(op.get_operation(), 1, &names)?;
        match (yes.is_empty(), no.is_empty()) {
            (true, true) => {}
            (true, false) => {
                self.lines
                    .push(format!("if (!{}) {{", cond.at(Prec::Unary)));
                self.lines.nest(no);
                self.lines.push("}");
            }
            (false, only) => {
                self.lines.push(format!("if ({}) {{", cond.whole()));
                self.lines.nest(yes);
                if !only {
                    self.lines.push("} else {");
                    self.lines.nest(no);
                }
                self.lines.push("}");
            }
        }
        Ok(())
    }

    /// One side of an `if`: its results are assigned to `names`.
    fn branch(&mut self, op: Ptr<Operation>, index: usize, names: &[String]) -> Result<Lines> {
        let region = op.deref(self.ctx).get_region(index);
        let (lines, ()) = self.apart(|p| {
            let terminator = p.open_region(region)?;
            let Some(values) = p.leave(terminator)? else {
                return Ok(());
            };
            if values.len() != names.len() {
                return Err(Diagnostic::error(
                    "a branch yields as many values as the `if` has results",
                ));
            }
            let values = values
                .into_iter()
                .map(|v| p.take(v))
                .collect::<Result<Vec<_>>>()?;
            p.settle()?;
            for (name, value) in names.iter().zip(values) {
                p.lines.push(format!("{name} = {};", value.whole()));
            }
            Ok(())
        })?;
        Ok(lines)
    }

    pub(super) fn for_(&mut self, op: &For) -> Result<()> {
        let info = op.info(self.ctx);
        let lower = self.take(op.get_operand_lower(self.ctx))?;
        let upper = self.take_fixed(op.get_operand_upper(self.ctx))?;
        let region = op.get_operation().deref(self.ctx).get_region(0);
        let Some(block) = region.deref(self.ctx).get_entry_block() else {
            return Err(Diagnostic::error("a loop without body"));
        };
        let variable = block.deref(self.ctx).get_argument(0);
        let ty = variable.get_type(self.ctx);
        let step = op.get_operand_step(self.ctx);
        let constant = step
            .defining_op()
            .and_then(|d| Operation::get_op::<Const>(d, self.ctx))
            .map(|c| c.value(self.ctx));
        let step_text = self.take_fixed(step)?.whole();
        self.settle()?;

        let wanted = self.stored_in(variable);
        let name = self.names.fresh(wanted.as_deref().unwrap_or("i"));
        let width = int_width(self.ctx, ty).unwrap_or(64);
        let unsigned_type = self
            .unit
            .dialect
            .scalar(Scalar::Unsigned(width))
            .filter(|_| info.unsigned && width > 1);
        let (c_type, mut lower, upper, value) = match unsigned_type {
            Some(unsigned) => {
                let back = Expr::atom(format!("({}){name}", self.type_name(ty)?));
                let cast = |e: &Expr| format!("({unsigned}){}", e.at(Prec::Unary));
                (unsigned.to_string(), cast(&lower), cast(&upper), back)
            }
            None => (
                self.type_name(ty)?,
                lower.whole(),
                upper.at(Prec::Shift),
                Expr::atom(name.clone()),
            ),
        };
        let dialect = self.unit.dialect;
        if let Some(start) = dialect.first_iterations(self, op, [&lower, &upper], &c_type)? {
            lower = start;
        }
        self.bind(variable, value);
        let (sign, step) = match constant {
            Some(0) => return Err(Diagnostic::error("the step of a loop is zero")),
            Some(1) => ("<", format!("++{name}")),
            Some(-1) if unsigned_type.is_none() => (">", format!("--{name}")),
            Some(c) if c < 0 => (">", format!("{name} -= {}", c.unsigned_abs())),
            Some(_) | None => ("<", format!("{name} += {step_text}")),
        };
        self.targets.push(Target::For);
        let inside = self.apart(|p| p.body(region));
        self.targets.pop();
        let (lines, ()) = inside?;
        self.unit.dialect.before_loop(self, op)?;
        self.lines.push(format!(
            "for ({c_type} {name} = {lower}; {name} {sign} {upper}; {step}) {{"
        ));
        self.lines.nest(lines);
        self.lines.push("}");
        Ok(())
    }

    pub(super) fn loop_(&mut self, op: &Loop) -> Result<()> {
        self.settle()?;
        let region = |i| op.get_operation().deref(self.ctx).get_region(i);
        let (cond, body, step) = (region(0), region(1), region(2));
        let (cond_lines, cond) = self.apart(|p| {
            let terminator = p.open_region(cond)?;
            let values = p.leave(terminator)?.unwrap_or_default();
            let [value] = values.as_slice() else {
                return Err(Diagnostic::error("the condition of a loop is one value"));
            };
            p.take(*value)
        })?;
        let (step_lines, ()) = self.apart(|p| {
            let terminator = p.open_region(step)?;
            p.leave(terminator).map(|_| ())
        })?;
        let last = op.tests_last(self.ctx);
        let header: Option<Vec<String>> = step_lines
            .as_expressions()
            .map(|e| e.into_iter().map(str::to_string).collect());
        // C's own `continue` is right when nothing but the `for` header follows the body.
        let direct = match last {
            false => header.is_some(),
            true => step_lines.is_empty() && cond_lines.is_empty(),
        };
        let next = if direct {
            None
        } else {
            Some(self.names.fresh("next"))
        };
        self.targets.push(Target::Loop { next, used: false });
        let inside = self.apart(|p| p.body(body));
        let target = self.targets.pop();
        let (body, ()) = inside?;

        if last && direct {
            self.lines.push("do {");
            self.lines.nest(body);
            self.lines.push(format!("}} while ({});", cond.whole()));
            return Ok(());
        }
        let mut lines = Lines::default();
        let leave = format!("if (!{}) break;", cond.at(Prec::Unary));
        let head = match (&header, direct) {
            (Some(step), true) if cond_lines.is_empty() && step.is_empty() => {
                format!("while ({}) {{", cond.whole())
            }
            (Some(step), true) if cond_lines.is_empty() => {
                format!("for (; {}; {}) {{", cond.whole(), step.join(", "))
            }
            (Some(step), true) if !step.is_empty() => format!("for (;; {}) {{", step.join(", ")),
            _ => "for (;;) {".to_string(),
        };
        let tests_inside = !direct || !cond_lines.is_empty();
        if !last && tests_inside {
            lines.append(cond_lines.clone());
            lines.push(leave.clone());
        }
        match &target {
            Some(Target::Loop {
                next: Some(label),
                used: true,
            }) => {
                lines.push("{");
                lines.nest(body);
                lines.push("}");
                lines.push(format!("{label}:;"));
            }
            _ => lines.append(body),
        }
        if !direct {
            lines.append(step_lines);
        }
        if last {
            lines.append(cond_lines);
            lines.push(leave);
        }
        self.lines.push(head);
        self.lines.nest(lines);
        self.lines.push("}");
        Ok(())
    }

    pub(super) fn switch(&mut self, op: &Switch) -> Result<()> {
        let value = self.take(op.get_operand_value(self.ctx))?;
        self.settle()?;
        let cases = op.cases(self.ctx);
        let mut lines = Lines::default();
        for (index, case) in cases.iter().enumerate() {
            let mut labels: Vec<String> = case
                .values
                .iter()
                .map(|v| match v.first == v.last {
                    true => format!("case {}:", case_value(v.first)),
                    false => format!("case {} ... {}:", case_value(v.first), case_value(v.last)),
                })
                .collect();
            if case.default {
                labels.push("default:".to_string());
            }
            let last = index + 1 == cases.len();
            let region = op.get_operation().deref(self.ctx).get_region(index);
            self.targets.push(Target::Switch);
            let inside = self.apart(|p| {
                let terminator = p.open_region(region)?;
                if p.leave(terminator)?.is_some() {
                    p.settle()?;
                    p.lines.push(if last {
                        "break;"
                    } else {
                        "__attribute__((fallthrough));"
                    });
                }
                Ok(())
            });
            self.targets.pop();
            let (body, ()) = inside?;
            lines.push(format!("{} {{", labels.join(" ")));
            lines.nest(body);
            lines.push("}");
        }
        self.lines.push(format!("switch ({}) {{", value.whole()));
        self.lines.append(lines);
        self.lines.push("}");
        Ok(())
    }
}

fn case_value(value: i64) -> String {
    super::literals::integer(64, i128::from(value)).text
}

//! Structured control flow as branches.
//!
//! A counted loop is tested once before it and then at its end. With a counter of 32 bits, the test at the end asks whether
//! what is left is more than a step, so that the counter cannot run over the end of its type:
//! ```text
//! core.for %i = 0 to %n step %s {…}      mov.b32 %r4, 0;
//!                                        setp.ge.s32 %p1, %r4, %r1;   @%p1 bra L2;
//!                                  L1:   …
//!                                  L3:   sub.s32 %r5, %r1, %r4;       (continue comes here)
//!                                        add.s32 %r4, %r4, %r2;
//!                                        setp.gt.u32 %p2, %r5, %r2;   @%p2 bra L1;
//!                                  L2:
//! ```
//!
//! Any other loop that tests first has its test printed twice in the same way, before the loop and at its end: NVIDIA's
//! assembler unrolls, and overlaps the loads of, only loops whose test is at the end. A test of more than [`MAX_TEST`]
//! operations stands once, at the top.
//! ```text
//! core.loop cond {c} body {b} step {s}      c;   @!%p1 bra L2;
//!                                      L1:  b;   L3:  s;              (continue comes to L3, break to L2)
//!                                           c;   @%p2 bra L1;
//!                                      L2:
//! ```

use super::{
    function::{Exit, Selector, Target},
    operand::Part,
    types::{Class, Param},
};
use crate::diagnostic::{Diagnostic, Result, or_at};
use crate::registers::loads_much;
use accrue_dialects::{
    core::{AddressSpace, CaseValue, For, If, Loop, Switch, Yield},
    flow::Flow,
};
use accrue_ir::walk::{nested_in_region, operands_of, ops_of_region, results_of};
use pliron::{
    context::Ptr, op::Op, operation::Operation, region::Region, r#type::Typed, value::Value,
};

/// Iterations from which on a loop is not to be unrolled by NVIDIA's assembler, which would unroll some of these completely, and take
/// minutes for a kernel.
const LONG: i128 = 512;
/// Operations up to which the test of a loop is printed twice.
const MAX_TEST: usize = 48;

/// Where a loop tests whether it goes on.
#[derive(Clone, Copy)]
enum LoopForm {
    /// Before the loop and at its end.
    Rotated,
    /// At its beginning.
    TestsFirst,
    /// At its end, because the source says so.
    TestsLast,
}

impl Selector<'_> {
    /// Prints the end of a region. The values of a `core.yield` are handed back; `None` after a jump.
    fn leave(&mut self, terminator: Option<Ptr<Operation>>) -> Result<Option<Vec<Value>>> {
        let Some(op) = terminator else {
            return Ok(Some(vec![]));
        };
        let jump = match Flow::of(self.ctx, op) {
            Flow::Yield => return Ok(Some(operands_of(self.ctx, op))),
            Flow::Break => self.break_(),
            Flow::Continue => self.continue_(),
            Flow::Return => self.return_(&operands_of(self.ctx, op)),
            // A region that ends without one of these ends in an ordinary operation.
            Flow::If(_)
            | Flow::Switch(_)
            | Flow::Loop(_)
            | Flow::For(_)
            | Flow::Shared
            | Flow::Once
            | Flow::Next => {
                self.noted_operation(op)?;
                return Ok(Some(vec![]));
            }
        };
        jump.map_err(|d| or_at(d, self.ctx, op))?;
        Ok(None)
    }

    fn break_(&mut self) -> Result<()> {
        match self.targets.last() {
            Some(Target::Loop { end, .. } | Target::Switch { end }) => {
                self.code.branch(end);
                Ok(())
            }
            Some(Target::For { .. }) | None => {
                Err(Diagnostic::error("`break` cannot leave a counted loop"))
            }
        }
    }

    fn continue_(&mut self) -> Result<()> {
        let next = self.targets.iter().rev().find_map(|t| match t {
            Target::Loop { next, .. } | Target::For { next, .. } => Some(next),
            Target::Switch { .. } => None,
        });
        match next {
            Some(next) => {
                self.code.branch(next);
                Ok(())
            }
            None => Err(Diagnostic::error("`continue` outside of a loop")),
        }
    }

    fn return_(&mut self, values: &[Value]) -> Result<()> {
        if self.targets.iter().any(|t| matches!(t, Target::For { .. })) {
            return Err(Diagnostic::error("`return` cannot leave a counted loop"));
        }
        if let Exit::Function { result: Some(ty) } = self.exit
            && let Some(value) = values.first()
        {
            let parts = self.generic_parts(*value)?;
            let param = Param::new(self.ctx, ty)?;
            self.store_param(&param, "result", &parts);
        }
        self.code.emit("ret", &[]);
        Ok(())
    }

    /// The body of a function or loop: a yield at its end means nothing. Tells whether its end is reached.
    pub(super) fn body(&mut self, region: Ptr<Region>) -> Result<bool> {
        let terminator = self.open_region(region)?;
        let continues = terminator.is_some_and(|t| Flow::of(self.ctx, t) == Flow::Continue);
        if continues && !self.targets.is_empty() {
            return Ok(true);
        }
        self.leave(terminator).map(|values| values.is_some())
    }

    pub(super) fn if_(&mut self, op: &If) -> Result<()> {
        let cond = self.in_register(op.get_operand_cond(self.ctx))?;
        let op = op.get_operation();
        let mut results = vec![];
        for result in results_of(self.ctx, op) {
            let registers = self.new_registers(result.get_type(self.ctx))?;
            results.push((result, self.spaces.of(result), registers));
        }
        let (yes, no) = (
            op.deref(self.ctx).get_region(0),
            op.deref(self.ctx).get_region(1),
        );
        let end = self.code.new_label();
        match (self.is_empty(yes), self.is_empty(no)) {
            (true, true) => {}
            (false, true) => {
                self.code.branch_unless(&cond, &end);
                self.branch(yes, &results)?;
                self.code.label(&end);
            }
            (true, false) => {
                self.code.branch_if(&cond, &end);
                self.branch(no, &results)?;
                self.code.label(&end);
            }
            (false, false) => {
                let other = self.code.new_label();
                self.code.branch_unless(&cond, &other);
                if self.branch(yes, &results)? {
                    self.code.branch(&end);
                }
                self.code.label(&other);
                self.branch(no, &results)?;
                self.code.label(&end);
            }
        }
        self.forget_stored_in(op);
        for (result, space, registers) in results {
            self.bind_scalar(result, registers, space);
        }
        Ok(())
    }

    /// Whether nothing is done in a region.
    fn is_empty(&self, region: Ptr<Region>) -> bool {
        match ops_of_region(self.ctx, region).as_slice() {
            [] => true,
            [only] => {
                Operation::is_op::<Yield>(*only, self.ctx)
                    && operands_of(self.ctx, *only).is_empty()
            }
            _ => false,
        }
    }

    /// One side of an `if`, which assigns the results. Tells whether its end is reached.
    fn branch(
        &mut self,
        region: Ptr<Region>,
        results: &[(Value, AddressSpace, Vec<Part>)],
    ) -> Result<bool> {
        self.inside(|p| {
            let terminator = p.open_region(region)?;
            let Some(values) = p.leave(terminator)? else {
                return Ok(false);
            };
            if values.len() != results.len() {
                return Err(Diagnostic::error(
                    "a branch yields as many values as the `if` has results",
                ));
            }
            for (value, (_, space, registers)) in values.into_iter().zip(results) {
                let parts = p.parts_in(value, *space)?;
                p.assign(registers, &parts);
            }
            Ok(true)
        })
    }

    /// The number of iterations, if it is constant.
    fn iterations(&self, op: &For) -> Option<i128> {
        let lower = self.constant_of(op.get_operand_lower(self.ctx))?;
        let upper = self.constant_of(op.get_operand_upper(self.ctx))?;
        let step = self.constant_of(op.get_operand_step(self.ctx))?;
        (upper - lower).checked_div(step)
    }

    pub(super) fn for_(&mut self, op: &For) -> Result<()> {
        let unsigned = op.info(self.ctx).unsigned;
        let (lower, upper, step) = (
            op.get_operand_lower(self.ctx),
            op.get_operand_upper(self.ctx),
            op.get_operand_step(self.ctx),
        );
        let width = self.width(lower)?;
        if width > 64 || width == 1 {
            return Err(Diagnostic::error(format!(
                "a loop counter of {width} bits is not supported on a GPU"
            )));
        }
        let constant = self.constant_of(step);
        if constant == Some(0) {
            return Err(Diagnostic::error("the step of a loop is zero"));
        }
        let down = constant.is_some_and(|c| c < 0);
        let mut bound = [String::new(), String::new(), String::new()];
        // A step down is a negative number whatever the counter is.
        let extended = [true, true, !down].map(|extended| extended && unsigned && width < 32);
        let values = [lower, upper, step].into_iter().zip(extended);
        for (text, (value, extended)) in bound.iter_mut().zip(values) {
            let plain = self.text(value)?;
            *text = match extended {
                true => self.zero_extend(width, &plain),
                false => plain,
            };
        }
        let [start, end, step] = bound;
        let (class, bits) = match width {
            64 => (Class::B64, 64),
            _ => (Class::B32, 32),
        };
        let ty = format!("{}{bits}", if unsigned { "u" } else { "s" });
        let region = op.get_operation().deref(self.ctx).get_region(0);
        let block = region
            .deref(self.ctx)
            .get_entry_block()
            .ok_or_else(|| Diagnostic::error("a loop without body"))?;
        let argument = block.deref(self.ctx).get_argument(0);

        let (again, next, after) = (
            self.code.new_label(),
            self.code.new_label(),
            self.code.new_label(),
        );
        let counter = self.mov(class, &start);
        let (enter, leave) = if down { ("gt", "le") } else { ("lt", "ge") };
        let none = self.compute(
            Class::Pred,
            &format!("setp.{leave}.{ty}"),
            &[&counter, &end],
        );
        self.code.branch_if(&none, &after);
        self.code.label(&again);
        if self.iterations(op).is_some_and(|count| count >= LONG) {
            self.code.directive(".pragma \"nounroll\"");
        }
        self.forget_stored_in(op.get_operation());
        let short = self.iterations(op).filter(|count| *count < LONG);
        let near = short.is_some_and(|count| loads_much(self.ctx, op.get_operation(), count));
        self.targets.push(Target::For {
            next: next.clone(),
            near,
        });
        let printed = self.inside(|p| {
            let value = match unsigned && width < 32 {
                true => p.sign_extend(width, &counter),
                false => counter.clone(),
            };
            p.define(argument, class, [value]);
            p.body(region)
        });
        self.targets.pop();
        printed?;
        self.forget_stored_in(op.get_operation());
        self.code.label(&next);
        // No counter of 64 bits comes near the end of its type.
        let small_step = width != 32 || constant.is_some_and(|c| c.abs() == 1);
        let more = if small_step {
            let opcode = format!("add.s{bits}");
            self.code.write(&[&counter], &opcode, &[&counter, &step]);
            self.compute(
                Class::Pred,
                &format!("setp.{enter}.{ty}"),
                &[&counter, &end],
            )
        } else {
            let (far, near) = if down {
                (&counter, &end)
            } else {
                (&end, &counter)
            };
            let left = self.compute(class, &format!("sub.s{bits}"), &[far, near]);
            let opcode = format!("add.s{bits}");
            self.code.write(&[&counter], &opcode, &[&counter, &step]);
            let size = constant.map_or(step, |c| c.unsigned_abs().to_string());
            self.compute(Class::Pred, &format!("setp.gt.u{bits}"), &[&left, &size])
        };
        self.code.branch_if(&more, &again);
        self.code.label(&after);
        Ok(())
    }

    pub(super) fn loop_(&mut self, op: &Loop) -> Result<()> {
        let region = |i| op.get_operation().deref(self.ctx).get_region(i);
        let (cond, body, step) = (region(0), region(1), region(2));
        let (again, next, end) = (
            self.code.new_label(),
            self.code.new_label(),
            self.code.new_label(),
        );
        let whole = op.get_operation();
        let form = self.loop_form(op, cond);
        match form {
            LoopForm::Rotated => {
                // What is known before the loop holds for the first test.
                let enter = self.condition(cond)?;
                self.code.branch_unless(&enter, &end);
                self.forget_stored_in(whole);
                self.code.label(&again);
            }
            LoopForm::TestsFirst => {
                self.forget_stored_in(whole);
                self.code.label(&again);
                let go_on = self.condition(cond)?;
                self.code.branch_unless(&go_on, &end);
            }
            LoopForm::TestsLast => {
                self.forget_stored_in(whole);
                self.code.label(&again);
            }
        }
        self.targets.push(Target::Loop {
            next: next.clone(),
            end: end.clone(),
        });
        let printed = self.inside(|p| p.body(body));
        self.targets.pop();
        printed?;
        self.code.label(&next);
        self.forget_stored_in(whole);
        self.inside(|p| {
            let terminator = p.open_region(step)?;
            p.leave(terminator)
        })?;
        self.forget_stored_in_region(step);
        match form {
            LoopForm::Rotated | LoopForm::TestsLast => {
                let go_on = self.condition(cond)?;
                self.code.branch_if(&go_on, &again);
            }
            LoopForm::TestsFirst => self.code.branch(&again),
        }
        self.code.label(&end);
        self.forget_stored_in(whole);
        Ok(())
    }

    fn loop_form(&self, op: &Loop, cond: Ptr<Region>) -> LoopForm {
        if op.tests_last(self.ctx) {
            return LoopForm::TestsLast;
        }
        let mut test = vec![];
        nested_in_region(self.ctx, cond, &mut test);
        match test.len() <= MAX_TEST {
            true => LoopForm::Rotated,
            false => LoopForm::TestsFirst,
        }
    }

    /// A predicate with the value of a loop's condition.
    fn condition(&mut self, region: Ptr<Region>) -> Result<String> {
        let predicate = self.inside(|p| {
            let terminator = p.open_region(region)?;
            let values = p.leave(terminator)?.unwrap_or_default();
            match values.as_slice() {
                [value] => p.in_register(*value),
                _ => Err(Diagnostic::error("the condition of a loop is one value")),
            }
        })?;
        self.forget_stored_in_region(region);
        Ok(predicate)
    }

    pub(super) fn switch(&mut self, op: &Switch) -> Result<()> {
        let value = op.get_operand_value(self.ctx);
        let width = self.width(value)?;
        if width > 64 {
            return Err(Diagnostic::error(
                "`switch` over an integer of 128 bits is not supported on a GPU",
            ));
        }
        let value = match width {
            1 => {
                let part = self.part(value)?;
                self.predicate_as_integer(&part)
            }
            _ => self.text(value)?,
        };
        let bits = if width == 64 { 64 } else { 32 };
        let end = self.code.new_label();
        let (mut labels, mut default) = (vec![], end.clone());
        for case in op.cases(self.ctx) {
            let label = self.code.new_label();
            for range in &case.values {
                let taken = self.matches_case(&value, bits, range);
                self.code.branch_if(&taken, &label);
            }
            if case.default {
                default = label.clone();
            }
            labels.push(label);
        }
        self.code.branch(&default);
        let whole = op.get_operation();
        self.targets.push(Target::Switch { end: end.clone() });
        for (index, label) in labels.iter().enumerate() {
            self.code.label(label);
            self.forget_stored_in(whole);
            let region = whole.deref(self.ctx).get_region(index);
            let printed = self.inside(|p| {
                let terminator = p.open_region(region)?;
                p.leave(terminator)
            });
            if printed.is_err() {
                self.targets.pop();
            }
            printed?;
        }
        self.targets.pop();
        self.code.label(&end);
        self.forget_stored_in(whole);
        Ok(())
    }

    fn matches_case(&mut self, value: &str, bits: u32, range: &CaseValue) -> String {
        let (first, last) = (range.first, range.last);
        if first == last {
            let opcode = format!("setp.eq.s{bits}");
            return self.compute(Class::Pred, &opcode, &[value, &first.to_string()]);
        }
        let low = self.compute(
            Class::Pred,
            &format!("setp.ge.s{bits}"),
            &[value, &first.to_string()],
        );
        let high = self.compute(
            Class::Pred,
            &format!("setp.le.s{bits}"),
            &[value, &last.to_string()],
        );
        self.compute(Class::Pred, "and.pred", &[&low, &high])
    }
}

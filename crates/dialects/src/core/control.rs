//! Structured control flow.

use super::fold::constant;
use super::{
    CmpKind,
    types::{boolean, int_width},
};
use crate::ends::{
    STATEMENT_ENDS, is_iteration_end, is_statement_end, is_yield, verify_end, yielded,
};
use crate::par::ReductionInfo;
use accrue_ir::{
    attributes,
    build::{build, entry},
    effects,
    walk::ops_of_block,
};
use pliron::{
    basic_block::BasicBlock,
    builtin::{
        attributes::BoolAttr,
        op_interfaces::{
            AtMostNOpdsInterface, IsTerminatorInterface, NOpdsInterface, NRegionsInterface,
            NResultsInterface, OneOpdInterface, OneRegionInterface, SameOperandsType,
            SingleBlockRegionInterface,
        },
    },
    common_traits::Verify,
    context::{Context, Ptr},
    derive::{pliron_attr, pliron_op},
    op::Op,
    operation::Operation,
    result::Result,
    r#type::{TypeHandle, Typed},
    value::Value,
    verify_err,
};

/// Ends a region normally; the values are the results of the operation around it.
#[pliron_op(
    name = "core.yield",
    format = "operands(CharSpace(`,`))",
    interfaces = [IsTerminatorInterface, NResultsInterface<0>],
    verifier = "succ"
)]
pub struct Yield;

impl Yield {
    pub fn new(ctx: &mut Context, values: Vec<Value>) -> Self {
        build(ctx, vec![], values, 0)
    }
}

/// Leaves the nearest `core.loop` or `core.switch`.
#[pliron_op(
    name = "core.break",
    format = "",
    interfaces = [IsTerminatorInterface, NOpdsInterface<0>, NResultsInterface<0>],
    verifier = "succ"
)]
pub struct Break;

impl Break {
    pub fn new(ctx: &mut Context) -> Self {
        build(ctx, vec![], vec![], 0)
    }
}

/// Goes on with the next iteration of the nearest `core.loop`, `core.for` or `acc.loop`.
#[pliron_op(
    name = "core.continue",
    format = "",
    interfaces = [IsTerminatorInterface, NOpdsInterface<0>, NResultsInterface<0>],
    verifier = "succ"
)]
pub struct Continue;

impl Continue {
    pub fn new(ctx: &mut Context) -> Self {
        build(ctx, vec![], vec![], 0)
    }
}

/// Returns from the function, with its value if it has one.
#[pliron_op(
    name = "core.return",
    format = "operands(CharSpace(`,`))",
    interfaces = [IsTerminatorInterface, AtMostNOpdsInterface<1>, NResultsInterface<0>],
    verifier = "succ"
)]
pub struct Return;

impl Return {
    pub fn new(ctx: &mut Context, value: Option<Value>) -> Self {
        build(ctx, vec![], value.into_iter().collect(), 0)
    }
}

/// Runs its first region if the `i1` is true, else its second. Results: what the region that ran yields.
#[pliron_op(
    name = "core.if",
    format = "$0 ` (` types(CharSpace(`,`)) `) then ` region($0) ` else ` region($1)",
    interfaces = [OneOpdInterface, NOpdsInterface<1>, NRegionsInterface<2>, SingleBlockRegionInterface],
    operands = (cond)
)]
pub struct If;

impl If {
    /// Gives the operation and its two blocks, without terminators.
    pub fn new(
        ctx: &mut Context,
        cond: Value,
        results: Vec<TypeHandle>,
    ) -> (Self, Ptr<BasicBlock>, Ptr<BasicBlock>) {
        let op: Self = build(ctx, results, vec![cond], 2);
        let (yes, no) = (entry(ctx, &op, 0, vec![]), entry(ctx, &op, 1, vec![]));
        (op, yes, no)
    }
}

impl If {
    /// What result `index` is if this side is taken; `None` if it does not end by giving results.
    pub fn given(&self, ctx: &Context, side: usize, index: usize) -> Option<Value> {
        let end = ops_of_block(ctx, self.get_body(ctx, side))
            .last()
            .copied()?;
        let gives = Operation::is_op::<Yield>(end, ctx);
        gives.then(|| end.deref(ctx).get_operand(index))
    }
}

impl Verify for If {
    fn verify(&self, ctx: &Context) -> Result<()> {
        verify_condition(ctx, self, self.get_operand_cond(ctx))?;
        let results: Vec<_> = self.get_operation().deref(ctx).result_types().collect();
        for region in 0..2 {
            verify_end(ctx, self, region, is_statement_end, STATEMENT_ENDS)?;
            if yielded(ctx, self.get_body(ctx, region)).is_some_and(|types| types != results) {
                return verify_err!(
                    self.loc(ctx),
                    "the regions of a condition yield its results"
                );
            }
        }
        Ok(())
    }
}

/// A C loop. Regions: condition (ends in `core.yield` of an `i1`), body, step. `while`: condition, body, step, condition …;
/// with `core_test_last` (`do … while`) the first condition is left out. `continue` in the body goes on with the step.
#[pliron_op(
    name = "core.loop",
    format = "opt_attr($core_test_last, $BoolAttr, label($test_last)) ` cond ` region($0) ` body ` region($1) ` step ` region($2)",
    interfaces = [NOpdsInterface<0>, NResultsInterface<0>, NRegionsInterface<3>, SingleBlockRegionInterface]
)]
pub struct Loop;

attributes! { Loop:
    /// The body runs before the first condition.
    flag core_test_last = tests_last, set_tests_last;
}

/// The blocks of a [`Loop`].
pub struct LoopBlocks {
    pub cond: Ptr<BasicBlock>,
    pub body: Ptr<BasicBlock>,
    pub step: Ptr<BasicBlock>,
}

impl Loop {
    /// Gives the operation and its blocks, without terminators.
    pub fn new(ctx: &mut Context, test_last: bool) -> (Self, LoopBlocks) {
        let op: Self = build(ctx, vec![], vec![], 3);
        if test_last {
            op.set_tests_last(ctx);
        }
        let blocks = LoopBlocks {
            cond: entry(ctx, &op, 0, vec![]),
            body: entry(ctx, &op, 1, vec![]),
            step: entry(ctx, &op, 2, vec![]),
        };
        (op, blocks)
    }
}

impl Verify for Loop {
    fn verify(&self, ctx: &Context) -> Result<()> {
        if yielded(ctx, self.get_body(ctx, 0)) != Some(vec![boolean(ctx)]) {
            return verify_err!(self.loc(ctx), "the condition of a loop yields an i1");
        }
        verify_end(ctx, self, 1, is_statement_end, STATEMENT_ENDS)?;
        verify_end(ctx, self, 2, is_yield, "core.yield")
    }
}

/// Values of one `case`; `default` marks the default case.
#[pliron_attr(
    name = "core.case",
    format = "`[` vec($values, CharSpace(`,`)) `]` ` ` $default",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct Case {
    pub values: Vec<CaseValue>,
    pub default: bool,
}

/// One case value, sign-extended from the switched type (a GNU range is `first..=last`).
#[pliron::derive::format]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct CaseValue {
    pub first: i64,
    pub last: i64,
}

/// The cases of a [`Switch`], one per region.
#[pliron_attr(
    name = "core.cases",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct Cases(pub Vec<Case>);

/// C's `switch`: runs the region of the matching case, or the default's, or nothing. A region that ends in `core.yield`
/// falls into the next region; `core.break` leaves the switch.
#[pliron_op(
    name = "core.switch",
    format = "$0 ` ` attr($core_switch_cases, $Cases) ` ` regions(CharSpace(`,`))",
    interfaces = [OneOpdInterface, NOpdsInterface<1>, NResultsInterface<0>, SingleBlockRegionInterface],
    operands = (value)
)]
pub struct Switch;

attributes! { Switch:
    required core_switch_cases: Cases = all_cases, set_all_cases;
}

impl Switch {
    /// Gives the operation and one block per case, without terminators.
    pub fn new(ctx: &mut Context, value: Value, cases: Vec<Case>) -> (Self, Vec<Ptr<BasicBlock>>) {
        let op: Self = build(ctx, vec![], vec![value], cases.len());
        let blocks = (0..cases.len())
            .map(|i| entry(ctx, &op, i, vec![]))
            .collect();
        op.set_all_cases(ctx, Cases(cases));
        (op, blocks)
    }

    /// The cases, in the order of the regions.
    pub fn cases(&self, ctx: &Context) -> Vec<Case> {
        self.all_cases(ctx).0
    }
}

impl Verify for Switch {
    fn verify(&self, ctx: &Context) -> Result<()> {
        if self.cases(ctx).len() != self.get_operation().deref(ctx).num_regions() {
            return verify_err!(self.loc(ctx), "a switch has one region per case");
        }
        let value = self.get_operand_value(ctx).get_type(ctx);
        if int_width(ctx, value).is_none() {
            return verify_err!(self.loc(ctx), "a switch is over an integer");
        }
        let regions = 0..self.cases(ctx).len();
        regions
            .into_iter()
            .try_for_each(|r| verify_end(ctx, self, r, is_statement_end, STATEMENT_ENDS))
    }
}

/// What is known about a counted loop.
#[pliron_attr(name = "core.for_info", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash, Default)]
pub struct ForInfo {
    /// Iterations may run in any order or at once: there are no dependences between them.
    pub independent: bool,
    /// The induction variable is unsigned.
    pub unsigned: bool,
}

impl ForInfo {
    /// What holds of the induction variable and the upper bound as long as a loop goes up.
    pub fn less(self) -> CmpKind {
        match self.unsigned {
            true => CmpKind::LtU,
            false => CmpKind::LtS,
        }
    }
}

/// How what each variable from outside that the loop changes, in the order of the first stores, is combined from the parts that the
/// iterations have which run at a time.
#[pliron_attr(
    name = "core.vector_loop",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct VectorLoop(pub Vec<ReductionInfo>);

/// A counted loop: for `iv` = `$0`, `$0 + $2`, … while `iv < $1` (`iv > $1` when the step is a negative constant). The
/// step is a constant that is not zero, or a value that is greater than zero. The body's argument is `iv`.
#[pliron_op(
    name = "core.for",
    format = "$0 ` to ` $1 ` step ` $2 ` ` attr($core_for_info, $ForInfo) opt_attr($core_for_added, $BoolAttr, label($added), delimiters(`[`, `]`)) opt_attr($core_for_short, $BoolAttr, label($short), delimiters(`[`, `]`)) opt_attr($core_for_jammed, $BoolAttr, label($jammed), delimiters(`[`, `]`)) opt_attr($core_for_staged, $BoolAttr, label($staged), delimiters(`[`, `]`)) opt_attr($core_for_vectors, $VectorLoop, label($vectors), delimiters(`[`, `]`)) ` ` region($0)",
    interfaces = [
        NOpdsInterface<3>, NResultsInterface<0>, OneRegionInterface,
        SingleBlockRegionInterface, SameOperandsType
    ],
    operands = (lower, upper, step)
)]
pub struct For;

attributes! { For:
    /// What is known about the loop.
    required core_for_info: ForInfo = info, set_info;
    /// A pass has made the loop for its own purposes: it is none of the user's, and nothing is remarked on it.
    flag core_for_added = is_added, set_added;
    /// It has so few iterations that several at a time would be too many.
    flag core_for_short = is_short, set_short;
    /// The body does the work of several iterations of a loop around it: it is long, and its loads are shared.
    flag core_for_jammed = is_jammed, set_jammed;
    /// All that differs from iteration to iteration is near, in memory of the gang: iterations wait for their own work only.
    flag core_for_staged = is_staged, set_staged;
    /// Several iterations may run at a time, each operation for all of them ([`crate::par::vectors`]).
    optional core_for_vectors: VectorLoop = vectors, set_vectors;
}

impl For {
    /// Gives the operation and its body, which has the induction variable as argument and no terminator yet.
    pub fn new(
        ctx: &mut Context,
        lower: Value,
        upper: Value,
        step: Value,
        info: ForInfo,
    ) -> (Self, Ptr<BasicBlock>) {
        let op: Self = build(ctx, vec![], vec![lower, upper, step], 1);
        op.set_info(ctx, info);
        let ty = lower.get_type(ctx);
        let body = entry(ctx, &op, 0, vec![ty]);
        (op, body)
    }

    /// What holds of the induction variable and the upper bound as long as the loop goes on, up or down.
    pub fn goes_on(&self, ctx: &Context) -> CmpKind {
        let falls = constant(ctx, self.get_operand_step(ctx)).is_some_and(|step| step < 0);
        match (falls, self.info(ctx).unsigned) {
            (false, _) => self.info(ctx).less(),
            (true, true) => CmpKind::GtU,
            (true, false) => CmpKind::GtS,
        }
    }
}

impl Verify for For {
    fn verify(&self, ctx: &Context) -> Result<()> {
        let body = self.get_body(ctx, 0);
        if body.deref(ctx).get_num_arguments() != 1 {
            return verify_err!(
                self.loc(ctx),
                "the body has one argument, the induction variable"
            );
        }
        if int_width(ctx, self.get_operand_lower(ctx).get_type(ctx)).is_none() {
            return verify_err!(self.loc(ctx), "the bounds are integers");
        }
        verify_end(
            ctx,
            self,
            0,
            is_iteration_end,
            "core.yield or core.continue",
        )
    }
}

effects!(structure: Yield, Break, Continue, Return, If, Loop, Switch, For);

fn verify_condition(ctx: &Context, op: &dyn Op, cond: Value) -> Result<()> {
    if cond.get_type(ctx) != boolean(ctx) {
        return verify_err!(op.loc(ctx), "a condition is an i1");
    }
    Ok(())
}

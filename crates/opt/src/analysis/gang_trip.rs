//! The number of iterations that the gangs of a kernel share, as a program over the kernel's arguments
//! ([`accrue_abi::trip`]).
//!
//! ```text
//! %n = core.alloca;  core.store n_arg, %n            ARG32 of n_arg,  MAX0
//! count = select(0 < sext(load %n), sext(load %n), 0)    →
//! ```
//!
//! The same is done for the vector loops inside worker loops ([`crate::gpu::vector_versions`]).
//!
//! It helps the runtime to choose a number of gangs, so it may be too large or too small: arithmetic is taken to be exact,
//! whatever the width of its type. Counts that depend on memory or on outer loops have no program.

use accrue_abi::trip::{MOST_STEPS, Step};
use accrue_dialects::{
    core::{Alloca, Bin, BinKind, Cast, CastKind, Load, Ring, Select, Store, int_width},
    par::{GangDim, Level, kernel_of},
};
use accrue_image::{GangTrip, GridVersion, SiteVar};
use pliron::{
    builtin::{
        op_interfaces::{OneOpdInterface, SymbolOpInterface},
        ops::FuncOp,
    },
    context::Context,
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::{HashMap, HashSet};

use crate::{analysis::exact_trip::exact, attributes::Covers, emit::constant};

/// The programs of kernels, by function name.
#[derive(Clone, Debug, Default)]
pub struct GangTrips {
    programs: HashMap<String, Option<Trip>>,
    several: HashSet<String>,
    gang_cost: HashSet<String>,
    only_loops: HashSet<String>,
    /// Of the vector loops inside others.
    inner: HashMap<String, Option<Trip>>,
    /// Of kernels with a version for a grid that covers their loop.
    covered: HashMap<String, Covered>,
}

/// The version of a kernel for a grid that covers its loop, and how large the loop's dimensions are.
#[derive(Clone, Debug)]
pub struct Covered {
    pub version: String,
    /// The loop was spread over workers.
    pub workers: bool,
    columns: Trip,
    rows: Option<Trip>,
    outer: Option<Trip>,
    /// Blocks should be small.
    small_blocks: bool,
}

/// What blocks of a covering grid look like.
#[derive(Clone, Copy, Debug)]
pub struct BlockShape {
    /// Rows that count as one, because a block has so many times fewer columns than a warp.
    pub rows_as_one: i64,
    /// Iterations are long, so that few of them should go to as many multiprocessors as there are.
    pub small: bool,
}

/// A program whose arguments are still numbers of parameters.
#[derive(Clone, Debug)]
struct Trip {
    steps: Vec<Step>,
    workers: bool,
    vector: bool,
}

impl GangTrips {
    /// Notes a loop over `levels` with `count` iterations in `func`: one for gangs, or one for vector lanes alone. Those over
    /// gang dimensions 2 and 3 do not count.
    pub fn note(
        &mut self,
        ctx: &Context,
        func: FuncOp,
        levels: &[Level],
        dim: Option<GangDim>,
        count: Value,
    ) {
        if kernel_of(ctx, &func).is_none() || dim.is_some_and(|dim| dim > GangDim::One) {
            return;
        }
        let programs = match levels {
            [Level::Gang, ..] => &mut self.programs,
            [Level::Vector] => &mut self.inner,
            _ => return,
        };
        let mut steps = vec![];
        let trip = program(ctx, func, count, &mut steps).map(|()| Trip {
            steps,
            workers: levels.contains(&Level::Worker),
            vector: levels.contains(&Level::Vector),
        });
        let name = func.get_symbol_name(ctx).to_string();
        let both = match (programs.remove(&name), trip) {
            (None, trip) => trip,
            (Some(Some(first)), Some(second)) => larger(first, second),
            (Some(_), _) => None,
        };
        programs.insert(name, both);
    }

    /// Notes that the lanes of `func` work on several iterations at a time.
    pub fn note_several(&mut self, ctx: &Context, func: FuncOp) {
        self.several.insert(func.get_symbol_name(ctx).to_string());
    }

    /// Notes that each gang of `func` has work of its own beside its share of the loops.
    pub fn note_gang_cost(&mut self, ctx: &Context, func: FuncOp) {
        self.gang_cost.insert(func.get_symbol_name(ctx).to_string());
    }

    /// Notes that gangs of `func` without iterations do nothing that can be noticed.
    pub fn note_only_loops(&mut self, ctx: &Context, func: FuncOp) {
        self.only_loops
            .insert(func.get_symbol_name(ctx).to_string());
    }

    /// Notes the numbers of iterations of the loop that `version`, a version of another kernel, has in each dimension.
    pub fn note_covered(
        &mut self,
        ctx: &Context,
        version: FuncOp,
        covers: Covers,
        counts: &[Value],
        shape: BlockShape,
    ) {
        let dimension = |counts: &[Value]| {
            let mut steps = vec![];
            for (index, count) in counts.iter().enumerate() {
                steps.extend(exact(ctx, version, *count)?);
                steps.extend((index > 0).then_some(Step::Mul));
            }
            Some(Trip {
                steps,
                workers: false,
                vector: true,
            })
        };
        let (outer, [.., row, column]) = counts.split_at(counts.len().saturating_sub(2)) else {
            let columns = dimension(counts);
            return self.cover(
                ctx,
                version,
                covers,
                columns.map(|columns| (columns, None, None)),
                shape.small,
            );
        };
        let all = || {
            let outer = match outer {
                [] => None,
                counts => Some(dimension(counts)?),
            };
            let (mut columns, mut rows) = (dimension(&[*column])?, dimension(&[*row])?);
            if shape.rows_as_one > 1 {
                let factor = Step::Constant(shape.rows_as_one);
                columns.steps.extend([factor, Step::Mul]);
                rows.steps.extend([factor, Step::DivideUp]);
            }
            Some((columns, Some(rows), outer))
        };
        self.cover(ctx, version, covers, all(), false);
    }

    fn cover(
        &mut self,
        ctx: &Context,
        version: FuncOp,
        covers: Covers,
        trips: Option<(Trip, Option<Trip>, Option<Trip>)>,
        small_blocks: bool,
    ) {
        let Some((columns, rows, outer)) = trips else {
            return;
        };
        let covered = Covered {
            version: version.get_symbol_name(ctx).to_string(),
            workers: covers.workers,
            columns,
            rows,
            outer,
            small_blocks,
        };
        self.covered.insert(covers.kernel, covered);
    }

    /// Gives each thread of `version` that many rows, where there are at least `fewest_rows` and where that leaves enough
    /// `threads`; false if the number of rows is not known.
    pub fn several_rows(
        &mut self,
        ctx: &Context,
        version: FuncOp,
        rows: i64,
        fewest_rows: i64,
        threads: i64,
    ) -> bool {
        let name = version.get_symbol_name(ctx).to_string();
        let mut all = self.covered.values_mut();
        let Some(covered) = all.find(|covered| covered.version == name) else {
            return false;
        };
        let Some(all_rows) = covered.rows.as_mut() else {
            return false;
        };
        let outer = covered.outer.as_ref().map_or(&[][..], |trip| &trip.steps);
        // rows / (several - (several - 1) * (iterations * (1 - (rows < fewest)) < fewest)), on a stack that begins with
        // rows, several, several - 1
        let mut steps = all_rows.steps.clone();
        steps.extend([Step::Constant(rows), Step::Constant(rows - 1)]);
        steps.extend(&covered.columns.steps);
        steps.extend([Step::Again(3), Step::Mul]);
        steps.extend(outer);
        steps.extend((!outer.is_empty()).then_some(Step::Mul));
        steps.extend([
            Step::Constant(1),
            Step::Again(4),
            Step::Constant(fewest_rows),
        ]);
        steps.extend([Step::Less, Step::Sub, Step::Mul]);
        steps.extend([Step::Constant(threads * rows), Step::Less]);
        steps.extend([Step::Mul, Step::Sub, Step::DivideUp]);
        let fits = steps.len() < MOST_STEPS;
        if fits {
            all_rows.steps = steps;
        }
        fits
    }

    /// The version of the kernel `function` for a grid that covers its loop, where that can be better: gangs have no work
    /// of their own, and a loop of one dimension does not have several iterations per lane at once.
    pub fn covered(&self, function: &str, vars: &[SiteVar]) -> Option<(&Covered, GridVersion)> {
        let found = self.covered.get(function)?;
        let several = found.rows.is_none() && self.several.contains(function);
        if several || self.gang_cost.contains(function) {
            return None;
        }
        let program = |trip: &Option<Trip>| trip.as_ref().map(|trip| trip.program(vars));
        let version = GridVersion {
            function: found.version.clone(),
            columns: found.columns.program(vars),
            rows: program(&found.rows),
            outer: program(&found.outer),
            small_blocks: found.small_blocks,
        };
        Some((found, version))
    }

    /// The program for the kernel `function`, whose parameters are `vars`.
    pub fn of(&self, function: &str, vars: &[SiteVar]) -> Option<GangTrip> {
        let trip = self.programs.get(function)?.as_ref()?;
        Some(GangTrip {
            program: trip.program(vars),
            workers: trip.workers,
            vector: trip.vector,
            several: self.several.contains(function),
            gang_cost: self.gang_cost.contains(function),
            only_loops: self.only_loops.contains(function),
        })
    }

    /// The program for the vector loops inside others.
    pub fn of_inner(&self, function: &str, vars: &[SiteVar]) -> Option<Vec<Step>> {
        let trip = self.inner.get(function)?.as_ref()?;
        Some(trip.program(vars))
    }
}

impl Trip {
    /// The program, for a kernel with these variables.
    fn program(&self, vars: &[SiteVar]) -> Vec<Step> {
        let word = |parameter: u32| {
            let before = vars.iter().take(parameter as usize);
            before.map(SiteVar::argument_words).sum::<u64>() as u32
        };
        let steps = self.steps.iter().map(|step| match *step {
            Step::Argument(parameter) => Step::Argument(word(parameter)),
            Step::Argument32(parameter) => Step::Argument32(word(parameter)),
            Step::ArgumentU32(parameter) => Step::ArgumentU32(word(parameter)),
            Step::End
            | Step::Constant(_)
            | Step::Add
            | Step::Sub
            | Step::Mul
            | Step::DivideUp
            | Step::NotNegative
            | Step::Divide
            | Step::Signed32
            | Step::Unsigned32
            | Step::Less
            | Step::LessUnsigned
            | Step::Again(_) => *step,
        });
        steps.chain([Step::End]).collect()
    }
}

/// The larger of two counts of loops that are shared alike: max(a - b, 0) + b.
fn larger(first: Trip, second: Trip) -> Option<Trip> {
    let alike = (first.workers, first.vector) == (second.workers, second.vector);
    let steps = [
        &first.steps[..],
        &second.steps,
        &[Step::Sub, Step::NotNegative],
        &second.steps,
        &[Step::Add],
    ]
    .concat();
    (alike && steps.len() <= MOST_STEPS).then_some(Trip { steps, ..first })
}

/// Appends the steps that compute `value`; `None` if there are none, or too many.
fn program(ctx: &Context, func: FuncOp, value: Value, steps: &mut Vec<Step>) -> Option<()> {
    if steps.len() >= MOST_STEPS {
        return None;
    }
    if let Some(value) = constant(ctx, value) {
        steps.push(Step::Constant(i64::try_from(value).ok()?));
        return Some(());
    }
    let op = value.defining_op()?;
    if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
        let from = cast.get_operand(ctx);
        let argument = parameter(ctx, func, from);
        let width = int_width(ctx, from.get_type(ctx));
        let step = match (cast.kind(ctx), argument, width) {
            (CastKind::SExt | CastKind::Trunc, Some(number), Some(32)) => Step::Argument32(number),
            (CastKind::Trunc, Some(number), Some(64)) => Step::Argument(number),
            (CastKind::ZExt, Some(number), Some(32)) => Step::ArgumentU32(number),
            (_, Some(_), Some(width)) if width < 32 => return None,
            (CastKind::SExt | CastKind::ZExt | CastKind::Trunc, None, Some(_)) => {
                return program(ctx, func, from, steps);
            }
            _ => return None,
        };
        steps.push(step);
        return Some(());
    }
    if let Some(number) = parameter(ctx, func, value) {
        steps.push(match int_width(ctx, value.get_type(ctx))? {
            64 => Step::Argument(number),
            32 => Step::Argument32(number),
            _ => return None,
        });
        return Some(());
    }
    if let Some(bin) = Operation::get_op::<Bin>(op, ctx) {
        let kind = bin.kind(ctx);
        let step = match (kind.ring(), kind) {
            (Some(ring), _) => step(ring),
            (None, BinKind::DivS | BinKind::DivU) => Step::DivideUp,
            (None, _) => return None,
        };
        program(ctx, func, bin.get_operand_lhs(ctx), steps)?;
        program(ctx, func, bin.get_operand_rhs(ctx), steps)?;
        steps.push(step);
        return Some(());
    }
    // What `Dimension::count` makes of a loop that may not run at all.
    let select = Operation::get_op::<Select>(op, ctx)?;
    if constant(ctx, select.get_operand_no(ctx)) != Some(0) {
        return None;
    }
    program(ctx, func, select.get_operand_yes(ctx), steps)?;
    steps.push(Step::NotNegative);
    Some(())
}

/// The step that computes it.
pub fn step(ring: Ring) -> Step {
    match ring {
        Ring::Sum => Step::Add,
        Ring::Difference => Step::Sub,
        Ring::Product => Step::Mul,
    }
}

/// The number of the parameter of `func` that `value` is: itself, or loaded from a variable that is set to it once, at the
/// start, and whose address goes nowhere.
pub fn parameter(ctx: &Context, func: FuncOp, value: Value) -> Option<u32> {
    let entry = func.get_entry_block(ctx);
    let number = |value: Value| {
        let position = entry.deref(ctx).arguments().position(|a| a == value)?;
        u32::try_from(position).ok()
    };
    if let Some(number) = number(value) {
        return Some(number);
    }
    let load = Operation::get_op::<Load>(value.defining_op()?, ctx)?;
    let address = load.get_operand_address(ctx);
    Operation::get_op::<Alloca>(address.defining_op()?, ctx)?;
    let mut stored = None;
    for used in address.uses(ctx) {
        let op = used.user_op();
        if Operation::get_op::<Load>(op, ctx).is_some() {
            continue;
        }
        let store = Operation::get_op::<Store>(op, ctx)?;
        let first = stored.is_none()
            && store.get_operand_address(ctx) == address
            && op.deref(ctx).get_parent_block() == Some(entry);
        if !first {
            return None;
        }
        stored = Some(number(store.get_operand_value(ctx))?);
    }
    stored
}

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
//! Passes note it on the kernel's function ([`accrue_dialects::par::kernels`]); the pass `sites` reads it from there.
//!
//! It helps the runtime to choose a number of gangs, so it may be too large or too small: arithmetic is taken to be exact,
//! whatever the width of its type. Counts that depend on memory or on outer loops have no program.

use accrue_abi::launch::{WARP, WIDE_VECTOR};
use accrue_abi::trip::{MOST_STEPS, Step};
use accrue_dialects::core::fold::constant;
use accrue_dialects::{
    core::{Alloca, Bin, BinKind, Cast, CastKind, Load, Ring, Select, Store, int_width},
    par::{
        GangDim, Level, kernel_of,
        kernels::{
            COVERED_IF, Condition, Count, GANG_COST, GRID, Grid, INNER_ITERATIONS, ITERATIONS,
            Iterations, JOINED, LANES, Lanes, ONLY_LOOPS, SEVERAL, Steps, UNEVEN,
        },
    },
};
use accrue_hostcall::{EachGang, GangTrip, GridVersion, SiteVar};
use accrue_ir::attributes::Key;
use pliron::{
    builtin::{
        attributes::BoolAttr,
        op_interfaces::{OneOpdInterface, SymbolOpInterface},
        ops::FuncOp,
    },
    context::Context,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use crate::analysis::exact_trip::exact;

/// Lanes of all gangs together that keep a GPU busy.
const BUSY: i64 = 1 << 18;
/// Gangs that are fewer than the multiprocessors of a large GPU.
const FEW: u64 = 96;
/// How many times as many iterations as a loop over gangs the loops inside have for several gangs each. 128 chunks of 64 rows whose 2048 columns
/// lanes go down took 289 µs on an H200 with 8 gangs of 256 lanes each, and 180 with one of 512.
const LONGER: i64 = 16;

/// What blocks of a covering grid look like.
#[derive(Clone, Copy, Debug)]
pub struct BlockShape {
    /// Rows that count as one, because a block has so many times fewer columns than a warp.
    pub rows_as_one: i64,
    /// Lanes where no clause says how many: iterations are long, so that few of them should go to as many multiprocessors as there are,
    /// or a `tile` clause wants so many.
    pub lanes: Option<u32>,
    /// The loop's dimensions, of several, are one for the grid.
    pub joined: bool,
}

/// Notes a loop over `levels` with `count` iterations in `func`: one for gangs, or one for vector lanes alone. Those over
/// gang dimensions 2 and 3 do not count.
pub fn note(ctx: &Context, func: FuncOp, levels: &[Level], dim: Option<GangDim>, count: Value) {
    if kernel_of(ctx, &func).is_none() || dim.is_some_and(|dim| dim > GangDim::One) {
        return;
    }
    let key = match levels {
        [Level::Gang, ..] => &ITERATIONS,
        [Level::Vector] => &INNER_ITERATIONS,
        _ => return,
    };
    let mut steps = vec![];
    let own = match program(ctx, func, count, &mut steps) {
        Some(()) => Iterations::Known(Count {
            steps: Steps(steps),
            workers: levels.contains(&Level::Worker),
            vector: levels.contains(&Level::Vector),
        }),
        None => Iterations::Unknown,
    };
    let op = func.get_operation();
    let all = match (key.get(ctx, op), own) {
        (None, own) => own,
        (Some(Iterations::Known(first)), Iterations::Known(second)) => {
            larger(first, second).map_or(Iterations::Unknown, Iterations::Known)
        }
        (Some(Iterations::Known(_)), Iterations::Unknown) | (Some(Iterations::Unknown), _) => {
            Iterations::Unknown
        }
    };
    key.set(ctx, op, all);
}

/// Notes that the lanes of `func` work on several iterations at a time.
pub fn note_several(ctx: &Context, func: FuncOp) {
    SEVERAL.set(ctx, func.get_operation(), BoolAttr::new(true));
}

/// Notes that each gang of `func` has work of its own beside its share of the loops.
pub fn note_gang_cost(ctx: &Context, func: FuncOp) {
    GANG_COST.set(ctx, func.get_operation(), BoolAttr::new(true));
}

/// Notes that gangs of `func` without iterations do nothing that can be noticed.
pub fn note_only_loops(ctx: &Context, func: FuncOp) {
    ONLY_LOOPS.set(ctx, func.get_operation(), BoolAttr::new(true));
}

/// Notes that iterations of the loops over gangs of `func` may take very different times.
pub fn note_uneven(ctx: &Context, func: FuncOp) {
    UNEVEN.set(ctx, func.get_operation(), BoolAttr::new(true));
}

/// Whether gangs of `func` should be more than cores, so that cores that are done can take some from others: not where each gang
/// has work of its own.
pub fn is_uneven(ctx: &Context, func: FuncOp) -> bool {
    let kernel = func.get_operation();
    UNEVEN.is_on(ctx, kernel) && !GANG_COST.is_on(ctx, kernel)
}

/// Notes the numbers of iterations of the loop that `version`, a version of another kernel, has in each dimension, if they can
/// be computed exactly.
pub fn note_covered(ctx: &Context, version: FuncOp, counts: &[Value], shape: BlockShape) {
    let dimension = |counts: &[Value]| {
        let mut steps = vec![];
        for (index, count) in counts.iter().enumerate() {
            steps.extend(exact(ctx, version, *count)?);
            steps.extend((index > 0).then_some(Step::Mul));
        }
        Some(Steps(steps))
    };
    let dims: Option<Vec<Steps>> = match counts {
        [outer @ .., row, column] => {
            let outer = (!outer.is_empty()).then_some(outer);
            let dims = [Some(&[*column][..]), Some(&[*row]), outer];
            dims.into_iter().flatten().map(dimension).collect()
        }
        one => dimension(one).map(|columns| vec![columns]),
    };
    let Some(mut dims) = dims else {
        return;
    };
    let op = version.get_operation();
    if let (Some(Condition(Steps(condition))), Some(columns)) =
        (COVERED_IF.get(ctx, op), dims.first_mut())
    {
        columns.0.splice(0..0, condition);
        columns.0.push(Step::Mul);
    }
    match dims.as_mut_slice() {
        [columns, rows, ..] if shape.rows_as_one > 1 => {
            let factor = Step::Constant(shape.rows_as_one);
            columns.0.extend([factor, Step::Mul]);
            rows.0.extend([factor, Step::DivideUp]);
        }
        _ => {}
    }
    if shape.joined {
        JOINED.set(ctx, version.get_operation(), BoolAttr::new(true));
    }
    if let Some(lanes) = shape.lanes {
        LANES.set(ctx, op, Lanes(lanes));
    }
    if dims.iter().all(|steps| steps.0.len() <= MOST_STEPS) {
        GRID.set(ctx, op, Grid(dims));
    }
}

/// Lets the columns and rows of `version` count as they are, where so many rows count as one; false if they do not.
pub fn rows_as_they_are(ctx: &Context, version: FuncOp, rows_as_one: i64) -> bool {
    let Some(Grid(mut dims)) = GRID.get(ctx, version.get_operation()) else {
        return false;
    };
    let known = without_factor(&mut dims, rows_as_one).is_some();
    if known {
        GRID.set(ctx, version.get_operation(), Grid(dims));
    }
    known
}

/// Leaves launches of `version` with one row or one column, of which so many rows count as one, to others; false if their numbers are not
/// known.
pub fn only_several(ctx: &Context, version: FuncOp, rows_as_one: i64) -> bool {
    let Some(Grid(mut dims)) = GRID.get(ctx, version.get_operation()) else {
        return false;
    };
    let mut counts = dims.clone();
    let (Some(factor), [columns, ..]) = (
        without_factor(&mut counts, rows_as_one),
        dims.as_mut_slice(),
    ) else {
        return false;
    };
    columns.0.clone_from(&counts[0].0);
    for count in &counts[..2] {
        columns.0.push(Step::Constant(1));
        columns.0.extend(&count.0);
        columns.0.extend([Step::Less, Step::Mul]);
    }
    columns.0.extend(factor);
    let fits = columns.0.len() <= MOST_STEPS;
    if fits {
        GRID.set(ctx, version.get_operation(), Grid(dims));
    }
    fits
}

/// Takes the factor of columns, and the divisor of rows, from a grid of which so many rows count as one; gives the former.
fn without_factor(dims: &mut [Steps], rows_as_one: i64) -> Option<Vec<Step>> {
    let [columns, rows, ..] = dims else {
        return None;
    };
    if rows_as_one == 1 {
        return Some(vec![]);
    }
    let factor = Step::Constant(rows_as_one);
    let whole = columns.0.strip_suffix(&[factor, Step::Mul])?.to_vec();
    rows.0 = rows.0.strip_suffix(&[factor, Step::DivideUp])?.to_vec();
    columns.0 = whole;
    Some(vec![factor, Step::Mul])
}

/// The grid of `version`, whose loop has one dimension, for launches with more than one iteration; in others there is none.
pub fn of_several(ctx: &Context, version: FuncOp) -> Option<Grid> {
    let Grid(dims) = GRID.get(ctx, version.get_operation())?;
    let [Steps(count)] = dims.as_slice() else {
        return None;
    };
    let mut steps = vec![Step::Constant(1)];
    steps.extend(count);
    steps.push(Step::Less);
    steps.extend(count);
    steps.push(Step::Mul);
    (steps.len() <= MOST_STEPS).then(|| Grid(vec![Steps(steps)]))
}

/// The grid of `version`, whose loop has one dimension, with so many threads for each iteration, for launches with 2 to `most`
/// iterations; in others there is none. Nor is there one with fewer rows than `rows` says, if their number is known there.
pub fn of_few(
    ctx: &Context,
    version: FuncOp,
    threads: i64,
    most: i64,
    rows: Option<(Value, i64)>,
) -> Option<Grid> {
    let Grid(dims) = GRID.get(ctx, version.get_operation())?;
    let [Steps(count)] = dims.as_slice() else {
        return None;
    };
    let mut steps = count.clone();
    // What is less than 2 is a large number then.
    steps.extend([Step::Constant(2), Step::Sub, Step::Constant(most - 1)]);
    steps.push(Step::LessUnsigned);
    steps.extend(count);
    steps.extend([Step::Mul, Step::Constant(threads), Step::Mul]);
    let known = rows.and_then(|(rows, fewest)| Some((exact(ctx, version, rows)?, fewest)));
    if let Some((rows, fewest_rows)) = known {
        steps.push(Step::Constant(fewest_rows - 1));
        steps.extend(rows);
        steps.extend([Step::Less, Step::Mul]);
    }
    (steps.len() <= MOST_STEPS).then(|| Grid(vec![Steps(steps)]))
}

/// Gives each thread of `version` that many rows, where three quarters of those of all blocks, of `rows_of_block` each, are there, and
/// where that leaves enough `threads`; false if the number of rows is not known.
pub fn several_rows(
    ctx: &Context,
    version: FuncOp,
    rows: i64,
    rows_of_block: i64,
    threads: i64,
) -> bool {
    let op = version.get_operation();
    let Some(Grid(mut dims)) = GRID.get(ctx, op) else {
        return false;
    };
    let [columns, all_rows, outer @ ..] = dims.as_mut_slice() else {
        return false;
    };
    // rows / (several - (several - 1) * (iterations * (1 - (4 * rows < 3 * all)) < fewest)), on a stack that begins with
    // rows, several, several - 1
    let mut steps = all_rows.0.clone();
    steps.extend([Step::Constant(rows), Step::Constant(rows - 1)]);
    steps.extend(&columns.0);
    steps.extend([Step::Again(3), Step::Mul]);
    for outer in outer {
        steps.extend(&outer.0);
        steps.push(Step::Mul);
    }
    steps.extend([
        Step::Constant(1),
        Step::Again(4),
        Step::Constant(4),
        Step::Mul,
        Step::Again(5),
        Step::Constant(rows_of_block),
        Step::DivideUp,
        Step::Constant(3 * rows_of_block),
        Step::Mul,
    ]);
    steps.extend([Step::Less, Step::Sub, Step::Mul]);
    steps.extend([Step::Constant(threads * rows), Step::Less]);
    steps.extend([Step::Mul, Step::Sub, Step::DivideUp]);
    let fits = steps.len() < MOST_STEPS;
    if fits {
        all_rows.0 = steps;
        GRID.set(ctx, op, Grid(dims));
    }
    fits
}

/// Several rows and columns for each thread.
#[derive(Clone, Copy, Debug)]
pub struct Several {
    pub rows: i64,
    pub columns: i64,
    /// Rows, and columns, that there must be at least.
    pub fewest_rows: i64,
    pub fewest_columns: i64,
    /// Threads that there must be then.
    pub threads: i64,
}

/// Gives each thread of `version` that many columns, as [`several_rows`] has given it rows; `before`: the grid before that. False if
/// the program is too long.
pub fn several_columns(ctx: &Context, version: FuncOp, shape: Several, before: Grid) -> bool {
    let op = version.get_operation();
    let Some(Grid(mut dims)) = GRID.get(ctx, op) else {
        return false;
    };
    let ([all_columns, ..], [columns, rows, outer @ ..]) = (dims.as_mut_slice(), &before.0[..])
    else {
        return false;
    };
    // The same with columns on the stack, and with another factor: 1 - (rows < fewest)
    let [fewest_rows, fewest] = [shape.fewest_rows, shape.fewest_columns].map(Step::Constant);
    let mut steps = columns.0.clone();
    steps.extend([
        Step::Constant(shape.columns),
        Step::Constant(shape.columns - 1),
    ]);
    steps.extend(&rows.0);
    steps.extend([Step::Again(3), Step::Mul]);
    for outer in outer {
        steps.extend(&outer.0);
        steps.push(Step::Mul);
    }
    steps.extend([Step::Constant(1), Step::Again(4), fewest]);
    steps.extend([Step::Less, Step::Sub, Step::Mul]);
    steps.push(Step::Constant(1));
    steps.extend(&rows.0);
    steps.extend([fewest_rows, Step::Less, Step::Sub, Step::Mul]);
    let each = shape.rows * shape.columns;
    steps.extend([Step::Constant(shape.threads * each), Step::Less]);
    steps.extend([Step::Mul, Step::Sub, Step::DivideUp]);
    let fits = steps.len() < MOST_STEPS;
    if fits {
        all_columns.0 = steps;
        GRID.set(ctx, op, Grid(dims));
    }
    fits
}

/// What `version` offers the kernel `func`, whose parameters are `vars`, where it can be better: gangs have no work of their
/// own, and a loop of one dimension does not have several iterations per lane at once. (Those of a nest are found by divisions.)
pub fn covered(
    ctx: &Context,
    func: FuncOp,
    version: FuncOp,
    vars: &[SiteVar],
) -> Option<GridVersion> {
    let Grid(dims) = GRID.get(ctx, version.get_operation())?;
    let mut programs = dims.iter().map(|steps| with_words(steps, vars));
    let kernel = func.get_operation();
    let joined = JOINED.is_on(ctx, version.get_operation());
    let several = dims.len() == 1 && !joined && SEVERAL.is_on(ctx, kernel);
    if several || GANG_COST.is_on(ctx, kernel) {
        return None;
    }
    Some(GridVersion {
        function: version.get_symbol_name(ctx).to_string(),
        columns: programs.next()?,
        rows: programs.next(),
        outer: programs.next(),
        lanes: LANES.get(ctx, version.get_operation()).map(|lanes| lanes.0),
    })
}

/// Iterations that the loops over lanes inside must have at least where each iteration has a gang of so many lanes.
pub fn fewest_inside(lanes: u32) -> u32 {
    match lanes {
        // Fewer would leave lanes idle that the kernel itself does not have.
        WIDE_VECTOR.. => 4 * lanes,
        _ => 128,
    }
}

/// The launches of `version`, which has a gang for each iteration: of `least` to `most` iterations, whose loops over lanes have at least
/// [`fewest_inside`], if gangs are no single warps.
pub fn each(
    ctx: &Context,
    version: FuncOp,
    (least, most): (u64, u64),
    lanes: u32,
    vars: &[SiteVar],
) -> Option<EachGang> {
    let known = |key: &Key<Iterations>| key.get(ctx, version.get_operation())?.known();
    let count = known(&ITERATIONS)?.steps;
    let constant = |number: u64| i64::try_from(number).ok().map(Step::Constant);
    let mut steps = count.0.clone();
    // Fewer are a large number then.
    steps.extend([constant(least)?, Step::Sub]);
    steps.extend([constant(most + 1 - least)?, Step::LessUnsigned]);
    if lanes > WARP {
        steps.push(Step::Constant(i64::from(fewest_inside(lanes)) - 1));
        steps.extend(known(&INNER_ITERATIONS)?.steps.0);
        steps.extend([Step::Less, Step::Mul]);
    }
    steps.extend(count.0);
    steps.extend([Step::Mul, Step::Constant(i64::from(lanes)), Step::Mul]);
    (steps.len() <= MOST_STEPS).then(|| EachGang {
        function: version.get_symbol_name(ctx).to_string(),
        threads: with_words(&Steps(steps), vars),
        gangs: None,
        least,
        most,
        lanes,
    })
}

/// The launches of `version`, which has several gangs for each iteration of the kernel's loop over gangs: of up to `most` iterations, if
/// the loops inside are known to have four for each lane of one, else of up to [`FEW`]. There are as many lanes of all gangs together as keep
/// a GPU busy ([`BUSY`]), or fewer, so that each has four iterations; one gang for each iteration where the loops inside are known to have less
/// than [`LONGER`] times as many.
pub fn split(
    ctx: &Context,
    [kernel, version]: [FuncOp; 2],
    most: u64,
    lanes: u32,
    vars: &[SiteVar],
) -> Option<EachGang> {
    let known = |key: &Key<Iterations>| key.get(ctx, kernel.get_operation())?.known();
    let count = known(&ITERATIONS)?.steps;
    let inside = known(&INNER_ITERATIONS).map(|count| count.steps);
    let most = match inside {
        Some(_) => most,
        None => most.min(FEW),
    };
    let mut steps = count.0.clone();
    // None at all is a large number then.
    steps.extend([Step::Constant(1), Step::Sub]);
    steps.push(Step::Constant(i64::try_from(most).ok()?));
    steps.push(Step::LessUnsigned);
    steps.push(Step::Constant(BUSY));
    steps.extend(&count.0);
    steps.push(Step::Divide);
    if let Some(inside) = &inside {
        let lanes = Step::Constant(i64::from(lanes));
        // The smaller one of both: a - max(a - b, 0).
        steps.push(Step::Again(0));
        steps.extend(&inside.0);
        steps.extend([Step::Constant(4), Step::Divide]);
        steps.extend([Step::Sub, Step::NotNegative, Step::Sub]);
        // That, or the lanes of one gang.
        steps.extend([lanes, Step::Sub, Step::Constant(LONGER)]);
        steps.extend(&count.0);
        steps.push(Step::Mul);
        steps.extend(&inside.0);
        steps.extend([Step::Less, Step::Mul, lanes, Step::Add]);
    }
    steps.push(Step::Mul);
    if let Some(inside) = &inside {
        steps.push(Step::Constant(4 * i64::from(lanes) - 1));
        steps.extend(&inside.0);
        steps.extend([Step::Less, Step::Mul]);
    }
    (steps.len() <= MOST_STEPS).then(|| EachGang {
        function: version.get_symbol_name(ctx).to_string(),
        threads: with_words(&Steps(steps), vars),
        gangs: Some(with_words(&count, vars)),
        least: 1,
        most,
        lanes,
    })
}

/// What the launch of the kernel `func`, whose parameters are `vars`, has to know of its loops over gangs.
pub fn of(ctx: &Context, func: FuncOp, vars: &[SiteVar]) -> Option<GangTrip> {
    let kernel = func.get_operation();
    let count = ITERATIONS.get(ctx, kernel)?.known()?;
    Some(GangTrip {
        program: with_words(&count.steps, vars),
        workers: count.workers,
        vector: count.vector,
        several: SEVERAL.is_on(ctx, kernel),
        gang_cost: GANG_COST.is_on(ctx, kernel),
        only_loops: ONLY_LOOPS.is_on(ctx, kernel),
    })
}

/// The program for the vector loops inside others.
pub fn of_inner(ctx: &Context, func: FuncOp, vars: &[SiteVar]) -> Option<Vec<Step>> {
    let count = INNER_ITERATIONS.get(ctx, func.get_operation())?.known()?;
    Some(with_words(&count.steps, vars))
}

/// The whole program, for a kernel whose parameters are these variables: with their argument words.
pub fn with_words(steps: &Steps, vars: &[SiteVar]) -> Vec<Step> {
    let word = |parameter: u32| {
        let before = vars.iter().take(parameter as usize);
        before.map(SiteVar::argument_words).sum::<u64>() as u32
    };
    let steps = steps.0.iter().map(|step| match *step {
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
        | Step::And
        | Step::Or
        | Step::Xor
        | Step::ShiftLeft
        | Step::ShiftRight
        | Step::ShiftRightUnsigned
        | Step::Remainder
        | Step::Again(_) => *step,
    });
    steps.chain([Step::End]).collect()
}

/// The larger of two counts of loops that are shared alike: max(a - b, 0) + b.
fn larger(first: Count, second: Count) -> Option<Count> {
    let alike = (first.workers, first.vector) == (second.workers, second.vector);
    let steps = match (&first.steps.0[..], &second.steps.0[..]) {
        ([Step::Constant(a)], [Step::Constant(b)]) => vec![Step::Constant(*a.max(b))],
        (a, b) => [a, b, &[Step::Sub, Step::NotNegative], b, &[Step::Add]].concat(),
    };
    (alike && steps.len() <= MOST_STEPS).then_some(Count {
        steps: Steps(steps),
        ..first
    })
}

/// Appends the steps that compute `value`; `None` if there are none, or too many.
fn program(ctx: &Context, func: FuncOp, value: Value, steps: &mut Vec<Step>) -> Option<()> {
    if steps.len() >= MOST_STEPS {
        return None;
    }
    let source = set_once(ctx, func, value).unwrap_or(value);
    if let Some(value) = constant(ctx, source) {
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
            (CastKind::SExt | CastKind::Trunc, None, Some(_)) => {
                return program(ctx, func, from, steps);
            }
            (CastKind::ZExt, None, Some(width)) => {
                let before = steps.len();
                program(ctx, func, from, steps)?;
                without_sign(width, before, steps);
                return Some(());
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
            (None, _) => return append_exact(ctx, func, value, steps),
        };
        program(ctx, func, bin.get_operand_lhs(ctx), steps)?;
        if step == Step::DivideUp {
            // Below zero only where the loop does not run at all.
            steps.push(Step::NotNegative);
        }
        program(ctx, func, bin.get_operand_rhs(ctx), steps)?;
        steps.push(step);
        return Some(());
    }
    // What `Dimension::count` makes of a loop that may not run at all.
    let select = Operation::get_op::<Select>(op, ctx);
    match select.filter(|select| constant(ctx, select.get_operand_no(ctx)) == Some(0)) {
        Some(select) => {
            program(ctx, func, select.get_operand_yes(ctx), steps)?;
            steps.push(Step::NotNegative);
            Some(())
        }
        None => append_exact(ctx, func, value, steps),
    }
}

/// Appends the steps of what is not taken to be anything but what it is.
fn append_exact(ctx: &Context, func: FuncOp, value: Value, steps: &mut Vec<Step>) -> Option<()> {
    steps.extend(exact(ctx, func, value)?);
    (steps.len() <= MOST_STEPS).then_some(())
}

/// Of what the steps behind `before` compute, the lowest bits as a number without sign: `4294967040u` is no -256.
fn without_sign(width: u32, before: usize, steps: &mut Vec<Step>) {
    match (&mut steps[before..], width) {
        ([Step::Constant(value)], ..64) => *value &= (1 << width) - 1,
        (_, 32) => steps.push(Step::Unsigned32),
        _ => {}
    }
}

/// The step that computes it.
pub fn step(ring: Ring) -> Step {
    match ring {
        Ring::Sum => Step::Add,
        Ring::Difference => Step::Sub,
        Ring::Product => Step::Mul,
    }
}

/// The number of the parameter of `func` that `value` is: itself, or loaded from a variable that is set to it once.
pub fn parameter(ctx: &Context, func: FuncOp, value: Value) -> Option<u32> {
    let source = set_once(ctx, func, value).unwrap_or(value);
    let entry = func.get_entry_block(ctx);
    let position = entry.deref(ctx).arguments().position(|a| a == source)?;
    u32::try_from(position).ok()
}

/// What `value` is loaded from a variable as that is set once, at the start of `func`, and whose address goes nowhere: a
/// parameter, or what the host is known to pass there.
pub fn set_once(ctx: &Context, func: FuncOp, value: Value) -> Option<Value> {
    let load = Operation::get_op::<Load>(value.defining_op()?, ctx)?;
    let address = load.get_operand_address(ctx);
    Operation::get_op::<Alloca>(address.defining_op()?, ctx)?;
    let entry = func.get_entry_block(ctx);
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
        stored = Some(store.get_operand_value(ctx));
    }
    stored
}

//! Every iteration runs exactly once: partitioned loops are interpreted, for all tests, steps, types and numbers of gangs,
//! and what each thread visits is compared with what a loop in C visits: for CPU cores the threads one after the other
//! give C's order, for GPUs each thread takes every n-th iteration. So do nests over which something is reduced.

mod interpreter;

use accrue_dialects::{
    core::{self, Alloca, Call, Const, Shape, Variable},
    par::{
        self, Elements, Kernel, Level, Levels, LoopDim, LoopId, LoopTest, Reduce, Reduced,
        ReductionOperator, set_kernel,
    },
};
use accrue_ir::{build::Inserter, walk};
use accrue_opt::{State, Target};
use accrue_pipeline::{PASSES, run_pass};
use interpreter::{Interpreter, wrap};
use pliron::{
    builtin::{
        op_interfaces::SingleBlockRegionInterface,
        ops::{FuncOp, ModuleOp},
        types::FunctionType,
    },
    context::Context,
    identifier::Identifier,
    irbuild::inserter::Inserter as _,
    op::Op,
    value::Value,
};

/// One dimension: type, test, and whether the step is a constant of the kernel or an argument.
#[derive(Clone, Copy, Debug)]
struct Dim {
    width: u32,
    unsigned: bool,
    test: LoopTest,
    lower: i128,
    upper: i128,
    step: i128,
    constant_step: bool,
}

impl Dim {
    /// What the loop visits in C.
    fn visits(&self) -> Vec<i128> {
        let mut found = vec![];
        let mut i = self.lower;
        let goes_on = |i: i128| match self.test {
            LoopTest::Lt => i < self.upper,
            LoopTest::Le => i <= self.upper,
            LoopTest::Gt => i > self.upper,
            LoopTest::Ge => i >= self.upper,
            LoopTest::Ne => i != self.upper,
        };
        while goes_on(i) {
            found.push(i);
            i += self.step;
            if self.unsigned && self.test == LoopTest::Ne {
                i &= (1i128 << self.width) - 1;
            }
        }
        found
    }
}

fn identifier(name: &str) -> Identifier {
    Identifier::try_from(name.to_string()).expect("an identifier")
}

/// A kernel with one loop over `dims` that calls `visit` with the induction variables; partitioned over `levels`. Something is
/// reduced over it, if `reduced`.
fn kernel(
    ctx: &mut Context,
    dims: &[Dim],
    levels: Levels,
    reduced: bool,
    target: Target,
) -> FuncOp {
    let module = ModuleOp::new(ctx, identifier("m"));
    let types = dims
        .iter()
        .flat_map(|d| [core::int(ctx, d.width); 3])
        .collect();
    let ty = FunctionType::get(ctx, types, vec![]);
    let func = FuncOp::new(ctx, identifier("k"), ty);
    module.append_operation(ctx, func.get_operation(), 0);
    set_kernel(
        ctx,
        &func,
        Kernel {
            site: 0,
            phase: 0,
            gang_loop: true,
            single_gang: false,
        },
    );
    let entry = func.get_entry_block(ctx);
    let arguments: Vec<Value> = entry.deref(ctx).arguments().collect();
    let mut inserter = Inserter::new_at_block_end(entry);
    let mut bounds = vec![];
    for (dim, values) in dims.iter().zip(arguments.chunks(3)) {
        let mut step = values[2];
        if dim.constant_step {
            let op = Const::new(ctx, dim.width, dim.step);
            inserter.append_op(ctx, &op);
            step = walk::results_of(ctx, op.get_operation())[0];
        }
        bounds.push((values[0], values[1], step));
    }
    let tests = dims.iter().map(|d| LoopDim {
        test: d.test,
        unsigned: d.unsigned,
    });
    let dims: Vec<_> = bounds.into_iter().zip(tests).collect();
    if reduced {
        reduce(ctx, &mut inserter);
    }
    let (lp, body) = par::Loop::new(ctx, LoopId(1), levels, None, &dims);
    inserter.append_op(ctx, &lp);
    let ret = core::Return::new(ctx, None);
    inserter.append_op(ctx, &ret);
    let mut inserter = Inserter::new_at_block_end(body);
    let ivs = body.deref(ctx).arguments().collect();
    let call = Call::new(ctx, identifier("visit"), ivs, None);
    inserter.append_op(ctx, &call);
    let end = core::Yield::new(ctx, vec![]);
    inserter.append_op(ctx, &end);
    let partition = PASSES
        .iter()
        .find(|p| p.name == "partition")
        .expect("the pass");
    let mut state = State {
        target,
        ..State::default()
    };
    run_pass(ctx, module, partition, &mut state).expect("no diagnostics");
    func
}

/// A sum that loop 1 reduces.
fn reduce(ctx: &mut Context, inserter: &mut Inserter) {
    let elem = core::int(ctx, 32);
    let sum = Alloca::new(ctx, elem, None);
    inserter.append_op(ctx, &sum);
    let reduced = Reduced {
        loop_id: 1,
        operator: ReductionOperator::Add,
        signed: true,
        elements: Elements::Whole,
        spelling: "sum".into(),
        variable: Variable {
            name: "sum".into(),
            shape: Shape { dims: vec![], elem },
        },
    };
    let sum = walk::results_of(ctx, sum.get_operation())[0];
    let reduce = Reduce::new(ctx, reduced, sum, None);
    inserter.append_op(ctx, &reduce);
}

/// Partitions the loop for each target and compares what the threads visit with C.
fn check(dims: &[Dim], levels: Levels, sizes: [i128; 3]) {
    let expected = iterations(dims);
    for reduced in [false, true] {
        assert_eq!(
            visited(dims, levels, sizes, reduced, Target::CPU).concat(),
            expected,
            "{dims:?} over {sizes:?}"
        );
        let by_thread = visited(dims, levels, sizes, reduced, Target::NVIDIA);
        let threads = by_thread.len();
        for (thread, visited) in by_thread.into_iter().enumerate() {
            let share: Vec<_> = expected.iter().skip(thread).step_by(threads).collect();
            assert!(
                visited.iter().eq(share),
                "thread {thread} of {sizes:?} visits {visited:?} of {dims:?}, reduced: {reduced}"
            );
        }
    }
}

/// What each thread visits, in its order.
fn visited(
    dims: &[Dim],
    levels: Levels,
    sizes: [i128; 3],
    reduced: bool,
    target: Target,
) -> Vec<Vec<Vec<i128>>> {
    let mut ctx = Context::new();
    let func = kernel(&mut ctx, dims, levels, reduced, target);
    let entry = func.get_entry_block(&ctx);
    let arguments: Vec<Value> = entry.deref(&ctx).arguments().collect();
    let mut visited = vec![];
    for gang in 0..sizes[0] {
        for worker in 0..sizes[1] {
            for vector in 0..sizes[2] {
                let numbers = dims
                    .iter()
                    .flat_map(|d| [d.lower, d.upper, d.step].map(|v| wrap(v, d.width)));
                let values = arguments.iter().copied().zip(numbers).collect();
                let places = [(gang, sizes[0]), (worker, sizes[1]), (vector, sizes[2])];
                let mut interpreter = Interpreter {
                    ctx: &ctx,
                    values,
                    places,
                    visited: vec![],
                };
                interpreter.block(entry);
                visited.push(interpreter.visited);
            }
        }
    }
    visited
}

/// What the loop visits in C.
fn iterations(dims: &[Dim]) -> Vec<Vec<i128>> {
    let mut expected: Vec<Vec<i128>> = vec![vec![]];
    for dim in dims {
        let inner: Vec<_> = dim
            .visits()
            .into_iter()
            .map(|v| wrap(v, dim.width))
            .collect();
        expected = expected
            .into_iter()
            .flat_map(|outer| {
                inner
                    .iter()
                    .map(move |i| [outer.clone(), vec![*i]].concat())
            })
            .collect();
    }
    expected
}

const GANG: Levels = Levels {
    gang: true,
    worker: false,
    vector: false,
    independent: true,
};
const ALL: Levels = Levels {
    gang: true,
    worker: true,
    vector: true,
    independent: true,
};
const SEQ: Levels = Levels {
    gang: false,
    worker: false,
    vector: false,
    independent: false,
};

/// Dimensions of all tests and several bounds and steps, also at the ends of the type.
fn dimensions() -> Vec<Dim> {
    let mut found = vec![];
    for (width, unsigned) in [
        (8, false),
        (8, true),
        (32, false),
        (32, true),
        (64, false),
        (64, true),
    ] {
        let low = if unsigned { 0 } else { -(1i128 << (width - 1)) };
        let high = low + (1i128 << width) - 1;
        let pairs = [
            (0, 10),
            (3, 4),
            (5, 5),
            (7, 2),
            (low, low + 9),
            (high - 9, high),
            (1, 0),
        ];
        for (a, b) in pairs {
            for step in [1, 2, 3, 7] {
                for constant_step in [true, false] {
                    let dim = |test, lower, upper, step| Dim {
                        width,
                        unsigned,
                        test,
                        lower,
                        upper,
                        step,
                        constant_step,
                    };
                    found.push(dim(LoopTest::Lt, a, b, step));
                    found.push(dim(LoopTest::Gt, b, a, -step));
                    // The value after the last one must be in the type, as in C.
                    if b + step <= high {
                        found.push(dim(LoopTest::Le, a, b, step));
                    }
                    if a - step >= low {
                        found.push(dim(LoopTest::Ge, b, a, -step));
                    }
                    if b >= a && (b - a) % step == 0 {
                        found.push(dim(LoopTest::Ne, a, b, step));
                    }
                }
            }
        }
    }
    found
}

/// Steps of more than half of the numbers of a type, and variables that go round its end to the bound.
fn long_ways() -> Vec<Dim> {
    let mut found = vec![];
    for width in [8, 16, 32, 64] {
        let round = 1i128 << width;
        let long = round / 2 + round / 8;
        for constant_step in [true, false] {
            let mut add = |test, lower: i128, upper: i128, step: i128| {
                found.push(Dim {
                    width,
                    unsigned: true,
                    test,
                    lower,
                    upper,
                    step,
                    constant_step,
                });
            };
            add(LoopTest::Lt, 0, long - 1, long);
            add(LoopTest::Lt, 3, 4, long);
            add(LoopTest::Lt, 4, 4, long);
            add(LoopTest::Le, 1, long, long);
            add(LoopTest::Gt, round - 1, round - long, -long);
            add(LoopTest::Ge, round - 2, round / 2, -long);
            for (lower, upper) in [
                (round - 6, 4),
                (round - 1, 0),
                (round / 2 + 1, round / 2 + 11),
                (7, 7),
            ] {
                for step in [1, 2, 5] {
                    if (upper - lower).rem_euclid(round) % step == 0 {
                        add(LoopTest::Ne, lower, upper, step);
                        add(LoopTest::Ne, upper, lower, -step);
                    }
                }
            }
        }
    }
    found
}

#[test]
fn the_long_way_round() {
    for dim in long_ways() {
        check(&[dim], GANG, [3, 1, 1]);
        check(&[dim], ALL, [2, 3, 2]);
        check(&[dim], SEQ, [1, 1, 1]);
    }
    let short = dimensions()[0];
    for dim in long_ways().into_iter().step_by(5) {
        check(&[dim, short], GANG, [3, 1, 1]);
        check(&[short, dim], ALL, [2, 3, 2]);
    }
}

#[test]
fn one_dimension_over_gangs() {
    for dim in dimensions() {
        check(&[dim], GANG, [3, 1, 1]);
    }
}

#[test]
fn one_dimension_over_all_levels() {
    for dim in dimensions().into_iter().step_by(7) {
        check(&[dim], ALL, [2, 3, 2]);
        check(&[dim], ALL, [1, 1, 1]);
    }
}

/// The step of a loop that does not run may be zero.
#[test]
fn zero_step_without_iterations() {
    for test in [LoopTest::Lt, LoopTest::Gt, LoopTest::Ne] {
        let dim = Dim {
            width: 32,
            unsigned: false,
            test,
            lower: 4,
            upper: 4,
            step: 0,
            constant_step: false,
        };
        check(&[dim], GANG, [2, 1, 1]);
        check(&[dim, dim], GANG, [2, 1, 1]);
        check(&[dim], SEQ, [1, 1, 1]);
    }
}

#[test]
fn sequential() {
    for dim in dimensions() {
        check(&[dim], SEQ, [1, 1, 1]);
    }
}

/// Tiles of 8 rows and 32 columns: a warp has one row of a tile, the next warp the row below it.
#[test]
fn collapsed_in_tiles() {
    let dim = |upper: i128| Dim {
        width: 32,
        unsigned: false,
        test: LoopTest::Lt,
        lower: 2,
        upper: upper + 2,
        step: 1,
        constant_step: true,
    };
    for (dims, sizes) in [
        (vec![dim(8), dim(64)], [2, 1, 64]),
        (vec![dim(8), dim(32)], [3, 1, 32]),
        (vec![dim(3), dim(16), dim(96)], [1, 2, 32]),
        (vec![dim(2), dim(3), dim(8), dim(32)], [5, 1, 32]),
    ] {
        let by_thread = visited(&dims, ALL, sizes, false, Target::NVIDIA);
        let (first, second) = (&by_thread[0][0], &by_thread[1][0]);
        let (row, column) = (dims.len() - 2, dims.len() - 1);
        assert_eq!(second[column], first[column] + 1, "{dims:?}");
        let below = &by_thread[32][0];
        assert_eq!((below[row], below[column]), (first[row] + 1, first[column]));
        let mut all = by_thread.concat();
        all.sort();
        assert_eq!(all, iterations(&dims), "{dims:?} over {sizes:?}");
    }
}

#[test]
fn collapsed() {
    let all = dimensions();
    for (index, dim) in all.iter().enumerate() {
        let (second, third) = (
            all[(index * 31 + 5) % all.len()],
            all[(index * 17 + 3) % all.len()],
        );
        check(&[*dim, second], GANG, [3, 1, 1]);
        if index % 5 == 0 {
            check(&[*dim, second, third], ALL, [4, 2, 1]);
            check(&[*dim, second, third], ALL, [5, 1, 7]);
            check(&[*dim, second], SEQ, [1, 1, 1]);
        }
    }
}

#[test]
fn levels_are_counted_in_order() {
    assert_eq!(
        [
            Level::Gang as usize,
            Level::Worker as usize,
            Level::Vector as usize
        ],
        [0, 1, 2]
    );
}

//! Pass `outline`: makes kernel functions of compute constructs.
//!
//! Steps, for each construct and each of its phases:
//! 1. a function with the parameters of each data operation and one per extent of a variable-length array that the region uses;
//! 2. local copies of what is passed by value: pointers, scalars, firstprivate objects (small ones as their members, `pieces.rs`);
//! 3. the operations of the region move into the function; addresses of host variables become the parameter, or the
//!    address of the local copy;
//! 4. a `reduction` clause of the construct moves to the start of the function.
//!
//! ```text
//! %d = acc.copyin var(%p) bounds(…)          builtin.func @accrue_k0_0(%p_arg: ptr f64, %n_arg: i32) {
//! %f = acc.firstprivate var(%n)                %p1 = core.alloca : ptr f64      core.store %p_arg, %p1
//! acc.parallel dataOperands(%d) … {     →      %n1 = core.alloca : i32          core.store %n_arg, %n1
//!   … core.load %p … core.load %n …            … core.load %p1 … core.load %n1 …
//! }                                            core.return }
//! ```
//!
//! The construct stays behind without its operations, for the pass `sites`.

mod locals;
use self::locals::{make_locals, substitute};
use accrue_dialects::core::{emit::Emitter, fold::constant_expression};
use accrue_dialects::{
    acc::{self, ClauseOp, ComputeOp, DataOp, Group, Loop, Reduction},
    core::{self, Alloca, Extent, Store},
    par::{
        CONSTRUCT, Kernel, LoopId,
        kernels::{
            APART, ASKED_LANES, KNOWN, KnownElement, KnownElements, Lanes, OPEN_SHAPE, PARAMETERS,
            Parameter, Parameters, Steps,
        },
        set_kernel,
    },
};
use accrue_hostcall::ClauseSize;
use accrue_ir::walk;
use pliron::{
    basic_block::BasicBlock,
    builtin::{
        attributes::BoolAttr,
        op_interfaces::{
            OneOpdInterface, OneRegionInterface, OneResultInterface, SingleBlockRegionInterface,
        },
        ops::{FuncOp, ModuleOp},
        types::FunctionType,
    },
    context::{Context, Ptr},
    identifier::Identifier,
    irbuild::inserter::OpInsertionPoint,
    op::{Op, op_cast, op_impls},
    operation::Operation,
    region::Region,
};

use std::collections::{BTreeMap, HashSet};

use crate::{
    arguments::{Argument, Passing, arguments},
    attributes::{
        EXTENTS, ExtentArgument, ExtentArguments, LOOP_SIZES, PHASE, ROUND_COUNT, ROUND_STEPS,
        ROUNDS, RoundSteps, RoundsId,
    },
    device_types::says_one_gang,
    known_values::{Known, KnownValues, known_values},
    loop_sizes,
    par_loops::{self, is_whole},
    pieces::split,
};
use accrue_opt::{
    State, Target,
    analysis::exact_trip::exact,
    analysis::variables::{Root, defined_inside, describe, is_pointer, is_vla, root_of},
};

/// Outlines all compute constructs.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let mut constructs = walk::nested_ops(ctx, module.get_operation());
    // Outlining erases what is inside, so only the constructs themselves may be looked at on the way.
    constructs.retain(|op| op_impls::<dyn ComputeOp>(&*Operation::get_op_dyn(*op, ctx)));
    let mut done = HashSet::new();
    let known = known_values(ctx, module);
    for op in constructs {
        let object = Operation::get_op_dyn(op, ctx);
        let Some(construct) = op_cast::<dyn ComputeOp>(&*object) else {
            continue;
        };
        // Kernels are named after their directive.
        if !done.insert(construct.directive(ctx).0) {
            let message = "two compute constructs belong to the same directive".to_string();
            state.error(ctx, op, message, "", "give each a number of its own");
            return;
        }
        outline(ctx, module, construct, &known, state);
    }
}

/// An extent that the region uses: of which variable, which dimension.
struct UsedExtent {
    root: Root,
    dim: u32,
    name: String,
}

fn outline(
    ctx: &mut Context,
    module: ModuleOp,
    construct: &dyn ComputeOp,
    known: &KnownValues,
    state: &mut State,
) {
    let operation = construct.get_operation();
    let region = operation.deref(ctx).get_region(0);
    let Some(block) = region.deref(ctx).get_entry_block() else {
        return;
    };
    let before = state.diagnostics.len();
    extents_of_locals(ctx, region, state);
    let arguments = arguments(ctx, construct);
    let extents = used_extents(ctx, region, &arguments);
    let reductions = take_reductions(ctx, construct);
    if state.diagnostics.len() > before {
        return;
    }
    for (phase, mine) in phases(ctx, block) {
        let Some(func) = new_kernel(ctx, module, construct, phase, &mine, &arguments, &extents)
        else {
            continue;
        };
        describe_kernel(ctx, construct, func, &arguments, state.target);
        let entry = func.get_entry_block(ctx);
        note_known(ctx, func, &arguments, known);
        let locals = make_locals(ctx, entry, operation, (&arguments, known), &extents);
        for reduction in &reductions {
            let start = OpInsertionPoint::AtBlockEnd(entry);
            par_loops::reduce(ctx, start, *reduction, LoopId(CONSTRUCT));
        }
        let rounds = mine.iter().find_map(|op| PHASE.get(ctx, *op));
        if let Some(id) = rounds.and_then(|phase| phase.rounds.checked_sub(1)) {
            ROUNDS.set(ctx, func.get_operation(), RoundsId(id));
        }
        for op in mine {
            op.unlink(ctx);
            op.insert_at_back(entry, ctx);
            PHASE.remove(ctx, op);
        }
        let mut e = Emitter::new(ctx, OpInsertionPoint::AtBlockEnd(entry), operation);
        let ret = core::Return::new(e.ctx, None);
        e.push(ret);
        substitute(ctx, entry, &arguments, &extents, &locals);
        note_rounds(ctx, func, state);
        for (argument, local) in arguments.iter().zip(&locals) {
            if let (Passing::Pieces, Some(local)) = (argument.passing, local) {
                split(ctx, *local, &argument.pieces);
            }
        }
        if let Some(op) = uses_host_value(ctx, &func) {
            state.error(
                ctx,
                op,
                "the region uses a value of the host's function that no clause passes to it"
                    .to_string(),
                "2.6",
                "name the variable in a data clause of the construct",
            );
            return;
        }
    }
    for reduction in reductions {
        Operation::erase(reduction.get_operation(), ctx);
    }
    let list = extents
        .into_iter()
        .map(|e| ExtentArgument {
            name: e.name,
            dim: e.dim,
        })
        .collect();
    EXTENTS.set(ctx, operation, ExtentArguments(list));
}

/// Notes how often a kernel is run, which it computes for this alone.
fn note_rounds(ctx: &mut Context, func: FuncOp, state: &mut State) {
    for op in walk::nested_ops(ctx, func.get_operation()) {
        let Some(store) = ROUND_COUNT
            .is_on(ctx, op)
            .then(|| Operation::get_op::<Store>(op, ctx))
            .flatten()
        else {
            continue;
        };
        match exact(ctx, func, store.get_operand_value(ctx)) {
            Some(steps) => {
                let steps = RoundSteps(Steps(steps));
                ROUND_STEPS.set(ctx, func.get_operation(), steps);
            }
            None => {
                let message = "the number of iterations is not known at the launch".to_string();
                let help = "write the loop around the construct, not in it";
                state.error(ctx, op, message, "2.5.3", help);
            }
        }
        let local = store.get_operand_address(ctx).defining_op();
        Operation::erase(op, ctx);
        if let Some(local) = local {
            Operation::erase(local, ctx);
        }
        return;
    }
}

/// The operations of each phase, which has at least one kernel. They are sorted out before any is moved: making a kernel
/// erases some.
fn phases(ctx: &Context, block: Ptr<BasicBlock>) -> BTreeMap<u32, Vec<Ptr<Operation>>> {
    let mut phases = BTreeMap::from([(0, vec![])]);
    for op in walk::ops_of_block(ctx, block) {
        if !Operation::is_op::<acc::Yield>(op, ctx) {
            let phase = PHASE.get(ctx, op).map_or(0, |phase| phase.number);
            phases.entry(phase).or_default().push(op);
        }
    }
    phases
}

/// An operation of the kernel that uses a value from outside of it.
fn uses_host_value(ctx: &Context, func: &FuncOp) -> Option<Ptr<Operation>> {
    let region = func.get_region(ctx);
    let outside = walk::used_from_above(ctx, region);
    let uses = |op: &Ptr<Operation>| {
        walk::operands_of(ctx, *op)
            .iter()
            .any(|v| outside.contains(v))
    };
    walk::nested_ops(ctx, func.get_operation())
        .into_iter()
        .find(uses)
}

/// The extent of an array that the region itself declares is the count it was made with.
fn extents_of_locals(ctx: &mut Context, region: Ptr<Region>, state: &mut State) {
    let mut ops = vec![];
    walk::nested_in_region(ctx, region, &mut ops);
    let extents: Vec<_> = ops
        .into_iter()
        .filter_map(|op| Operation::get_op::<Extent>(op, ctx))
        .collect();
    for extent in extents {
        let array = extent.get_operand(ctx);
        if !defined_inside(ctx, array, region)
            || matches!(root_of(ctx, array), Some(Root::Global(_)))
        {
            continue;
        }
        let alloca = array
            .defining_op()
            .and_then(|op| Operation::get_op::<Alloca>(op, ctx));
        let one_dimension = describe(ctx, array).shape.dims.len() == 1;
        match alloca.and_then(|a| a.count(ctx)).filter(|_| one_dimension) {
            Some(count) => {
                extent.get_result(ctx).replace_all_uses_with(ctx, &count);
                Operation::erase(extent.get_operation(), ctx);
            }
            None => state.error(
                ctx,
                extent.get_operation(),
                "a variable-length array of several dimensions inside a region is not supported"
                    .to_string(),
                "",
                "declare it before the construct and make it private",
            ),
        }
    }
}

/// The extents of host variables that the kernels need: those that the region asks for, and those of private copies.
fn used_extents(ctx: &Context, region: Ptr<Region>, arguments: &[Argument]) -> Vec<UsedExtent> {
    let mut found: Vec<UsedExtent> = vec![];
    let mut add = |root: Root, dim: u32, name: String| {
        if !found.iter().any(|e| e.root == root && e.dim == dim) {
            found.push(UsedExtent { root, dim, name });
        }
    };
    let mut ops = vec![];
    walk::nested_in_region(ctx, region, &mut ops);
    for extent in ops
        .into_iter()
        .filter_map(|op| Operation::get_op::<Extent>(op, ctx))
    {
        let variable = extent.get_operand(ctx);
        if let Some(root) = root_of(ctx, variable) {
            add(root, extent.dim(ctx), describe(ctx, variable).name);
        }
    }
    for argument in arguments
        .iter()
        .filter(|a| a.passing == Passing::PrivateCopy && is_vla(&a.info.shape))
    {
        if let Some(root) = &argument.root {
            for (dim, kind) in argument.info.shape.dims.iter().enumerate() {
                if *kind == core::ShapeDim::Variable {
                    add(root.clone(), dim as u32, describe(ctx, argument.var).name);
                }
            }
        }
    }
    found
}

/// Takes the construct's reductions away from it. Bounds that say the whole array are dropped, as are those of what a
/// pointer leads to, which has no LOCAL.
fn take_reductions(ctx: &mut Context, construct: &dyn ComputeOp) -> Vec<Reduction> {
    let values = acc::take(construct, ctx, Group::Reduction);
    let ops = values.into_iter().filter_map(|v| v.defining_op());
    let reductions: Vec<_> = ops
        .filter_map(|op| Operation::get_op::<Reduction>(op, ctx))
        .collect();
    for reduction in &reductions {
        if is_pointer(&reduction.info(ctx).shape) || is_whole(ctx, *reduction) {
            acc::take(reduction, ctx, Group::Bounds);
        }
    }
    reductions
}

/// The empty kernel function of a phase. `None` when a name cannot be made, which valid numbers never cause.
fn new_kernel(
    ctx: &mut Context,
    module: ModuleOp,
    construct: &dyn ComputeOp,
    phase: u32,
    ops: &[Ptr<Operation>],
    arguments: &[Argument],
    extents: &[UsedExtent],
) -> Option<FuncOp> {
    let directive = construct.directive(ctx).0;
    let mut types: Vec<_> = arguments
        .iter()
        .flat_map(|a| a.parameter_types(ctx))
        .collect();
    types.extend(extents.iter().map(|_| core::int(ctx, 64)));
    let name = format!("accrue_k{directive}_{phase}");
    let name = core::symbol_in_unit(ctx, module.get_operation(), &name);
    let name = Identifier::try_from(name).ok()?;
    let ty = FunctionType::get(ctx, types, vec![]);
    let func = FuncOp::new(ctx, name, ty);
    let loops = ops.iter().flat_map(|op| {
        let own = Operation::get_op::<Loop>(*op, ctx);
        own.into_iter().chain(walk::nested::<Loop>(ctx, *op))
    });
    let gang_loop = loops.filter_map(|l| l.levels(ctx)).any(|l| l.gang);
    let sizes = loop_sizes::of_operations(ctx, ops);
    let kernels = Operation::is_op::<acc::Kernels>(construct.get_operation(), ctx);
    set_kernel(
        ctx,
        &func,
        Kernel {
            site: directive,
            phase,
            gang_loop,
            single_gang: has_single_gang(ctx, construct, gang_loop)
                || kernels && sizes.says_one_gang(),
        },
    );
    let operation = func.get_operation();
    if !sizes.0.is_empty() {
        LOOP_SIZES.set(ctx, operation, sizes);
    }
    let first = ops
        .iter()
        .copied()
        .find(|op| Operation::get_op::<Loop>(*op, ctx).is_some());
    let position = match phase {
        0 => construct.get_operation(),
        _ => first
            .or(ops.first().copied())
            .unwrap_or(construct.get_operation()),
    };
    let loc = position.deref(ctx).loc().clone();
    operation.deref_mut(ctx).set_loc(loc);
    module.append_operation(ctx, operation, 0);
    let parameters: Vec<_> = func.get_entry_block(ctx).deref(ctx).arguments().collect();
    let names = arguments
        .iter()
        .flat_map(|a| a.parameter_names(&describe(ctx, a.var).name));
    let names: Vec<_> = names
        .chain(
            extents
                .iter()
                .map(|e| format!("{}_extent{}", e.name, e.dim)),
        )
        .collect();
    for (parameter, name) in parameters.into_iter().zip(names) {
        parameter.set_name(ctx, Identifier::try_from(name).ok());
    }
    Some(func)
}

/// Notes on the kernel what the passes behind this one need of its construct.
fn describe_kernel(
    ctx: &Context,
    construct: &dyn ComputeOp,
    func: FuncOp,
    arguments: &[Argument],
    target: Target,
) {
    let parameters = arguments.iter().flat_map(|argument| {
        let length = constant_length(ctx, argument);
        let names = argument.parameter_names(&argument.info.name).into_iter();
        let variable = match argument.passing {
            Passing::Reference | Passing::PrivateCopy => argument.member.is_none(),
            Passing::PointerValue | Passing::Value | Passing::Pieces | Passing::Unused => false,
        };
        names.map(move |name| Parameter {
            name,
            length,
            variable,
        })
    });
    let parameters = Parameters(parameters.collect());
    PARAMETERS.set(ctx, func.get_operation(), parameters);
    let of_loops = LOOP_SIZES
        .get(ctx, func.get_operation())
        .unwrap_or_default();
    let [_, workers, lanes] = of_loops.with_construct(ctx, construct, target);
    if (workers, lanes) == (ClauseSize::Absent, ClauseSize::Absent) {
        OPEN_SHAPE.set(ctx, func.get_operation(), BoolAttr::new(true));
    }
    if let ClauseSize::Constant(lanes) = lanes
        && let Ok(lanes) = u32::try_from(lanes)
    {
        ASKED_LANES.set(ctx, func.get_operation(), Lanes(lanes));
    }
    if crate::attributes::APART.is_on(ctx, construct.get_operation()) {
        APART.set(ctx, func.get_operation(), BoolAttr::new(true));
    }
}

/// Notes what is known of the memory behind the kernel's parameters.
fn note_known(ctx: &Context, func: FuncOp, arguments: &[Argument], known: &KnownValues) {
    let (mut elements, mut parameter) = (vec![], 0);
    for argument in arguments {
        let values = known.get(&argument.var);
        if let (Passing::Reference, Some(values)) = (argument.passing, values) {
            elements.extend(values.iter().map(|(number, value)| KnownElement {
                parameter,
                number: *number,
                value: match value {
                    Known::Int(number) => number.to_string(),
                    Known::Float(text) => text.clone(),
                },
            }));
        }
        parameter += argument.parameter_count() as u64;
    }
    if !elements.is_empty() {
        KNOWN.set(ctx, func.get_operation(), KnownElements(elements));
    }
}

/// Whether a kernel of the construct has one gang in every launch: `serial` does (2.5.2), so does what says `num_gangs(1)`, and
/// without `num_gangs` a kernel whose loops are not spread over gangs; in `kernels` constructs also with it.
fn has_single_gang(ctx: &Context, construct: &dyn ComputeOp, gang_loop: bool) -> bool {
    let operation = construct.get_operation();
    if Operation::get_op::<acc::Serial>(operation, ctx).is_some() {
        return true;
    }
    if says_one_gang(ctx, construct, Group::NumGangs) {
        return true;
    }
    let sizes = construct.clause(ctx, Group::NumGangs);
    let parallel = Operation::get_op::<acc::Parallel>(operation, ctx).is_some();
    !gang_loop && (sizes.is_empty() || !parallel)
}

/// The number of elements in a section `p[0:N]` with constant `N`, or of rows in `p[0:N][…]…`; 0 for other arguments.
fn constant_length(ctx: &Context, argument: &Argument) -> u64 {
    let object = Operation::get_op_dyn(argument.entry, ctx);
    let bounds = op_cast::<dyn acc::DataOp>(&*object).map(|data| data.bounds(ctx));
    let (Passing::PointerValue, Some([section, ..])) = (argument.passing, bounds.as_deref()) else {
        return 0;
    };
    let number = |clause| match section.clause(ctx, clause).first() {
        Some(value) => constant_expression(ctx, *value).and_then(|n| u64::try_from(n).ok()),
        None => None,
    };
    let from_start =
        section.clause(ctx, Group::LowerBound).is_empty() || number(Group::LowerBound) == Some(0);
    number(Group::Extent).filter(|_| from_start).unwrap_or(0)
}

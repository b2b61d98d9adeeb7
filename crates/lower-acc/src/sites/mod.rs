//! Pass `sites`: one [`Site`] per directive that calls the runtime, which says what the runtime does with each variable and
//! where in the source its words come from.

mod variables;
use self::variables::{extent, member, variable};
use accrue_abi::launch::MOST_COSTLY_GANGS;
use accrue_abi::launch::{WARP, WIDE_VECTOR};
use accrue_dialects::{
    View,
    acc::{
        ComputeOp, Data, DataClause, DeclareEnter, DefaultClause, DirectiveOp, EnterData, ExitData,
        GlobalCtor, Group, HostData, Init, Kernels, ORIGIN, Origin, Parallel, RegionOp, Serial,
        Set, Shutdown, Update, Wait, as_data_info, name_in_program,
    },
    core::Call,
    core::layout::records,
    par::{
        Kernel, RedSetup, gang_dims, kernel_of,
        kernels::{APART, VERSION, VersionKind, is_kernel_itself},
    },
    source::{PLACE, Role},
};
use accrue_hostcall::{
    self as hostcall, Action, ClauseSize, EachGang, GridVersion, InnerLoops, Rounds, Site,
    SiteKind, SiteVar,
};
use accrue_ir::{attributes::optional, walk};
use pliron::{
    builtin::{
        op_interfaces::SymbolOpInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
};
use std::collections::{HashMap, HashSet};

use crate::{
    arguments::{Argument, arguments},
    attributes::{
        EXTENTS, FOLLOWED, GLOBALS, LOOP_SIZES, ROUND_STEPS, ROUNDS, RoundSteps, RoundsId, STRETCH,
        StretchPart,
    },
    call::{call, sizes_of_kernel},
    host_data,
    implicit_data::{Declares, may_be_enclosed},
    loop_sizes::LoopSizes,
    pointer_limits::{is_only_a_value, limited},
    result_cells::is_result,
};
use accrue_opt::{
    State,
    analysis::{
        gang_trip::{self, fewest_inside},
        pointers_in_memory::pointers_in_memory,
        read_only::{Functions, functions},
        variables::is_open_array,
    },
    diagnostic::position,
};

/// The pass that makes versions of kernels, in remarks.
const GRID: &str = "grid-versions";
const EACH: &str = "each-gang";

/// Makes the sites of all directives, in the order of their numbers.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    host_data::check(ctx, module, state);
    let records = records(ctx, module);
    let ops = walk::nested_ops(ctx, module.get_operation());
    let data_operations = data_operations_of_module(ctx, &ops);
    let kernels = kernels_of_module(ctx, &ops);
    let defined = functions(ctx, module.get_operation());
    let versions = Versions::of_module(ctx, &ops);
    let declares = Declares::of_module(ctx, module);
    for op in &ops {
        if let (Some(part), Some(place)) = (STRETCH.get(ctx, *op), PLACE.get(ctx, *op)) {
            let places = match part {
                StretchPart::Loop => &mut state.stretches.loops,
                StretchPart::Observer => &mut state.stretches.observers,
            };
            if !places.contains(&place.0) {
                places.push(place.0);
            }
        }
        let object = Operation::get_op_dyn(*op, ctx);
        let Some(directive) = op_cast::<dyn DirectiveOp>(&*object) else {
            continue;
        };
        let Some(kind) = kind(ctx, *op) else {
            continue;
        };
        let data = data_operations_of(ctx, *op, directive, kind, &data_operations);
        if is_declare(kind) && data.is_empty() {
            continue;
        }
        let id = directive.directive(ctx);
        let (line, column) = position(ctx, *op);
        let region = op_cast::<dyn RegionOp>(&*object);
        let default_present =
            region.and_then(|r| r.default_clause(ctx)) == Some(DefaultClause::Present);
        let mut site = Site {
            directive: id.0,
            kind,
            function: walk::enclosing::<FuncOp>(ctx, *op)
                .map_or_else(String::new, |f| name_in_program(ctx, &f)),
            line,
            column,
            finalize: Operation::get_op::<ExitData>(*op, ctx).is_some_and(|e| e.finalize(ctx)),
            if_present: Operation::get_op::<Update>(*op, ctx).is_some_and(|u| u.if_present(ctx))
                || Operation::get_op::<HostData>(*op, ctx).is_some_and(|h| h.if_present(ctx)),
            default_present,
            openmp: directive.is_openmp(ctx),
            call: call(ctx, directive, state),
            vars: vec![],
            kernels: vec![],
            rounds: vec![],
        };
        let entries = match op_cast::<dyn ComputeOp>(&*object) {
            Some(construct) => {
                let arguments = arguments(ctx, construct).into_iter();
                arguments.map(|a| (a.entry, Some(a))).collect()
            }
            None => data
                .into_iter()
                .map(|entry| (entry, None))
                .collect::<Vec<_>>(),
        };
        let pointers = match site.openmp {
            true => variables::mapped_pointers(ctx, entries.iter().map(|(entry, _)| *entry)),
            false => vec![],
        };
        for (entry, argument) in entries {
            match variable(ctx, &records, entry, site.openmp) {
                Some(mut var) => {
                    var.flags.attach |= variables::leads_from(ctx, entry, &pointers);
                    let pieces = argument.as_ref().map_or(&[][..], |a| &a.pieces);
                    var.flags.part |= argument
                        .as_ref()
                        .is_some_and(|argument| part_suffices(ctx, *op, argument, &declares));
                    match pieces {
                        [] => site.vars.push(var),
                        pieces => {
                            let followed = FOLLOWED.get(ctx, entry).unwrap_or_default();
                            let members = pieces.iter();
                            let members = members.map(|piece| member(&var, piece, &followed));
                            site.vars.extend(members);
                        }
                    }
                }
                None => {
                    let name = as_data_info(ctx, entry).map_or_else(String::new, |i| i.name);
                    let message = format!("the size of `{name}` is not known");
                    state.error(
                        ctx,
                        entry,
                        message,
                        "2.7",
                        "its type must be complete at the directive",
                    );
                }
            }
        }
        let extents = EXTENTS.get(ctx, *op).unwrap_or_default();
        site.vars.extend(
            extents
                .0
                .into_iter()
                .map(|e| extent(e.name, e.dim, line, column)),
        );
        let globals = GLOBALS.get(ctx, *op).unwrap_or_default().0.into_iter();
        site.vars
            .extend(globals.map(|global| variables::global(global, line, column)));
        let functions = kernels.get(&id.0).cloned().unwrap_or_default();
        for (index, var) in site.vars.iter_mut().enumerate() {
            var.flags.result = is_result(ctx, &functions, index, var);
            var.limited = limited(ctx, &functions, index, var);
            var.flags.limit = var.limited.is_some();
            var.flags.value = is_only_a_value(ctx, &functions, index, var);
        }
        let kernels = Operation::get_op::<Kernels>(*op, ctx).is_some();
        site.rounds = rounds(ctx, &functions, &site.vars);
        site.kernels = functions
            .iter()
            .map(|(of, function)| kernel(ctx, of, *function, kernels, &defined))
            .collect();
        if let Some(construct) = op_cast::<dyn ComputeOp>(&*object) {
            let of_loops = functions.iter().map(|(_, function)| {
                let sizes = LOOP_SIZES.get(ctx, function.get_operation());
                sizes.unwrap_or_default()
            });
            let of_loops: Vec<LoopSizes> = of_loops.collect();
            if of_loops.iter().any(|sizes| !sizes.0.is_empty()) {
                site.call.sizes = of_loops.iter().map(sizes_of_kernel).collect();
            }
            let kernels = site.kernels.iter_mut().zip(&functions);
            for ((kernel, (_, function)), own) in kernels.zip(&of_loops) {
                let sizes = own.with_construct(ctx, construct, state.target);
                [kernel.num_gangs, kernel.num_workers, kernel.vector_length] = sizes;
                let asked = kernel.num_gangs != ClauseSize::Absent;
                kernel.trip = gang_trip::of(ctx, *function, &site.vars);
                kernel.inner = versions.inner(ctx, *function, &site.vars);
                let [grid, nest] = [false, true].map(|nest| {
                    let grid = versions.grid(ctx, *function, kernel, (&site.vars, nest));
                    grid.filter(|_| !asked)
                });
                (kernel.grid, kernel.nest) = (grid, nest);
                // A grid that covers the nest has as many threads without wide gangs.
                let each = versions.each(ctx, *function, &site.vars);
                let few = |each: &EachGang| each.gangs.is_some() || each.lanes == WIDE_VECTOR;
                let each = each.filter(|each| !few(each) || kernel.grid.is_none());
                kernel.each = each.filter(|_| !asked && kernel.trip.is_some());
            }
        }
        state.sites.push(site);
    }
    drop_versions(ctx, module, state);
    state.sites.sort_by_key(|s| s.directive);
}

/// The kernels of a construct that its launches run several times.
fn rounds(ctx: &Context, kernels: &[(Kernel, FuncOp)], vars: &[SiteVar]) -> Vec<Rounds> {
    let mut found: Vec<(RoundsId, Rounds)> = vec![];
    let Some(var) = vars.iter().position(SiteVar::is_round) else {
        return vec![];
    };
    for (index, (_, function)) in kernels.iter().enumerate() {
        let operation = function.get_operation();
        let Some(id) = ROUNDS.get(ctx, operation) else {
            continue;
        };
        if found.last().is_none_or(|(last, _)| *last != id) {
            let rounds = Rounds {
                first: index,
                kernels: 0,
                var,
                count: vec![],
            };
            found.push((id, rounds));
        }
        if let Some((_, rounds)) = found.last_mut() {
            rounds.kernels += 1;
            if let Some(RoundSteps(steps)) = ROUND_STEPS.get(ctx, operation) {
                rounds.count = gang_trip::with_words(&steps, vars);
            }
        }
    }
    found.into_iter().map(|(_, rounds)| rounds).collect()
}

/// Whether the variable is one that a `data` construct around the compute construct `op` has mapped or not, perhaps a part of it.
fn part_suffices(
    ctx: &Context,
    op: Ptr<Operation>,
    argument: &Argument,
    declares: &Declares,
) -> bool {
    argument.info.implicit
        && argument.action == Action::Copy
        && match &argument.root {
            Some(root) => may_be_enclosed(ctx, op, root, argument.var, declares),
            None => true,
        }
}

/// The other versions of kernels, by the kernel's name.
struct Versions(HashMap<String, Vec<(VersionKind, FuncOp)>>);

impl Versions {
    fn of_module(ctx: &Context, ops: &[Ptr<Operation>]) -> Versions {
        let mut found: HashMap<String, Vec<_>> = HashMap::new();
        for op in ops {
            if let Some(function) = Operation::get_op::<FuncOp>(*op, ctx)
                && let Some(version) = VERSION.get(ctx, *op)
            {
                let versions = found.entry(version.kernel).or_default();
                versions.push((version.kind, function));
            }
        }
        Versions(found)
    }

    /// Those of the kernel `function`.
    fn of(&self, ctx: &Context, function: FuncOp) -> &[(VersionKind, FuncOp)] {
        let name = function.get_symbol_name(ctx).to_string();
        self.0.get(&name).map_or(&[], Vec::as_slice)
    }

    /// The version for a grid that covers the kernel's loop, if the clauses leave the shape of blocks to it.
    fn grid(
        &self,
        ctx: &Context,
        function: FuncOp,
        kernel: &hostcall::Kernel,
        (vars, nest): (&[SiteVar], bool),
    ) -> Option<GridVersion> {
        let mut versions = self.of(ctx, function).iter();
        let (version, by_workers) = versions.find_map(|(kind, version)| match kind {
            VersionKind::Grid { workers, .. } if !nest => Some((*version, *workers)),
            VersionKind::Nest if nest => Some((*version, false)),
            VersionKind::Grid { .. }
            | VersionKind::Nest
            | VersionKind::EachGang { .. }
            | VersionKind::SplitGangs { .. }
            | VersionKind::ShortRows
            | VersionKind::LongRows => None,
        })?;
        let workers = by_workers && kernel.num_workers != ClauseSize::Absent;
        let lanes = match kernel.vector_length {
            ClauseSize::Absent => true,
            ClauseSize::Constant(lanes) => lanes >= 32,
            ClauseSize::Runtime => false,
        };
        let fits = lanes && !workers && kernel.trip.is_some();
        gang_trip::covered(ctx, function, version, vars).filter(|_| fits)
    }

    /// The version with a gang for each iteration, if it is known at the launch how many there are, and how many the loops inside have.
    fn each(&self, ctx: &Context, function: FuncOp, vars: &[SiteVar]) -> Option<EachGang> {
        let mut versions = self.of(ctx, function).iter();
        versions.find_map(|(kind, version)| match kind {
            VersionKind::EachGang { least, most, lanes } => {
                gang_trip::each(ctx, *version, (*least, *most), *lanes, vars)
            }
            VersionKind::SplitGangs { most, lanes } => {
                gang_trip::split(ctx, [function, *version], *most, *lanes, vars)
            }
            VersionKind::Grid { .. }
            | VersionKind::Nest
            | VersionKind::ShortRows
            | VersionKind::LongRows => None,
        })
    }

    /// The versions for short and for long inner loops.
    fn inner(&self, ctx: &Context, function: FuncOp, vars: &[SiteVar]) -> Option<InnerLoops> {
        let named = |wanted| {
            let mut versions = self.of(ctx, function).iter();
            let (_, version) = versions.find(|(kind, _)| *kind == wanted)?;
            Some(version.get_symbol_name(ctx).to_string())
        };
        Some(InnerLoops {
            short: named(VersionKind::ShortRows)?,
            long: named(VersionKind::LongRows)?,
            program: gang_trip::of_inner(ctx, function, vars)?,
        })
    }
}

/// Remarks the versions of kernels, and drops those that no site has.
fn drop_versions(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let kernels = state.sites.iter().flat_map(|site| &site.kernels);
    let kept: HashMap<String, GridVersion> = kernels
        .clone()
        .filter_map(|k| Some((k.function.clone(), k.grid.clone()?)))
        .collect();
    let nests: HashMap<String, GridVersion> = kernels
        .clone()
        .filter_map(|k| Some((k.function.clone(), k.nest.clone()?)))
        .collect();
    let each: HashMap<String, EachGang> = kernels
        .filter_map(|k| Some((k.function.clone(), k.each.clone()?)))
        .collect();
    let functions = walk::directly_in::<FuncOp>(ctx, module.get_operation());
    let is_boxed = |function: &&FuncOp| {
        let version = VERSION.get(ctx, function.get_operation());
        version.is_some_and(|version| match version.kind {
            VersionKind::Grid { boxed, .. } => boxed,
            VersionKind::Nest
            | VersionKind::EachGang { .. }
            | VersionKind::SplitGangs { .. }
            | VersionKind::ShortRows
            | VersionKind::LongRows => false,
        })
    };
    let names = |functions: &mut dyn Iterator<Item = &FuncOp>| {
        let names = functions.map(|function| function.get_symbol_name(ctx).to_string());
        names.collect::<HashSet<String>>()
    };
    let boxed = names(&mut functions.iter().filter(is_boxed));
    let is_apart = |function: &&FuncOp| APART.is_on(ctx, function.get_operation());
    let apart = names(&mut functions.iter().filter(is_apart));
    for function in functions {
        let op = function.get_operation();
        let name = function.get_symbol_name(ctx).to_string();
        if let Some(each) = each.get(&name) {
            let few = |what: &str| {
                format!(
                    "a version of the kernel {what} runs in launches of up to {} iterations if these have {} at least",
                    each.most,
                    fewest_inside(each.lanes)
                )
            };
            let message = match each.lanes {
                _ if each.gangs.is_some() => format!(
                    "a version of the kernel with several gangs for each iteration runs in launches of up to {} iterations, unless the loops \
                     inside are known to be short",
                    each.most
                ),
                ..=WARP => format!(
                    "a version of the kernel with gangs of one warp runs in launches of {} iterations and more: its loops over \
                     lanes are short",
                    each.least
                ),
                WIDE_VECTOR.. => few(&format!("with gangs of {} lanes", each.lanes)),
                _ => few("with a gang for each iteration, whose lanes have the loops inside,"),
            };
            state.remark(ctx, op, EACH, message);
        }
        if nests.contains_key(&name) {
            let message = "its loop is a nest, whose places it finds by divisions: a version of the kernel whose grid has as many dimensions \
                 runs where these are known at the launch, and leave few lanes idle";
            state.remark(ctx, op, GRID, message.to_string());
        }
        if let Some(grid) = kept.get(&name) {
            let shape = match grid.rows {
                Some(_) => " and the innermost loops fill blocks of up to 32 columns and some rows",
                None => "",
            };
            let around = match boxed.contains(&grid.function) {
                true => " of a box around the loops, whose bounds depend on each other,",
                false => ",",
            };
            let few = match walk::nested::<RedSetup>(ctx, op).is_empty() {
                true => String::new(),
                false => format!(
                    ", in up to {MOST_COSTLY_GANGS} gangs, each of which leaves a partial result"
                ),
            };
            let apart = match apart.contains(&grid.function) {
                true => ", and the memory behind the arguments does not overlap",
                false => "",
            };
            let message = format!(
                "a version of the kernel without strides and divisions, with a thread for each iteration{around} runs where \
                 their number is known at the launch{shape}{few}{apart}"
            );
            state.remark(ctx, op, GRID, message);
        }
        if let Some(version) = VERSION.get(ctx, op) {
            let is_kept = match version.kind {
                VersionKind::Grid { .. } => kept.values().any(|version| version.function == name),
                VersionKind::Nest => nests.values().any(|version| version.function == name),
                VersionKind::EachGang { .. } | VersionKind::SplitGangs { .. } => {
                    each.values().any(|each| each.function == name)
                }
                VersionKind::ShortRows | VersionKind::LongRows => true,
            };
            if !is_kept {
                Operation::erase(op, ctx);
            }
        }
    }
}

fn kind(ctx: &Context, op: Ptr<Operation>) -> Option<SiteKind> {
    macro_rules! kinds {
        ($($ty:ident => $kind:ident),*) => {
            $(if Operation::get_op::<$ty>(op, ctx).is_some() { return Some(SiteKind::$kind); })*
        };
    }
    kinds!(
        Parallel => Parallel, Serial => Serial, Kernels => Kernels, Data => Data, HostData => HostData,
        EnterData => EnterData, ExitData => ExitData, Update => Update, Wait => Wait, Init => Init,
        Shutdown => Shutdown, Set => Set
    );
    let enter = Operation::get_op::<DeclareEnter>(op, ctx)?;
    Some(
        match walk::enclosing::<GlobalCtor>(ctx, enter.get_operation()) {
            Some(_) => SiteKind::DeclareGlobal,
            None => SiteKind::Declare,
        },
    )
}

fn is_declare(kind: SiteKind) -> bool {
    kind == SiteKind::Declare || kind == SiteKind::DeclareGlobal
}

/// The data operations of each directive by its number, in the order of the source.
fn data_operations_of_module(
    ctx: &Context,
    ops: &[Ptr<Operation>],
) -> HashMap<u32, Vec<Ptr<Operation>>> {
    let mut origins: HashMap<u32, Vec<(Origin, Ptr<Operation>)>> = HashMap::new();
    for op in ops {
        if let Some(origin) = optional::<Origin>(ctx, *op, &ORIGIN) {
            origins
                .entry(origin.directive)
                .or_default()
                .push((origin, *op));
        }
    }
    let in_order = |mut found: Vec<(Origin, Ptr<Operation>)>| {
        found.sort_by_key(|(origin, _)| (origin.clause, origin.item));
        found.into_iter().map(|(_, op)| op).collect()
    };
    let sorted = origins.into_iter();
    sorted.map(|(id, found)| (id, in_order(found))).collect()
}

/// The data operations of a directive that is no compute construct: its operands', or, where exit operations count, those
/// with its number.
fn data_operations_of(
    ctx: &Context,
    op: Ptr<Operation>,
    directive: &dyn DirectiveOp,
    kind: SiteKind,
    by_number: &HashMap<u32, Vec<Ptr<Operation>>>,
) -> Vec<Ptr<Operation>> {
    let entries = directive.clause(ctx, Group::Data).into_iter();
    let entries = entries.filter_map(|v| v.defining_op());
    if is_declare(kind) {
        return entries.filter(|op| has_effect(ctx, *op, kind)).collect();
    }
    if View::role(ctx, op) == Some(Role::Region) {
        return entries.collect();
    }
    let number = directive.directive(ctx).0;
    by_number.get(&number).cloned().unwrap_or_default()
}

/// Whether a clause of a `declare` directive maps anything: what `link` names is mapped by other directives, a pointer of the
/// program that is a device's address needs nothing when the program is loaded, and an array without a length is declared by the
/// unit that knows it.
fn has_effect(ctx: &Context, entry: Ptr<Operation>, kind: SiteKind) -> bool {
    let Some(info) = as_data_info(ctx, entry) else {
        return false;
    };
    let of_program = kind == SiteKind::DeclareGlobal;
    match info.clause {
        DataClause::Link => false,
        DataClause::Deviceptr => !of_program,
        DataClause::Copy
        | DataClause::Copyin
        | DataClause::Copyout
        | DataClause::Create
        | DataClause::DeviceResident
        | DataClause::Present => !(of_program && is_open_array(&info.shape)),
        DataClause::NoCreate
        | DataClause::Attach
        | DataClause::Detach
        | DataClause::Delete
        | DataClause::UseDevice
        | DataClause::UpdateSelf
        | DataClause::UpdateDevice
        | DataClause::Private
        | DataClause::Firstprivate
        | DataClause::Reduction
        | DataClause::Pointer => true,
    }
}

/// The kernel functions of each directive by its number, in order.
fn kernels_of_module(ctx: &Context, ops: &[Ptr<Operation>]) -> HashMap<u32, Vec<(Kernel, FuncOp)>> {
    let mut found: HashMap<u32, Vec<(Kernel, FuncOp)>> = HashMap::new();
    for func in ops
        .iter()
        .filter_map(|op| Operation::get_op::<FuncOp>(*op, ctx))
    {
        if let Some(kernel) = kernel_of(ctx, &func).filter(|_| is_kernel_itself(ctx, func)) {
            found.entry(kernel.site).or_default().push((kernel, func));
        }
    }
    for kernels in found.values_mut() {
        kernels.sort_by_key(|(kernel, _)| kernel.phase);
    }
    found
}

/// The gang dimensions that loops of a kernel, and of what it calls, are spread over one by one.
fn all_gang_dims(ctx: &Context, kernel: FuncOp, defined: &Functions) -> [bool; 3] {
    let mut all = gang_dims(ctx, &kernel);
    let mut seen: HashSet<String> = HashSet::new();
    let mut pending = vec![kernel];
    while let Some(func) = pending.pop() {
        for call in walk::nested::<Call>(ctx, func.get_operation()) {
            let name = call.callee(ctx);
            let Some(callee) = defined.get(&name).filter(|_| !seen.contains(&name)) else {
                continue;
            };
            for (all, own) in all.iter_mut().zip(gang_dims(ctx, callee)) {
                *all |= own;
            }
            seen.insert(name);
            pending.push(*callee);
        }
    }
    all
}

/// `kernels`: of a `kernels` construct, whose `num_gangs` is only for the phases with gang loops. Of other constructs the launch
/// has one gang where the kernel relies on it.
fn kernel(
    ctx: &Context,
    kernel: &Kernel,
    func: FuncOp,
    kernels: bool,
    defined: &Functions,
) -> hostcall::Kernel {
    hostcall::Kernel {
        function: func.get_symbol_name(ctx).to_string(),
        line: position(ctx, func.get_operation()).0,
        gang_loop: kernel.gang_loop,
        single_gang: kernel.single_gang && kernels,
        gang_dims: all_gang_dims(ctx, func, defined),
        uneven: gang_trip::is_uneven(ctx, func),
        pointers: pointers_in_memory(ctx, func, defined),
        num_gangs: ClauseSize::Absent,
        num_workers: ClauseSize::Absent,
        vector_length: ClauseSize::Absent,
        trip: None,
        inner: None,
        each: None,
        grid: None,
        nest: None,
        forms: vec![],
    }
}

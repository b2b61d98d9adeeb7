//! From the par level to groups of threads, as GPUs and OpenCL devices have them: dialect [`simt`](dialect). No vendor.
//!
//! All threads of a group (a gang) run all of a kernel ("uniform SIMT"; seed: OpenMP on GPUs in GCC, section 5). Where a level is not
//! partitioned its threads do the same with the same values in their registers, and only one of them has effects; so
//! nothing has to be copied when a partitioned region starts. For each function, in this order (what is marked * only for
//! functions that several threads run together):
//!
//! | step | what it does |
//! | --- | --- |
//! | [`one_lane`] | worker and vector loops of targets whose gangs are one thread |
//! | [`constant_arrays`] | arrays whose length turns out to be constant |
//! | [`target::Library`] | calls of library functions as the target takes them ([`printf`]) |
//! | [`lone_thread`]* | kernels whose threads would all do the same are left to one of them |
//! | [`storage`] | registers and memory for variables |
//! | [`plain_atomics`] | atomic accesses to a thread's own variables are plain |
//! | [`reduce`] | reduction builtins become shuffles where the target has them, slots in shared memory, records in scratch memory |
//! | [`spread_copies`]* | large copies in single modes are shared by the threads |
//! | [`first_worker`]* | vector loops outside of worker loops are run by the first worker |
//! | [`single`]* | notes which effects are in single modes, for the simulator |
//! | [`silence`]* | effects in single modes are the leader's |
//! | [`barriers`]* | barriers where one thread needs what another one stored |
//! | [`thread_tables`] | small arrays that threads look up by numbers of their own move into shared memory |
//! | [`dims`] | positions and sizes become quantities that the device knows |
//! | [`fold`] | constants that this leaves behind |
//!
//! ```text
//! y[0] = 1;                              core.if %leader () then { core.store 1, %y }
//! #pragma acc loop vector          →     simt.barrier Group
//! for (…) a[i] = y[0];                   core.for … { core.store (core.load %y), … }
//! ```

pub mod analysis;
mod at;
mod barriers;
mod calls;
mod constant_arrays;
mod dims;
pub mod expanded;
mod first_worker;
mod limits;
mod liveness;
mod lone_thread;
mod modes;
mod one_lane;
mod pending;
mod plain_atomics;
pub mod printf;
mod recursion;
pub mod reduce;
mod roots;
mod silence;
mod single;
mod spread_copies;
pub mod storage;
pub mod target;
mod thread_tables;
mod unit;

pub use accrue_dialects::core::layout;
pub use accrue_dialects::simt as dialect;
pub use accrue_ir::diagnostic;
pub use expanded::Skipped;
pub use reduce::{
    policy::{Algorithm, Policy},
    report::Chosen,
};
pub use target::Target;

use crate::{
    diagnostic::{Diagnostic, Result},
    expanded::{Expanded, ExpandedKernel},
    layout::{Records, records},
};
use accrue_abi::{launch::HALVING, symbols::shown};
use accrue_dialects::core::fold::fold;
use accrue_dialects::{
    core::Externs,
    par::{declared::is_of_reduction, gang_dims, kernel_of},
};
use accrue_hostcall::{Kernel, SimtForm, Site, SiteVar};
use calls::{Calls, Kind};
use limits::{Blocks, Limits};
use modes::Mode;
use pliron::{
    builtin::{
        op_interfaces::SymbolOpInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::Context,
    op::Op,
};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use unit::Unit;

/// Expands the kernels of `sites` and the functions they call, in place.
pub fn expand(
    ctx: &mut Context,
    module: ModuleOp,
    sites: &[Site],
    target: &Target,
    policy: Policy,
) -> std::result::Result<Expanded, Vec<Diagnostic>> {
    if target.one_lane {
        one_lane::expand(ctx, module);
    }
    let calls = Calls::new(ctx, module);
    let with_versions = |k: &Kernel| [vec![k.clone()], k.versions()].concat();
    let of_sites = sites.iter().flat_map(|site| {
        let kernels = site.kernels.iter().flat_map(with_versions);
        kernels.map(move |kernel| (kernel, site))
    });
    let (kernels, of_sites): (Vec<Kernel>, Vec<&Site>) = of_sites.unzip();
    if let Some(unknown) = kernels.iter().find(|k| calls.get(&k.function).is_none()) {
        let message = format!("kernel `{}` has no function", unknown.function);
        return Err(vec![Diagnostic::error(message)]);
    }
    let records = records(ctx, module);
    if records.data.pointer_bytes != target.pointer_bytes {
        let message = format!(
            "addresses have {} bytes in this program and {} on {}",
            records.data.pointer_bytes, target.pointer_bytes, target.devices
        );
        return Err(vec![Diagnostic::error(message)]);
    }
    let mut expanded = Expanded {
        records,
        externs: Externs::of_module(ctx, module.get_operation()),
        ..Expanded::default()
    };
    let limits = limits_of_functions(&calls, &kernels, target);
    let with_gang_dims = functions_with_gang_dims(ctx, &calls, &kernels);
    let mut failed: BTreeMap<String, Diagnostic> = BTreeMap::new();
    let reductions = reduce::State::new(policy);
    let mut shared: BTreeMap<String, u64> = BTreeMap::new();
    let mut chosen: BTreeMap<String, Vec<Chosen>> = BTreeMap::new();
    for (name, limits) in &limits {
        let reductions = reductions.clone();
        let has_gang_dims = with_gang_dims.contains(name);
        let limits = (*limits, has_gang_dims);
        match expand_function(
            ctx,
            (&calls, target),
            name,
            limits,
            reductions,
            &mut expanded,
        ) {
            Ok(unit) => {
                shared.insert(name.clone(), unit.shared_bytes);
                chosen.insert(name.clone(), unit.reduce.chosen);
            }
            Err(reason) => {
                failed.insert(name.clone(), reason);
            }
        }
    }
    let mut called: HashSet<String> = HashSet::new();
    for (kernel, site) in kernels.iter().zip(of_sites) {
        let reached = calls.reached(&kernel.function);
        let wrong = reached.iter().find_map(|name| failed.get(name).cloned());
        let done = match wrong {
            Some(reason) => Err(reason),
            None => {
                let before = reached.iter().filter_map(|name| shared.get(name)).sum();
                let reductions = reductions.clone();
                expand_kernel(
                    ctx,
                    (&calls, target),
                    (kernel, site),
                    before,
                    reductions,
                    &mut expanded,
                )
            }
        };
        match done {
            Ok(kernel) => {
                let (mut kernel, halving) = kernel;
                let inside = reached.iter().filter_map(|name| chosen.get(name));
                kernel.reductions.extend(inside.flatten().cloned());
                expanded.kernels.push(kernel);
                expanded.kernels.extend(halving);
                called.extend(reached);
            }
            Err(reason) => expanded.skipped.push(Skipped {
                function: kernel.function.clone(),
                reason,
            }),
        }
    }
    expanded.newer_differ = reductions.newer_differ.get();
    expanded.functions = limits
        .keys()
        // Those of declared reductions have been copied to where they are needed.
        .filter(|name| called.contains(*name) && !is_of_reduction(name))
        .filter_map(|name| calls.get(name).map(|c| c.function))
        .collect();
    Ok(expanded)
}

/// The functions that kernels call, with the largest blocks that call them.
fn limits_of_functions(
    calls: &Calls,
    kernels: &[Kernel],
    target: &Target,
) -> BTreeMap<String, Limits> {
    let mut found: BTreeMap<String, Limits> = BTreeMap::new();
    for kernel in kernels {
        let own = Limits::of(calls, kernel, target);
        for name in calls.reached(&kernel.function) {
            let known = found.entry(name).or_insert(own);
            *known = known.join(own);
        }
    }
    found
}

/// The functions that kernels call whose launches may have a grid of several dimensions.
fn functions_with_gang_dims(ctx: &Context, calls: &Calls, kernels: &[Kernel]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for kernel in kernels {
        if all_gang_dims(ctx, calls, &kernel.function).contains(&true) {
            found.extend(calls.reached(&kernel.function));
        }
    }
    found
}

/// The gang dimensions that loops of a kernel, and of what it calls, are spread over one by one.
fn all_gang_dims(ctx: &Context, calls: &Calls, kernel: &str) -> [bool; 3] {
    let mut all = [false; 3];
    let reached = calls.reached(kernel);
    let functions = reached.iter().map(String::as_str).chain([kernel]);
    for callee in functions.filter_map(|name| calls.get(name)) {
        let own = gang_dims(ctx, &callee.function);
        for (all, own) in all.iter_mut().zip(own) {
            *all |= own;
        }
    }
    all
}

/// `limits`: with whether launches may have a grid of several dimensions.
fn expand_function(
    ctx: &mut Context,
    (calls, target): (&Calls, &Target),
    name: &str,
    limits: (Limits, bool),
    reductions: reduce::State,
    expanded: &mut Expanded,
) -> Result<Unit> {
    let callee = calls.get(name);
    let callee = callee.ok_or_else(|| Diagnostic::error(format!("`{name}` is not in the unit")))?;
    let mode = callee.kind.mode();
    let mut unit = Unit::new(
        callee.function,
        name,
        None,
        mode,
        *target,
        limits,
        reductions,
    );
    unit.recursive = recursion::is_recursive(calls, name);
    run(ctx, calls, &mut unit, &expanded.records)?;
    recursion::check_rest(ctx, &unit)?;
    expanded.storage.extend(std::mem::take(&mut unit.storage));
    expanded.single.extend(std::mem::take(&mut unit.single));
    Ok(unit)
}

fn expand_kernel(
    ctx: &mut Context,
    (calls, target): (&Calls, &Target),
    (kernel, site): (&Kernel, &Site),
    shared_before: u64,
    reductions: reduce::State,
    expanded: &mut Expanded,
) -> Result<(ExpandedKernel, Option<ExpandedKernel>)> {
    let name = &kernel.function;
    let callee = calls.get(name);
    let callee = callee.ok_or_else(|| Diagnostic::error(format!("`{name}` is not in the unit")))?;
    let limits = Limits::of(calls, kernel, target);
    let about = kernel_of(ctx, &callee.function);
    let function = callee.function;
    let gang_dims = all_gang_dims(ctx, calls, name);
    let mut unit = Unit::new(
        function,
        name,
        about,
        Mode::BLOCK,
        *target,
        (limits, gang_dims.contains(&true)),
        reductions,
    );
    unit.shared_bytes = shared_before;
    unit.blocks = Blocks::of(ctx, calls, (kernel, site.kind), target);
    let open_lanes = unit.blocks.is_some_and(|blocks| blocks.open);
    run(ctx, calls, &mut unit, &expanded.records)?;
    let exact_lanes = unit.exact_lanes();
    expanded.storage.extend(unit.storage);
    expanded.single.extend(unit.single);
    let words: u64 = site.vars.iter().map(SiteVar::argument_words).sum();
    let form = SimtForm {
        entry: shown(name),
        args_words: u32::try_from(words).unwrap_or(u32::MAX),
        gang_loop: kernel.gang_loop,
        gang_dims,
        worker_partitioned: callee.levels.worker,
        vector_partitioned: callee.levels.vector,
        max_workers: limits.max_workers,
        max_vector: limits.max_vector,
        exact_lanes,
        open_lanes,
        shared_worker_bytes: 0,
        scratch_gang_bytes: unit.scratch.gang_bytes.next_multiple_of(16),
        scratch_worker_bytes: unit.scratch.worker_bytes.next_multiple_of(16),
        needs_scratch: unit.scratch.used,
        doubles: false,
        halving: unit.halving.is_some(),
        waits_in_branches: false,
        apart: None,
        disjoint: None,
        inner: None,
        each: None,
        grid: None,
        nest: None,
    };
    let halving = unit.halving;
    let halving = halving.map(|function| ending(ctx, name, function, &form));
    let kernel = ExpandedKernel {
        name: name.clone(),
        function: callee.function,
        form,
        ends: None,
        reductions: unit.reduce.chosen,
    };
    Ok((kernel, halving))
}

/// The kernel of further launches that end those of `kernel`, whose form is `form`.
fn ending(ctx: &Context, kernel: &str, function: FuncOp, form: &SimtForm) -> ExpandedKernel {
    ExpandedKernel {
        name: function.get_symbol_name(ctx).to_string(),
        function,
        form: SimtForm {
            entry: format!("{}{HALVING}", form.entry),
            args_words: 1,
            max_workers: 1,
            scratch_gang_bytes: form.scratch_gang_bytes,
            needs_scratch: true,
            ..SimtForm::default()
        },
        ends: Some(kernel.to_string()),
        reductions: vec![],
    }
}

/// All steps for one function.
fn run(ctx: &mut Context, calls: &Calls, unit: &mut Unit, records: &Records) -> Result<()> {
    let function = unit.function.get_operation();
    fold(ctx, function);
    constant_arrays::expand(ctx, function);
    (unit.target.library)(ctx, function, calls.externs())?;
    let whole = unit.base;
    match unit.target.one_lane {
        true => unit.base = Kind::Seq.mode(),
        false => lone_thread::restrict(ctx, unit, calls),
    }
    storage::assign(ctx, unit, calls, records)?;
    plain_atomics::expand(ctx, unit);
    // Gangs come together as whole ones, also where each is one thread.
    let own = std::mem::replace(&mut unit.base, whole);
    if !unit.target.one_lane {
        unit.base = own;
    }
    reduce::expand(ctx, unit)?;
    unit.base = own;
    if unit.base != Kind::Seq.mode() {
        spread_copies::expand(ctx, unit, records)?;
        first_worker::restrict(ctx, unit);
        single::note(ctx, unit, calls);
        silence::silence(ctx, unit, calls)?;
        barriers::insert(ctx, unit, calls);
    }
    thread_tables::expand(ctx, unit, records);
    dims::expand(ctx, unit);
    fold(ctx, function);
    Ok(())
}

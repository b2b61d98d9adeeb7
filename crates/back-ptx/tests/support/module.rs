//! What the tests of printers for groups of threads share: reading IR, and handing it over as `expand` would.
//!
//! What `expand` decides is decided here by names: a variable is in registers if it is a scalar that is only loaded and
//! stored, else the thread's own memory; variables called `shared`, `shared_worker`, `gang` and `worker` are in that
//! memory.

#[path = "../../../dialects/tests/support/shorthand.rs"]
mod shorthand;

use accrue_back_ptx::{
    WARP,
    expanded::{Expanded, ExpandedKernel, Storage},
    layout,
};
use accrue_dialects::{
    core::{Alloca, Externs, Load, Store, is_scalar, pointee_of},
    par::kernel_of,
    simt::Shuffle,
};
use accrue_hostcall::{
    Action, ClauseSize, Kernel, SimtForm, Site, SiteKind, SiteVar, VarFlags, WordSource,
};
use accrue_ir::verify::verify;
use accrue_ir::walk::nested;
use pliron::{
    builtin::{
        op_interfaces::{OneResultInterface, SymbolOpInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::Context,
    irfmt::parsers::spaced,
    op::Op,
    operation::Operation,
    parsable::parse_from_str,
    printable::Printable,
    r#type::Typed,
};
use shorthand::long_types;
fn storage(ctx: &Context, alloca: &Alloca) -> Storage {
    let variable = alloca.get_result(ctx);
    let direct = variable.uses(ctx).iter().all(|u| {
        let user = u.user_op();
        Operation::get_op::<Load>(user, ctx).is_some_and(|l| !l.is_volatile(ctx))
            || Operation::get_op::<Store>(user, ctx)
                .is_some_and(|s| !s.is_volatile(ctx) && s.get_operand_address(ctx) == variable)
    });
    match alloca.variable(ctx).map(|v| v.name).as_deref() {
        Some("shared") => Storage::Shared,
        Some("shared_worker") => Storage::SharedWorker { offset: 16 },
        Some("gang") => Storage::ScratchGang { offset: 32 },
        Some("worker") => Storage::ScratchWorker { offset: 48 },
        _ if direct && alloca.count(ctx).is_none() && is_scalar(ctx, alloca.var_type(ctx)) => {
            Storage::Register
        }
        _ => Storage::Local,
    }
}

/// Lanes of a worker: as many as exchange values among themselves, or several warps.
fn lanes(ctx: &Context, kernel: FuncOp) -> u32 {
    let shuffles = nested::<Shuffle>(ctx, kernel.get_operation());
    let lanes = shuffles.iter().map(|s| s.lanes(ctx));
    lanes.filter(|l| *l < WARP).min().unwrap_or(128)
}

/// The module as `expand` would hand it over, and one site per kernel: pointers are mapped variables, everything else
/// goes by value.
pub fn expanded(ctx: &Context, module: ModuleOp) -> (Expanded, Vec<Site>) {
    let records = layout::records(ctx, module);
    let mut expanded = Expanded::default();
    let mut sites = vec![];
    for function in nested::<FuncOp>(ctx, module.get_operation()) {
        for alloca in nested::<Alloca>(ctx, function.get_operation()) {
            let place = storage(ctx, &alloca);
            expanded.storage.insert(alloca.get_operation(), place);
        }
        if kernel_of(ctx, &function).is_none() {
            expanded.functions.push(function);
            continue;
        }
        let name = function.get_symbol_name(ctx).to_string();
        let arguments: Vec<_> = function
            .get_entry_block(ctx)
            .deref(ctx)
            .arguments()
            .collect();
        let var = |argument: pliron::value::Value| {
            let ty = argument.get_type(ctx);
            let mapped = pointee_of(ctx, ty).is_some();
            SiteVar {
                limited: None,
                reach: None,
                pointers: vec![],
                name: String::new(),
                action: if mapped { Action::Copy } else { Action::Value },
                flags: VarFlags::default(),
                value: None,
                elem_size: layout::extent(ctx, &records, ty).expect("a size").size,
                dims: vec![],
                stepped: vec![],
                source: WordSource::Variable {
                    name: String::new(),
                },
                line: 1,
                column: 1,
            }
        };
        sites.push(Site {
            directive: 0,
            kind: SiteKind::Parallel,
            function: "main".to_string(),
            line: 1,
            column: 1,
            finalize: false,
            if_present: false,
            default_present: false,
            openmp: false,
            call: accrue_hostcall::Call::default(),
            vars: arguments.into_iter().map(var).collect(),
            rounds: vec![],
            kernels: vec![Kernel {
                function: name.clone(),
                line: 1,
                gang_loop: false,
                single_gang: false,
                gang_dims: [false; 3],
                num_gangs: ClauseSize::Absent,
                num_workers: ClauseSize::Absent,
                vector_length: ClauseSize::Absent,
                ..Kernel::default()
            }],
        });
        let words: u64 = sites
            .last()
            .expect("the site")
            .vars
            .iter()
            .map(SiteVar::argument_words)
            .sum();
        let form = SimtForm {
            entry: name.clone(),
            args_words: u32::try_from(words).expect("few"),
            vector_partitioned: true,
            max_workers: 8,
            max_vector: lanes(ctx, function),
            shared_worker_bytes: 64,
            scratch_gang_bytes: 128,
            scratch_worker_bytes: 256,
            ..SimtForm::default()
        };
        expanded.kernels.push(ExpandedKernel {
            name,
            function,
            form,
            ends: None,
            reductions: vec![],
        });
    }
    expanded.externs = Externs::of_module(ctx, module.get_operation());
    expanded.records = records;
    (expanded, sites)
}

/// Reads and checks a module.
pub fn parse(ctx: &mut Context, source: &str) -> ModuleOp {
    let text = long_types(source);
    let op = parse_from_str(spaced(Operation::top_level_parser()), ctx, &text)
        .unwrap_or_else(|e| panic!("{}\n{text}", e.disp(ctx)));
    if let Err(e) = verify(op, ctx) {
        panic!("{}", e.disp(ctx));
    }
    Operation::get_op::<ModuleOp>(op, ctx).expect("a module")
}

//! Fast versions: kernels that assume that what they only read is not what they write.
//!
//! The safe version of a kernel assumes nothing about its pointers, so that no load may pass a store. Some kernels get a
//! second entry, `NAME_disjoint`, for launches in which the runtime has seen that no memory behind a parameter that is
//! only read is also behind one that is written, and that the parameters which the code says are multiples of 16:
//!
//! ```text
//! NAME:            ld.global.f32 %f1, [%rd1];        NAME_disjoint:   ld.global.nc.f32 …      may come before the store
//!                  st.global.f32 [%rd2], %f1;                         st.global.f32 …
//!                  ld.global.f32 %f2, [%rd1+4];                       ld.global.nc.v2.f64 …   two elements at once
//! ```
//!
//! A parameter is *only read* if plain loads and copies are all that is done with addresses that come from it alone, and
//! *written* if anything else is: stores, atomic accesses, calls that get the address. A pointer that was in memory
//! (members of records, rows of `float **`) may lead anywhere: loads through it stay as they are, and a store through it
//! means that there is no fast version.
//!
//! Every entry is text for the driver to translate, so a kernel has a fast version only where that pays:
//! * in a loop, or where the grid covers one, a load through an only-read parameter comes after a write: there the assembler can
//!   move it up, does not repeat what was loaded before the write, and several iterations of an unrolled loop load together; or
//! * a load asks whether it is of something that the kernel has a copy of ([`ASKS_ALIAS`]), in PTX, where that is known to be false then; or
//! * an innermost sequential loop has both, in whatever order: the assembler may unroll it; or
//! * in a loop, or where the grid covers one, adjacent elements are accessed at once.
//!
//! Where loads come before stores anyway, as in most vector loops, one version is all there is.

use crate::{
    analysis::origins::{self, Origin, Origins},
    diagnostic::{Result, error_at},
    dialect,
    expanded::{Expanded, ExpandedKernel},
};
use accrue_dialects::{
    address_use::{UseKind, use_of},
    core::Atomic,
    core::{Bin, Call, Const, For, Load, PtrAdd, Store, pointee},
    flow::Flow,
    par::kernels::{APART, ASKS_ALIAS, VERSION},
};
use accrue_hostcall::{Action, Apart, SiteDim, SiteVar};
use accrue_ir::{
    effects::is_pure,
    walk::{nested, nested_ops, operands_of},
};
use pliron::{
    builtin::{op_interfaces::SymbolOpInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::{HashMap, HashSet};

/// Bytes that parameters are taken to be multiples of.
pub const ALIGNMENT: u64 = 16;
/// Words of arguments that the runtime can be told about.
const WORDS: u64 = 64;

/// The entry of a kernel's fast version.
pub fn fast_name(kernel: &str) -> String {
    format!("{kernel}_disjoint")
}

/// The argument words of these parameters. A parameter that is an address has one.
pub fn words_of(parameters: u64, vars: &[SiteVar]) -> u64 {
    let (mut words, mut word) = (0, 0);
    for (number, var) in vars.iter().enumerate() {
        if number < 64 && parameters >> number & 1 != 0 {
            words |= 1 << word;
        }
        word += var.argument_words();
    }
    words
}

/// What the fast version of a kernel assumes. Parameters are bits of a mask.
#[derive(Clone, Debug)]
pub struct Version {
    pub origins: Origins,
    pub only_read: u64,
    pub written: u64,
    /// In a loop, or where the grid covers one, a load through an only-read parameter comes after a write.
    pub moves_loads: bool,
    /// Something asks whether a load is of what is written ([`ASKS_ALIAS`]).
    pub asks: bool,
}

impl Version {
    /// Whether nothing that the kernel writes is at an address with this origin.
    pub fn is_constant(&self, origin: Origin) -> bool {
        let parameters = origin.parameters;
        !origin.unknown && parameters != 0 && parameters & !self.only_read == 0
    }
}

/// The fast version of a kernel, if it can have one. `writing`: the functions [`writing_anywhere`].
pub fn fast(
    ctx: &Context,
    expanded: &Expanded,
    kernel: &ExpandedKernel,
    vars: &[SiteVar],
    writing: &HashSet<String>,
) -> Option<Version> {
    let words: u64 = vars.iter().map(SiteVar::argument_words).sum();
    let mut called = callees(ctx, kernel.function).into_iter();
    if words > WORDS || called.any(|name| writing.contains(&name)) {
        return None;
    }
    let infer = |function, known: &dyn Fn(usize) -> bool| {
        origins::infer(ctx, function, &expanded.records, &expanded.storage, known)
    };
    let known = |number: usize| vars.get(number).is_some_and(has_range);
    let origins = infer(kernel.function, &known);
    let ops = nested_ops(ctx, kernel.function.get_operation());
    let (mut read, mut written) = (0, 0);
    for op in &ops {
        for (address, access) in accesses(ctx, *op) {
            let origin = origins.of(address);
            match access {
                Access::Read => read |= origin.parameters,
                Access::Write if origin.unknown => return None,
                Access::Write => written |= origin.parameters,
            }
        }
    }
    let mut version = Version {
        origins,
        only_read: read & !written,
        written,
        moves_loads: false,
        asks: ops.iter().any(|op| ASKS_ALIAS.is_on(ctx, *op)),
    };
    let loops = ops.iter().filter(|op| is_loop(ctx, **op));
    // All of a kernel whose grid covers its loop is one iteration.
    let whole = Some(kernel.function.get_operation()).filter(|op| grid_covers(ctx, *op));
    version.moves_loads = loops
        .chain(&whole)
        .any(|part| moves_loads(ctx, *part, &version));
    Some(version)
}

/// What must be apart for the kernel, if that is not the same for it: nothing that it writes may be behind two parameters. An error if it
/// accesses memory of which it is not known what parameter it is behind.
pub fn apart(
    ctx: &Context,
    expanded: &Expanded,
    kernel: &ExpandedKernel,
    vars: &[SiteVar],
) -> Result<Option<Apart>> {
    let function = kernel.function.get_operation();
    if !APART.is_on(ctx, function) {
        return Ok(None);
    }
    let words = read_and_written(ctx, expanded, kernel, vars);
    let (read_words, written_words) = words.ok_or_else(|| {
        let reason = "whether memory overlaps cannot be told at the launch";
        error_at(ctx, function, reason)
    })?;
    Ok(Some(Apart {
        read_words,
        written_words,
    }))
}

/// The words of parameters behind which memory is only read, and of those behind which it is written. None if it is not known of all.
fn read_and_written(
    ctx: &Context,
    expanded: &Expanded,
    kernel: &ExpandedKernel,
    vars: &[SiteVar],
) -> Option<(u64, u64)> {
    let words: u64 = vars.iter().map(SiteVar::argument_words).sum();
    if words > WORDS {
        return None;
    }
    let known = |number: usize| vars.get(number).is_some_and(has_range);
    let (records, storage) = (&expanded.records, &expanded.storage);
    let origins = origins::infer(ctx, kernel.function, records, storage, known);
    let (mut read, mut written) = (0, 0);
    for op in nested_ops(ctx, kernel.function.get_operation()) {
        for (address, access) in accesses(ctx, op) {
            let origin = origins.of(address);
            if origin.unknown {
                return None;
            }
            match access {
                Access::Read => read |= origin.parameters,
                Access::Write => written |= origin.parameters,
            }
        }
    }
    Some((words_of(read & !written, vars), words_of(written, vars)))
}

/// Whether the kernel is one for launches whose grid has a thread for every iteration.
pub fn grid_covers(ctx: &Context, kernel: Ptr<Operation>) -> bool {
    VERSION
        .get(ctx, kernel)
        .is_some_and(|version| version.kind.is_grid())
}

/// Whether the runtime knows the memory behind a variable's argument.
fn has_range(var: &SiteVar) -> bool {
    let direct = !var.dims.iter().skip(1).any(|dim| match dim {
        SiteDim::Pointer => true,
        SiteDim::Array => false,
    });
    match var.action {
        Action::Copy
        | Action::Copyin
        | Action::Copyout
        | Action::Create
        | Action::NoCreate
        | Action::Present
        | Action::Firstprivate => direct,
        Action::Deviceptr | Action::Pointer => true,
        Action::Attach
        | Action::Detach
        | Action::Delete
        | Action::UpdateSelf
        | Action::UpdateDevice
        | Action::UseDevice
        | Action::Value => false,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

/// The addresses that an operation accesses memory through; what is not known to read only counts as a write.
fn accesses(ctx: &Context, op: Ptr<Operation>) -> Vec<(Value, Access)> {
    let pointers = operands_of(ctx, op).into_iter().enumerate();
    let pointers = pointers.filter(|(_, value)| pointee(ctx, *value).is_some());
    let accessed = pointers.filter_map(|(index, value)| {
        let access = match use_of(ctx, op, index) {
            // What others change meanwhile is not constant.
            UseKind::Read { volatile } if volatile || Atomic::of(ctx, op).is_some() => {
                Access::Write
            }
            UseKind::Read { .. } => Access::Read,
            UseKind::Write { .. } | UseKind::Update { .. } | UseKind::Pass => Access::Write,
            UseKind::Derive | UseKind::Look => return None,
            UseKind::Keep if hands_on(ctx, op) => return None,
            UseKind::Keep | UseKind::Clause => Access::Write,
        };
        Some((value, access))
    });
    accessed.collect()
}

/// Whether the operation hands a pointer on without accessing what it points to.
fn hands_on(ctx: &Context, op: Ptr<Operation>) -> bool {
    let stores =
        Operation::is_op::<Store>(op, ctx) || Operation::is_op::<dialect::Shuffle>(op, ctx);
    stores || is_pure(ctx, op) || Flow::of(ctx, op) == Flow::Yield
}

/// Names of the functions that write through a pointer that was in memory, themselves or in what they call. What a
/// function does with its own parameters counts where it is called.
pub fn writing_anywhere(ctx: &Context, expanded: &Expanded) -> HashSet<String> {
    let mut callers: HashMap<String, Vec<String>> = HashMap::new();
    let mut writing = vec![];
    for function in &expanded.functions {
        let name = function.get_symbol_name(ctx).to_string();
        for callee in callees(ctx, *function) {
            callers.entry(callee).or_default().push(name.clone());
        }
        if writes_anywhere(ctx, expanded, *function) {
            writing.push(name);
        }
    }
    let mut found = HashSet::new();
    while let Some(name) = writing.pop() {
        writing.extend(callers.remove(&name).into_iter().flatten());
        found.insert(name);
    }
    found
}

fn callees(ctx: &Context, function: FuncOp) -> Vec<String> {
    let calls = nested::<Call>(ctx, function.get_operation());
    calls.into_iter().map(|call| call.callee(ctx)).collect()
}

fn writes_anywhere(ctx: &Context, expanded: &Expanded, function: FuncOp) -> bool {
    let entry = function.get_entry_block(ctx);
    if entry.deref(ctx).arguments().count() > 64 {
        return true;
    }
    let (records, storage) = (&expanded.records, &expanded.storage);
    let origins = origins::infer(ctx, function, records, storage, |_| true);
    let ops = nested_ops(ctx, function.get_operation());
    let mut all = ops.into_iter().flat_map(|op| accesses(ctx, op));
    all.any(|(address, access)| access == Access::Write && origins.of(address).unknown)
}

/// Whether `op` is a loop.
pub fn is_loop(ctx: &Context, op: Ptr<Operation>) -> bool {
    Flow::of(ctx, op).is_loop()
}

/// Whether a load of what is only read comes after a write to something else: in one iteration, or in the next one of a
/// loop that the assembler may unroll. `part`: a loop, or a kernel that is one iteration.
fn moves_loads(ctx: &Context, part: Ptr<Operation>, version: &Version) -> bool {
    let inside = nested_ops(ctx, part);
    let (mut wrote, mut read) = (false, false);
    for op in &inside {
        for (address, access) in accesses(ctx, *op) {
            let origin = version.origins.of(address);
            match access {
                Access::Write => wrote |= origin.parameters != 0,
                Access::Read if !version.is_constant(origin) => {}
                Access::Read if wrote => return true,
                Access::Read => read = true,
            }
        }
    }
    let innermost = is_loop(ctx, part) && !inside.iter().any(|op| is_loop(ctx, *op));
    wrote && read && innermost && is_sequential(ctx, part)
}

/// Whether the loop's counter goes in constant steps. That of a loop that is spread over threads does not.
pub fn is_sequential(ctx: &Context, lp: Ptr<Operation>) -> bool {
    let is_const = |value: Value| {
        let op = value.defining_op();
        op.is_some_and(|op| Operation::is_op::<Const>(op, ctx))
    };
    if let Some(counted) = Operation::get_op::<For>(lp, ctx) {
        return is_const(counted.get_operand_step(ctx));
    }
    // `counter = counter + constant`
    nested::<Store>(ctx, lp).into_iter().any(|store| {
        let counter = store.get_operand_address(ctx);
        let is_counter = |value: Value| {
            let load = value.defining_op();
            let load = load.and_then(|op| Operation::get_op::<Load>(op, ctx));
            load.is_some_and(|load| load.get_operand_address(ctx) == counter)
        };
        let sum = store.get_operand_value(ctx).defining_op();
        sum.is_some_and(|op| {
            let adds = Operation::is_op::<Bin>(op, ctx) || Operation::is_op::<PtrAdd>(op, ctx);
            let operands = operands_of(ctx, op);
            adds && operands.iter().any(|o| is_const(*o)) && operands.into_iter().any(is_counter)
        })
    })
}

//! Expanded IR as OpenCL C: what the unit consists of, and which kernels it has to do without.
//!
//! A kernel that cannot be printed must not spoil the others, so each is first printed by itself with all that it calls. What
//! came through is printed once more, together:
//!
//! ```text
//! accrue_k0_0 calls f           printed
//! accrue_k1_0                   `long double` has no type: skipped
//!                       ──▶     prelude, records, prototypes, f, accrue_k0_0
//! ```

use crate::{
    OpenClText, Options, Skipped,
    added_barriers::Waiting,
    assertions,
    c::{ALIGN, GroupMemory, OpenClC},
    diagnostic::{Result, error_at},
    doubles,
    expanded::{Expanded, ExpandedKernel, Storage},
    heap, kernel, prelude, spaces, wide,
};
use accrue_abi::symbols::shown;
use accrue_dialects::{
    core::{Alloca, Call},
    simt::Shared,
};
use accrue_emit_c::{Program, Unit};
use accrue_hostcall::{
    Action, Disjoint, Made, SimtForm, Site, SiteVar, ValueKind, VarFlags, WordSource,
};
use accrue_ir::walk::nested;
use accrue_simt::{
    analysis::{
        spaces::AllSpaces,
        versions::{self, Version, fast_name, words_of},
    },
    layout::extent,
    storage::in_group,
};
use pliron::{
    builtin::{op_interfaces::SymbolOpInterface, ops::FuncOp},
    context::Context,
    op::Op,
};
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet, hash_map::Entry},
};

/// Stands, with the kernel's name, before the text of each. What comes before the first of these lines and the text of one kernel
/// are a text of their own, which the runtime builds when the kernel is first launched.
const KERNEL_MARK: &str = "//@kernel ";

/// The text of all kernels that can be printed, and of what they call; `waiting` names what has barriers.
pub fn unit(
    ctx: &Context,
    expanded: Expanded,
    waiting: &Waiting,
    sites: &[Site],
    options: &Options,
) -> OpenClText {
    let spaces = spaces::assign(ctx, &expanded);
    let reached = reached(ctx, &expanded);
    let scratch = using_scratch(ctx, &expanded, &reached);
    let group = group_memory(ctx, &expanded);
    let printer = Printer {
        ctx,
        expanded: &expanded,
        spaces: &spaces,
        group: &group,
        waiting,
        cores: options.cores,
        scratch: &scratch,
        reached,
    };
    let variables = variables_of_kernels(sites);
    let vars = |kernel: &ExpandedKernel| variables.get(&kernel.name).copied().unwrap_or_default();
    let mut skipped = expanded.skipped.clone();
    let (mut kernels, mut forms) = (vec![], Made::new());
    let writing = versions::writing_anywhere(ctx, &expanded);
    let records = [records_variable()];
    for kernel in expanded.kernels.iter().filter(|k| k.ends.is_none()) {
        let safe = Printed {
            kernel,
            vars: vars(kernel),
            version: None,
        };
        let mut others = expanded.kernels.iter();
        let ending = others.find(|other| other.ends.as_ref() == Some(&kernel.name));
        let ending = ending.map(|kernel| Printed {
            kernel,
            vars: &records,
            version: None,
        });
        let both: Vec<_> = [Some(&safe), ending.as_ref()]
            .into_iter()
            .flatten()
            .collect();
        let apart = || versions::apart(ctx, &expanded, kernel, safe.vars);
        match printer.text(&both).and_then(|_| apart()) {
            Ok(apart) => {
                let version = versions::fast(ctx, &expanded, kernel, safe.vars, &writing);
                let aligned = |version: &Version| match options.cores {
                    true => 0,
                    false => wide::plan(ctx, &expanded, kernel.function, version).aligned,
                };
                let version = version.map(|version| (aligned(&version), version));
                let version =
                    version.filter(|(aligned, version)| version.moves_loads || *aligned != 0);
                let form = SimtForm {
                    apart,
                    disjoint: version
                        .as_ref()
                        .map(|(aligned, v)| disjoint(kernel, safe.vars, v, *aligned)),
                    doubles: printer.has_doubles(kernel),
                    needs_scratch: kernel.form.needs_scratch || scratch.contains(&kernel.name),
                    waits_in_branches: printer.waits_in_branches(kernel),
                    ..kernel.form.clone()
                };
                forms.insert(kernel.name.clone(), form);
                let fast = version.map(|(_, version)| Printed {
                    version: Some(version),
                    ..safe
                });
                kernels.push(safe);
                kernels.extend(fast);
                kernels.extend(ending);
            }
            Err(reason) => skipped.push(Skipped {
                function: kernel.name.clone(),
                reason,
            }),
        }
    }
    // What each of them has, all of them have.
    let text = match kernels.is_empty() {
        true => String::new(),
        false => printer
            .text(&kernels.iter().collect::<Vec<_>>())
            .unwrap_or_default(),
    };
    let head = prelude::before(&text, options.contract);
    OpenClText {
        text: format!("{head}\n{text}"),
        forms,
        skipped,
    }
}

/// What a kernel of further launches takes: the number of records.
fn records_variable() -> SiteVar {
    let name = "records".to_string();
    SiteVar {
        limited: None,
        reach: None,
        pointers: vec![],
        name: name.clone(),
        action: Action::Value,
        flags: VarFlags::default(),
        value: Some(ValueKind::Integer),
        elem_size: 8,
        dims: vec![],
        stepped: vec![],
        source: WordSource::Variable { name },
        line: 0,
        column: 0,
    }
}

/// A kernel that is to be printed.
#[derive(Clone)]
struct Printed<'a> {
    kernel: &'a ExpandedKernel,
    vars: &'a [SiteVar],
    /// What the fast version assumes; none: the safe one.
    version: Option<Version>,
}

/// What must hold for a kernel's fast version.
fn disjoint(
    kernel: &ExpandedKernel,
    vars: &[SiteVar],
    version: &Version,
    aligned: u64,
) -> Disjoint {
    Disjoint {
        entry: fast_name(&kernel.form.entry),
        read_words: words_of(version.only_read, vars),
        written_words: words_of(version.written, vars),
        aligned_words: words_of(aligned, vars),
        written_once: false,
    }
}

struct Printer<'a> {
    ctx: &'a Context,
    expanded: &'a Expanded,
    spaces: &'a AllSpaces,
    group: &'a GroupMemory,
    /// The functions and kernels that have barriers.
    waiting: &'a Waiting,
    /// The functions and kernels that use scratch memory for assertions or the heap, themselves or in what they call.
    scratch: &'a BTreeSet<String>,
    /// A gang is one work item.
    cores: bool,
    /// The functions of the unit that a function calls, directly or not, by name.
    reached: BTreeMap<String, BTreeSet<String>>,
}

impl Printer<'_> {
    /// These kernels, with the variables of their sites, and all that they call.
    fn text(&self, kernels: &[&Printed<'_>]) -> Result<String> {
        let ctx = self.ctx;
        let name = |f: &FuncOp| f.get_symbol_name(ctx).to_string();
        let called: BTreeSet<&String> = kernels
            .iter()
            .filter_map(|printed| self.reached.get(&printed.kernel.name))
            .flatten()
            .collect();
        let functions: Vec<FuncOp> = self
            .expanded
            .functions
            .iter()
            .copied()
            .filter(|f| called.contains(&name(f)))
            .collect();
        let all: Vec<FuncOp> = functions
            .iter()
            .copied()
            .chain(kernels.iter().map(|printed| printed.kernel.function))
            .collect();
        for function in &all {
            self.check(*function)?;
        }
        let dialect = OpenClC {
            expanded: self.expanded,
            group: self.group,
            waiting: &self.waiting.anywhere,
            scratch: self.scratch,
            cores: self.cores,
            assertions: Cell::default(),
            locals: RefCell::new(None),
            vectors: RefCell::new(None),
            wide: RefCell::new(None),
        };
        let program = Program {
            records: &self.expanded.records,
            functions: functions.clone(),
            all,
            externs: &self.expanded.externs,
        };
        let unit = Unit::new(ctx, &dialect, program, false);
        let mut pieces = vec![unit.records()?, unit.prototypes()?];
        for function in functions {
            let text = unit.function(function)?;
            pieces.push(match doubles::computes_with(ctx, function) {
                true => format!("#ifdef cl_khr_fp64\n{text}#endif\n"),
                false => text,
            });
        }
        for printed in kernels {
            let (kernel, vars) = (printed.kernel, printed.vars);
            let (name, text) =
                kernel::print(&unit, &dialect, kernel, vars, printed.version.as_ref())?;
            pieces.push(format!("{KERNEL_MARK}{name}\n{text}"));
        }
        pieces.retain(|piece| !piece.is_empty());
        Ok(pieces.join("\n"))
    }

    /// Whether the kernel computes with numbers of 64 bits, or what it calls does.
    fn has_doubles(&self, kernel: &ExpandedKernel) -> bool {
        let reached = self.reached.get(&kernel.name);
        let functions = self.expanded.functions.iter().copied().filter(|f| {
            let name = f.get_symbol_name(self.ctx).to_string();
            reached.is_some_and(|reached| reached.contains(&name))
        });
        functions
            .chain([kernel.function])
            .any(|f| doubles::computes_with(self.ctx, f))
    }

    /// Whether the kernel waits in a branch in a loop, or what it calls does.
    fn waits_in_branches(&self, kernel: &ExpandedKernel) -> bool {
        let reached = self.reached.get(&kernel.name);
        let mut all = reached.into_iter().flatten().chain([&kernel.name]);
        all.any(|name| self.waiting.in_branches.contains(name))
    }

    /// What printing would not find out.
    fn check(&self, function: FuncOp) -> Result<()> {
        let name = function.get_symbol_name(self.ctx).to_string();
        let called = self.reached.get(&name);
        if called.is_some_and(|called| called.contains(&name)) {
            let message = format!(
                "`{}` calls itself, which OpenCL C does not know",
                shown(&name)
            );
            return Err(error_at(self.ctx, function.get_operation(), message));
        }
        spaces::check(self.ctx, function, self.expanded, self.spaces)
    }
}

/// The functions of the unit that each function calls, directly or not.
fn reached(ctx: &Context, expanded: &Expanded) -> BTreeMap<String, BTreeSet<String>> {
    let name = |f: &FuncOp| f.get_symbol_name(ctx).to_string();
    let kernels = expanded.kernels.iter().map(|k| k.function);
    let all: BTreeMap<String, FuncOp> = expanded
        .functions
        .iter()
        .copied()
        .chain(kernels)
        .map(|f| (name(&f), f))
        .collect();
    let mut reached = BTreeMap::new();
    for (caller, function) in &all {
        let mut found = BTreeSet::new();
        let mut open = vec![*function];
        while let Some(function) = open.pop() {
            for call in nested::<Call>(ctx, function.get_operation()) {
                let callee = call.callee(ctx);
                if let Some(next) = all.get(&callee)
                    && found.insert(callee)
                {
                    open.push(*next);
                }
            }
        }
        reached.insert(caller.clone(), found);
    }
    reached
}

/// The functions and kernels that may fail in an assertion or use the heap, by name; `reached` has what each calls.
fn using_scratch(
    ctx: &Context,
    expanded: &Expanded,
    reached: &BTreeMap<String, BTreeSet<String>>,
) -> BTreeSet<String> {
    let kernels = expanded.kernels.iter().map(|kernel| kernel.function);
    let all = expanded.functions.iter().copied().chain(kernels);
    let own: BTreeSet<String> = all
        .filter(|function| {
            let calls = nested::<Call>(ctx, function.get_operation());
            let mut calls = calls.iter();
            calls.any(|call| assertions::is_one(ctx, call) || heap::is_one(ctx, call))
        })
        .map(|function| function.get_symbol_name(ctx).to_string())
        .collect();
    let uses = |(name, called): &(&String, &BTreeSet<String>)| {
        own.contains(*name) || !own.is_disjoint(called)
    };
    let using = reached.iter().filter(uses);
    using.map(|(name, _)| name.clone()).collect()
}

/// Where the functions' memory of the group is in the array that they share.
fn group_memory(ctx: &Context, expanded: &Expanded) -> GroupMemory {
    let mut memory = GroupMemory::default();
    let mut direct = BTreeSet::new();
    for function in &expanded.functions {
        let root = function.get_operation();
        let name = function.get_symbol_name(ctx).to_string();
        for shared in nested::<Shared>(ctx, root) {
            let variable = shared.variable(ctx);
            direct.insert(name.clone());
            if let Entry::Vacant(place) = memory.variables.entry(variable.name) {
                place.insert(memory.bytes);
                memory.bytes += variable.bytes.next_multiple_of(ALIGN);
            }
        }
        for alloca in nested::<Alloca>(ctx, root) {
            let op = alloca.get_operation();
            if expanded.storage.get(&op) != Some(&Storage::Shared) {
                continue;
            }
            let ty = alloca.var_type(ctx);
            let size = extent(ctx, &expanded.records, ty).map_or(0, |e| in_group(e).size);
            memory.allocas.insert(op, memory.bytes);
            memory.bytes += size.next_multiple_of(ALIGN);
            direct.insert(name.clone());
        }
    }
    let reached = reached(ctx, expanded);
    let uses = |name: &String| {
        direct.contains(name)
            || reached
                .get(name)
                .is_some_and(|called| called.iter().any(|c| direct.contains(c)))
    };
    let names = expanded
        .functions
        .iter()
        .map(|f| f.get_symbol_name(ctx).to_string());
    memory.functions = names.filter(|name| uses(name)).collect();
    memory
}

/// The variables of the sites of all kernels and their versions, by the kernels' functions.
fn variables_of_kernels(sites: &[Site]) -> BTreeMap<String, &[SiteVar]> {
    let mut found = BTreeMap::new();
    for site in sites {
        for kernel in &site.kernels {
            let versions = kernel.versions().into_iter().map(|v| v.function);
            for function in [kernel.function.clone()].into_iter().chain(versions) {
                found.insert(function, site.vars.as_slice());
            }
        }
    }
    found
}

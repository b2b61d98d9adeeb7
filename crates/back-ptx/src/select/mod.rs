//! Expanded IR to PTX instructions: which instruction an operation becomes, and where its values are.
//!
//! | module | selects |
//! | --- | --- |
//! | [`kernel`] | kernels: arguments, the places of variables |
//! | [`calls`], [`intrinsics`], [`builtins`], [`inlined`] | functions and calls |
//! | [`function`] | the walk: what stands for a value |
//! | [`ops`], [`integer`], [`wide`], [`float`], [`quotient`], [`complex`], [`compare`], [`cast`] | values |
//! | [`address`], [`memory`], [`bits`], [`atomic`], [`atomic_fetch`] | memory |
//! | [`control`], [`gpu`], [`reduce`] | control flow, what only groups of threads have |
//! | [`types`], [`operand`], [`literals`] | the pieces of PTX |

mod address;
mod atomic;
mod atomic_fetch;
mod bits;
mod builtins;
mod calls;
mod cast;
mod compare;
mod complex;
mod control;
mod division;
mod float;
mod function;
mod gpu;
mod inlined;
mod instructions;
mod integer;
mod intrinsics;
mod kernel;
mod literals;
mod memory;
mod narrow;
mod operand;
mod ops;
mod quotient;
mod reduce;
pub mod types;
mod wide;

use crate::{
    Options, PtxText, Skipped,
    code::{Code, text::ascii, widen::widen},
    diagnostic::{Diagnostic, Result},
    expanded::{Expanded, ExpandedKernel, Storage},
    layout::Records,
    spaces::{self, AllSpaces, Elsewhere, Spaces},
    versions::{self, fast_name, words_of},
};
use accrue_hostcall::{Disjoint, Made, SimtForm, Site, SiteVar};
use accrue_ir::{build::file, walk::nested_ops};
use function::Selector;
use pliron::{
    builtin::{op_interfaces::SymbolOpInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    fmt::Write,
    path::PathBuf,
};

/// Stands, with the entry's name, before the text of each kernel. What comes before the first of these lines and the text of
/// one kernel are a module of their own; the CUDA runtime of accrue loads it when the kernel is first launched.
const KERNEL_MARK: &str = "//@kernel ";

/// What all functions of a module share.
struct Unit<'a> {
    ctx: &'a Context,
    options: &'a Options,
    expanded: &'a Expanded,
    /// Names of the functions of the unit.
    functions: BTreeSet<String>,
    spaces: AllSpaces,
    /// The functions that write where no parameter leads.
    writing: HashSet<String>,
    /// The source files of the operations; the numbers in `.loc` count from 1.
    files: Vec<PathBuf>,
}

impl Unit<'_> {
    fn spaces_of(&self, function: &str) -> Spaces {
        self.spaces.get(function).cloned().unwrap_or_default()
    }

    fn records(&self) -> &Records {
        &self.expanded.records
    }

    fn storage_of(&self, alloca: Ptr<Operation>) -> Storage {
        let storage = self.expanded.storage.get(&alloca);
        storage.copied().unwrap_or(Storage::Local)
    }
}

/// What the text of a function refers to.
#[derive(Clone, Debug, Default)]
struct Needs {
    /// Functions of the unit.
    functions: BTreeSet<String>,
    /// Functions of the device library by their C names, or by what PTX text calls them.
    library: BTreeSet<String>,
    /// Bytes and alignment of shared variables.
    shared: BTreeMap<String, (u64, u64)>,
    dynamic_shared: bool,
    lock: bool,
    wide_division: bool,
}

impl Needs {
    fn add(&mut self, other: &Needs) {
        self.functions.extend(other.functions.iter().cloned());
        self.library.extend(other.library.iter().cloned());
        for (name, size) in &other.shared {
            let known = self.shared.entry(name.clone()).or_insert(*size);
            *known = (known.0.max(size.0), known.1.max(size.1));
        }
        self.dynamic_shared |= other.dynamic_shared;
        self.lock |= other.lock;
        self.wide_division |= other.wide_division;
    }
}

/// A kernel or function in instructions, after the passes.
struct Function {
    /// The definition without its body.
    head: String,
    /// Declarations before the function.
    outer: Vec<String>,
    /// Declarations of the thread's own memory.
    locals: Vec<String>,
    code: Code,
    needs: Needs,
    /// Parameters that have to be multiples of 16, as bits.
    aligned: u64,
}

impl Function {
    fn text(&self) -> String {
        let mut text = String::new();
        for line in &self.outer {
            let _ = writeln!(text, "{line}");
        }
        let _ = writeln!(text, "{}\n{{", self.head);
        for line in &self.locals {
            let _ = writeln!(text, "\t{line}");
        }
        text.push_str(&self.code.text());
        text.push_str("}\n");
        text
    }
}

impl Selector<'_> {
    /// The definition with this head, after the passes over instructions.
    fn finish(mut self, head: &str) -> Function {
        let aligned = widen(&mut self.code.lines);
        Function {
            head: head.to_string(),
            outer: self.outer,
            locals: self.locals,
            code: self.code,
            needs: self.needs,
            aligned,
        }
    }
}

/// The functions of the unit that could be selected, or why they could not be.
type Functions = BTreeMap<String, (FuncOp, Result<Function>)>;

/// The PTX text of all kernels that can be printed, and of what they call.
pub fn unit(
    ctx: &Context,
    expanded: Expanded,
    sites: &[Site],
    options: &Options,
) -> std::result::Result<PtxText, Vec<Diagnostic>> {
    let name = |f: &FuncOp| f.get_symbol_name(ctx).to_string();
    let unit = Unit {
        ctx,
        options,
        expanded: &expanded,
        functions: expanded.functions.iter().map(name).collect(),
        spaces: spaces::infer_all(ctx, &expanded, Elsewhere::Anywhere),
        writing: versions::writing_anywhere(ctx, &expanded),
        files: source_files(ctx, &expanded),
    };
    let functions: Functions = expanded
        .functions
        .iter()
        .map(|f| (name(f), (*f, unit.function(*f))))
        .collect();
    let mut skipped = expanded.skipped.clone();
    let (mut forms, mut reductions) = (Made::new(), BTreeMap::new());
    let mut library = BTreeMap::new();
    let (mut texts, mut needs) = (vec![], Needs::default());
    let variables = variables_of_kernels(sites);
    for kernel in &expanded.kernels {
        let vars = variables.get(&kernel.name).copied().unwrap_or_default();
        let printed = unit
            .kernel(kernel, vars, None)
            .and_then(|text| Ok((reached(&functions, &text.needs)?, text)));
        match printed {
            Ok((reached, text)) => {
                let apart = match versions::apart(ctx, &expanded, kernel, vars) {
                    Ok(apart) => apart,
                    Err(reason) => {
                        skipped.push(Skipped {
                            function: kernel.name.clone(),
                            reason,
                        });
                        continue;
                    }
                };
                needs.add(&reached);
                library.insert(kernel.name.clone(), shown(&reached.library));
                texts.push((kernel.form.entry.clone(), text.text()));
                let fast = unit.fast_version(kernel, vars);
                let form = SimtForm {
                    apart,
                    disjoint: fast.as_ref().map(|(_, version)| version.clone()),
                    ..kernel.form.clone()
                };
                forms.insert(kernel.name.clone(), form);
                reductions.insert(kernel.name.clone(), kernel.reductions.clone());
                texts.extend(fast.map(|(text, version)| (version.entry, text)));
            }
            Err(reason) => skipped.push(Skipped {
                function: kernel.name.clone(),
                reason,
            }),
        }
    }
    let mut text = unit.head();
    unit.declarations(&mut text, &needs).map_err(|e| vec![e])?;
    let used = || {
        functions
            .values()
            .filter(|(f, _)| needs.functions.contains(&name(f)))
    };
    for (function, _) in used() {
        let head = unit.function_head(*function).map_err(|e| vec![e])?;
        let _ = writeln!(text, "{head};");
    }
    let definitions = used().filter_map(|(_, printed)| printed.as_ref().ok());
    for definition in definitions {
        let _ = write!(text, "\n{}", definition.text());
    }
    // Kernels that share a variable of the module must stay together.
    let separable = !needs.lock;
    for (entry, definition) in &texts {
        let mark = match separable {
            true => format!("{KERNEL_MARK}{entry}\n"),
            false => String::new(),
        };
        let _ = write!(text, "\n{mark}{definition}");
    }
    Ok(PtxText {
        text,
        forms,
        reductions,
        library,
        skipped,
        newer_differ: expanded.newer_differ,
    })
}

/// Functions of the device library as reports name them.
fn shown(library: &BTreeSet<String>) -> Vec<String> {
    // Without the mark of the library and the number of its unit.
    let own = |name: &String| {
        let name = name.trim_start_matches("__accrue_lib_");
        name.split("__u").next().unwrap_or(name).to_string()
    };
    library.iter().map(own).collect()
}

/// The source files of all operations, those of the first kernel first.
fn source_files(ctx: &Context, expanded: &Expanded) -> Vec<PathBuf> {
    let kernels = expanded.kernels.iter().map(|k| k.function);
    let mut found = vec![];
    for function in kernels.chain(expanded.functions.iter().copied()) {
        for op in nested_ops(ctx, function.get_operation()) {
            let path = file(ctx, op.deref(ctx).loc());
            found.extend(path.filter(|p| !found.contains(p)));
        }
    }
    found
}

/// The variables of each kernel's site, by the name of the kernel or of a version of it.
fn variables_of_kernels(sites: &[Site]) -> HashMap<String, &[SiteVar]> {
    let mut found = HashMap::new();
    for site in sites {
        for kernel in &site.kernels {
            let versions = kernel.versions().into_iter().map(|v| v.function);
            for name in versions.chain([kernel.function.clone()]) {
                found.entry(name).or_insert(site.vars.as_slice());
            }
        }
    }
    found
}

/// What a kernel needs with all functions that it calls, directly or not; an error if one of them could not be printed.
fn reached(functions: &Functions, kernel: &Needs) -> Result<Needs> {
    let mut all = kernel.clone();
    let mut open: Vec<String> = kernel.functions.iter().cloned().collect();
    let mut seen = BTreeSet::new();
    while let Some(name) = open.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        match functions.get(&name) {
            Some((_, Ok(text))) => {
                open.extend(text.needs.functions.iter().cloned());
                all.add(&text.needs);
            }
            Some((_, Err(error))) => return Err(error.clone()),
            None => {}
        }
    }
    Ok(all)
}

impl Unit<'_> {
    /// The text of a kernel's fast version, if it pays (see [`versions`]), and what must hold for it.
    fn fast_version(
        &self,
        kernel: &ExpandedKernel,
        vars: &[SiteVar],
    ) -> Option<(String, Disjoint)> {
        let version = versions::fast(self.ctx, self.expanded, kernel, vars, &self.writing)?;
        let printed = self.kernel(kernel, vars, Some(&version)).ok()?;
        let pays = version.moves_loads || version.asks || printed.aligned != 0;
        pays.then(|| {
            let disjoint = Disjoint {
                entry: fast_name(&kernel.form.entry),
                read_words: words_of(version.only_read, vars),
                written_words: words_of(version.written, vars),
                aligned_words: words_of(printed.aligned, vars),
                written_once: false,
            };
            (printed.text(), disjoint)
        })
    }

    /// Version and target, and the names of the source files.
    fn head(&self) -> String {
        let Options { sm, ptx, debug, .. } = *self.options;
        let mut text = match self.files.first() {
            Some(path) => format!("// Kernels of {}.\n", ascii(&path.display().to_string())),
            None => String::new(),
        };
        let (major, minor) = ptx;
        let _ = write!(
            text,
            ".version {major}.{minor}\n.target sm_{sm}\n.address_size 64\n"
        );
        for (index, path) in self.files.iter().enumerate().filter(|_| debug) {
            let name = ascii(&path.display().to_string());
            let escaped = name.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, ".file {} \"{escaped}\"", index + 1);
        }
        text
    }

    /// What comes before the unit's own functions.
    fn declarations(&self, text: &mut String, needs: &Needs) -> Result<()> {
        let library: Vec<&str> = needs.library.iter().map(String::as_str).collect();
        if !library.is_empty() {
            let library = accrue_devlib::functions(&library)
                .map_err(|unknown| Diagnostic::error(unknown.to_string()))?;
            let _ = write!(text, "\n{library}");
        }
        text.push('\n');
        if needs.wide_division {
            text.push_str(wide::DIVISION);
        }
        if needs.lock {
            text.push_str(atomic::LOCK);
        }
        if needs.dynamic_shared {
            let name = gpu::DYNAMIC_SHARED;
            let _ = writeln!(text, ".extern .shared .align 16 .b8 {name}[];");
        }
        for (name, (bytes, align)) in &needs.shared {
            let (bytes, align) = ((*bytes).max(1), (*align).max(1));
            let _ = writeln!(text, ".shared .align {align} .b8 {name}[{bytes}];");
        }
        Ok(())
    }
}

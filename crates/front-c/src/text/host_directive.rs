//! Directives of OpenMP as the host's compiler gets them, which may know an older version of the specification.
//!
//! ```text
//! begin declare target                            declare target
//! declare target enter(a) link(b)                 declare target(a)        declare target link(b)
//! declare target local(a)                         declare target(a)
//! target map(present, to: a)                      target map(to: a)
//! target uses_allocators(m) allocate(m: x)        target
//! target has_device_addr(p[0:n])                  target
//! target defaultmap(present: all)                 target defaultmap(tofrom)
//! parallel for reduction(inscan, +: s)            parallel for shared(s) num_threads(1)
//! target map(alloc: x) map(to: x, p[0:n])          target map(x, p)
//! scope firstprivate(x)                           scope        task if(0) default(shared) firstprivate(x)
//! declare variant(f) match(construct={dispatch})  (nothing: calls of it are in the text)
//! requires unified_shared_memory                  (nothing: it is about devices)
//! target device(ancestor: 1) map(x)               target map(x)
//! ```
//! The region is the host's fallback, where nothing is mapped: of the clauses about data only that counts whether the region has a
//! variable of its own.

use super::host_scans;
use super::unit::{ScannedDirective, Unit};
use accrue_abi::flags::RequirementFlags;
use accrue_abi::functions::REQUIRES_DECLARATION;
use accrue_directives::omp::hints::ErrorDirective;
use accrue_directives::omp::selectors::Construct;
use accrue_directives::omp::variant::FunctionVariant;
use accrue_directives::omp::{
    Clause, ClauseArgs, ClauseKind, Directive, DirectiveKind, Inside, MapBehavior, MapModifier,
    VariableCategory,
};
use accrue_directives::{Language, Var};

/// The directives that stand for one, if it does not stay as it is written.
pub(super) fn respelled(scanned: &ScannedDirective) -> Option<Vec<String>> {
    let omp = scanned.directive.omp()?;
    match &scanned.source.for_host {
        // The host's compiler gets the same.
        Some(own) if omp.kind.is_for_host() => in_older_words(scanned, omp).or(Some(own.clone())),
        Some(own) => Some(own.clone()),
        None => in_older_words(scanned, omp),
    }
}

fn in_older_words(scanned: &ScannedDirective, omp: &Directive) -> Option<Vec<String>> {
    match &omp.kind {
        DirectiveKind::DeclareTarget => declare_target(scanned, omp),
        DirectiveKind::Requires => requires(scanned, omp),
        // No clause that stays has a mapper.
        DirectiveKind::DeclareMapper => Some(vec![]),
        DirectiveKind::Construct(_) | DirectiveKind::Inside(Inside::Scope)
            if omp.kind.is_target()
                || omp.kind == DirectiveKind::Inside(Inside::Scope)
                || host_scans::has_scan(omp) =>
        {
            let is_scope = omp.kind == DirectiveKind::Inside(Inside::Scope);
            let mapped = mapped_anew(scanned, omp);
            let clauses = omp.clauses.iter().map(|clause| match clause.kind {
                ClauseKind::Map if mapped.is_some() => Some(String::new()),
                ClauseKind::Firstprivate if is_scope => Some(String::new()),
                _ => one(scanned, clause),
            });
            let mut clauses: Vec<Option<String>> = clauses.collect();
            let mut text = scanned.text_of(omp.kind_span).to_string();
            if host_scans::has_scan(omp) {
                let (name, in_order) = host_scans::in_order(scanned, omp);
                text = name;
                for (clause, new) in clauses.iter_mut().zip(in_order) {
                    *clause = new.or(clause.take());
                }
            }
            if clauses.iter().all(Option::is_none) {
                return None;
            }
            for (clause, new) in omp.clauses.iter().zip(clauses) {
                text.push(' ');
                text += new.as_deref().unwrap_or(scanned.text_of(clause.span));
            }
            let names = mapped.filter(|names| !names.is_empty());
            text += &names.map_or_else(String::new, |names| format!(" map({})", names.join(",")));
            // An undeferred task has such copies, and is run by the thread that comes to it.
            let copies = omp.clauses_of(ClauseKind::Firstprivate);
            let copies: Vec<&str> = copies.map(|(_, it)| scanned.text_of(it.span)).collect();
            let task = format!("task if(0) default(shared) {}", copies.join(" "));
            let task = (is_scope && !copies.is_empty()).then_some(task);
            Some(std::iter::once(text).chain(task).collect())
        }
        DirectiveKind::Inside(Inside::Scan) => Some(vec![]),
        // It is said already, where it is read.
        DirectiveKind::Inside(Inside::Error) if error_at_compilation(scanned).is_some() => {
            Some(vec![])
        }
        // Calls of it are in the text.
        DirectiveKind::DeclareVariant => is_for_dispatch(scanned).then(Vec::new),
        // What waits is all that is left of it where nothing is mapped.
        DirectiveKind::TargetEnterData
        | DirectiveKind::TargetExitData
        | DirectiveKind::TargetUpdate => {
            let depends = omp.clauses_of(ClauseKind::Depend);
            let texts = depends.map(|(_, clause)| scanned.text_of(clause.span));
            let texts: Vec<&str> = texts.collect();
            let waits = (!texts.is_empty()).then(|| format!("taskwait {}", texts.join(" ")));
            Some(waits.into_iter().collect())
        }
        DirectiveKind::TargetData => Some(vec![]),
        DirectiveKind::Construct(_)
        | DirectiveKind::Atomic
        | DirectiveKind::DeclareReduction
        | DirectiveKind::Inside(_)
        | DirectiveKind::Other => None,
    }
}

fn is_for_dispatch(scanned: &ScannedDirective) -> bool {
    let text = &scanned.source.text;
    let read = FunctionVariant::read(text, Language::C);
    read.is_ok_and(|it| {
        let constructs = it.constructs(text, Language::C);
        constructs.contains(&Construct::Dispatch)
    })
}

fn declare_target(scanned: &ScannedDirective, omp: &Directive) -> Option<Vec<String>> {
    if scanned.source.ends_pair {
        return None;
    }
    if scanned.text_of(omp.kind_span).starts_with("begin") {
        return Some(vec!["declare target".to_string()]);
    }
    let is_new = |clause: &Clause| {
        let name = scanned.text_of(clause.name_span);
        matches!(name, "enter" | "local") || clause.kind == ClauseKind::Indirect
    };
    if !omp.clauses.iter().any(is_new) {
        return None;
    }
    let lists = omp.clauses.iter().filter_map(|clause| {
        let names = names(scanned, clause.vars());
        match clause.kind {
            ClauseKind::Enter | ClauseKind::To => Some(format!("declare target({names})")),
            ClauseKind::Link => Some(format!("declare target link({names})")),
            _ => None,
        }
    });
    Some(lists.collect())
}

/// What is not about devices.
fn requires(scanned: &ScannedDirective, omp: &Directive) -> Option<Vec<String>> {
    let is_of_hosts = |clause: &&Clause| {
        let order = clause.kind == ClauseKind::AtomicDefaultMemOrder;
        order || clause.kind == ClauseKind::DynamicAllocators
    };
    let of_hosts = omp.clauses.iter().filter(is_of_hosts);
    let of_hosts: Vec<&str> = of_hosts
        .map(|clause| scanned.text_of(clause.span))
        .collect();
    if of_hosts.len() == omp.clauses.len() {
        return None;
    }
    let text = format!("requires {}", of_hosts.join(" "));
    Some(match of_hosts.is_empty() {
        true => vec![],
        false => vec![text],
    })
}

/// What a unit requires of the devices that its program uses, as a function that is called when it is loaded.
pub(super) fn requirements(unit: &Unit) -> String {
    let omp = unit.directives.iter().filter_map(|it| it.directive.omp());
    let required: Vec<&Directive> = omp
        .filter(|omp| omp.kind == DirectiveKind::Requires)
        .collect();
    let has = |kind| required.iter().any(|omp| omp.has(kind));
    let omp = unit.directives.iter().filter_map(|it| it.directive.omp());
    let clauses = omp.flat_map(|omp| &omp.clauses);
    let maps_to_itself = clauses.into_iter().any(|clause| match &clause.args {
        ClauseArgs::Map { modifiers, .. } => modifiers.contains(&MapModifier::ToItself),
        _ => false,
    });
    let flags = RequirementFlags {
        unified_address: has(ClauseKind::UnifiedAddress),
        unified_shared_memory: has(ClauseKind::UnifiedSharedMemory)
            || has(ClauseKind::SelfMaps)
            || maps_to_itself,
        reverse_offload: has(ClauseKind::ReverseOffload),
    };
    match flags.bits() {
        0 => String::new(),
        bits => format!(
            "\n# 1 \"<accrue>\" 3\n{REQUIRES_DECLARATION}static __attribute__((__constructor__(101),__unused__)) void __accrue_requires_load(void){{__accrue_requires({bits});}}\n"
        ),
    }
}

/// The variables of the `map` clauses, if some of these are newer than the host's compiler: those with `present` or `self`, several list items that
/// are one, or sections of one array, and a copy of what is mapped. That a variable is mapped is all that counts on the host.
fn mapped_anew(scanned: &ScannedDirective, omp: &Directive) -> Option<Vec<String>> {
    let maps = || omp.clauses.iter().filter(|it| it.kind == ClauseKind::Map);
    let is_new = |clause: &Clause| match &clause.args {
        ClauseArgs::Map { modifiers, .. } => modifiers
            .iter()
            .any(|it| matches!(it, MapModifier::Present | MapModifier::ToItself)),
        _ => false,
    };
    let items: Vec<&Var> = maps().flat_map(Clause::vars).collect();
    let text = |var: &Var| -> String {
        let text = scanned.text_of(var.span).chars();
        text.filter(|c| !c.is_whitespace()).collect()
    };
    let root = |var: &Var| -> String {
        let is_word = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let name = scanned.text_of(var.base).trim_start_matches(['(', ' ']);
        name.chars().take_while(is_word).collect()
    };
    // Members of one struct may be in several items, sections of one array not.
    let whole = |var: &Var| !text(var).contains(['.', '>']);
    let meet = |one: &Var, other: &Var| {
        text(one) == text(other) || root(one) == root(other) && whole(one) && whole(other)
    };
    let twice = (0..items.len()).any(|k| items[..k].iter().any(|it| meet(it, items[k])));
    let copies = omp.clauses_of(ClauseKind::Firstprivate);
    let copied: Vec<String> = copies.flat_map(|(_, it)| it.vars()).map(root).collect();
    let conflict = items.iter().any(|it| copied.contains(&root(it)));
    let is_same = !scanned.source.is_rewritten;
    if is_same && !twice && !conflict && !maps().any(is_new) {
        return None;
    }
    let mut names: Vec<String> = Vec::new();
    for name in items.into_iter().map(root) {
        if !names.contains(&name) && !copied.contains(&name) {
            names.push(name);
        }
    }
    Some(names)
}

/// What stands for a clause of a region; nothing if it stays.
fn one(scanned: &ScannedDirective, clause: &Clause) -> Option<String> {
    match (&clause.args, clause.kind) {
        (ClauseArgs::Defaultmap { behavior, category }, _)
            if *behavior == MapBehavior::Present || category.is_none() =>
        {
            let behavior = match behavior {
                MapBehavior::Present => MapBehavior::ToFrom,
                other => *other,
            };
            let behavior = MapBehavior::ALL.iter().find(|(_, it)| *it == behavior);
            let behavior = behavior.map_or("tofrom", |(word, _)| word);
            let named = VariableCategory::ALL.iter().find(|(_, it)| it == category);
            match named.filter(|_| category.is_some()) {
                Some((word, _)) => Some(format!("defaultmap({behavior}: {word})")),
                None => Some(format!("defaultmap({behavior})")),
            }
        }
        (ClauseArgs::Modified { .. }, ClauseKind::Device) if is_ancestor(scanned, clause) => {
            Some(String::new())
        }
        (_, ClauseKind::UsesAllocators | ClauseKind::Allocate | ClauseKind::HasDeviceAddr) => {
            Some(String::new())
        }
        _ => None,
    }
}

/// What an `error` directive is that the compilation of a region comes to.
pub(super) fn error_at_compilation(scanned: &ScannedDirective) -> Option<ErrorDirective> {
    let read = ErrorDirective::read(&scanned.source.text)?.ok()?;
    (!read.at_execution).then_some(read)
}

/// `device(ancestor: 1)`
fn is_ancestor(scanned: &ScannedDirective, clause: &Clause) -> bool {
    match clause.args {
        ClauseArgs::Modified { modifier, .. } => {
            clause.kind == ClauseKind::Device && scanned.text_of(modifier).trim() == "ancestor"
        }
        _ => false,
    }
}

/// Whether the host's compiler need not be told that a region is in another one.
pub(crate) fn calls_back(scanned: &ScannedDirective) -> bool {
    let clauses = scanned.directive.omp().map_or(&[][..], |omp| &omp.clauses);
    clauses.iter().any(|clause| is_ancestor(scanned, clause))
}

/// The variables without sections.
fn names(scanned: &ScannedDirective, vars: &[Var]) -> String {
    let names: Vec<&str> = vars.iter().map(|var| scanned.text_of(var.base)).collect();
    names.join(", ")
}

//! One unit's kernels with the bodies of other units' routines.
//!
//! ```text
//! a.c after `par-loops`                          b.c after `par-loops`, its routines
//! core.record_def "pair__u0a…" …                 core.record_def "pair__u0b…" …
//! core.extern_func @f, vector                    builtin.func @f [acc_routine: vector] { … }
//! builtin.func @accrue_k0_0__u0a… { … @f … }     builtin.func @helper__u0b… { … }
//!                          └──────────┬─────────────────┘
//!                                     ▼
//! core.record_def "pair__u0a…" …   builtin.func @accrue_k0_0__u0a… { … @f … }   builtin.func @f { … }   …
//! ```
//! Up to [`LINK`] each unit is lowered by itself: what its directives pass to the library is decided then, and is in the host's text. The
//! passes behind it see all that a kernel runs, so that functions are inlined across units.
//!
//! Steps:
//! 1. Records that look alike, members and what they point to included, get the name that the first unit has for them, and those that a
//!    unit only points to the name of one that another unit defines. C's types are compatible across units by what they look like. A function whose name in C is taken gets another one. Both are done in the texts.
//! 2. The other units' functions, declarations and records move into the first module.
//! 3. Each call is compared with the function that it now leads to: levels, and types of arguments. A pointer to something else is
//!    converted, and then types say nothing about aliasing any more.
//! 4. Variables outside of functions that the other units' functions use become parameters, of the kernels too.
//!
//! Cost: linear in the texts.

use accrue_abi::symbols::shown;
use accrue_diag::{Diagnostic, Place};
use accrue_dialects::acc::{Routine, foreign_routine_of, routine_of};
use accrue_dialects::core::{
    ALIASING, Aliasing, Call, Cast, CastKind, ExternFunc, RecordDef, emit::Emitter, pointee_of,
};
use accrue_ir::{diagnostic::place, text, walk};
use accrue_lower_acc::{
    assign_levels, gang_dims, helper_globals, routine_dims, routines::level_of,
};
use pliron::{
    builtin::{
        op_interfaces::{SingleBlockRegionInterface, SymbolOpInterface},
        ops::{FuncOp, ModuleOp},
        type_interfaces::FunctionTypeInterface,
        types::FunctionType,
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The last pass that sees a unit by itself.
pub const LINK: &str = "par-loops";

/// The names of functions that the module calls and another unit has.
pub fn foreign(ctx: &Context, module: ModuleOp) -> Vec<(String, Option<Place>)> {
    let declared = walk::directly_in::<ExternFunc>(ctx, module.get_operation());
    let foreign = declared
        .into_iter()
        .filter(|func| foreign_routine_of(ctx, func).is_some());
    let named = |func: ExternFunc| {
        let name = func.get_symbol_name(ctx).to_string();
        (name, place(ctx, func.get_operation()))
    };
    foreign.map(named).collect()
}

/// The module of the first text, with what is in the others. All are texts of modules after [`LINK`].
///
/// # Errors
/// Texts that are no such modules, and what does not fit together.
pub fn link(ctx: &mut Context, texts: &[&str]) -> Result<ModuleOp, Vec<Diagnostic>> {
    let renamed = renamed(texts);
    let mut modules = vec![];
    for text in &renamed {
        let operation = text::parse(ctx, text).map_err(|error| damaged(&error.to_string()))?;
        let module = Operation::get_op::<ModuleOp>(operation, ctx);
        modules.push(module.ok_or_else(|| damaged("it is no module"))?);
    }
    let Some((first, others)) = modules.split_first() else {
        return Err(damaged("there is none"));
    };
    let merged = Merged::of(ctx, *first);
    merged.with(ctx, others)
}

fn damaged(why: &str) -> Vec<Diagnostic> {
    let message = format!("what an object has of its unit's code cannot be read: {why}");
    vec![Diagnostic::error(message).help("compile its source again")]
}

/// The texts with names that fit together.
fn renamed(texts: &[&str]) -> Vec<String> {
    let mut names = Names::default();
    let mut renamings: Vec<HashMap<String, String>> =
        texts.iter().map(|text| names.renamings(text)).collect();
    for (text, renaming) in texts.iter().zip(&mut renamings) {
        names.complete(text, renaming);
    }
    let both = texts.iter().zip(&renamings);
    both.map(|(text, renaming)| with_words(text, renaming))
        .collect()
}

/// The names that are taken.
#[derive(Default)]
struct Names {
    /// Tags of records by what these look like.
    records: HashMap<String, String>,
    /// Tags of records by their names in C.
    defined: HashMap<String, String>,
    /// Symbols of functions by their names in C.
    functions: HashMap<String, String>,
}

impl Names {
    /// What is to have another name in `text`, a further unit's.
    fn renamings(&mut self, text: &str) -> HashMap<String, String> {
        let mut renamings = HashMap::new();
        let records = records_of(text);
        for tag in records.keys() {
            let look = look(tag, &records);
            let canonical = self.records.entry(look).or_insert_with(|| tag.to_string());
            if canonical != tag {
                renamings.insert(tag.to_string(), canonical.clone());
            }
            let plain = shown(tag);
            let canonical = canonical.clone();
            self.defined.entry(plain).or_insert(canonical);
        }
        for symbol in text.lines().filter_map(function_of) {
            let plain = shown(symbol);
            match self.functions.get(&plain) {
                None => {
                    self.functions.insert(plain, symbol.to_string());
                }
                Some(known) if known == symbol => {}
                Some(_) => {
                    let behind = symbol.strip_prefix(&*plain).unwrap_or_default();
                    let numbered = (2..).map(|number| format!("{plain}_{number}"));
                    let mut free = numbered.filter(|name| !self.functions.contains_key(name));
                    let name = free.next().unwrap_or_default();
                    let new = format!("{name}{behind}");
                    self.functions.insert(name, new.clone());
                    // A function that the program has a name for keeps it: other units call it so.
                    if !behind.is_empty() {
                        renamings.insert(symbol.to_string(), new);
                    }
                }
            }
        }
        renamings
    }

    /// Records that a text only points to are those of their names, where another text defines one.
    fn complete(&self, text: &str, renaming: &mut HashMap<String, String>) {
        let own = records_of(text);
        let uses = text.split("core.record <\"").skip(1);
        for tag in uses.filter_map(|rest| words(rest).next()) {
            if !own.contains_key(tag)
                && let Some(defined) = self.defined.get(&shown(tag))
            {
                renaming.insert(tag.to_string(), defined.clone());
            }
        }
    }
}

/// The records that a text defines: what stands behind the tag.
fn records_of(text: &str) -> BTreeMap<&str, &str> {
    let lines = text.lines().map(str::trim_start);
    let definitions = lines.filter_map(|line| line.strip_prefix("core.record_def \""));
    definitions
        .filter_map(|rest| rest.split_once('"'))
        .collect()
}

/// What a record looks like, whatever the unit calls it: its name in C and its definition, in which records are numbers, then those of
/// the records that it names, in the order in which they come up.
fn look(tag: &str, records: &BTreeMap<&str, &str>) -> String {
    let mut order = vec![tag.to_string()];
    let mut text = String::new();
    let mut at = 0;
    while let Some(tag) = order.get(at).cloned() {
        at += 1;
        let plain = shown(&tag);
        if !plain.starts_with("unnamed_") {
            text.push_str(&plain);
        }
        let definition = records.get(&*tag).copied().unwrap_or_default();
        // The place of the definition is no part of the type.
        let definition = definition
            .rsplit_once(" !")
            .map_or(definition, |(it, _)| it);
        for word in words(definition) {
            let is_record = records.contains_key(word) || shown(word) != word;
            if is_record {
                let number = order.iter().position(|known| known == word);
                let number = number.unwrap_or_else(|| {
                    order.push(word.to_string());
                    order.len() - 1
                });
                text.push_str(&format!("#{number}"));
            } else {
                text.push_str(word);
            }
        }
        text.push('\n');
    }
    text
}

/// The symbol of the function whose definition begins in the line.
fn function_of(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("builtin.func @")?;
    words(rest).next()
}

/// A text in pieces: words, and what is between them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)),
            false => rest.find(is_word),
        };
        let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
        rest = behind;
        Some(word)
    })
}

/// The text with other words.
fn with_words(text: &str, renaming: &HashMap<String, String>) -> String {
    if renaming.is_empty() {
        return text.to_string();
    }
    words(text)
        .map(|word| renaming.get(word).map_or(word, String::as_str))
        .collect()
}

/// The first module, with what it has.
struct Merged {
    module: ModuleOp,
    functions: HashMap<String, FuncOp>,
    declared: HashMap<String, ExternFunc>,
    records: HashSet<String>,
}

impl Merged {
    fn of(ctx: &Context, module: ModuleOp) -> Merged {
        let op = module.get_operation();
        let functions = walk::directly_in::<FuncOp>(ctx, op).into_iter();
        let declared = walk::directly_in::<ExternFunc>(ctx, op).into_iter();
        let records = walk::directly_in::<RecordDef>(ctx, op).into_iter();
        Merged {
            module,
            functions: functions
                .map(|func| (func.get_symbol_name(ctx).to_string(), func))
                .collect(),
            declared: declared
                .map(|func| (func.get_symbol_name(ctx).to_string(), func))
                .collect(),
            records: records.map(|record| record.tag(ctx)).collect(),
        }
    }

    /// Moves what is in `others` into the module.
    fn with(mut self, ctx: &mut Context, others: &[ModuleOp]) -> Result<ModuleOp, Vec<Diagnostic>> {
        let body = self.module.get_body(ctx, 0);
        let first = self.module.get_operation();
        for other in others {
            if Aliasing::of_module(ctx, other.get_operation()) == Aliasing::Any {
                ALIASING.set(ctx, first, Aliasing::Any);
            }
            for op in walk::ops_of_block(ctx, other.get_body(ctx, 0)) {
                if self.takes(ctx, op) {
                    op.unlink(ctx);
                    op.insert_at_back(body, ctx);
                }
            }
            Operation::erase(other.get_operation(), ctx);
        }
        self.check(ctx)
    }

    /// Whether the operation is new to the module, and of a kind that matters.
    fn takes(&mut self, ctx: &Context, op: Ptr<Operation>) -> bool {
        if let Some(func) = Operation::get_op::<FuncOp>(op, ctx) {
            let name = func.get_symbol_name(ctx).to_string();
            // An inline function, whose body all units have.
            let is_new = !self.functions.contains_key(&name);
            if is_new {
                self.functions.insert(name, func);
            }
            return is_new;
        }
        if let Some(func) = Operation::get_op::<ExternFunc>(op, ctx) {
            let name = func.get_symbol_name(ctx).to_string();
            let is_new = !self.declared.contains_key(&name);
            if is_new {
                self.declared.insert(name, func);
            }
            return is_new;
        }
        let record = Operation::get_op::<RecordDef>(op, ctx);
        record.is_some_and(|record| self.records.insert(record.tag(ctx)))
    }

    /// Compares declarations and calls with the functions that are there now.
    fn check(self, ctx: &mut Context) -> Result<ModuleOp, Vec<Diagnostic>> {
        let module = self.module.get_operation();
        let mut errors = vec![];
        let mut declared: Vec<_> = self.declared.iter().collect();
        declared.sort_by_key(|(name, _)| *name);
        for (name, declaration) in declared {
            let Some(func) = self.functions.get(name) else {
                continue;
            };
            let said = level(foreign_routine_of(ctx, declaration));
            let is = level(routine_of(ctx, func));
            if said != is {
                let message = format!(
                    "`{name}` is declared as a routine that works at {said} level, and works at {is} level"
                );
                let error = Diagnostic::error(message)
                    .help("write the same level in both `routine` directives")
                    .section("2.15.1");
                errors.push(with_places(
                    error,
                    place(ctx, declaration.get_operation()),
                    (place(ctx, func.get_operation()), "its definition"),
                ));
            }
            Operation::erase(declaration.get_operation(), ctx);
        }
        helper_globals::complete_calls(ctx, self.module);
        for call in walk::nested::<Call>(ctx, module) {
            if let Some(func) = self.functions.get(&call.callee(ctx)) {
                errors.extend(fit(ctx, call, *func, module));
            }
        }
        match errors.is_empty() {
            true => {
                helper_globals::at_link(ctx, self.module);
                Ok(self.module)
            }
            false => Err(errors),
        }
    }
}

/// Makes the arguments of a call fit the function; an error if they cannot.
fn fit(ctx: &mut Context, call: Call, func: FuncOp, module: Ptr<Operation>) -> Option<Diagnostic> {
    let op = call.get_operation();
    let (parameters, results) = signature(ctx, func)?;
    let arguments = walk::operands_of(ctx, op);
    let own_results: Vec<TypeHandle> = walk::results_of(ctx, op)
        .iter()
        .map(|value| value.get_type(ctx))
        .collect();
    let mut fits = arguments.len() == parameters.len();
    // What a caller does not want is no result.
    fits &= own_results.is_empty() || own_results.len() == results.len();
    for (own, is) in own_results.iter().zip(&results) {
        fits &= own == is;
    }
    for (index, (argument, parameter)) in arguments.iter().zip(&parameters).enumerate() {
        let ty = argument.get_type(ctx);
        if !fits || ty == *parameter {
            continue;
        }
        if pointee_of(ctx, ty).is_none() || pointee_of(ctx, *parameter).is_none() {
            fits = false;
            continue;
        }
        let mut e = Emitter::before(ctx, op);
        let cast = Cast::new(e.ctx, CastKind::PtrCast, *argument, *parameter);
        let cast = e.value(cast);
        Operation::replace_operand(op, ctx, index, cast);
        ALIASING.set(ctx, module, Aliasing::Any);
    }
    if fits {
        return None;
    }
    let name = shown(&call.callee(ctx));
    let message = format!("`{name}` is defined with other types than it is called with");
    let error = Diagnostic::error(message).help("include the same declaration in both files");
    Some(with_places(
        error,
        place(ctx, op),
        (place(ctx, func.get_operation()), "its definition"),
    ))
}

fn signature(ctx: &Context, func: FuncOp) -> Option<(Vec<TypeHandle>, Vec<TypeHandle>)> {
    let ty = func.get_type(ctx);
    let ty = ty.deref(ctx);
    let ty = ty.downcast_ref::<FunctionType>()?;
    Some((ty.arg_types(), ty.res_types()))
}

/// The level of a routine, as messages name it.
fn level(routine: Option<Routine>) -> String {
    if let Some(dim) = routine.as_ref().and_then(routine_dims::dim_of) {
        return gang_dims::name(dim);
    }
    let level = routine.as_ref().and_then(level_of);
    level.map_or("seq", assign_levels::name).to_string()
}

fn with_places(
    error: Diagnostic,
    at: Option<Place>,
    (other, what): (Option<Place>, &str),
) -> Diagnostic {
    let error = match at {
        Some(at) => error.place(at),
        None => error,
    };
    match other {
        Some(other) => error.related(other, what),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "core.record_def \"s__u0000000000000001\" {size=8} [{name=\"p\",ty=core.ptr <core.record <\"s__u0000000000000001\">>}] !3;\n\
                       builtin.func @f: x\n builtin.func @g__u0000000000000001: x\n";

    #[test]
    fn records_that_look_alike_get_one_name() {
        let two = ONE.replace("00001", "00002").replace("!3", "!7");
        let three = two.replace("size=8", "size=16").replace("00002", "00003");
        let renamed = renamed(&[ONE, &two, &three]);
        assert_eq!(renamed[0], ONE);
        assert!(renamed[1].contains("\"s__u0000000000000001\""));
        assert!(!renamed[1].contains("\"s__u0000000000000002\""));
        assert!(renamed[2].contains("\"s__u0000000000000003\""));
    }

    #[test]
    fn records_without_a_definition_get_one() {
        let two = "core.ptr <core.record <\"s__u0000000000000002\">>";
        let renamed = renamed(&[two, ONE]);
        assert_eq!(renamed[0], two.replace("00002", "00001"));
    }

    #[test]
    fn functions_of_one_name_get_others() {
        let two = ONE.replace("00001", "00002").replace("@f", "@h");
        let renamed = renamed(&[ONE, &two]);
        assert!(renamed[1].contains("@g_2__u0000000000000002:"));
        assert!(renamed[1].contains("@h:"));
    }
}

//! The host text: the user's program with a call of the run-time library in front of each region.
//!
//! ```text
//! #pragma acc parallel loop copy(a[0:n])     switch(__accrue_launch(&SITE, WORDS))case 0:
//! for (…) …                                  for (…) …
//! #pragma acc data copy(x)               →   switch(BEGIN,NEXT)for(;0;NEXT)default:
//! { … }                                      { … }
//! #pragma acc wait(1)                        __accrue_exec(&SITE, WORDS);
//! ```
//!
//! A variable of a `use_device` clause means the device's in the statement: [`shadows`](super::shadows).
//!
//! A `target` of OpenMP stays, behind the call: the host's compiler makes the fallback of it, with the threads and the data environment
//! that the directive says.
//!
//! ```text
//! #pragma omp target map(x)      →      switch(__accrue_launch(&SITE, WORDS))case 0:
//! { … }                                 #pragma omp target map(x)
//!                                       { … }
//! ```
//!
//! Where it has a `depend` clause, an empty task of the host with the same clause comes first, in the same expression: an undeferred
//! task waits for those that it depends on.
//!
//! ```text
//! switch(__extension__({
//! #pragma omp task if(0) depend(in: x)
//! ;__accrue_launch(&SITE, WORDS);}))case 0:
//! ```
//!
//! The user's statement stays where it is and is the host's way to do the work when `__accrue_launch` returns 0. All
//! other bytes and all line numbers are kept, but for the keyword [`register`](super::register) of variables whose address is
//! passed. `switch(…)case 0:` runs the statement in just that case, and, unlike
//! `if(…){}else`, takes no part in a dangling `else` and is of no interest to `-Wdangling-else` and
//! `-Wmisleading-indentation`.
//!
//! BEGIN is `__accrue_data_begin(&SITE, WORDS)`, NEXT is `__accrue_data_next(&SITE)`, which enters the region when it is
//! called first and leaves it when it is called again. The `for` is entered at the label in its body; behind the body
//! comes NEXT, and then the condition, which is false. That is a prefix alone, and no loop: compilers need time that
//! grows with the square of the depth of a nest of loops, or more.
//!
//! A `declare` directive in a function becomes a variable that compilers clean up on every way out of its scope, behind the value of
//! a `return`. One outside of functions becomes a function at the end of the text, where all types are complete:
//!
//! ```text
//! #pragma acc declare create(t)         →    struct __accrue_site *… __attribute__((cleanup(__accrue_declare_leave)))=(BEGIN,&SITE);
//!
//! #pragma acc declare create(g)         →
//! …                                          static void __attribute__((constructor)) …(void){__accrue_declare_global(&SITE, WORDS);}
//! ```
//!
//! WORDS is an array of 64-bit words: a header, the queues to wait for, the words of each variable.

use super::function_addresses::FunctionAddress;
use super::host_call::{FileWord, HostCall};
use super::host_directive::{calls_back, requirements, respelled};
use super::imperfect;
use super::older_words;
use super::register;
use super::scan::{ScannedDirective, Unit};
use super::sentinel::Sentinel;
use super::shadows::{self, Renamed};
use super::stretches;
use accrue_abi::functions::{
    DECLARE_GLOBAL_DECLARATION, DECLARE_LEAVE_DECLARATION, DEVICE_ADDRESS_DECLARATION,
    HOST_DECLARATIONS, UNOBSERVED_DECLARATION,
};
use accrue_directives::Language;
use accrue_hostcall::{CallKind, Stretches};
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

/// What regions take for granted of the host's compiler: checked by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// Where it is checked.
    pub stand: Stand,
    /// The declaration it is about, in the preprocessed text.
    pub offset: Option<usize>,
    /// A constant expression of C.
    pub condition: String,
    /// What the compiler says if it is 0.
    pub message: String,
}

/// Where something is put into the host's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stand {
    /// In front of the user's text.
    Start,
    /// Behind the declaration, or the brace, that ends at this offset.
    Behind(usize),
    /// In front of the condition of a `for`, whose first declaration ends at this offset.
    Condition(usize),
    /// At the end.
    End,
}

/// Functions that give the bits of floating-point values, and one of two signed numbers.
const HELPERS: [(&str, &str); 7] = [
    (
        "__accrue_least",
        "(__accrue_word a,__accrue_word b){__accrue_word s=(__accrue_word)1<<63;return (a^s)<(b^s)?a:b;}",
    ),
    (
        "__accrue_most",
        "(__accrue_word a,__accrue_word b){__accrue_word s=(__accrue_word)1<<63;return (a^s)<(b^s)?b:a;}",
    ),
    (
        "__accrue_f32",
        "(float v){union{float v;unsigned int w;}u;u.v=v;return u.w;}",
    ),
    (
        "__accrue_f64",
        "(double v){union{double v;__accrue_word w;}u;u.v=v;return u.w;}",
    ),
    (
        "__accrue_ld",
        "(long double v,int i){union{__accrue_word w[2];long double v;}u={{0,0}};u.v=v;return u.w[i];}",
    ),
    (
        "__accrue_c32",
        "(_Complex float v){union{_Complex float v;__accrue_word w;}u;u.v=v;return u.w;}",
    ),
    (
        "__accrue_c64",
        "(_Complex double v,int i){union{_Complex double v;__accrue_word w[2];}u;u.v=v;return u.w[i];}",
    ),
];

/// The assertions of the start or the end as C text. They are system text, so that no dialect complains about them.
fn assertion_text(unit: &Unit, assertions: &[Assertion], stand: Stand) -> String {
    let mut text = String::new();
    for assertion in assertions.iter().filter(|a| a.stand == stand) {
        let position = assertion.offset.map(|offset| unit.lines.position(offset));
        let (line, file) = match &position {
            Some(position) => (position.line, &*position.file),
            None => (1, "<accrue>"),
        };
        let file = file.replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n# {line} \"{file}\" 3\n{}", assertion.text());
    }
    text
}

impl Assertion {
    fn text(&self) -> String {
        let assertion = format!("_Static_assert({},\"{}\");", self.condition, self.message);
        match self.stand {
            Stand::Start | Stand::Behind(_) | Stand::End => format!("__extension__ {assertion}"),
            Stand::Condition(_) => {
                format!("(void)__extension__ sizeof(struct{{{assertion}int accrue;}}),")
            }
        }
    }
}

/// The end of the host text. Its very last line is the user's: where a unit ends, gcc reports what is wrong with all of it
/// (`-Wmissing-profile`), and drops that in system text.
fn epilogue(unit: &Unit, asserted: &[Assertion], loads: &[&HostCall], more: &str) -> String {
    let mut text = assertion_text(unit, asserted, Stand::End) + more;
    for load in loads {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n# 1 \"<accrue>\" 3\n{}", load.load_text());
    }
    let end = unit.lines.position(unit.text.len());
    let file = end.file.replace('\\', "\\\\").replace('"', "\\\"");
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "\n# {} \"{file}\"\n__extension__ _Static_assert(1,\"\");",
        end.line
    );
    text
}

/// A static variable that functions use which regions of other units call: these find it by a name that no other unit has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Exposed {
    pub name: String,
    /// The other name.
    pub symbol: String,
}

impl Exposed {
    fn text(&self) -> String {
        let Exposed { name, symbol } = self;
        format!(
            "\n# 1 \"<accrue>\" 3\n__extension__ extern __typeof__({name}) {symbol} __attribute__((__alias__(\"{name}\"),__visibility__(\"hidden\")));\n"
        )
    }
}

/// What the host's text has beside calls.
#[derive(Clone, Copy, Default)]
pub struct Additions<'a> {
    pub assertions: &'a [Assertion],
    /// Where synchronous constructs are waited for that are not waited for one by one.
    pub stretches: Option<&'a Stretches>,
    /// Names that mean something else than the user's declarations.
    pub renamed: &'a [Renamed],
    pub exposed: &'a [Exposed],
    pub addresses: Option<&'a BTreeSet<FunctionAddress>>,
}

/// Makes the host text. `calls` has an entry for each directive by ordinal number; a directive without a call (`loop`,
/// `declare`, anything inside a compute construct) leaves an empty line.
pub fn host_text(unit: &Unit, calls: &[Option<HostCall>], additions: &Additions<'_>) -> Vec<u8> {
    let assertions = additions.assertions;
    let mut text = Vec::with_capacity(unit.text.len() + 4096);
    let mut body = String::new();
    let mut at = 0;
    let mut replaced: Vec<(usize, usize, String)> = Vec::new();
    for directive in &unit.directives {
        let call = calls.get(directive.ordinal).and_then(Option::as_ref);
        let span = directive.source.span.clone();
        if directive.source.sentinel == Sentinel::Omp && is_for_host_too(call) {
            let before = call.filter(|call| !is_load(call)).map(HostCall::text);
            body.push_str(before.as_deref().unwrap_or_default());
            let stays = respelled(directive);
            let stays = imperfect::respelled(unit, directive, stays.as_deref()).or(stays);
            let (before, stays) = in_older_words(directive, before, stays);
            if before.is_some() || stays.is_some() {
                let end = stays.as_ref().map_or(span.start, |_| span.end);
                let text = staying(unit, directive, before, stays.unwrap_or_default());
                replaced.push((span.start, end, text));
            }
            continue;
        }
        let replacement = call
            .map(
                |call| match is_declaration(call) || !call.depend.is_empty() {
                    false => indentation(unit, directive) + &call.text(),
                    true => as_system_text(unit, directive, &call.text()),
                },
            )
            .unwrap_or_default();
        body.push_str(&replacement);
        replaced.push((span.start, span.end, replacement));
    }
    for name in additions.renamed {
        // What is in directives that stay is about the host's own object.
        if unit.directive_at(name.at).is_none() {
            replaced.push((name.at, name.at + name.length, name.text.clone()));
        }
    }
    let keywords = register::keywords(unit, calls).into_iter();
    replaced.extend(keywords.map(|keyword| (keyword.start, keyword.end, String::new())));
    let behind = assertions
        .iter()
        .filter_map(|assertion| match assertion.stand {
            Stand::Behind(offset) | Stand::Condition(offset) => {
                Some((offset, offset, assertion.text()))
            }
            Stand::Start | Stand::End => None,
        });
    replaced.extend(behind);
    let stretches = additions.stretches.into_iter();
    for (place, text) in stretches.flat_map(|it| stretches::additions(unit, it)) {
        body.push_str(&text);
        replaced.push((place, place, text));
    }
    replaced.sort_by_key(|(start, _, _)| *start);
    if calls.iter().any(Option::is_some) {
        let mut checks = assertion_text(unit, assertions, Stand::Start);
        for address in additions.addresses.into_iter().flatten() {
            checks.push_str(&address.declaration());
        }
        for word in calls.iter().flatten().flat_map(|call| &call.of_file) {
            checks.push_str(&word.declaration());
            body.push_str(&word.text);
        }
        at = prologue(unit, calls, &body, &checks, &mut text);
    }
    for (start, end, replacement) in replaced {
        text.extend_from_slice(&unit.text[at..start]);
        text.extend_from_slice(replacement.as_bytes());
        let lines = unit.text[start..end]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        text.resize(text.len() + lines, b'\n');
        at = end;
    }
    text.extend_from_slice(&unit.text[at..]);
    let loads: Vec<&HostCall> = calls
        .iter()
        .flatten()
        .filter(|call| is_load(call))
        .collect();
    let exposed = additions.exposed.iter().map(Exposed::text);
    let addresses = additions.addresses.into_iter().flatten();
    let addresses = addresses.map(FunctionAddress::definition);
    let words = calls.iter().flatten().flat_map(|call| &call.of_file);
    let words = words.map(FileWord::definition);
    let more = requirements(unit) + &exposed.chain(addresses).chain(words).collect::<String>();
    if !assertions.is_empty() || !loads.is_empty() || !more.is_empty() {
        text.extend_from_slice(epilogue(unit, assertions, &loads, &more).as_bytes());
    }
    text
}

/// Whether a directive of OpenMP stays in the text: that of a region, which the host's compiler makes the fallback of, and those in it.
fn is_for_host_too(call: Option<&HostCall>) -> bool {
    call.is_none_or(|call| match call.kind {
        CallKind::Launch | CallKind::Load => true,
        CallKind::Region | CallKind::Execute | CallKind::Scope => false,
    })
}

/// What stands in front of a directive that stays, and the directives that take its place, in words that older compilers know.
fn in_older_words(
    directive: &ScannedDirective,
    before: Option<String>,
    stays: Option<Vec<String>>,
) -> (Option<String>, Option<Vec<String>>) {
    let own = [directive.source.text.clone()];
    let texts = stays.as_deref().unwrap_or(&own);
    let (mut first, mut changed) = (None, false);
    let texts = texts.iter().map(|text| match older_words::for_host(text) {
        Some((before, new)) => {
            first = first.or(before);
            changed = true;
            new
        }
        None => text.clone(),
    });
    let texts: Vec<String> = texts.collect();
    match changed {
        true => (before.or(first.map(str::to_string)), Some(texts)),
        false => (before, stays),
    }
}

/// The call, on a line of its own in front of a directive that stays, and the directives that take its place if it does not.
fn staying(
    unit: &Unit,
    directive: &ScannedDirective,
    call: Option<String>,
    instead: Vec<String>,
) -> String {
    let start = directive.source.span.start;
    let position = unit.lines.position(start);
    let file = position.file.replace('\\', "\\\\").replace('"', "\\\"");
    let flags = match unit.lines.in_system_header(start) {
        true => " 3",
        false => "",
    };
    let marker = format!("\n# {} \"{file}\"{flags}\n", position.line);
    let indented = call.map(|call| indentation(unit, directive) + &call);
    let quiet = format!("\n# {} \"{file}\" 3\n", position.line);
    let before = if calls_back(directive) {
        &quiet
    } else {
        &marker
    };
    let mut text = indented.unwrap_or_default() + before;
    for other in instead {
        text += &format!("#pragma omp {other}{marker}");
    }
    text
}

fn is_load(call: &HostCall) -> bool {
    match call.kind {
        CallKind::Load => true,
        CallKind::Launch | CallKind::Region | CallKind::Execute | CallKind::Scope => false,
    }
}

/// Whether the call declares something in front of the user's next statement.
fn is_declaration(call: &HostCall) -> bool {
    match call.kind {
        CallKind::Scope => true,
        CallKind::Region => !call.shadows.is_empty(),
        CallKind::Launch | CallKind::Execute | CallKind::Load => false,
    }
}

/// Writes the user's first linemarker, which names the file for the debugger, the declarations and the checks. Returns where
/// the user's text goes on.
fn prologue(
    unit: &Unit,
    calls: &[Option<HostCall>],
    body: &str,
    checks: &str,
    text: &mut Vec<u8>,
) -> usize {
    let first_line = unit
        .text
        .split_inclusive(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    let end = if first_line.starts_with(b"# ") {
        first_line.len()
    } else {
        0
    };
    let position = unit.lines.position(end.saturating_sub(1));
    let start = unit.lines.position(end);
    let file = position.file.replace('\\', "\\\\").replace('"', "\\\"");
    let file = if end > 0 {
        marker_name(first_line).unwrap_or(file)
    } else {
        file
    };
    if end > 0 {
        text.extend_from_slice(first_line);
    } else {
        text.extend_from_slice(format!("# 1 \"{file}\"\n").as_bytes());
    }
    let (open, close) = match unit.language {
        Language::C | Language::Fortran => ("", ""),
        Language::Cxx => ("extern \"C\"{", "}"),
    };
    let mut lines = format!("# 1 \"<accrue>\" 1 3\n{open}{HOST_DECLARATIONS}");
    let mut declared: HashSet<&str> = HashSet::new();
    for call in calls.iter().flatten().filter(|call| !call.site.is_empty()) {
        if declared.insert(&call.site) {
            lines += &call.declaration();
        }
    }
    if body.contains("__accrue_device_address(") {
        lines.push_str(DEVICE_ADDRESS_DECLARATION);
    }
    if body.contains("__accrue_unobserved(") {
        lines.push_str(UNOBSERVED_DECLARATION);
    }
    let any = |kind| calls.iter().flatten().any(|call| call.kind == kind);
    if any(CallKind::Scope) {
        lines.push_str(DECLARE_LEAVE_DECLARATION);
    }
    if any(CallKind::Load) {
        lines.push_str(DECLARE_GLOBAL_DECLARATION);
    }
    for (name, definition) in HELPERS {
        if body.contains(&format!("{name}(")) {
            let _ = write!(lines, "static __inline__ __accrue_word {name}{definition}");
        }
    }
    let _ = writeln!(lines, "{close}{checks}\n# {} \"{file}\" 2", start.line);
    text.extend_from_slice(lines.as_bytes());
    end
}

/// Marks a call as system text, about which compilers do not warn: `-Wshadow` is for the user's own declarations.
fn as_system_text(unit: &Unit, directive: &ScannedDirective, call: &str) -> String {
    let start = directive.source.span.start;
    let position = unit.lines.position(start);
    let file = position.file.replace('\\', "\\\\").replace('"', "\\\"");
    let line = position.line;
    let after = match unit.lines.in_system_header(start) {
        true => " 3",
        false => "",
    };
    format!("\n# {line} \"{file}\" 3\n{call}\n# {line} \"{file}\"{after}\n")
}

/// The quoted name of a linemarker, as it is written.
fn marker_name(line: &[u8]) -> Option<String> {
    let line = std::str::from_utf8(line).ok()?;
    let (first, last) = (line.find('"')?, line.rfind('"')?);
    line.get(first + 1..last).map(str::to_string)
}

/// The blanks before the statement that follows, if it starts its line: a `for` in the same column as its body does
/// not look misleading to a compiler.
fn indentation(unit: &Unit, directive: &ScannedDirective) -> String {
    let line_start = |at: usize| {
        unit.text[..at]
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |end| end + 1)
    };
    let start = directive.source.span.start;
    let Some(next) = directive.next_token.filter(|_| line_start(start) == start) else {
        return String::new();
    };
    let blanks = &unit.text[line_start(next)..next];
    let blank = blanks.iter().all(|byte| matches!(byte, b' ' | b'\t'));
    if blank {
        String::from_utf8_lossy(blanks).into_owned()
    } else {
        String::new()
    }
}

impl HostCall {
    /// The C text of the call.
    pub fn text(&self) -> String {
        let (site, address) = (&self.site, self.address());
        let words = self.word_text();
        match self.kind {
            CallKind::Launch => {
                let launch = self.after_tasks(format!("__accrue_launch({address},{words})"));
                format!("switch({launch})case 0:")
            }
            CallKind::Region => {
                let shadows = shadows::declarations(self);
                format!(
                    "switch(__accrue_data_begin({address},{words}),__accrue_data_next({address}))for(;0;__accrue_data_next({address}))default:{shadows}"
                )
            }
            CallKind::Execute => {
                self.after_tasks(format!("__accrue_exec({address},{words})")) + ";"
            }
            CallKind::Scope => format!(
                "__extension__ struct __accrue_site*{site}_scope __attribute__((__cleanup__(__accrue_declare_leave),__unused__))=(__accrue_data_begin({address},{words}),{address});"
            ),
            // At the end of the text.
            CallKind::Load => String::new(),
        }
    }

    /// The call behind an empty task of the host with the same dependences: the thread waits for the tasks that the directive depends
    /// on, and is done with the call before it creates one that depends on the directive.
    fn after_tasks(&self, call: String) -> String {
        match self.depend.as_str() {
            "" => call,
            depend => {
                format!("__extension__({{\n#pragma omp task if(0) {depend}\n;{call};}})")
            }
        }
    }

    fn word_text(&self) -> String {
        format!(
            "__extension__(const __accrue_word[]){{{}}}",
            self.words.join(",")
        )
    }

    /// The function that is called when the program is loaded: before the user's own constructors.
    fn load_text(&self) -> String {
        let (site, words) = (&self.site, self.word_text());
        format!(
            "static __attribute__((__constructor__(101),__unused__)) void {site}_load(void){{__accrue_declare_global(&{site},{words});}}"
        )
    }
}

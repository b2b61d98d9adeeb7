//! Names that mean what a device has, in the statement of a `host_data` or `target data`.
//!
//! A pointer or an array of `use_device` is declared anew in front of the statement, as a pointer with the device's address:
//!
//! ```text
//! #pragma acc host_data use_device(p)        switch(BEGIN,NEXT)for(;0;NEXT)default:for(int __accrue_once=1;__accrue_once;)
//! f(p);                                  →   for(__typeof__(p) p=__accrue_device_address(&SITE,0);__accrue_once;__accrue_once=0) f(p);
//! ```
//!
//! An object of OpenMP's `use_device_addr` keeps its type: a pointer to it is declared, and each use of the name goes through it.
//!
//! ```text
//! #pragma omp target data use_device_addr(x)     … for(__typeof__(x) *__accrue_at_x=…) f(&(*__accrue_at_x));
//! f(&x);
//! ```
//!
//! A member has no name that could be declared anew: a pointer with another name is, and each use of the member becomes that name.
//!
//! ```text
//! #pragma acc host_data use_device(s->p)     … for(__typeof__(s->p) __accrue_member_4_0=…) f(__accrue_member_4_0);
//! f(s->p);
//! ```

use super::host_call::HostCall;
use super::scan::ScannedDirective;
use accrue_diag::Diagnostic;
use accrue_directives::Span;
use accrue_hostcall::{Action, Site, SiteDim};
use std::fmt::Write as _;

/// A variable of a `use_device` clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shadow {
    /// The name.
    pub name: String,
    /// What it is in the statement.
    pub kind: ShadowKind,
    /// Its index among the site's variables.
    pub index: usize,
    /// The number of the directive.
    pub directive: u32,
}

impl Shadow {
    /// Type and name of what is declared.
    fn declarator(&self) -> String {
        let Shadow {
            name,
            kind,
            index,
            directive,
        } = self;
        let member = member_text(*directive, *index);
        match kind {
            ShadowKind::Pointer => format!("__typeof__({name}) {name}"),
            ShadowKind::Array => format!("__typeof__(&({name})[0]) {name}"),
            ShadowKind::Object => format!("__typeof__({name})*__accrue_at_{name}"),
            ShadowKind::MemberPointer => format!("__typeof__({name}) {member}"),
            ShadowKind::MemberArray => format!("__typeof__(&({name})[0]) {member}"),
        }
    }
}

/// What a name is in the statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShadowKind {
    /// A pointer, as outside.
    Pointer,
    /// A pointer, outside an array.
    Array,
    /// The device's object.
    Object,
    /// A member that is a pointer.
    MemberPointer,
    /// A member that is an array.
    MemberArray,
}

/// A use of a name or member that means the device's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// Where it is in the preprocessed text.
    pub at: usize,
    /// Its bytes.
    pub length: usize,
    /// What takes its place.
    pub text: String,
}

/// What takes the place of the name of an object.
pub fn object_text(name: &str) -> String {
    format!("(*__accrue_at_{name})")
}

/// What takes the place of the member that is variable `index` of the site of this directive.
pub fn member_text(directive: u32, index: usize) -> String {
    format!("__accrue_member_{directive}_{index}")
}

/// The text of a part of a directive.
pub(super) fn in_directive(
    directive: &ScannedDirective,
    span: Span,
    renamed: &[Renamed],
) -> String {
    let text = directive.text_of(span);
    let inside = renamed
        .iter()
        .filter(|name| directive.source.span.contains(&name.at))
        .filter_map(|name| {
            let at = directive.source.from_preprocessed(name.at);
            let is_here = at >= span.start && at + name.length <= span.end;
            is_here.then(|| (at - span.start, name))
        });
    let (mut new, mut at) = (String::new(), 0);
    for (start, name) in inside {
        if start >= at {
            new += &text[at..start];
            new += &name.text;
            at = start + name.length;
        }
    }
    new += &text[at..];
    new.trim().to_string()
}

/// The names of a `host_data` construct, by the site's variables. A scalar of `use_device` keeps its name: it has no other address
/// on the host.
pub(super) fn shadows<'a>(
    directive: &ScannedDirective,
    site: &Site,
    names: impl Iterator<Item = &'a str>,
) -> Result<Vec<Shadow>, Diagnostic> {
    let mut found = Vec::new();
    for (index, (var, name)) in site.vars.iter().zip(names).enumerate() {
        if var.action != Action::UseDevice {
            continue;
        }
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$' || !c.is_ascii();
        let is_member = !name.chars().all(is_name);
        if is_member && site.openmp {
            let message = Diagnostic::error(format!("`{name}` is no name of a variable"))
                .help("assign it to a pointer variable, and name that");
            let span = directive.directive.span();
            return Err(directive.source.locate(message, span));
        }
        if is_member && !var.flags.on_device && var.dims.is_empty() {
            let message = format!(
                "`{name}` is neither a pointer nor an array: its address cannot be replaced"
            );
            let help = format!("use `acc_deviceptr(&{name})` in the statement");
            let message = Diagnostic::error(message).help(help).section("2.8");
            let span = directive.directive.span();
            return Err(directive.source.locate(message, span));
        }
        let kind = match (var.flags.on_device, var.dims.first()) {
            (true, _) => ShadowKind::Object,
            (false, Some(SiteDim::Array)) if is_member => ShadowKind::MemberArray,
            (false, Some(SiteDim::Pointer)) if is_member => ShadowKind::MemberPointer,
            (false, Some(SiteDim::Array)) => ShadowKind::Array,
            (false, Some(SiteDim::Pointer)) => ShadowKind::Pointer,
            (false, None) => continue,
        };
        found.push(Shadow {
            name: name.to_string(),
            kind,
            index,
            directive: site.directive,
        });
    }
    Ok(found)
}

/// Loops that run once and declare the names anew. In a declaration the type still means the outer variable: the scope of a name
/// begins behind its declarator.
pub(super) fn declarations(call: &HostCall) -> String {
    let mut text = String::new();
    for (place, shadow) in call.shadows.iter().enumerate() {
        if place == 0 {
            text.push_str("for(int __accrue_once=1;__accrue_once;)");
        }
        let end = match place + 1 == call.shadows.len() {
            true => "__accrue_once=0",
            false => "",
        };
        let _ = write!(
            text,
            "for({} __attribute__((__unused__))=__accrue_device_address({},{});__accrue_once;{end})",
            shadow.declarator(),
            call.address(),
            shadow.index
        );
    }
    text
}

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
}

/// A use of a name that means the device's object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// Where it is in the preprocessed text.
    pub at: usize,
    /// The name.
    pub name: String,
}

impl Renamed {
    /// What takes its place.
    pub fn text(&self) -> String {
        format!("(*__accrue_at_{})", self.name)
    }
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
            let is_here = at >= span.start && at + name.name.len() <= span.end;
            is_here.then(|| (at - span.start, name))
        });
    let (mut new, mut at) = (String::new(), 0);
    for (start, name) in inside {
        if start >= at {
            new += &text[at..start];
            new += &name.text();
            at = start + name.name.len();
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
        let kind = match (var.flags.on_device, var.dims.first()) {
            (true, _) => ShadowKind::Object,
            (false, Some(SiteDim::Array)) => ShadowKind::Array,
            (false, Some(SiteDim::Pointer)) => ShadowKind::Pointer,
            (false, None) => continue,
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$' || !c.is_ascii();
        if !name.chars().all(is_name) {
            let message = Diagnostic::error(format!(
                "`use_device({name})` is not supported: it is no name of a variable"
            ))
            .help("assign it to a pointer variable, and name that")
            .section("2.8");
            let span = directive.directive.span();
            return Err(directive.source.locate(message, span));
        }
        found.push(Shadow {
            name: name.to_string(),
            kind,
            index,
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
        let name = &shadow.name;
        let declared = match shadow.kind {
            ShadowKind::Pointer => format!("__typeof__({name}) {name}"),
            ShadowKind::Array => format!("__typeof__(&({name})[0]) {name}"),
            ShadowKind::Object => format!("__typeof__({name})*__accrue_at_{name}"),
        };
        let end = match place + 1 == call.shadows.len() {
            true => "__accrue_once=0",
            false => "",
        };
        let _ = write!(
            text,
            "for({declared} __attribute__((__unused__))=__accrue_device_address({},{});__accrue_once;{end})",
            call.address(),
            shadow.index
        );
    }
    text
}

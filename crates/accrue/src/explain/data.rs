//! What a report says of a variable: its data attribute, where that comes from, and what else its clause says.

use accrue_hostcall::{Action, Site, SiteVar, VarFlags, WordSource};
use accrue_opt::{Remark, Subject};

/// What happens to a variable.
pub struct Data {
    pub name: String,
    /// As a clause: `copyin`, `no_create`; what the runtime does with it at entry and at exit.
    pub attribute: &'static str,
    /// What else holds of it: a modifier, or how it is passed.
    pub details: Vec<&'static str>,
    /// No clause of the directive names it: why it has this attribute.
    pub implicit: Option<String>,
}

/// What is said of a variable of a site; `remarks` are those of its region.
pub fn data<'a>(site: &Site, var: &SiteVar, mut remarks: impl Iterator<Item = &'a Remark>) -> Data {
    let VarFlags {
        implicit,
        readonly,
        zero,
        always_in,
        always_out,
        capture,
        attach,
        required: _,
        pointer: _,
        part: _,
        on_device,
        result,
        limit: _,
        value: _,
        followed,
        around: _,
        own,
    } = var.flags;
    let mut details = vec![];
    for (holds, detail) in [
        (readonly, "readonly"),
        (zero, "zero"),
        (always_in, "always, at entry"),
        (always_out, "always, at exit"),
        (capture, "capture"),
        (attach, "its pointer is attached"),
        (on_device, "its address is the device's"),
        (result, "one thread reads and writes it, once per kernel"),
        (var.action == Action::Value, "passed by value"),
        (
            own,
            "memory of the construct that several of its kernels use",
        ),
        (
            followed,
            "leads to the device's copy of what it leads to, if there is one",
        ),
    ] {
        if holds {
            details.push(detail);
        }
    }
    let why = remarks.find_map(|remark| match &remark.subject {
        Subject::Variable { name, why } if *name == var.object() => Some((*why).to_string()),
        Subject::Variable { .. } | Subject::Region | Subject::Loop | Subject::Levels { .. } => None,
    });
    let extent = matches!(var.source, WordSource::Extent { .. });
    Data {
        name: match extent {
            true => format!("extent of {}", var.name),
            false => var.name.clone(),
        },
        attribute: attribute(site, var.action),
        details,
        implicit: (implicit || why.is_some() || extent).then(|| {
            let by_itself = match extent {
                true => "the length of a variable-length array",
                false => "",
            };
            why.unwrap_or_else(|| by_itself.to_string())
        }),
    }
}

/// The clause that has this action.
fn attribute(site: &Site, action: Action) -> &'static str {
    match action {
        Action::Copy => "copy",
        Action::Copyin => "copyin",
        Action::Copyout => "copyout",
        Action::Create => "create",
        Action::NoCreate => "no_create",
        Action::Present => "present",
        Action::Deviceptr => "deviceptr",
        Action::Attach => "attach",
        Action::Detach => "detach",
        Action::Delete => "delete",
        Action::UpdateSelf => "self",
        Action::UpdateDevice => "device",
        Action::UseDevice => "use_device",
        Action::Firstprivate | Action::Value => "firstprivate",
        Action::Pointer if site.kind.is_compute() => "pointer to what is present",
        Action::Pointer => "pointer",
    }
}

//! `device_type` scoping (section 2.4).
//!
//! ```text
//! loop gang device_type(nvidia) vector device_type(*) gang(static: 4)
//!      └ default                └ nvidia              └ every other type, instead of the default `gang`
//! ```
//!
//! For one device type, the directive counts as having its device-specific clauses, and those default clauses
//! for which it has no device-specific clause of the same name.

use crate::ast::{Clause, ClauseKind, DeviceScope, DeviceType, DeviceTypeKind, Directive};

impl DeviceScope {
    /// The device types listed; none for clauses before any `device_type`.
    pub fn listed(&self) -> &[DeviceType] {
        match self {
            DeviceScope::All => &[],
            DeviceScope::Listed(types) => types,
        }
    }
}

impl Directive {
    /// The clauses in force when the directive runs on a device of type `device`, `device_type` clauses left out.
    /// For a device type that no clause names, ask for [`DeviceTypeKind::Any`].
    pub fn clauses_for(&self, device: DeviceTypeKind) -> Vec<&Clause> {
        in_force(&self.clauses, |named| named.kind == device)
    }

    /// The device types that the `device_type` clauses name, each once, in the order of the source.
    pub fn named_devices(&self) -> Vec<DeviceTypeKind> {
        let mut named = Vec::new();
        for clause in &self.clauses {
            for device in clause.devices.listed() {
                if !named.contains(&device.kind) {
                    named.push(device.kind);
                }
            }
        }
        named
    }
}

/// The clauses in force for the device type that `is_device` recognises.
pub(crate) fn in_force(
    clauses: &[Clause],
    is_device: impl Fn(&DeviceType) -> bool,
) -> Vec<&Clause> {
    let is_named = clauses
        .iter()
        .any(|clause| clause.devices.listed().iter().any(&is_device));
    let is_specific = |clause: &Clause| {
        clause
            .devices
            .listed()
            .iter()
            .any(|named| is_device(named) || (!is_named && named.kind == DeviceTypeKind::Any))
    };
    let specific: Vec<ClauseKind> = clauses
        .iter()
        .filter(|clause| is_specific(clause))
        .map(|clause| clause.kind)
        .collect();
    clauses
        .iter()
        .filter(|clause| clause.kind != ClauseKind::DeviceType)
        .filter(|clause| match &clause.devices {
            DeviceScope::All => !specific.contains(&clause.kind),
            DeviceScope::Listed(_) => is_specific(clause),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Language;

    /// The names of the clauses of `text` that hold for `device`.
    fn names(text: &str, device: DeviceTypeKind) -> Vec<&str> {
        let directive = crate::parse(text, Language::C).expect("a legal directive");
        directive
            .clauses_for(device)
            .into_iter()
            .map(|clause| clause.span.of(text))
            .collect()
    }

    #[test]
    fn a_specific_clause_replaces_the_default_of_its_name() {
        let text =
            "parallel async(1) num_gangs(2) device_type(nvidia) async(3) device_type(host) wait";
        assert_eq!(
            names(text, DeviceTypeKind::Nvidia),
            ["num_gangs(2)", "async(3)"]
        );
        assert_eq!(
            names(text, DeviceTypeKind::Host),
            ["async(1)", "num_gangs(2)", "wait"]
        );
        assert_eq!(
            names(text, DeviceTypeKind::Radeon),
            ["async(1)", "num_gangs(2)"]
        );
        assert_eq!(
            names(text, DeviceTypeKind::Any),
            ["async(1)", "num_gangs(2)"]
        );
    }

    #[test]
    fn the_star_is_for_types_that_are_not_named() {
        let text = "loop device_type(nvidia) gang device_type(*) vector";
        assert_eq!(names(text, DeviceTypeKind::Nvidia), ["gang"]);
        assert_eq!(names(text, DeviceTypeKind::Host), ["vector"]);
        assert_eq!(names(text, DeviceTypeKind::Any), ["vector"]);
    }

    #[test]
    fn one_clause_may_name_several_types() {
        let text = "update host(a) dtype(nvidia, host) async(1) dtype(host) wait(2)";
        assert_eq!(
            names(text, DeviceTypeKind::Host),
            ["host(a)", "async(1)", "wait(2)"]
        );
        let directive = crate::parse(text, Language::C).expect("a legal directive");
        assert_eq!(
            directive.named_devices(),
            [DeviceTypeKind::Nvidia, DeviceTypeKind::Host]
        );
    }

    #[test]
    fn device_type_is_an_argument_of_init() {
        let text = "init device_type(nvidia) if(c)";
        assert_eq!(names(text, DeviceTypeKind::Host), ["if(c)"]);
    }
}

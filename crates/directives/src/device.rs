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
pub(crate) fn in_force(clauses: &[Clause], is_device: impl Fn(&DeviceType) -> bool) -> Vec<&Clause> {
    let is_named = clauses.iter().any(|clause| clause.devices.listed().iter().any(&is_device));
    let is_specific = |clause: &Clause| {
        clause.devices.listed().iter().any(|named| {
            is_device(named) || (!is_named && named.kind == DeviceTypeKind::Any)
        })
    };
    let specific: Vec<ClauseKind> =
        clauses.iter().filter(|clause| is_specific(clause)).map(|clause| clause.kind).collect();
    clauses
        .iter()
        .filter(|clause| clause.kind != ClauseKind::DeviceType)
        .filter(|clause| match &clause.devices {
            DeviceScope::All => !specific.contains(&clause.kind),
            DeviceScope::Listed(_) => is_specific(clause),
        })
        .collect()
}

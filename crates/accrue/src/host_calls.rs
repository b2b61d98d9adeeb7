//! What the host's text passes for each site: the site's variables, as `lower-acc` lists them, with the texts of the
//! directive's clauses.
//!
//! ```text
//! Site { vars: [p from clause 0 item 0, n by value] }  +  #pragma acc parallel copy(p[0:n])
//!     → HostCall { variables: [Object p, [0:n]], [Value n] }
//! ```
//!
//! The dimensions that are passed are those of the clause's subscripts; they are put back into the site, so that the
//! runtime's tables and the words agree.

use accrue_diag::Diagnostic;
use accrue_directives::Var;
use accrue_front_c::text::{
    host::HostCall,
    host_call::{Dimension, Object, SiteVariable, Step, ValueClass},
    scan::{ScannedDirective, Unit},
};
use accrue_image::{Action, Site, SiteDim, SiteVar, ValueKind, WordSource};

/// The call of each directive by ordinal number; `None` where the directive does nothing on the host. `symbols` gives the
/// name of each site's table.
pub fn host_calls(
    unit: &Unit,
    sites: &mut [Site],
    symbols: &[String],
) -> Result<Vec<Option<HostCall>>, Vec<Diagnostic>> {
    let mut calls = vec![None; unit.directives.len()];
    let mut errors = vec![];
    for (site, symbol) in sites.iter_mut().zip(symbols) {
        let Some(directive) = unit.directives.get(site.directive as usize) else {
            continue;
        };
        match host_call(directive, site, symbol) {
            Ok(call) => calls[directive.ordinal] = call,
            Err(message) => errors.push(message),
        }
    }
    if errors.is_empty() {
        Ok(calls)
    } else {
        Err(errors)
    }
}

fn host_call(
    directive: &ScannedDirective,
    site: &mut Site,
    symbol: &str,
) -> Result<Option<HostCall>, Diagnostic> {
    let mut variables = Vec::with_capacity(site.vars.len());
    for var in &mut site.vars {
        let variable = site_variable(directive, var)?;
        if let SiteVariable::Object(object) = &variable {
            let steps = object.dimensions.iter().map(|dimension| dimension.step);
            var.dims = steps.map(site_dim).collect();
        }
        variables.push(variable);
    }
    HostCall::from_directive(directive, symbol, &variables)
}

fn site_variable(directive: &ScannedDirective, var: &SiteVar) -> Result<SiteVariable, Diagnostic> {
    let (named, declared) = match &var.source {
        WordSource::Clause { clause, item } => {
            let place = (*clause as usize, *item as usize);
            let declared = directive.lengths.get(&place);
            (Some(clause_item(directive, *clause, *item)?), declared)
        }
        WordSource::Variable { .. } | WordSource::Extent { .. } => (None, None),
    };
    let expression = match (&var.source, named) {
        (WordSource::Clause { .. }, Some(named)) => {
            directive.text_of(named.base).trim().to_string()
        }
        (WordSource::Variable { name }, _) => name.clone(),
        (WordSource::Extent { name, dim }, _) => extent(name, *dim),
        (WordSource::Clause { .. }, None) => var.name.clone(),
    };
    match var.action {
        Action::Value => Ok(SiteVariable::Value {
            expression,
            class: value_class(var.value.unwrap_or(ValueKind::Integer)),
        }),
        Action::Pointer | Action::Deviceptr => Ok(SiteVariable::Pointer { expression }),
        Action::Copy
        | Action::Copyin
        | Action::Copyout
        | Action::Create
        | Action::NoCreate
        | Action::Present
        | Action::Attach
        | Action::Detach
        | Action::Delete
        | Action::UpdateSelf
        | Action::UpdateDevice
        | Action::UseDevice
        | Action::Firstprivate => {
            let steps: Vec<Step> = var.dims.iter().copied().map(step).collect();
            if var.action == Action::UseDevice && var.dims.first() == Some(&SiteDim::Pointer) {
                return Ok(SiteVariable::Object(used_pointer(expression)));
            }
            let mut object = match named {
                Some(named) => Object::of_variable(directive, named, &steps, declared)?,
                None => Object::whole(expression, &steps),
            };
            object.pass_pointer = var.flags.attach;
            Ok(SiteVariable::Object(object))
        }
    }
}

/// A pointer in `use_device`: its value, and no elements.
fn used_pointer(base: String) -> Object {
    let dimension = Dimension {
        step: Step::Pointer,
        lower: None,
        length: Some("0".to_string()),
    };
    Object {
        base,
        dimensions: vec![dimension],
        pass_pointer: false,
    }
}

/// The variable that is item `item` of clause `clause`.
fn clause_item(directive: &ScannedDirective, clause: u32, item: u32) -> Result<&Var, Diagnostic> {
    let found = directive.directive.clauses.get(clause as usize);
    let var = found.and_then(|clause| clause.vars().get(item as usize));
    var.ok_or_else(|| {
        Diagnostic::error(format!(
            "internal error: directive {} has no variable {item} in clause {clause}",
            directive.ordinal
        ))
    })
}

/// The number of elements of dimension `dim` of an array, as C text.
fn extent(name: &str, dim: u32) -> String {
    let array = format!("({name}){}", "[0]".repeat(dim as usize));
    format!("sizeof({array})/sizeof({array}[0])")
}

fn step(dim: SiteDim) -> Step {
    match dim {
        SiteDim::Pointer => Step::Pointer,
        SiteDim::Array => Step::Array,
    }
}

fn site_dim(step: Step) -> SiteDim {
    match step {
        Step::Pointer => SiteDim::Pointer,
        Step::Array => SiteDim::Array,
    }
}

fn value_class(kind: ValueKind) -> ValueClass {
    match kind {
        ValueKind::Integer => ValueClass::Integer,
        ValueKind::Float32 => ValueClass::Float32,
        ValueKind::Float64 => ValueClass::Float64,
        ValueKind::Pointer => ValueClass::Pointer,
        ValueKind::Complex32 => ValueClass::Complex32,
        ValueKind::Complex64 => ValueClass::Complex64,
        ValueKind::Integer128 => ValueClass::Integer128,
        ValueKind::LongDouble => ValueClass::LongDouble,
    }
}

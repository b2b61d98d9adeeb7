//! The calls of a unit's directives, for the tests of the text side.

use accrue_diag::Diagnostic;
use accrue_front_c::ast::{self, types::Target};
use accrue_front_c::import::{Source, Wanted, import};
use accrue_front_c::text::carriers::Carriers;
use accrue_front_c::text::clang;
use accrue_front_c::text::host_call::{self, HostCall};
use accrue_front_c::text::scan::Unit;
use accrue_hostcall::Site;
use pliron::context::Context;

/// The calls of a unit's directives, as the whole compiler makes them.
pub fn host_calls(unit: &Unit) -> std::result::Result<Vec<Option<HostCall>>, Vec<Diagnostic>> {
    let carriers = Carriers::new(unit);
    let clang = clang::find().map_err(|message| vec![message])?;
    let read = clang::read_ast(&clang, &[], unit, &carriers, ast::read, |_| false)?;
    let ast = read.map_err(|error| vec![Diagnostic::error(error.to_string())])?;
    let mut ctx = Context::new();
    let source = Source {
        unit,
        carriers: &carriers,
        ast: &ast,
        target: Target::X86_64,
        device: accrue_directives::omp::selectors::Device::Cores,
        name: "unit",
        unit_number: None,
        wanted: Wanted::OfUnit,
    };
    let module = import(&mut ctx, source)?.module;
    let lowered = accrue_pipeline::lower(&mut ctx, module, &accrue_pipeline::Options::default())?;
    let symbol = |site: &Site| format!("site_{}", site.directive);
    let symbols: Vec<String> = lowered.sites.iter().map(symbol).collect();
    host_call::host_calls(unit, &lowered.sites, &symbols, &[])
}

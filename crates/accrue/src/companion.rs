//! The two texts that leave the compiler: the host text with its calls, and the companion with kernels and tables.
//!
//! ```text
//! sites + directives ──front-c: host_call──▶ host text
//! module ──back-cpu──▶ C of the kernels ──────────┐
//! code for GPUs ──────────────────────────────────┤
//! sites, whose kernels have the forms in both ────┴──image──▶ companion text
//! ```

use std::collections::HashMap;
use std::path::Path;

use accrue_diag::Diagnostic;
use accrue_front_c::text::host::{self, Additions};
use accrue_front_c::text::host_call::host_calls;
use accrue_front_c::text::scan::Unit;
use accrue_hostcall::Site;
use accrue_image::print::{CodeForm, Companion, CompanionCode, CompanionSite, site_symbol};
use serde::{Deserialize, Serialize};

use crate::gpu::{Architecture, Code};
use crate::kernels::Kernels;
use crate::program;

/// Start of the names of a unit's sites. Where the link makes the companion, the names say so to who links without it.
pub fn prefix(source: &Path, unit: &Unit, is_complete: bool) -> String {
    let number = program::number(source, &unit.text);
    match is_complete {
        true => format!("__accrue_site_{number}"),
        false => format!("__accrue_link_with_accrue_cc_site_{number}"),
    }
}

/// The host text. `additions` is what it has beside the calls of the sites.
pub fn host_text(
    prefix: &str,
    unit: &Unit,
    sites: &[Site],
    additions: &Additions<'_>,
) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let symbols: Vec<_> = sites
        .iter()
        .map(|site| site_symbol(prefix, site.directive))
        .collect();
    let calls = host_calls(unit, sites, &symbols, additions.renamed)?;
    Ok(host::host_text(unit, &calls, additions))
}

/// What the tables say of a site beside what `lower-acc` knows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Description {
    directive: u32,
    file: String,
    text: String,
}

/// The descriptions of the sites whose directives the unit has.
pub fn descriptions(unit: &Unit, sites: &[Site]) -> Vec<Description> {
    let description = |site: &Site| {
        let scanned = unit.directives.get(site.directive as usize)?;
        let position = unit.lines.position(scanned.source.span.start);
        let words: Vec<_> = scanned.source.text.split_whitespace().collect();
        Some(Description {
            directive: site.directive,
            file: position.file.to_string(),
            text: format!("{} {}", scanned.directive.sentinel(), words.join(" ")),
        })
    };
    sites.iter().filter_map(description).collect()
}

/// The companion text of the unit `source`.
pub fn companion(
    prefix: &str,
    source: &str,
    descriptions: &[Description],
    kernels: &Kernels,
) -> String {
    let described: HashMap<u32, &Description> = descriptions
        .iter()
        .map(|described| (described.directive, described))
        .collect();
    let mut tables = vec![];
    for site in &kernels.sites {
        if let Some(Description { file, text, .. }) = described.get(&site.directive) {
            tables.push(CompanionSite { site, file, text });
        }
    }
    accrue_image::print::companion(&Companion {
        prefix,
        source,
        kernels: &kernels.cpu.text,
        codes: &codes(&kernels.code),
        opencl: kernels.opencl.text.as_deref(),
        opencl_cores: kernels.opencl.cores.as_deref(),
        sites: &tables,
    })
}

fn codes(code: &Code) -> Vec<CompanionCode<'_>> {
    let texts = code.variants.iter().map(|variant| {
        let Architecture { sm, ptx } = variant.architecture;
        let form = CodeForm::Ptx {
            version: 10 * ptx.0 + ptx.1,
            text: &variant.text,
        };
        CompanionCode { sm, form }
    });
    let images = code.machine.iter().map(|machine| CompanionCode {
        sm: machine.sm,
        form: CodeForm::Machine(&machine.image),
    });
    texts.chain(images).collect()
}

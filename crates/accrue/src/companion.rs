//! The two texts that leave the compiler: the host text with its calls, and the companion with kernels and tables.
//!
//! ```text
//! sites + directives ──front-c: host_call──▶ host text
//! module ──back-cpu──▶ C of the kernels ──────────┐
//! code for GPUs ──────────────────────────────────┤
//! sites, whose kernels have the forms in both ────┴──image──▶ companion text
//! ```

use std::path::Path;

use accrue_back_cpu::CpuText;
use accrue_diag::Diagnostic;
use accrue_front_c::text::host::{self, Additions};
use accrue_front_c::text::host_call::host_calls;
use accrue_front_c::text::scan::Unit;
use accrue_hostcall::Site;
use accrue_image::print::{
    CodeForm, Companion, CompanionCode, CompanionSite, companion, site_symbol,
};

use crate::gpu::{Architecture, Code};
use crate::opencl;
use crate::unit;

/// Host text and companion text of a unit.
pub struct Texts {
    pub host: Vec<u8>,
    pub companion: String,
}

/// Makes both texts. `kernels` is the C text of the sites' kernels, `code` and `opencl` what GPUs run, `additions` what else the host's
/// text has.
pub fn texts(
    source: &Path,
    unit: &Unit,
    sites: &[Site],
    kernels: &CpuText,
    (code, opencl): (&Code, &opencl::Code),
    additions: &Additions<'_>,
) -> Result<Texts, Vec<Diagnostic>> {
    let prefix = format!("__accrue_site_{}", unit::number(source, &unit.text));
    let symbols: Vec<_> = sites
        .iter()
        .map(|site| site_symbol(&prefix, site.directive))
        .collect();
    let calls = host_calls(unit, sites, &symbols, additions.renamed)?;
    let described: Vec<_> = sites
        .iter()
        .filter_map(|site| Description::of(unit, site))
        .collect();
    let tables: Vec<_> = described.iter().map(Description::table).collect();
    let companion = companion(&Companion {
        prefix: &prefix,
        source: &source.to_string_lossy(),
        kernels: &kernels.text,
        codes: &codes(code),
        opencl: opencl.text.as_deref(),
        opencl_cores: opencl.cores.as_deref(),
        sites: &tables,
    });
    Ok(Texts {
        host: host::host_text(unit, &calls, additions),
        companion,
    })
}

/// What the tables say of a site beside what `lower-acc` knows.
struct Description<'a> {
    site: &'a Site,
    file: String,
    text: String,
}

impl<'a> Description<'a> {
    fn of(unit: &Unit, site: &'a Site) -> Option<Self> {
        let scanned = unit.directives.get(site.directive as usize)?;
        let position = unit.lines.position(scanned.source.span.start);
        let words: Vec<_> = scanned.source.text.split_whitespace().collect();
        Some(Description {
            site,
            file: position.file.to_string(),
            text: format!("{} {}", scanned.directive.sentinel(), words.join(" ")),
        })
    }

    fn table(&self) -> CompanionSite<'_> {
        CompanionSite {
            site: self.site,
            file: &self.file,
            text: &self.text,
        }
    }
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

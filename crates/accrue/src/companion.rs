//! The two texts that leave the compiler: the host text with its calls, and the companion with kernels and tables.
//!
//! ```text
//! sites + directives ──front-c: host_call──▶ host text
//! module ──back-cpu──▶ C of the kernels ─┐
//! code for GPUs ─────────────────────────┤
//! sites ─────────────────────────────────┴──image──▶ companion text
//! ```

use std::collections::HashMap;
use std::path::Path;

use accrue_back_cpu::CpuText;
use accrue_back_ptx::PtxKernel;
use accrue_diag::Diagnostic;
use accrue_front_c::text::host::{self, Assertion};
use accrue_front_c::text::host_call::host_calls;
use accrue_front_c::text::scan::Unit;
use accrue_hostcall::{Site, SiteKernel};
use accrue_image::print::{
    CodeForm, Companion, CompanionCode, CompanionDisjoint, CompanionKernel, CompanionSimtKernel,
    CompanionSite, companion, site_symbol,
};

use crate::gpu::{Architecture, Code};
use crate::unit;

/// Host text and companion text of a unit.
pub struct Texts {
    pub host: Vec<u8>,
    pub companion: String,
}

/// Makes both texts. `kernels` is the C text of the sites' kernels, `code` what GPUs run, `assertions`
/// what they take for granted.
pub fn texts(
    source: &Path,
    unit: &Unit,
    sites: &[Site],
    kernels: &CpuText,
    code: &Code,
    assertions: &[Assertion],
) -> Result<Texts, Vec<Diagnostic>> {
    let prefix = format!("__accrue_site_{}", unit::number(source, &unit.text));
    let symbols: Vec<_> = sites
        .iter()
        .map(|site| site_symbol(&prefix, site.directive))
        .collect();
    let calls = host_calls(unit, sites, &symbols)?;
    let described: Vec<_> = sites
        .iter()
        .filter_map(|site| Description::of(unit, site))
        .collect();
    let mut next_kernel = kernels.kernels.iter();
    let made: MadeKernels = code
        .kernels
        .iter()
        .map(|kernel| (kernel.function.as_str(), kernel))
        .collect();
    let tables: Vec<_> = described
        .iter()
        .map(|description| description.table(&mut next_kernel, code, &made))
        .collect();
    let companion = companion(&Companion {
        prefix: &prefix,
        source: &source.to_string_lossy(),
        kernels: &kernels.text,
        codes: &codes(code),
        sites: &tables,
    });
    Ok(Texts {
        host: host::host_text(unit, &calls, assertions),
        companion,
    })
}

/// What the runtime must know of the kernels in the code for GPUs, by function.
type MadeKernels<'a> = HashMap<&'a str, &'a PtxKernel>;

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
            text: format!("#pragma acc {}", words.join(" ")),
        })
    }

    fn table(
        &'a self,
        kernels: &mut std::slice::Iter<'a, accrue_back_cpu::CpuKernel>,
        code: &'a Code,
        made: &MadeKernels<'a>,
    ) -> CompanionSite<'a> {
        let own = kernels.by_ref().take(self.site.kernels.len());
        CompanionSite {
            site: self.site,
            file: &self.file,
            text: &self.text,
            kernels: own
                .zip(&self.site.kernels)
                .map(|(kernel, of_site)| CompanionKernel {
                    entry: &kernel.entry,
                    finish: kernel.finish.as_deref(),
                    slot_bytes: kernel.slot_bytes,
                    ptx: ptx(code, made, &kernel.function)
                        .map(|ptx| with_versions(code, made, of_site, ptx)),
                })
                .collect(),
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

/// The kernel made of `function` in the code for GPUs.
fn ptx<'a>(
    code: &'a Code,
    made: &MadeKernels<'a>,
    function: &str,
) -> Option<CompanionSimtKernel<'a>> {
    Some(described(code, made.get(function)?))
}

/// What the tables say of a kernel in the code for GPUs; of its versions, nothing.
pub fn described<'a>(code: &'a Code, kernel: &'a PtxKernel) -> CompanionSimtKernel<'a> {
    CompanionSimtKernel {
        entry: &kernel.entry,
        worker_partitioned: kernel.worker_partitioned,
        vector_partitioned: kernel.vector_partitioned,
        gang_loop: code.gang_loops.contains(&kernel.function),
        gang_dims: kernel.gang_dims,
        needs_scratch: kernel.needs_scratch,
        args_words: kernel.args_words,
        max_workers: kernel.max_workers,
        max_vector: kernel.max_vector,
        exact_lanes: kernel.exact_lanes,
        shared_worker_bytes: kernel.shared_worker_bytes,
        scratch_gang_bytes: kernel.scratch_gang_bytes,
        scratch_worker_bytes: kernel.scratch_worker_bytes,
        disjoint: kernel.disjoint.as_ref().map(|version| CompanionDisjoint {
            entry: &version.entry,
            read_words: version.read_words,
            written_words: version.written_words,
            aligned_words: version.aligned_words,
        }),
        inner: None,
        grid: None,
    }
}

/// The kernel with its versions for short and long inner loops, if both could be made, and for a grid that covers its loop.
/// What is checked for the fast version at a launch is checked for the kernel, so that a version has a fast one only if it
/// needs no more.
fn with_versions<'a>(
    code: &'a Code,
    made: &MadeKernels<'a>,
    of_site: &SiteKernel,
    kernel: CompanionSimtKernel<'a>,
) -> CompanionSimtKernel<'a> {
    let no_more = |fast: &CompanionDisjoint, than: &CompanionDisjoint| {
        fast.read_words & !than.read_words == 0
            && fast.written_words & !than.written_words == 0
            && fast.aligned_words & !than.aligned_words == 0
    };
    let version = |function: &str| {
        let mut version = ptx(code, made, function)?;
        version.gang_loop = kernel.gang_loop;
        version.disjoint = version
            .disjoint
            .filter(|fast| kernel.disjoint.as_ref().is_some_and(|k| no_more(fast, k)));
        Some(version)
    };
    let inner = of_site.inner.as_ref();
    let inner = inner.and_then(|i| Some([version(&i.short)?, version(&i.long)?]));
    let grid = of_site.grid.as_ref().and_then(|g| version(&g.function));
    CompanionSimtKernel {
        inner: inner.map(Box::new),
        grid: grid.map(Box::new),
        ..kernel
    }
}

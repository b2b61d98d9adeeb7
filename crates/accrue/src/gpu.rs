//! The code of a unit for NVIDIA GPUs.
//!
//! The unit is imported and lowered a second time, since loops are shared out in another way than for CPU cores, and
//! turned into PTX once per architecture:
//!
//! ```text
//! AST ──import──▶ acc + core ──lower for GPUs──▶ par + core ──back-ptx──▶ PTX for sm_60
//!                                                                    └──▶ PTX for sm_90, if it is another text
//! ```
//! Where the user asks for it, [`crate::ptxas`] makes machine code of these texts.
//!
//! A region that a GPU cannot run is no error: its kernel has no GPU code, the host runs it, and a warning says why.

use accrue_back_ptx::{Chosen, Options, Policy, Skipped, emit};
use accrue_diag::{Diagnostic, Place, Position, Severity};
use accrue_hostcall::{Form, Made, SimtForm, Site};
use accrue_opt::{Remark, Switches, Target};
use accrue_pipeline::lower;
use pliron::context::Context;
use std::collections::{BTreeMap, HashSet};

use crate::kernels::Modules;
use crate::ptxas::MachineCode;

/// The architectures that code is made for, oldest first: compute capability times ten, and the first version of PTX
/// that drivers for them have in common.
const ARCHITECTURES: [Architecture; 5] = [
    Architecture::new(60, (7, 0)),
    Architecture::new(70, (7, 0)),
    Architecture::new(80, (7, 0)),
    Architecture::new(90, (7, 8)),
    Architecture::new(100, (8, 6)),
];

/// What code is made for when no option says it: everything from Pascal on, and what Hopper has beside.
const DEFAULT: [u32; 2] = [60, 90];

/// A generation of GPUs; its code runs on later ones too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Architecture {
    pub sm: u32,
    pub ptx: (u32, u32),
}

impl Architecture {
    const fn new(sm: u32, ptx: (u32, u32)) -> Self {
        Architecture { sm, ptx }
    }

    /// The newest one whose code runs on compute capability `sm` (times ten).
    pub fn serving(sm: u32) -> Result<Architecture, String> {
        let older = ARCHITECTURES.iter().rev().find(|known| known.sm <= sm);
        older.copied().ok_or_else(|| {
            format!(
                "GPUs of compute capability {}.{} are not supported; the oldest is {}.{}",
                sm / 10,
                sm % 10,
                ARCHITECTURES[0].sm / 10,
                ARCHITECTURES[0].sm % 10
            )
        })
    }

    pub fn all() -> Vec<Architecture> {
        ARCHITECTURES.to_vec()
    }
}

/// Which GPUs get machine code beside PTX.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Machine {
    #[default]
    None,
    /// These: compute capability, times ten.
    Gpus(Vec<u32>),
    /// One of each generation that the assembler knows.
    All,
}

/// How code for GPUs is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// None: the default.
    pub architectures: Vec<Architecture>,
    pub machine: Machine,
    /// The GPUs that the user names: compute capability, times ten.
    pub named: Vec<u32>,
    /// The assembler may be used, if only to find out what kernels need.
    pub may_assemble: bool,
    pub debug: bool,
    pub contract: bool,
    pub fast_math: bool,
    /// Short mathematical functions are inlined.
    pub inline_math: bool,
    /// Mathematical operations stay as they are written.
    pub plain_math: bool,
    /// What the user has switched off.
    pub off: Switches,
    /// The algorithms of reductions.
    pub reductions: Policy,
    /// There is code for devices behind OpenCL, too.
    pub opencl: bool,
}

impl Settings {
    /// Oldest first, each once.
    fn architectures(&self) -> Vec<Architecture> {
        let wanted = |known: &&Architecture| match self.architectures.as_slice() {
            [] => DEFAULT.contains(&known.sm),
            named => named.contains(known),
        };
        ARCHITECTURES.iter().filter(wanted).copied().collect()
    }
}

/// PTX for GPUs of one architecture and later ones.
pub struct Variant {
    pub architecture: Architecture,
    pub text: String,
}

/// The unit's code for GPUs.
#[derive(Default)]
pub struct Code {
    /// None if no kernel could be made.
    pub variants: Vec<Variant>,
    /// Machine code made of them.
    pub machine: Vec<MachineCode>,
    /// How the values of a kernel's reductions are combined, by its function.
    pub reductions: BTreeMap<String, Vec<Chosen>>,
    /// Functions of the device library that stay calls in a kernel, by its function.
    pub library: BTreeMap<String, Vec<String>>,
    /// Which kernels run on the host, and why.
    pub on_host: Vec<OnHost>,
    /// Why there is no code at all.
    pub no_code: Vec<String>,
    /// What the lowering for the oldest architecture has to say.
    pub remarks: Vec<Remark>,
    /// The same reasons, for the user.
    pub warnings: Vec<Diagnostic>,
    /// What that lowering warns of.
    pub lowering_warnings: Vec<Diagnostic>,
}

/// A kernel that GPUs cannot run.
pub struct OnHost {
    pub function: String,
    pub reason: String,
}

impl Code {
    fn skip(&mut self, function: &str, reason: &Diagnostic) {
        self.warnings.push(on_host(reason));
        self.on_host.push(OnHost {
            function: function.to_string(),
            reason: reason.message.clone(),
        });
    }
}

/// Makes the code. `modules` gives the unit's IR; `sites` are those of the lowering for CPU cores, which get what only
/// this lowering knows, and their kernels the form that is in the code.
pub fn generate(
    modules: &Modules,
    name: &str,
    settings: &Settings,
    sites: &mut [Site],
) -> Result<Code, Vec<Diagnostic>> {
    let mut code = Code::default();
    // Of the first architecture; the others' must be the same.
    let mut forms: Made<SimtForm> = Made::new();
    let architectures = settings.architectures();
    for architecture in architectures.iter().copied() {
        let first = architecture == architectures[0];
        let mut ctx = Context::new();
        let module = (modules.of)(&mut ctx, Target::NVIDIA)?;
        let options = accrue_pipeline::Options {
            start_after: modules.after,
            ..lowering(settings, Target::NVIDIA)
        };
        let mut lowered = lower(&mut ctx, module, &options)?;
        if first {
            code.lowering_warnings = std::mem::take(&mut lowered.warnings);
        }
        let options = Options {
            sm: architecture.sm,
            ptx: architecture.ptx,
            debug: settings.debug,
            contract: settings.contract,
            fast_math: settings.fast_math,
            plain_math: settings.plain_math,
            inline_math: settings.inline_math,
            reductions: settings.reductions,
        };
        let made = match emit(&mut ctx, module, &lowered.sites, &options) {
            Ok(made) => made,
            Err(diagnostics) => {
                code.remarks = lowered.remarks;
                code.no_code
                    .extend(diagnostics.iter().map(|d| d.message.clone()));
                code.warnings.extend(diagnostics.iter().map(on_host));
                return Ok(code);
            }
        };
        if first {
            // A version of a kernel that cannot be made is no loss: the kernel itself says so, or runs instead.
            let kernels = || lowered.sites.iter().flat_map(|site| &site.kernels);
            let is_kernel = |s: &&Skipped| kernels().any(|k| k.function == s.function);
            for skipped in made.skipped.iter().filter(is_kernel) {
                code.skip(&skipped.function, &skipped.reason);
            }
            code.remarks = lowered.remarks;
            forms = made.forms;
            code.reductions = made.reductions;
            code.library = made.library;
            let on_host = join(sites, &lowered.sites, name, &forms, &mut code);
            if forms.keys().all(|function| on_host.contains(function)) {
                break;
            }
        } else if made.forms != forms || same_code(&code.variants, &made.text) {
            continue;
        }
        code.variants.push(Variant {
            architecture,
            text: made.text,
        });
        if !made.newer_differ {
            break;
        }
    }
    Ok(code)
}

/// Adds to `sites` what the lowering for GPUs says of them, `others`, and to their kernels the forms that are in the code. Gives the
/// kernels of sites that stay on the host.
fn join(
    sites: &mut [Site],
    others: &[Site],
    name: &str,
    forms: &Made<SimtForm>,
    code: &mut Code,
) -> HashSet<String> {
    let updated = updated_by_every_gang(&code.reductions);
    let mut on_host = HashSet::new();
    for (own, other) in sites.iter_mut().zip(others) {
        if !own.join_groups(other) {
            stays_on_host(own, name, code);
            on_host.extend(other.kernels.iter().map(|k| k.function.clone()));
            continue;
        }
        if own.kernels.iter().any(|k| updated.contains(&k.function)) {
            own.keep_results_on_device();
        }
        for kernel in &mut own.kernels {
            let form = SimtForm::of(kernel, forms);
            kernel.forms.extend(form.map(Form::Ptx));
        }
    }
    on_host
}

/// How modules are lowered for a kind of GPUs.
pub fn lowering(settings: &Settings, target: Target) -> accrue_pipeline::Options {
    accrue_pipeline::Options {
        target,
        plain_math: settings.plain_math,
        fast_math: settings.fast_math,
        off: settings.off,
        ..accrue_pipeline::Options::default()
    }
}

/// A site whose description for GPUs is another stays on the host.
fn stays_on_host(own: &Site, name: &str, code: &mut Code) {
    const REASON: &str = "what depends on the device (`device_type` clauses, variants of functions) makes other phases or other data of it on a GPU";
    let place = Place {
        position: Position {
            file: name.into(),
            line: own.line as usize,
            column: own.column as usize,
        },
        length: 0,
    };
    code.warnings.push(on_host(&Diagnostic::at(place, REASON)));
    code.on_host.extend(own.kernels.iter().map(|kernel| OnHost {
        function: kernel.function.clone(),
        reason: REASON.to_string(),
    }));
}

/// The functions of kernels with a reduction whose result every gang updates.
fn updated_by_every_gang(reductions: &BTreeMap<String, Vec<Chosen>>) -> HashSet<String> {
    let updated = reductions
        .iter()
        .filter(|(_, chosen)| chosen.iter().any(Chosen::every_gang_updates));
    updated.map(|(function, _)| function.clone()).collect()
}

/// Whether `text` differs from the last variant's in no more than what it says it is made for.
fn same_code(variants: &[Variant], text: &str) -> bool {
    let code = |line: &&str| !line.starts_with(".version") && !line.starts_with(".target");
    let last = variants.last().map_or("", |variant| &variant.text);
    last.lines().filter(code).eq(text.lines().filter(code))
}

/// The warning that a region runs on the host for this reason.
fn on_host(reason: &Diagnostic) -> Diagnostic {
    Diagnostic {
        message: format!("this region runs on the host: {}", reason.message),
        severity: Severity::Warning,
        ..reason.clone()
    }
}

//! The code of a unit for NVIDIA GPUs.
//!
//! The unit is imported and lowered a second time, since loops are shared out in another way than for CPU cores, and
//! turned into PTX once per architecture:
//!
//! ```text
//! AST ──import──▶ acc + core ──lower for GPUs──▶ par + core ──back-ptx──▶ PTX for sm_60
//!                                                                    └──▶ PTX for sm_90, if it is another text
//! ```
//! A region that a GPU cannot run is no error: its kernel has no GPU code, the host runs it, and a warning says why.

use accrue_back_ptx::{Options, PtxKernel, Skipped, emit};
use accrue_front_c::text::message::Message;
use accrue_image::Site;
use accrue_lower::{Lowered, Target, lower};
use pliron::builtin::ops::ModuleOp;
use pliron::context::Context;
use std::collections::BTreeSet;

use crate::unit::{located, messages};

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

/// How code for GPUs is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// None: the default.
    pub architectures: Vec<Architecture>,
    pub debug: bool,
    pub contract: bool,
    pub fast_math: bool,
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
    /// What the runtime must know of the kernels in it.
    pub kernels: Vec<PtxKernel>,
    /// Those with a loop spread over gangs.
    pub gang_loops: BTreeSet<String>,
    /// Which regions run on the host, and why.
    pub warnings: Vec<Message>,
}

/// Makes the code. `import` gives the unit's IR; `sites` are those of the lowering for CPU cores, which get what only
/// this lowering knows.
pub fn generate(
    import: impl Fn(&mut Context) -> Result<ModuleOp, Vec<Message>>,
    name: &str,
    settings: &Settings,
    sites: &mut [Site],
) -> Result<Code, Vec<Message>> {
    let mut code = Code::default();
    let architectures = settings.architectures();
    for architecture in architectures.iter().copied() {
        let mut ctx = Context::new();
        let module = import(&mut ctx)?;
        let lowered = lower_for_gpu(&mut ctx, module, name)?;
        let options = Options {
            sm: architecture.sm,
            ptx: architecture.ptx,
            debug: settings.debug,
            contract: settings.contract,
            fast_math: settings.fast_math,
        };
        let made = match emit(&mut ctx, module, &lowered.sites, &options) {
            Ok(made) => made,
            Err(diagnostics) => {
                let warning =
                    |d: &accrue_back_ptx::Diagnostic| on_host(name, &d.message, d.position);
                code.warnings.extend(diagnostics.iter().map(warning));
                return Ok(code);
            }
        };
        if architecture == architectures[0] {
            code.warnings
                .extend(made.skipped.iter().map(|s| skipped(name, s)));
            code.kernels = made.kernels;
            for (own, other) in sites.iter_mut().zip(&lowered.sites) {
                agree(own, other, name, &mut code);
            }
        } else if made.kernels != code.kernels || same_code(&code.variants, &made.text) {
            continue;
        }
        if code.kernels.is_empty() {
            break;
        }
        code.variants.push(Variant {
            architecture,
            text: made.text,
        });
    }
    Ok(code)
}

/// Lowers `module` for GPUs.
pub fn lower_for_gpu(
    ctx: &mut Context,
    module: ModuleOp,
    name: &str,
) -> Result<Lowered, Vec<Message>> {
    let options = accrue_lower::Options {
        target: Target::Gpu,
        ..accrue_lower::Options::default()
    };
    lower(ctx, module, &options).map_err(|diagnostics| messages(name, &diagnostics))
}

/// Gives the kernels of `own` what the lowering for GPUs knows of them. The runtime has one description of a site for all
/// devices: where `device_type` clauses make two different ones of it, it stays on the host.
fn agree(own: &mut Site, other: &Site, name: &str, code: &mut Code) {
    if own.vars != other.vars || own.kernels.len() != other.kernels.len() {
        let functions: Vec<_> = other.kernels.iter().map(|k| &k.function).collect();
        code.kernels.retain(|k| !functions.contains(&&k.function));
        code.warnings.push(on_host(
            name,
            "its `device_type` clauses make other phases or other data of it on a GPU",
            Some((own.line, own.column)),
        ));
        return;
    }
    for (own, other) in own.kernels.iter_mut().zip(&other.kernels) {
        if other.gang_loop {
            code.gang_loops.insert(other.function.clone());
        }
        own.num_workers = other.num_workers;
        own.vector_length = other.vector_length;
        own.trip = other.trip.clone();
    }
}

/// Whether `text` differs from the last variant's in no more than what it says it is made for.
fn same_code(variants: &[Variant], text: &str) -> bool {
    let code = |line: &&str| !line.starts_with(".version") && !line.starts_with(".target");
    let last = variants.last().map_or("", |variant| &variant.text);
    last.lines().filter(code).eq(text.lines().filter(code))
}

fn skipped(name: &str, skipped: &Skipped) -> Message {
    on_host(name, &skipped.reason.message, skipped.reason.position)
}

fn on_host(name: &str, reason: &str, position: Option<(u32, u32)>) -> Message {
    let message = Message::warning(format!("this region runs on the host: {reason}"));
    located(message, name, position)
}

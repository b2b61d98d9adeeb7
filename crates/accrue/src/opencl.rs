//! The code of a unit for devices behind OpenCL.
//!
//! The unit is imported and lowered once more: clauses may say other things of such devices, and mathematical functions stay what
//! they are. One text of OpenCL C serves all devices, another one CPU cores, where a gang is one work item; their drivers translate them.
//!
//! ```text
//! AST ──import──▶ acc + core ──lower for OpenCL──▶ par + core ──back-opencl──▶ OpenCL C
//! ```
//! A region that the text cannot say has no form for OpenCL; the host runs it where such a device is chosen.

use accrue_back_opencl::{Options, emit};
use accrue_diag::Diagnostic;
use accrue_hostcall::{Form, OpenClForm, Site};
use accrue_opt::Target;
use accrue_pipeline::lower;
use pliron::context::Context;

use crate::gpu::{OnHost, Settings, lowering};
use crate::kernels::Modules;

/// The unit's code for devices behind OpenCL.
#[derive(Default)]
pub struct Code {
    /// None if no kernel could be made.
    pub text: Option<String>,
    /// The same for CPU cores, where a gang is one work item.
    pub cores: Option<String>,
    /// Which kernels have none, and why.
    pub on_host: Vec<OnHost>,
}

/// Makes the code. The kernels of `sites`, which are those of the lowering for CPU cores, get the forms that are in it.
pub fn generate(
    modules: &Modules,
    settings: &Settings,
    sites: &mut [Site],
) -> Result<Code, Vec<Diagnostic>> {
    let groups = Kind {
        target: Target::OPENCL,
        form: Form::OpenCl,
    };
    let cores = Kind {
        target: Target::OPENCL_CORES,
        form: Form::OpenClCores,
    };
    let (text, on_host) = text(modules, settings, sites, groups)?;
    // Which kernels have no code does not depend on the number of work items: what the text cannot say is the same.
    let (cores, _) = self::text(modules, settings, sites, cores)?;
    Ok(Code {
        text,
        cores,
        on_host,
    })
}

/// A kind of devices.
#[derive(Clone, Copy)]
struct Kind {
    target: Target,
    form: fn(OpenClForm) -> Form,
}

/// The text for one kind of devices, and which kernels are not in it.
fn text(
    modules: &Modules,
    settings: &Settings,
    sites: &mut [Site],
    kind: Kind,
) -> Result<(Option<String>, Vec<OnHost>), Vec<Diagnostic>> {
    let mut ctx = Context::new();
    let module = (modules.of)(&mut ctx, kind.target)?;
    let options = accrue_pipeline::Options {
        start_after: modules.after,
        ..lowering(settings, kind.target)
    };
    let lowered = lower(&mut ctx, module, &options)?;
    let options = Options {
        contract: settings.contract,
        reductions: settings.reductions,
        cores: kind.target == Target::OPENCL_CORES,
    };
    let kernels = || lowered.sites.iter().flat_map(|site| &site.kernels);
    let made = match emit(&mut ctx, module, &lowered.sites, &options) {
        Ok(made) => made,
        Err(diagnostics) => {
            let reason = diagnostics.first().map(|d| d.message.clone());
            let on_host = kernels().map(|kernel| OnHost {
                function: kernel.function.clone(),
                reason: reason.clone().unwrap_or_default(),
            });
            return Ok((None, on_host.collect()));
        }
    };
    for (own, other) in sites.iter_mut().zip(&lowered.sites) {
        own.add_opencl(other, &made.forms, kind.form);
    }
    // A version of a kernel that cannot be made is no loss: the kernel itself says so, or runs instead.
    let skipped = made.skipped.into_iter();
    let of_kernels = skipped.filter(|s| kernels().any(|k| k.function == s.function));
    let on_host = of_kernels.map(|skipped| OnHost {
        function: skipped.function,
        reason: skipped.reason.message,
    });
    let on_host = on_host.collect();
    Ok(((!made.forms.is_empty()).then_some(made.text), on_host))
}

//! The code of a unit for devices behind OpenCL.
//!
//! The unit is imported and lowered once more: clauses may say other things of such devices, and mathematical functions stay what
//! they are. One text of OpenCL C serves all devices; their drivers translate it.
//!
//! ```text
//! AST ──import──▶ acc + core ──lower for OpenCL──▶ par + core ──back-opencl──▶ OpenCL C
//! ```
//! A region that the text cannot say has no form for OpenCL; the host runs it where such a device is chosen.

use accrue_back_opencl::{Options, emit};
use accrue_diag::Diagnostic;
use accrue_hostcall::Site;
use accrue_opt::Target;
use accrue_pipeline::lower;
use pliron::builtin::ops::ModuleOp;
use pliron::context::Context;

use crate::gpu::{OnHost, Settings};

/// The unit's code for devices behind OpenCL.
#[derive(Default)]
pub struct Code {
    /// None if no kernel could be made.
    pub text: Option<String>,
    /// Which kernels have none, and why.
    pub on_host: Vec<OnHost>,
}

/// Makes the code. The kernels of `sites`, which are those of the lowering for CPU cores, get the form that is in it.
pub fn generate(
    import: impl Fn(&mut Context) -> Result<ModuleOp, Vec<Diagnostic>>,
    settings: &Settings,
    sites: &mut [Site],
) -> Result<Code, Vec<Diagnostic>> {
    let mut ctx = Context::new();
    let module = import(&mut ctx)?;
    let options = accrue_pipeline::Options {
        target: Target::OPENCL,
        plain_math: settings.plain_math,
        off: settings.off,
        ..accrue_pipeline::Options::default()
    };
    let lowered = lower(&mut ctx, module, &options)?;
    let options = Options {
        contract: settings.contract,
        reductions: settings.reductions,
    };
    let mut code = Code::default();
    let made = match emit(&mut ctx, module, &lowered.sites, &options) {
        Ok(made) => made,
        Err(diagnostics) => {
            let kernels = lowered.sites.iter().flat_map(|site| &site.kernels);
            let reason = diagnostics.first().map(|d| d.message.clone());
            code.on_host.extend(kernels.map(|kernel| OnHost {
                function: kernel.function.clone(),
                reason: reason.clone().unwrap_or_default(),
            }));
            return Ok(code);
        }
    };
    for (own, other) in sites.iter_mut().zip(&lowered.sites) {
        own.add_opencl(other, &made.forms);
    }
    // A version of a kernel that cannot be made is no loss: the kernel itself says so, or runs instead.
    let kernels = || lowered.sites.iter().flat_map(|site| &site.kernels);
    let skipped = made.skipped.into_iter();
    let of_kernels = skipped.filter(|s| kernels().any(|k| k.function == s.function));
    code.on_host.extend(of_kernels.map(|skipped| OnHost {
        function: skipped.function,
        reason: skipped.reason.message,
    }));
    code.text = (!made.forms.is_empty()).then_some(made.text);
    Ok(code)
}

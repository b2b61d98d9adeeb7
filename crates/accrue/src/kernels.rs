//! The kernels of a unit in all forms of code, and the sites that launch them.
//!
//! ```text
//! module for CPU cores ──lower──▶ sites, C of the kernels
//! module for NVIDIA    ──lower──▶ PTX            one form more for the kernels of the sites
//! module for OpenCL    ──lower──▶ OpenCL C       one form more
//! ```
//! Modules come from a source ([`crate::unit`]) or from objects ([`crate::device_link`]), which have lowered them half way.

use accrue_back_cpu::CpuText;
use accrue_diag::Diagnostic;
use accrue_hostcall::{Form, Site, Stretches};
use accrue_opt::{Remark, Switch, Target};
use accrue_pipeline::Options;
use pliron::builtin::ops::ModuleOp;
use pliron::context::Context;

use crate::gpu::{self, Code, Settings};
use crate::opencl;

/// Gives the module for a kind of devices.
type Module<'a> = &'a dyn Fn(&mut Context, Target) -> Result<ModuleOp, Vec<Diagnostic>>;

/// Where the modules of a unit come from.
#[derive(Clone, Copy)]
pub struct Modules<'a> {
    pub of: Module<'a>,
    /// The last pass that has been run on it.
    pub after: Option<&'static str>,
}

/// What the kernels have become.
pub struct Kernels {
    pub sites: Vec<Site>,
    /// What the lowering for CPU cores has to say.
    pub remarks: Vec<Remark>,
    /// What both lowerings warn of.
    pub warnings: Vec<Diagnostic>,
    pub cpu: CpuText,
    pub code: Code,
    pub opencl: opencl::Code,
    /// Where the host waits for synchronous constructs that it does not wait for one by one.
    pub stretches: Stretches,
}

/// Makes the kernels of the unit `name`. `module` is the one for CPU cores.
pub fn make(
    ctx: &mut Context,
    module: ModuleOp,
    modules: &Modules,
    name: &str,
    places: bool,
    gpu: Option<&Settings>,
) -> Result<Kernels, Vec<Diagnostic>> {
    let options = Options {
        start_after: modules.after,
        ..Options::default()
    };
    let mut lowered = accrue_pipeline::lower(ctx, module, &options)?;
    let cpu = accrue_back_cpu::emit(ctx, module, &lowered.sites, places)?;
    for kernel in lowered.sites.iter_mut().flat_map(|s| &mut s.kernels) {
        let form = cpu.forms.get(&kernel.function);
        kernel.forms.extend(form.cloned().map(Form::Cpu));
    }
    let code = match gpu {
        Some(settings) => gpu::generate(modules, name, settings, &mut lowered.sites)?,
        None => Code::default(),
    };
    let opencl = match gpu.filter(|settings| settings.opencl) {
        Some(settings) => opencl::generate(modules, settings, &mut lowered.sites)?,
        None => opencl::Code::default(),
    };
    let mut warnings = lowered.warnings;
    for warning in &code.lowering_warnings {
        if !warnings.contains(warning) {
            warnings.push(warning.clone());
        }
    }
    Ok(Kernels {
        sites: lowered.sites,
        remarks: lowered.remarks,
        warnings,
        cpu,
        code,
        opencl,
        stretches: put_off(gpu, lowered.stretches),
    })
}

/// Where the host waits for several constructs, if the user has not switched that off.
pub fn put_off(gpu: Option<&Settings>, stretches: Stretches) -> Stretches {
    match gpu.is_some_and(|gpu| !gpu.off.is_off(Switch::Waits)) {
        true => stretches,
        false => Stretches::default(),
    }
}

//! The report as data: regions in the order of the source, each with its variables, loops and kernels.

use std::collections::BTreeSet;

use accrue_abi::symbols::shown;
use accrue_back_cpu::SimdLoop;
use accrue_back_ptx::Chosen;
use accrue_hostcall::{self as hostcall, ClauseSize, SimtForm, Site};
use accrue_lower_acc::assign_levels::name as level_name;
use accrue_opt::{Region as Subjected, Remark, Subject};

use super::data::{Data, data};
use super::launch::{self, Shape};
use super::occupancy::{self, Occupancy};
use crate::ptxas::{MachineCode, Resources};
use crate::unit::{Compiled, Input};

pub struct Report {
    pub source: String,
    pub regions: Vec<Region>,
    pub notes: Vec<String>,
}

/// A construct, another directive that calls the runtime, or a function that regions call.
pub struct Region {
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// The directive; `None` for a function.
    pub directive: Option<String>,
    pub function: String,
    pub data: Vec<Data>,
    pub remarks: Vec<Said>,
    pub loops: Vec<Loop>,
    pub kernels: Vec<Kernel>,
}

/// A loop of the source, perhaps without a directive.
pub struct Loop {
    pub file: Option<String>,
    pub line: u32,
    pub column: u32,
    /// What it is spread over at last, on GPUs if there is code for them; `None` for a loop that no directive governs.
    pub levels: Option<Vec<&'static str>>,
    /// Clauses of the user give them.
    pub by_user: bool,
    pub remarks: Vec<Said>,
}

/// A remark of a pass.
pub struct Said {
    pub on: Targets,
    pub pass: &'static str,
    pub line: u32,
    pub column: u32,
    pub message: String,
}

/// Which of the two lowerings a remark is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Targets {
    All,
    Cpu,
    Gpu,
}

pub struct Kernel {
    pub name: String,
    pub line: u32,
    pub gang_loop: bool,
    /// Loops are spread over single gang dimensions.
    pub gang_dims: bool,
    /// Iterations may take very different times.
    pub uneven: bool,
    /// A clause says how many gangs there are.
    pub num_gangs: bool,
    pub gpu: Gpu,
    /// Why it runs on the host where a device behind OpenCL is chosen, if it does.
    pub opencl_on_host: Option<String>,
}

/// What a GPU makes of a kernel.
pub enum Gpu {
    /// No code for GPUs was asked for.
    NotAsked,
    /// It runs on the host, for this reason.
    OnHost(String),
    Code(Box<GpuKernel>),
}

pub struct GpuKernel {
    pub shape: Shape,
    pub reductions: Vec<Reduction>,
    /// Functions of the device library that stay calls.
    pub library: Vec<String>,
    /// Launches whose arguments lead to memory that does not overlap run a faster version.
    pub has_fast_version: bool,
    /// Scratch memory in bytes.
    pub scratch_per_gang: u64,
    pub scratch_per_worker: u64,
    /// For each GPU that the code was assembled for.
    pub figures: Vec<Figures>,
}

/// How the values of a reduction come together at one level.
pub struct Reduction {
    pub name: String,
    pub operator: &'static str,
    pub level: &'static str,
    /// Stage by stage; none where there is nothing to combine.
    pub algorithms: Vec<String>,
    pub position: Option<(u32, u32)>,
}

/// What a kernel uses on one GPU.
pub struct Figures {
    /// Of the faster version.
    pub fast_version: bool,
    /// Compute capability, times ten.
    pub sm: u32,
    pub resources: Resources,
    /// Shared memory of a gang, what its workers need included; and how many gangs run at once on a multiprocessor.
    /// `None` where the shape of blocks is known at run time only, or the GPU is not known.
    pub shared: u64,
    pub occupancy: Option<Occupancy>,
}

/// Adds what the C compiler is told of vector loops on CPU cores.
fn tell_simd(regions: &mut [Region], simd_loops: &[SimdLoop]) {
    let loops = regions.iter_mut().flat_map(|region| &mut region.loops);
    for counted in loops.filter(|l| l.levels.iter().flatten().any(|level| *level == "vector")) {
        let (line, column) = (counted.line, counted.column);
        let told = simd_loops.iter().find(|s| s.position == (line, column));
        let message = match told {
            Some(told) if told.reductions => {
                "lanes are SIMD: the C compiler may reorder its reductions (omp simd)"
            }
            Some(_) => "lanes are SIMD, if the C compiler finds that it pays (ivdep)",
            None => continue,
        };
        counted.remarks.push(Said {
            on: Targets::Cpu,
            pass: "back-cpu",
            line,
            column,
            message: message.to_string(),
        });
    }
}

pub fn report(input: &Input, compiled: &Compiled) -> Report {
    let remarks = merged(compiled, input.gpu.is_some());
    let sites = compiled.made.sites.iter();
    let mut regions: Vec<Region> = sites
        .filter_map(|site| of_site(input, compiled, site, &remarks))
        .collect();
    let functions: BTreeSet<&String> = remarks
        .iter()
        .filter_map(|(_, remark)| match &remark.region {
            Subjected::Function(name) => Some(name),
            Subjected::Construct(_) | Subjected::Unit => None,
        })
        .collect();
    regions.extend(
        functions
            .into_iter()
            .filter_map(|name| of_function(input, name, &remarks)),
    );
    tell_simd(&mut regions, &compiled.made.cpu.simd_loops);
    let mut notes = vec![];
    if input.gpu.is_none() {
        notes.push("the options ask for no code for GPUs".to_string());
    }
    notes.extend(
        compiled
            .made
            .code
            .no_code
            .iter()
            .map(|reason| format!("there is no code for GPUs in this file: {reason}")),
    );
    Report {
        source: input.name.to_string(),
        regions,
        notes,
    }
}

/// The remarks of both lowerings in their order, those that are the same once.
fn merged(compiled: &Compiled, with_gpu: bool) -> Vec<(Targets, &Remark)> {
    let (cpu, gpu) = (&compiled.made.remarks, &compiled.made.code.remarks);
    if !with_gpu || gpu.is_empty() {
        return cpu.iter().map(|remark| (Targets::All, remark)).collect();
    }
    let on_gpu = gpu.iter().map(|remark| match cpu.contains(remark) {
        true => (Targets::All, remark),
        false => (Targets::Gpu, remark),
    });
    let on_cpu = cpu.iter().filter(|remark| !gpu.contains(remark));
    on_gpu
        .chain(on_cpu.map(|remark| (Targets::Cpu, remark)))
        .collect()
}

fn of_site(
    input: &Input,
    compiled: &Compiled,
    site: &Site,
    remarks: &[(Targets, &Remark)],
) -> Option<Region> {
    let scanned = input.unit.directives.get(site.directive as usize)?;
    let position = input.unit.lines.position(scanned.source.span.start);
    let words: Vec<_> = scanned.source.text.split_whitespace().collect();
    let own = |remark: &Remark| remark.region == Subjected::Construct(site.directive);
    let mine: Vec<_> = remarks.iter().filter(|(_, r)| own(r)).copied().collect();
    Some(Region {
        file: position.file.to_string(),
        line: site.line,
        column: site.column,
        directive: Some(format!(
            "{} {}",
            scanned.directive.sentinel(),
            words.join(" ")
        )),
        function: site.function.clone(),
        data: site
            .vars
            .iter()
            .filter(|var| !var.is_round())
            .map(|var| data(site, var, mine.iter().map(|(_, remark)| *remark)))
            .collect(),
        remarks: about_region(&mine),
        loops: loops(&mine, &position.file),
        kernels: site
            .kernels
            .iter()
            .map(|kernel| of_kernel(input, compiled, site, kernel))
            .collect(),
    })
}

fn of_function(input: &Input, name: &str, remarks: &[(Targets, &Remark)]) -> Option<Region> {
    let own = |remark: &Remark| remark.region == Subjected::Function(name.to_string());
    let mine: Vec<_> = remarks.iter().filter(|(_, r)| own(r)).copied().collect();
    let (_, first) = mine.iter().min_by_key(|(_, r)| (r.line, r.column))?;
    let file = file_of(first).unwrap_or_else(|| input.name.to_string());
    Some(Region {
        line: first.line,
        column: first.column,
        directive: None,
        function: name.to_string(),
        data: vec![],
        remarks: about_region(&mine),
        loops: loops(&mine, &file),
        kernels: vec![],
        file,
    })
}

fn file_of(remark: &Remark) -> Option<String> {
    let file = remark.file.as_ref()?;
    Some(file.to_string_lossy().into_owned())
}

fn said(on: Targets, remark: &Remark) -> Said {
    Said {
        on,
        pass: remark.pass,
        line: remark.line,
        column: remark.column,
        message: remark.message.clone(),
    }
}

fn about_region(remarks: &[(Targets, &Remark)]) -> Vec<Said> {
    let about = |remark: &Remark| match remark.subject {
        Subject::Region => true,
        Subject::Loop | Subject::Levels { .. } | Subject::Variable { .. } => false,
    };
    let mine = remarks.iter().filter(|(_, remark)| about(remark));
    mine.map(|(on, remark)| said(*on, remark)).collect()
}

/// The loops, by position.
fn loops(remarks: &[(Targets, &Remark)], region_file: &str) -> Vec<Loop> {
    let mut loops: Vec<Loop> = vec![];
    for (on, remark) in remarks {
        let levels = match &remark.subject {
            Subject::Loop => None,
            Subject::Levels { levels, by_user } => {
                let names: Vec<_> = levels.iter().map(|l| level_name(*l)).collect();
                Some((names, *by_user))
            }
            Subject::Region | Subject::Variable { .. } => continue,
        };
        let file = file_of(remark).filter(|file| file != region_file);
        let place = |l: &Loop| l.file == file && (l.line, l.column) == (remark.line, remark.column);
        let at = loops.iter().position(place).unwrap_or_else(|| {
            loops.push(Loop {
                file: file.clone(),
                line: remark.line,
                column: remark.column,
                levels: None,
                by_user: false,
                remarks: vec![],
            });
            loops.len() - 1
        });
        // Those of the CPU's lowering come last.
        if let Some((names, by_user)) = levels.filter(|_| *on != Targets::Cpu) {
            loops[at].levels = Some(names);
            loops[at].by_user = by_user;
        }
        loops[at].remarks.push(said(*on, remark));
    }
    loops.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
    loops
}

fn of_kernel(input: &Input, compiled: &Compiled, site: &Site, kernel: &hostcall::Kernel) -> Kernel {
    let num_gangs = kernel.num_gangs != ClauseSize::Absent;
    let code = &compiled.made.code;
    let reason = code.on_host.iter().find(|h| h.function == kernel.function);
    let gpu = match (input.gpu, kernel.ptx(), reason) {
        (None, _, _) => Gpu::NotAsked,
        (Some(_), Some(form), _) => {
            let launch = launch::Launch {
                rules: rules(site, kernel, form, num_gangs),
                kernel,
            };
            let shape = launch.shape();
            let reductions = code.reductions.get(&kernel.function);
            Gpu::Code(Box::new(GpuKernel {
                figures: figures(&code.machine, form, &shape),
                shape,
                reductions: reductions.into_iter().flatten().map(reduction).collect(),
                library: code
                    .library
                    .get(&kernel.function)
                    .cloned()
                    .unwrap_or_default(),
                has_fast_version: form.disjoint.is_some(),
                scratch_per_gang: form.scratch_gang_bytes,
                scratch_per_worker: form.scratch_worker_bytes,
            }))
        }
        (Some(_), None, Some(reason)) => Gpu::OnHost(reason.reason.clone()),
        (Some(_), None, None) => Gpu::OnHost("there is no code for GPUs in this file".to_string()),
    };
    let opencl = compiled.made.opencl.on_host.iter();
    let mut opencl = opencl.filter(|h| h.function == kernel.function);
    Kernel {
        opencl_on_host: opencl.next().map(|h| h.reason.clone()),
        name: shown(&kernel.function),
        line: kernel.line,
        gang_loop: kernel.gang_loop,
        gang_dims: kernel.gang_dims.contains(&true),
        uneven: kernel.uneven,
        num_gangs,
        gpu,
    }
}

/// What decides about the kernel's launches, as far as the compiler knows it.
fn rules(
    site: &Site,
    kernel: &hostcall::Kernel,
    form: &SimtForm,
    num_gangs: bool,
) -> accrue_abi::launch::Launch {
    accrue_abi::launch::Launch {
        site: site.kind,
        kernel_flags: kernel.flags().bits(),
        code: kernel.launches_of(form),
        gangs: [u64::from(num_gangs), 0, 0],
        workers: 0,
        vector: 0,
        share: 0,
    }
}

fn reduction(chosen: &Chosen) -> Reduction {
    Reduction {
        name: chosen.name.clone(),
        operator: chosen.operator.spelling(),
        level: level_name(chosen.level),
        algorithms: chosen.algorithms.iter().map(ToString::to_string).collect(),
        position: chosen.position,
    }
}

/// What the assembler has said of the kernel, and what follows from it.
fn figures(machine: &[MachineCode], form: &SimtForm, shape: &Shape) -> Vec<Figures> {
    let of_gpu = |machine: &MachineCode, entry: &str| {
        let mine = machine.kernels.iter().find(|k| k.entry == entry)?;
        let (vector, workers) = (shape.vector.value?, shape.workers.value?);
        let shared = u64::from(mine.shared) + form.shared_worker_bytes * u64::from(workers);
        Some(Figures {
            fast_version: entry != form.entry,
            sm: machine.sm,
            resources: mine.clone(),
            shared,
            occupancy: occupancy::occupancy(machine.sm, vector * workers, mine.registers, shared),
        })
    };
    let fast = form.disjoint.iter().map(|version| &version.entry);
    let fast = fast.filter(|entry| **entry != form.entry);
    let entries: Vec<&String> = std::iter::once(&form.entry).chain(fast).collect();
    machine
        .iter()
        .flat_map(|machine| {
            entries
                .iter()
                .filter_map(move |entry| of_gpu(machine, entry))
        })
        .collect()
}

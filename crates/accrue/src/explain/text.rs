//! The report as text.

use std::fmt::Write;

use accrue_abi::launch::UNEVEN_GANGS;

use super::data::Data;
use super::launch::Size;
use super::report::{Figures, Gpu, GpuKernel, Kernel, Loop, Region, Report, Said, Targets};

pub fn text(report: &Report) -> String {
    let regions: Vec<String> = report.regions.iter().map(region).collect();
    let mut text = regions.join("\n");
    if report.regions.is_empty() {
        let _ = writeln!(text, "{}: there are no directives", report.source);
    }
    if !report.notes.is_empty() && !text.is_empty() {
        text.push('\n');
    }
    for note in &report.notes {
        let _ = writeln!(text, "note: {note}");
    }
    text
}

fn region(region: &Region) -> String {
    let Region {
        file,
        line,
        column,
        directive,
        function,
        data,
        remarks,
        loops,
        kernels,
    } = region;
    let mut text = match directive {
        Some(directive) if function.is_empty() => {
            format!("{file}:{line}:{column}: {directive} (outside of functions)\n")
        }
        Some(directive) => format!("{file}:{line}:{column}: {directive} (in {function})\n"),
        None => format!("{file}:{line}:{column}: function {function}, called by regions\n"),
    };
    if !data.is_empty() {
        text += "  data\n";
        let width = data.iter().map(|d| d.name.chars().count()).max();
        let width = width.unwrap_or(0);
        text.extend(data.iter().map(|d| variable(d, width)));
    }
    for said in remarks {
        let place = match (said.line, said.column) == (*line, *column) {
            true => String::new(),
            false => format!("line {}: ", said.line),
        };
        let _ = writeln!(text, "  {place}{}", message(said));
    }
    text.extend(loops.iter().map(counted));
    text.extend(kernels.iter().map(kernel));
    text
}

fn variable(data: &Data, width: usize) -> String {
    let mut text = format!("    {:<width$}  {}", data.name, data.attribute);
    for detail in &data.details {
        let _ = write!(text, ", {detail}");
    }
    match data.implicit.as_deref() {
        None => {}
        Some("") => text += " (implicit)",
        Some(why) => {
            let _ = write!(text, " (implicit: {why})");
        }
    }
    text + "\n"
}

fn counted(counted: &Loop) -> String {
    let Loop {
        file,
        line,
        column,
        levels: _,
        by_user: _,
        remarks,
    } = counted;
    let file = file.as_ref().map(|f| format!("{f}:")).unwrap_or_default();
    let mut text = format!("  loop at {file}{line}:{column}\n");
    for said in remarks {
        let _ = writeln!(text, "    {}", message(said));
    }
    text
}

/// The remark, after the target it is about if it is not about all.
fn message(said: &Said) -> String {
    let on = match said.on {
        Targets::All => "",
        Targets::Cpu => "CPU: ",
        Targets::Gpu => "GPU: ",
    };
    format!("{on}{}", said.message)
}

fn kernel(kernel: &Kernel) -> String {
    let mut text = format!("  kernel {} (line {})\n", kernel.name, kernel.line);
    let each = match kernel.uneven {
        true => format!(
            "{UNEVEN_GANGS} gangs for each core, because iterations may take different times"
        ),
        false => "as many gangs as cores".to_string(),
    };
    let gangs = match (kernel.num_gangs, kernel.gang_loop) {
        (false, true) if kernel.gang_dims => {
            format!("{each} in the last dimension that loops are spread over")
        }
        (true, _) => "gangs by the clause".to_string(),
        (false, true) => each,
        (false, false) => "one gang".to_string(),
    };
    let _ = writeln!(text, "    CPU: {gangs}, one worker, one lane");
    match &kernel.gpu {
        Gpu::NotAsked => {}
        Gpu::OnHost(reason) => {
            let _ = writeln!(text, "    GPU: runs on the host: {reason}");
        }
        Gpu::Code(code) => text += &on_gpu(code),
    }
    if let Some(reason) = &kernel.opencl_on_host {
        let _ = writeln!(text, "    OpenCL: runs on the host: {reason}");
    }
    text
}

fn on_gpu(code: &GpuKernel) -> String {
    let mut text = String::new();
    for (name, size) in [
        ("gangs", &code.shape.gangs),
        ("workers", &code.shape.workers),
        ("vector", &code.shape.vector),
    ] {
        let Size { value, rule } = size;
        let value = value.map(|value| format!("{value}, ")).unwrap_or_default();
        let _ = writeln!(text, "    GPU: {name}: {value}{rule}");
    }
    for reduction in code.reductions.iter().filter(|r| !r.algorithms.is_empty()) {
        let _ = writeln!(
            text,
            "    GPU: reduction {}:{} over {}: {}",
            reduction.operator,
            reduction.name,
            reduction.level,
            reduction.algorithms.join(", then ")
        );
    }
    if !code.library.is_empty() {
        let _ = writeln!(
            text,
            "    GPU: calls of the device library stay: {} (long, or for arguments that hardly occur)",
            code.library.join(", ")
        );
    }
    if code.has_fast_version {
        text += "    GPU: a faster version runs where the memory behind the arguments does not overlap\n";
    }
    for (bytes, whose) in [
        (code.scratch_per_gang, "gang"),
        (code.scratch_per_worker, "worker"),
    ] {
        if bytes > 0 {
            let _ = writeln!(text, "    GPU: {bytes} bytes of device memory per {whose}");
        }
    }
    for figures in &code.figures {
        let _ = writeln!(text, "    {}", assembled(figures));
    }
    text
}

/// `sm_90: 40 registers, 520 bytes of shared memory per gang, no spills; 6 gangs at once on a multiprocessor, …`
fn assembled(figures: &Figures) -> String {
    let Figures {
        fast_version,
        sm,
        resources,
        shared,
        occupancy,
    } = figures;
    let version = if *fast_version {
        ", faster version"
    } else {
        ""
    };
    let mut text = format!("sm_{sm}{version}: {} registers", resources.registers);
    if *shared > 0 {
        let _ = write!(text, ", {shared} bytes of shared memory per gang");
    }
    if resources.stack > 0 {
        let _ = write!(text, ", {} bytes of local memory", resources.stack);
    }
    match (resources.spill_stores, resources.spill_loads) {
        (0, 0) => text += ", no spills",
        (stores, loads) => {
            let _ = write!(text, ", spills: {stores} bytes stored, {loads} loaded");
        }
    }
    if let Some(occupancy) = occupancy {
        let _ = write!(
            text,
            "; {} gangs at once on a multiprocessor, occupancy {} %, limited by {}",
            occupancy.blocks, occupancy.percent, occupancy.limit
        );
    }
    text
}

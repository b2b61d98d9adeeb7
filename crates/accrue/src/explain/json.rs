//! The report as JSON, for tools. Members are added, never renamed or removed.

use serde_json::{Value, json};

use super::data::Data;
use super::launch::Size;
use super::report::{
    Figures, Gpu, GpuKernel, Kernel, Loop, Reduction, Region, Report, Said, Targets,
};

pub fn json(report: &Report) -> String {
    let regions: Vec<Value> = report.regions.iter().map(region).collect();
    let whole = json!({
        "source": report.source,
        "regions": regions,
        "notes": report.notes,
    });
    format!("{whole:#}\n")
}

fn region(region: &Region) -> Value {
    json!({
        "file": region.file,
        "line": region.line,
        "column": region.column,
        "directive": region.directive,
        "function": region.function,
        "data": region.data.iter().map(data).collect::<Vec<_>>(),
        "remarks": region.remarks.iter().map(said).collect::<Vec<_>>(),
        "loops": region.loops.iter().map(counted).collect::<Vec<_>>(),
        "kernels": region.kernels.iter().map(kernel).collect::<Vec<_>>(),
    })
}

fn data(data: &Data) -> Value {
    json!({
        "name": data.name,
        "attribute": data.attribute,
        "details": data.details,
        "implicit": data.implicit.is_some(),
        "why": data.implicit,
    })
}

fn counted(counted: &Loop) -> Value {
    json!({
        "file": counted.file,
        "line": counted.line,
        "column": counted.column,
        "levels": counted.levels,
        "chosen_by": match (&counted.levels, counted.by_user) {
            (None, _) => Value::Null,
            (Some(_), true) => json!("user"),
            (Some(_), false) => json!("compiler"),
        },
        "remarks": counted.remarks.iter().map(said).collect::<Vec<_>>(),
    })
}

fn said(said: &Said) -> Value {
    json!({
        "target": match said.on {
            Targets::All => "all",
            Targets::Cpu => "cpu",
            Targets::Gpu => "gpu",
        },
        "pass": said.pass,
        "line": said.line,
        "column": said.column,
        "message": said.message,
    })
}

fn kernel(kernel: &Kernel) -> Value {
    let (gpu, on_host) = match &kernel.gpu {
        Gpu::NotAsked => (Value::Null, None),
        Gpu::OnHost(reason) => (Value::Null, Some(reason)),
        Gpu::Code(code) => (on_gpu(code), None),
    };
    json!({
        "name": kernel.name,
        "line": kernel.line,
        "gang_loop": kernel.gang_loop,
        "gpu": gpu,
        "on_host": on_host,
        "opencl_on_host": kernel.opencl_on_host,
    })
}

fn on_gpu(code: &GpuKernel) -> Value {
    let size = |size: &Size| json!({ "value": size.value, "rule": size.rule });
    json!({
        "gangs": size(&code.shape.gangs),
        "workers": size(&code.shape.workers),
        "vector": size(&code.shape.vector),
        "reductions": code.reductions.iter().map(reduction).collect::<Vec<_>>(),
        "library": code.library,
        "has_fast_version": code.has_fast_version,
        "scratch_per_gang": code.scratch_per_gang,
        "scratch_per_worker": code.scratch_per_worker,
        "assembled": code.figures.iter().map(figures).collect::<Vec<_>>(),
    })
}

fn reduction(reduction: &Reduction) -> Value {
    json!({
        "name": reduction.name,
        "operator": reduction.operator,
        "level": reduction.level,
        "algorithms": reduction.algorithms,
        "line": reduction.position.map(|(line, _)| line),
        "column": reduction.position.map(|(_, column)| column),
    })
}

fn figures(figures: &Figures) -> Value {
    let resources = &figures.resources;
    let occupancy = figures.occupancy.as_ref().map(|occupancy| {
        json!({
            "gangs_at_once": occupancy.blocks,
            "percent": occupancy.percent,
            "limit": occupancy.limit,
        })
    });
    json!({
        "sm": figures.sm,
        "fast_version": figures.fast_version,
        "registers": resources.registers,
        "spill_stores": resources.spill_stores,
        "spill_loads": resources.spill_loads,
        "local": resources.stack,
        "shared": figures.shared,
        "occupancy": occupancy,
    })
}

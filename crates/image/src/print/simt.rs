//! What launches of a kernel's form for groups of threads need: the entry and its module, limits, programs, versions.
//! ```c
//! static const long long accrue_ptx_kernel_0_0_trip[] = { 8, 1, 0, 0 };
//! static struct accrue_simt_kernel accrue_ptx_kernel_0_0 = { &accrue_module, "accrue_k0_0", … };
//! ```
//! The runtime keeps what the driver made of a kernel in the kernel's last member.

use super::{c_string, codes::Names};
use accrue_abi::initial;
use accrue_abi::trip::{Step, encode};
use accrue_hostcall::{GridVersion, Kernel, SimtForm};
use std::fmt::Write;

/// Appends the description `symbol` of `form`, and before it what belongs to it.
pub fn form(text: &mut String, (symbol, module): (&str, Names), kernel: &Kernel, form: &SimtForm) {
    let trip = kernel.trip.as_ref().map(|trip| &trip.program);
    let trip = program(text, &format!("{symbol}_trip"), trip);
    let inner = inner(text, (symbol, module), kernel, form, &trip);
    let each = each(text, (symbol, module), kernel, form, &trip);
    let grid = grids(text, (symbol, module), kernel, form, &trip);
    let tables = [trip.as_str(), &inner, &each, &grid];
    description(text, (symbol, module), kernel, form, tables);
}

/// Appends the versions of the kernel `symbol` for short and for long inner loops; gives what stands for them.
fn inner(
    text: &mut String,
    (symbol, module): (&str, Names),
    kernel: &Kernel,
    form: &SimtForm,
    trip: &str,
) -> String {
    let (Some(loops), Some(versions)) = (&kernel.inner, &form.inner) else {
        return "0".to_string();
    };
    let length = program(text, &format!("{symbol}_length"), Some(&loops.program));
    let kernels = kernel.inner_versions();
    let named = kernels.iter().zip(&**versions).zip(["short", "long"]);
    for ((version, form), which) in named {
        let symbol = format!("{symbol}_{which}");
        description(
            text,
            (&symbol, module),
            version,
            form,
            [trip, "0", "0", "0"],
        );
    }
    let initial = initial::SimtInner {
        length: &length,
        narrow: &format!("&{symbol}_short"),
        wide: &format!("&{symbol}_long"),
    };
    let table = format!("{symbol}_inner");
    let _ = writeln!(
        text,
        "static const struct accrue_simt_inner {table} = {initial};"
    );
    format!("&{table}")
}

/// Appends the version of the kernel `symbol` with a gang for each iteration; gives what stands for it.
fn each(
    text: &mut String,
    (symbol, module): (&str, Names),
    kernel: &Kernel,
    form: &SimtForm,
    trip: &str,
) -> String {
    let (Some(each), Some(version), Some(form)) = (&kernel.each, kernel.each_version(), &form.each)
    else {
        return "0".to_string();
    };
    let threads = program(text, &format!("{symbol}_threads"), Some(&each.threads));
    let gangs = program(text, &format!("{symbol}_iterations"), each.gangs.as_ref());
    let version_symbol = format!("{symbol}_each");
    let tables = [trip, "0", "0", "0"];
    description(text, (&version_symbol, module), &version, form, tables);
    covering(
        text,
        symbol,
        ["gangs", "each"],
        [&threads, "0", &gangs],
        "0",
    )
}

/// Appends the versions of the kernel `symbol` for grids that cover its loop; gives what stands for the one to try first.
fn grids(
    text: &mut String,
    (symbol, module): (&str, Names),
    kernel: &Kernel,
    form: &SimtForm,
    trip: &str,
) -> String {
    let versions = [
        (&kernel.grid, kernel.grid_version(), &form.grid, "grid"),
        (&kernel.nest, kernel.nest_version(), &form.nest, "nest"),
    ];
    let mut first = "0".to_string();
    for version in versions {
        let (Some(grid), Some(version), Some(form), name) = version else {
            continue;
        };
        let names = (format!("{symbol}_{name}"), module);
        first = grid_of(text, names, (grid, &version, form), [trip, &first]);
    }
    first
}

/// Appends a version for a grid; gives what stands for it. `next`: what is tried where it cannot be taken.
fn grid_of(
    text: &mut String,
    (symbol, module): (String, Names),
    (grid, version, form): (&GridVersion, &Kernel, &SimtForm),
    [trip, next]: [&str; 2],
) -> String {
    let of = |which: &str| format!("{symbol}_{which}");
    let columns = program(text, &of("columns"), Some(&grid.columns));
    let rows = program(text, &of("rows"), grid.rows.as_ref());
    let outer = program(text, &of("outer"), grid.outer.as_ref());
    let tables = [trip, "0", "0", "0"];
    let version_symbol = of("covering");
    description(text, (&version_symbol, module), version, form, tables);
    covering(
        text,
        &symbol,
        ["table", "covering"],
        [&columns, &rows, &outer],
        next,
    )
}

/// Appends the table of a version of the kernel `symbol` for certain grids, whose programs are these; gives what stands for it.
fn covering(
    text: &mut String,
    symbol: &str,
    [table, version]: [&str; 2],
    [columns, rows, outer]: [&str; 3],
    next: &str,
) -> String {
    let initial = initial::SimtGrid {
        columns: &columns,
        rows: &rows,
        outer: &outer,
        kernel: &format!("&{symbol}_{version}"),
        next: &next,
    };
    let _ = writeln!(
        text,
        "static const struct accrue_simt_grid {symbol}_{table} = {initial};"
    );
    format!("&{symbol}_{table}")
}

/// Appends the definition of a program, and gives what stands for it.
pub fn program(text: &mut String, symbol: &str, program: Option<&Vec<Step>>) -> String {
    let Some(program) = program else {
        return "0".to_string();
    };
    let words: Vec<_> = encode(program).iter().map(i64::to_string).collect();
    let _ = writeln!(
        text,
        "static const long long {symbol}[] = {{ {} }};",
        words.join(", ")
    );
    symbol.to_string()
}

/// Appends the description `symbol` of one kernel. `trip`, `inner`, `each` and `grid` stand for its tables.
fn description(
    text: &mut String,
    (symbol, module): (&str, Names),
    kernel: &Kernel,
    form: &SimtForm,
    [trip, inner, each, grid]: [&str; 4],
) {
    let disjoint = match &form.disjoint {
        Some(fast) => {
            let initial = initial::SimtDisjoint {
                entry: &c_string(fast.entry.as_bytes()),
                read_words: &format!("{:#x}", fast.read_words),
                written_words: &format!("{:#x}", fast.written_words),
                aligned_words: &format!("{:#x}", fast.aligned_words),
                written_once: &u64::from(fast.written_once),
                runtime: &0,
            };
            let _ = writeln!(
                text,
                "static struct accrue_simt_disjoint {symbol}_disjoint = {initial};"
            );
            format!("&{symbol}_disjoint")
        }
        None => "0".to_string(),
    };
    let apart = match &form.apart {
        Some(apart) => {
            let initial = initial::SimtApart {
                read_words: &format!("{:#x}", apart.read_words),
                written_words: &format!("{:#x}", apart.written_words),
            };
            let _ = writeln!(
                text,
                "static const struct accrue_simt_apart {symbol}_apart = {initial};"
            );
            format!("&{symbol}_apart")
        }
        None => "0".to_string(),
    };
    let code = kernel.launches_of(form);
    let initial = initial::SimtKernel {
        module: &format!("&{}", module.module),
        entry: &c_string(form.entry.as_bytes()),
        flags: &code.flags,
        args_words: &form.args_words,
        max_workers: &code.max_workers,
        max_vector: &code.max_vector,
        shared_worker_bytes: &code.shared_worker_bytes,
        scratch_gang_bytes: &code.scratch_gang_bytes,
        scratch_worker_bytes: &code.scratch_worker_bytes,
        workers: &code.workers,
        vector: &form.exact_lanes.unwrap_or(code.vector),
        trip: &trip,
        runtime: &0,
        apart: &apart,
        disjoint: &disjoint,
        inner: &inner,
        each: &each,
        grid: &grid,
    };
    let _ = writeln!(
        text,
        "static struct accrue_simt_kernel {symbol} = {initial};"
    );
}

//! Tests that the work of compiling a unit grows with its size, not with its square: programs of two sizes, and how many
//! operations, nodes and tokens each makes the compiler look at ([`accrue_ir::visits`]).

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::Path;

use accrue_diag::{Diagnostic, SourceFiles};
use accrue_front_c::ast::STACK_BYTES;
use accrue_front_c::text::sentinel::Languages;
use accrue_ir::visits;

use accrue_front_c::text::host::Additions;

use crate::companion;
use crate::gpu::{Machine, Settings};
use crate::unit::{self, Compiled, Input};

/// Twice the program may be this many times the work. (The sizes are such that one walk through the module for each region, in
/// one of the lowerings, is more.)
const LIMIT: f64 = 2.1;

/// What is looked at to compile `text`.
fn work(text: String) -> u64 {
    let compile = move || {
        let name = "unit.c";
        let failed = |messages: Vec<Diagnostic>| unit::render(&messages, &SourceFiles::default());
        let unit = unit::scan(
            name,
            text.into_bytes(),
            Languages::ACC,
            &SourceFiles::default(),
        )
        .map_err(failed)?;
        let options: [OsString; 0] = [];
        let settings = Settings {
            architectures: Vec::new(),
            machine: Machine::None,
            named: Vec::new(),
            may_assemble: false,
            debug: false,
            contract: true,
            fast_math: false,
            inline_math: true,
            plain_math: false,
            off: accrue_opt::Switches::default(),
            reductions: accrue_back_ptx::Policy::default(),
            opencl: true,
        };
        let input = Input {
            name,
            unit: &unit,
            options: &options,
            places: true,
            gpu: Some(&settings),
        };
        let Compiled {
            made,
            assertions,
            renamed,
            addresses,
            ..
        } = input.compile().map_err(failed)?;
        let additions = Additions {
            assertions: &assertions,
            stretches: Some(&made.stretches),
            renamed: &renamed,
            exposed: &[],
            addresses: Some(&addresses),
        };
        let prefix = companion::prefix(Path::new(name), &unit, true);
        companion::host_text(&prefix, &unit, &made.sites, &additions).map_err(failed)?;
        let descriptions = companion::descriptions(&unit, &made.sites);
        companion::companion(&prefix, name, &descriptions, &made);
        Ok::<u64, String>(visits::so_far())
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
    thread.spawn(compile).unwrap().join().unwrap().unwrap()
}

/// Compares the work for programs of size `n` and `2 * n`.
fn grows_linearly(program: impl Fn(usize) -> String, n: usize) {
    let (once, twice) = (work(program(n)), work(program(2 * n)));
    let factor = twice as f64 / once as f64;
    assert!(
        factor <= LIMIT,
        "{n}: {once} visits, {}: {twice} visits, {factor:.2} times as many",
        2 * n
    );
}

/// Functions with a region each, which calls a function of its own.
fn regions(count: usize) -> String {
    let mut text = String::new();
    for k in 0..count {
        let _ = writeln!(
            text,
            "struct part{k} {{ int n; double w[4]; }};
static double weight{k}(const struct part{k} *p, int i) {{ return p->w[i % 4] * {k}; }}
double work{k}(int n, const double *a, double *b, const struct part{k} *p) {{
    double total = 0;
#pragma acc parallel loop copyin(a[0:n], p[0:1]) copy(b[0:n]) reduction(+:total)
    for (int i = 0; i < n; i++) {{
        double t = a[i] * weight{k}(p, i);
        total += b[i] = t;
    }}
    return total;
}}"
        );
    }
    text
}

/// One function with all of the regions.
fn one_function(count: usize) -> String {
    let mut text = "void work(int n, double *a, double *b) {\n".to_owned();
    for k in 0..count {
        let _ = writeln!(
            text,
            "#pragma acc kernels loop copyin(a[0:n]) copy(b[0:n])
for (int i = 0; i < n; i++) {{ double t = a[i]; b[i] += t * {k}; }}"
        );
    }
    text + "}\n"
}

/// `declare` directives of the program and of one function, with as many regions.
fn declares(count: usize) -> String {
    let mut text = String::new();
    for k in 0..count {
        let _ = writeln!(
            text,
            "extern double g{k}[8];\n#pragma acc declare create(g{k})"
        );
    }
    text += "void work(void) {\n";
    for k in 0..count {
        let _ = writeln!(
            text,
            "double t{k}[8];
#pragma acc declare create(t{k})
#pragma acc parallel loop
for (int i = 0; i < 8; i++) t{k}[i] = g{k}[i];"
        );
    }
    text + "}\n"
}

/// A `data` construct in a `data` construct, and so on, around one region.
fn nested_data(levels: usize) -> String {
    format!(
        "void nest(int n, double *a) {{\n{}#pragma acc parallel loop\nfor (int i = 0; i < n; i++) a[i] += 1;\n{}}}\n",
        "#pragma acc data copy(a[0:n])\n{\n".repeat(levels),
        "}\n".repeat(levels)
    )
}

/// Loops in a loop, each with scalars of its own.
fn loops(count: usize) -> String {
    let mut text = "void work(int n, double *a) {\n#pragma acc parallel loop copy(a[0:n])\nfor (int i = 0; i < n; i++) {\n".to_owned();
    for k in 0..count {
        let _ = writeln!(
            text,
            "double s{k} = a[i]; for (int j = 0; j < n; j++) {{ double t = s{k} * j; s{k} += t; }} a[i] += s{k};"
        );
    }
    text + "} }\n"
}

/// One loop whose body is the statements that `statement` makes.
fn body(count: usize, statement: impl Fn(usize) -> String) -> String {
    let statements: String = (0..count).map(statement).collect();
    format!(
        "void work(int n, double *a, double *b, double *c, int m) {{
#pragma acc parallel loop copy(a[0:n], b[0:n], c[0:n])
for (int i = 0; i < n; i++) {{ double x = a[i];\n{statements}c[i] = x; }} }}\n"
    )
}

/// Updates of elements of arrays.
fn updates(count: usize) -> String {
    body(count, |k| {
        let (stride, back) = (k % 3 + 1, k % 5);
        format!(
            "c[i + {}] += a[i * {stride} + {k}] * b[i - {back}] + {k};\n",
            k % 7
        )
    })
}

/// Scalars that are made of each other.
fn scalars(count: usize) -> String {
    body(count, |k| {
        format!("double t{k} = x * b[i] + {k}; x += t{k};\n")
    })
}

/// Conditions, one behind the other.
fn conditions(count: usize) -> String {
    body(count, |k| {
        format!("if (x > {k}) x = x * b[i] + {k}; else x -= {k};\n")
    })
}

/// Loops that are unrolled, one behind the other.
fn inner_loops(count: usize) -> String {
    body(count, |k| {
        format!("for (int j = 0; j < m; j++) x = x * b[i + j] + {k};\n")
    })
}

/// An array of the iteration's own, with a use of each element.
fn own_array(count: usize) -> String {
    let uses: String = (0..count).map(|k| format!("x += t[{k}];\n")).collect();
    body(count, |k| format!("t[{k}] = a[i] + {k};\n"))
        .replace("double x", &format!("double t[{count}]; double x"))
        .replace("c[i] = x", &format!("{uses}c[i] = x"))
}

/// Functions that one region calls. (Calls in calls cost a round of the inliner for each level.)
fn routines(count: usize) -> String {
    let mut text = "static double f0(double x) { return x; }\n".to_owned();
    let mut calls = String::new();
    for k in 1..=count {
        let _ = writeln!(
            text,
            "#pragma acc routine seq\nstatic double f{k}(double x) {{ return f0(x) + x * {k}; }}"
        );
        let _ = writeln!(calls, "a[i] += f{k}(a[i]);");
    }
    let _ = writeln!(
        text,
        "void work(int n, double *a) {{\n#pragma acc parallel loop copy(a[0:n])\nfor (int i = 0; i < n; i++) {{ {calls} }} }}"
    );
    text
}

/// Declarations around one region, which uses few of them.
fn declarations(count: usize) -> String {
    let mut text = String::new();
    for k in 0..count {
        let _ = writeln!(
            text,
            "struct rec{k} {{ int id; double value[4]; struct rec{k} *next; }};
typedef struct rec{k} rec{k}_t;
enum kind{k} {{ FIRST{k}, SECOND{k} = 5 }};
extern double table{k}[100];
int open{k}(rec{k}_t *r, const char *name, enum kind{k} kind);
static inline double get{k}(const rec{k}_t *r) {{ return r->value[0] + table{k}[r->id]; }}"
        );
    }
    text + "void work(int n, const rec1_t *r, double *b) {
#pragma acc parallel loop copyin(r[0:1]) copy(b[0:n])
for (int i = 0; i < n; i++) b[i] += get1(r); }\n"
}

#[test]
fn regions_are_linear() {
    grows_linearly(regions, 80);
}

#[test]
fn declare_directives_are_linear() {
    grows_linearly(declares, 40);
}

#[test]
fn regions_of_one_function_are_linear() {
    grows_linearly(one_function, 80);
}

#[test]
fn nested_data_is_linear() {
    grows_linearly(nested_data, 40);
}

#[test]
fn loops_of_one_region_are_linear() {
    grows_linearly(loops, 20);
}

#[test]
fn routines_are_linear() {
    grows_linearly(routines, 40);
}

#[test]
fn declarations_are_linear() {
    grows_linearly(declarations, 400);
}

#[test]
fn updates_are_linear() {
    grows_linearly(updates, 60);
}

#[test]
fn scalars_are_linear() {
    grows_linearly(scalars, 80);
}

#[test]
fn conditions_are_linear() {
    grows_linearly(conditions, 60);
}

#[test]
fn inner_loops_are_linear() {
    grows_linearly(inner_loops, 30);
}

#[test]
fn elements_of_own_arrays_are_linear() {
    grows_linearly(own_array, 80);
}

//! Prints the static tables of the companion object.
//!
//! The companion is one C file per translation unit: the structs of the ABI, the kernels, one `struct accrue_site` per
//! directive, and a constructor that registers them all.
//! ```c
//! static const struct accrue_var accrue_vars_0[] = { { "a", 1, 0, 8, 1, 0, 3, 30 } };
//! static const struct accrue_kernel accrue_kernels_0[] = { { "accrue_k0_0", 3, 1, 2, 0, accrue_forms_0_0 } };
//! struct accrue_site accrue_site_1f2e_0 = { 1, 1, "heat.c", "main", "#pragma acc parallel loop copy(a)", … };
//! ```
//! Code for GPUs is data of the companion ([`codes`]); what launches of it need is in [`simt`].
//!
//! The text is preprocessed C: it has line markers and no directives but pragmas.
//!
//! Sites are global but hidden: the host object refers to them by name and both are joined by `ld -r`.

mod codes;
mod simt;

pub use codes::{CodeForm, CompanionCode};

use accrue_abi::symbols::shown;
use accrue_abi::{ABI_VERSION, SiteFlags, c, initial};
use accrue_hostcall::{CpuForm, Form, Kernel, Site, SiteDim, SiteVar, WordSource};
use std::fmt::Write;

/// What debuggers say of text that no line of the user's made.
pub const GENERATED: &str = "<accrue>";

/// A companion object.
#[derive(Clone, Debug)]
pub struct Companion<'a> {
    /// Start of the names of sites; must be unique among the objects that are linked together.
    pub prefix: &'a str,
    /// The source file.
    pub source: &'a str,
    /// C text of the kernels.
    pub kernels: &'a str,
    /// The unit's code for NVIDIA GPUs, in all its forms; empty for none.
    pub codes: &'a [CompanionCode<'a>],
    /// The unit's code in OpenCL C.
    pub opencl: Option<&'a str>,
    /// The same for CPU cores.
    pub opencl_cores: Option<&'a str>,
    pub sites: &'a [CompanionSite<'a>],
}

/// A site with what only the front end knows of it.
#[derive(Clone, Debug)]
pub struct CompanionSite<'a> {
    pub site: &'a Site,
    /// The file that the directive stands in (a header, perhaps).
    pub file: &'a str,
    /// The directive as the user wrote it.
    pub text: &'a str,
}

/// The name of the site of directive number `directive`.
pub fn site_symbol(prefix: &str, directive: u32) -> String {
    format!("{prefix}_{directive}")
}

/// The C text of the companion object.
pub fn companion(companion: &Companion) -> String {
    // The first marker tells the compiler which file it compiles.
    let mut text = line_marker(1, companion.source.as_bytes());
    text.push_str(&line_marker(1, GENERATED.as_bytes()));
    text.push_str(&c::declarations());
    text.push_str(&c::size_assertions());
    if !companion.kernels.is_empty() {
        let _ = write!(text, "\n{}", companion.kernels);
    }
    text.push_str(&codes::module(codes::GPUS, companion.codes));
    let opencl = companion.opencl.map(CompanionCode::opencl);
    text.push_str(&codes::module(codes::OPENCL, opencl.as_slice()));
    let cores = companion.opencl_cores.map(CompanionCode::opencl_cores);
    text.push_str(&codes::module(codes::OPENCL_CORES, cores.as_slice()));
    for site in companion.sites {
        text.push('\n');
        text.push_str(&vars(site.site));
        text.push_str(&globals(site.site));
        text.push_str(&kernels(site.site));
        text.push_str(&rounds(site.site));
        text.push_str(&site_definition(companion.prefix, site));
    }
    text.push_str(&image(companion));
    text
}

/// A preprocessor's line marker: the next line is line `number` of `file`.
pub fn line_marker(number: u32, file: &[u8]) -> String {
    format!("# {number} {}\n", c_string(file))
}

/// A C string literal of these bytes. Everything that is not plain ASCII is written in octal, `?` too because of
/// trigraphs; with three digits only where a digit follows.
pub fn c_string(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for (at, byte) in bytes.iter().enumerate() {
        let digit_follows = bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        let _ = match byte {
            b'"' | b'\\' => write!(text, "\\{}", char::from(*byte)),
            b' '..=b'~' if *byte != b'?' => write!(text, "{}", char::from(*byte)),
            _ if digit_follows => write!(text, "\\{byte:03o}"),
            _ => write!(text, "\\{byte:o}"),
        };
    }
    text.push('"');
    text
}

fn vars(site: &Site) -> String {
    if site.vars.is_empty() {
        return String::new();
    }
    let mut text = String::new();
    let mut table = format!(
        "static const struct accrue_var accrue_vars_{}[] = {{\n",
        site.directive
    );
    for (index, var) in site.vars.iter().enumerate() {
        let initial = initial::Var {
            name: &c_string(var.name.as_bytes()),
            action: &(var.action as u32),
            flags: &var.flags.bits(),
            elem_size: &var.elem_size,
            ndims: &var.passed_dims().len(),
            pointer_dims: &pointer_dims(var),
            line: &var.line,
            column: &var.column,
            npointers: &var.pointers.len(),
            pointers: &pointers(&mut text, site, index),
            reach: &reach(&mut text, site, index),
        };
        let _ = writeln!(table, "    {initial},");
    }
    format!("{text}{table}}};\n")
}

/// Appends the pointers in a copy of a variable; gives what stands for them.
fn pointers(text: &mut String, site: &Site, index: usize) -> String {
    let pointers = &site.vars[index].pointers;
    if pointers.is_empty() {
        return "0".to_string();
    }
    let symbol = format!("accrue_pointers_{}_{index}", site.directive);
    let rows = pointers.iter().map(|pointer| {
        let initial = initial::Pointer {
            offset: &pointer.offset,
            before: &pointer.before,
            bytes: &pointer.bytes,
        };
        initial.to_string()
    });
    let rows: Vec<_> = rows.collect();
    let _ = writeln!(
        text,
        "static const struct accrue_pointer {symbol}[] = {{ {} }};",
        rows.join(", ")
    );
    symbol
}

/// Appends what the region accesses of a variable; gives what stands for it.
fn reach(text: &mut String, site: &Site, index: usize) -> String {
    let reach = site.vars[index].reach.as_ref();
    let programs = reach.and_then(|reach| Some((reach, reach.programs(&site.vars)?)));
    let Some((reach, [lower, length])) = programs else {
        return "0".to_string();
    };
    let symbol = format!("accrue_reach_{}_{index}", site.directive);
    let initial = initial::Reach {
        element: &reach.element,
        lower: &simt::program(text, &format!("{symbol}_lower"), Some(&lower)),
        length: &simt::program(text, &format!("{symbol}_length"), Some(&length)),
    };
    let _ = writeln!(
        text,
        "static const struct accrue_reach {symbol} = {initial};"
    );
    format!("&{symbol}")
}

/// The words of the variables that the call has none for: where each is. It has the name of its symbol for the linker only, so that
/// no other name of the companion is in its way.
fn globals(site: &Site) -> String {
    let directive = site.directive;
    let mut declarations = String::new();
    let mut words = String::new();
    for (index, var) in site.vars.iter().enumerate() {
        let WordSource::Global { symbol } = &var.source else {
            continue;
        };
        let name = format!("accrue_global_{directive}_{index}");
        let symbol = c_string(symbol.as_bytes());
        let _ = writeln!(
            declarations,
            "extern const char {name}[] __asm__({symbol});"
        );
        let _ = write!(words, " (unsigned long long){name}, 0,");
    }
    if words.is_empty() {
        return words;
    }
    format!(
        "{declarations}static const unsigned long long accrue_globals_{directive}[] = {{{words} }};\n"
    )
}

/// Bit k: dimension k is reached through a pointer in memory. The pointer of dimension 0 is the variable itself.
fn pointer_dims(var: &SiteVar) -> u32 {
    if let Some(other) = var.limited {
        return other as u32;
    }
    let pointer = |(k, dim): (usize, &SiteDim)| match dim {
        SiteDim::Pointer if (1..16).contains(&k) => 1 << k,
        SiteDim::Pointer | SiteDim::Array => 0,
    };
    var.passed_dims().iter().enumerate().map(pointer).sum()
}

fn kernels(site: &Site) -> String {
    if site.kernels.is_empty() {
        return String::new();
    }
    let directive = site.directive;
    let mut text = String::new();
    let mut table =
        format!("static const struct accrue_kernel accrue_kernels_{directive}[] = {{\n");
    for (phase, kernel) in site.kernels.iter().enumerate() {
        forms(&mut text, directive, phase, kernel);
        let initial = initial::Kernel {
            name: &c_string(shown(&kernel.function).as_bytes()),
            line: &kernel.line,
            flags: &kernel.flags().bits(),
            nforms: &kernel.forms.len(),
            pad: &0,
            forms: &forms_symbol(directive, phase),
        };
        let _ = writeln!(table, "    {initial},");
    }
    format!("{text}{table}}};\n")
}

/// Appends the list of a kernel's forms, and before it what each of them says.
fn forms(text: &mut String, directive: u32, phase: usize, kernel: &Kernel) {
    let mut table = format!(
        "static const struct accrue_form {}[] = {{\n",
        forms_symbol(directive, phase)
    );
    for form in &kernel.forms {
        let symbol = match form {
            Form::Cpu(form) => {
                let symbol = format!("accrue_cpu_kernel_{directive}_{phase}");
                cpu(text, &symbol, kernel, form);
                symbol
            }
            Form::Ptx(form) => {
                let symbol = format!("accrue_ptx_kernel_{directive}_{phase}");
                simt::form(text, (&symbol, codes::GPUS), kernel, form);
                symbol
            }
            Form::OpenCl(form) => {
                let symbol = format!("accrue_opencl_kernel_{directive}_{phase}");
                simt::form(text, (&symbol, codes::OPENCL), &form.kernel, &form.form);
                symbol
            }
            Form::OpenClCores(form) => {
                let symbol = format!("accrue_opencl_cores_kernel_{directive}_{phase}");
                simt::form(
                    text,
                    (&symbol, codes::OPENCL_CORES),
                    &form.kernel,
                    &form.form,
                );
                symbol
            }
        };
        let initial = initial::Form {
            kind: &(form.kind() as u32),
            pad: &0,
            code: &format!("&{symbol}"),
        };
        let _ = writeln!(table, "    {initial},");
    }
    let _ = writeln!(text, "{table}}};");
}

/// Appends the description `symbol` of a form for CPU cores.
fn cpu(text: &mut String, symbol: &str, kernel: &Kernel, form: &CpuForm) {
    let flat = kernel.trip.as_ref().filter(|trip| trip.vector);
    let program = flat.map(|trip| &trip.program);
    let trip = simt::program(text, &format!("{symbol}_trip"), program);
    let initial = initial::CpuKernel {
        gang: &form.entry,
        finish: &form.finish.as_deref().unwrap_or("0"),
        slot_bytes: &form.slot_bytes,
        trip: &trip,
    };
    let _ = writeln!(
        text,
        "static const struct accrue_cpu_kernel {symbol} = {initial};"
    );
}

/// The kernels that run several times.
fn rounds(site: &Site) -> String {
    if site.rounds.is_empty() {
        return String::new();
    }
    let directive = site.directive;
    let mut text = String::new();
    let mut table = format!("static const struct accrue_rounds accrue_rounds_{directive}[] = {{\n");
    for (index, rounds) in site.rounds.iter().enumerate() {
        let symbol = format!("accrue_rounds_{directive}_{index}_count");
        let initial = initial::Rounds {
            first: &rounds.first,
            nkernels: &rounds.kernels,
            word: &site.round_word(rounds),
            pad: &0,
            count: &simt::program(&mut text, &symbol, Some(&rounds.count)),
        };
        let _ = writeln!(table, "    {initial},");
    }
    format!("{text}{table}}};\n")
}

fn forms_symbol(directive: u32, phase: usize) -> String {
    format!("accrue_forms_{directive}_{phase}")
}

fn site_definition(prefix: &str, described: &CompanionSite) -> String {
    let site = described.site;
    let directive = site.directive;
    let table = |name: &str, empty: bool| match empty {
        true => "0".to_string(),
        false => format!("accrue_{name}_{directive}"),
    };
    let flags = SiteFlags {
        finalize: site.finalize,
        if_present: site.if_present,
        async_given: described.site.call.async_given,
        default_present: site.default_present,
        openmp: site.openmp,
        sizes: !site.call.sizes.is_empty(),
    };
    let string = |text: &str| c_string(text.as_bytes());
    let globals = site.vars.iter().filter(|var| var.is_global()).count();
    let initial = initial::Site {
        abi: &ABI_VERSION,
        kind: &(site.kind as u32),
        file: &string(described.file),
        function: &string(&site.function),
        text: &string(described.text),
        line: &site.line,
        column: &site.column,
        flags: &flags.bits(),
        device_type: &described.site.call.device_types,
        nvars: &site.vars.len(),
        nkernels: &site.kernels.len(),
        vars: &table("vars", site.vars.is_empty()),
        kernels: &table("kernels", site.kernels.is_empty()),
        nglobals: &globals,
        nrounds: &site.rounds.len(),
        globals: &table("globals", globals == 0),
        rounds: &table("rounds", site.rounds.is_empty()),
        runtime: &0,
    };
    format!(
        "__attribute__((visibility(\"hidden\"))) struct accrue_site {} = {initial};\n",
        site_symbol(prefix, directive)
    )
}

fn image(companion: &Companion) -> String {
    let mut text = String::from("\n");
    let sites = match companion.sites {
        [] => "0",
        sites => {
            text.push_str("static struct accrue_site *const accrue_sites[] = {\n");
            for site in sites {
                let _ = writeln!(
                    text,
                    "    &{},",
                    site_symbol(companion.prefix, site.site.directive)
                );
            }
            text.push_str("};\n");
            "accrue_sites"
        }
    };
    let initial = initial::Image {
        abi: &ABI_VERSION,
        nsites: &companion.sites.len(),
        sites: &sites,
        source: &c_string(companion.source.as_bytes()),
        runtime: &0,
    };
    let _ = writeln!(text, "static struct accrue_image accrue_image = {initial};");
    text.push_str(REGISTRATION);
    text
}

/// Before the constructors of the user's program, which may contain directives.
const REGISTRATION: &str = "\
static __attribute__((constructor(101))) void accrue_register(void)
{
    __accrue_register_image(&accrue_image);
}
static __attribute__((destructor(101))) void accrue_unregister(void)
{
    __accrue_unregister_image(&accrue_image);
}
";

//! Prints the static tables of the companion object.
//!
//! The companion is one C file per translation unit: the structs of the ABI, the kernels, one `struct accrue_site` per
//! directive, and a constructor that registers them all.
//! ```c
//! static const struct accrue_var accrue_vars_0[] = { { "a", 1, 0, 8, 1, 0, 3, 30 } };
//! static const struct accrue_kernel accrue_kernels_0[] = { { .name = "accrue_k0_0", .cpu = accrue_k0_0, … } };
//! struct accrue_site accrue_site_1f2e_0 = { 1, 1, "heat.c", "main", "#pragma acc parallel loop copy(a)", … };
//! ```
//! Code for GPUs is data of the companion: see [`ptx`].
//!
//! The text is preprocessed C: it has line markers and no directives but pragmas.
//!
//! Sites are global but hidden: the host object refers to them by name and both are joined by `ld -r`.

mod ptx;

pub use ptx::{CodeForm, CompanionCode, CompanionDisjoint, CompanionPtxKernel};

use crate::site::{Site, SiteDim, SiteKernel, SiteVar, VarFlags};
use std::fmt::Write;

/// The version of the ABI that is printed.
pub const ABI_VERSION: u32 = 2;

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
    pub sites: &'a [CompanionSite<'a>],
}

/// A site with what only the front end and the back end know of it.
#[derive(Clone, Debug)]
pub struct CompanionSite<'a> {
    pub site: &'a Site,
    /// The file that the directive stands in (a header, perhaps).
    pub file: &'a str,
    /// The directive as the user wrote it.
    pub text: &'a str,
    /// The directive has an `async` clause.
    pub async_given: bool,
    /// Bits of the `device_type` clause of init, shutdown and set; 0 for none.
    pub device_type: u32,
    /// One per kernel of the site, in order.
    pub kernels: Vec<CompanionKernel<'a>>,
}

/// The C names of a kernel.
#[derive(Clone, Debug)]
pub struct CompanionKernel<'a> {
    pub entry: &'a str,
    pub finish: Option<&'a str>,
    pub slot_bytes: u64,
    /// The kernel in the unit's code for GPUs, if it is there.
    pub ptx: Option<CompanionPtxKernel<'a>>,
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
    text.push_str(DECLARATIONS);
    if !companion.kernels.is_empty() {
        let _ = write!(text, "\n{}", companion.kernels);
    }
    text.push_str(&ptx::module(companion.codes));
    for site in companion.sites {
        text.push('\n');
        text.push_str(&vars(site.site));
        text.push_str(&ptx::kernels(site));
        text.push_str(&kernels(site));
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
    let mut text = format!(
        "static const struct accrue_var accrue_vars_{}[] = {{\n",
        site.directive
    );
    for var in &site.vars {
        let _ = writeln!(
            text,
            "    {{ {}, {}, {}, {}, {}, {}, {}, {} }},",
            c_string(var.name.as_bytes()),
            var.action as u32,
            var_flags(var.flags),
            var.elem_size,
            var.dims.len(),
            pointer_dims(var),
            var.line,
            var.column
        );
    }
    text.push_str("};\n");
    text
}

fn var_flags(flags: VarFlags) -> u32 {
    let VarFlags {
        implicit,
        readonly,
        zero,
        always_in,
        always_out,
        capture,
        attach,
        required,
        result,
        pointer,
    } = flags;
    [
        implicit, readonly, zero, always_in, always_out, capture, attach, required, result, pointer,
    ]
    .into_iter()
    .enumerate()
    .map(|(bit, set)| u32::from(set) << bit)
    .sum()
}

/// Bit k: dimension k is reached through a pointer in memory. The pointer of dimension 0 is the variable itself.
fn pointer_dims(var: &SiteVar) -> u32 {
    let pointer = |(k, dim): (usize, &SiteDim)| match dim {
        SiteDim::Pointer if (1..16).contains(&k) => 1 << k,
        SiteDim::Pointer | SiteDim::Array => 0,
    };
    var.dims.iter().enumerate().map(pointer).sum()
}

fn kernels(site: &CompanionSite) -> String {
    if site.kernels.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "static const struct accrue_kernel accrue_kernels_{}[] = {{\n",
        site.site.directive
    );
    let kernels = site.site.kernels.iter().zip(&site.kernels);
    for (phase, (kernel, c)) in kernels.enumerate() {
        let ptx = match &c.ptx {
            Some(_) => format!("&{}", ptx::kernel_symbol(site.site.directive, phase)),
            None => "0".to_string(),
        };
        let _ = writeln!(
            text,
            "    {{ {}, {}, {}, {}, {}, {}, {{ {ptx}, 0, 0, 0 }} }},",
            c_string(kernel.function.as_bytes()),
            kernel.line,
            kernel_flags(kernel),
            c.entry,
            c.finish.unwrap_or("0"),
            c.slot_bytes
        );
    }
    text.push_str("};\n");
    text
}

fn kernel_flags(kernel: &SiteKernel) -> u32 {
    u32::from(kernel.gang_loop)
        | u32::from(kernel.single_gang) << 1
        | ptx::dims_bits(kernel.gang_dims) << 2
}

fn site_definition(prefix: &str, described: &CompanionSite) -> String {
    let site = described.site;
    let directive = site.directive;
    let table = |name: &str, empty: bool| match empty {
        true => "0".to_string(),
        false => format!("accrue_{name}_{directive}"),
    };
    let flags = u32::from(site.finalize)
        | u32::from(site.if_present) << 1
        | u32::from(described.async_given) << 2
        | u32::from(site.default_present) << 3;
    let string = |text: &str| c_string(text.as_bytes());
    let mut text = String::new();
    let _ = writeln!(
        text,
        "__attribute__((visibility(\"hidden\"))) struct accrue_site {} = {{",
        site_symbol(prefix, directive)
    );
    let _ = writeln!(text, "    {ABI_VERSION}, {},", site.kind as u32);
    let _ = writeln!(
        text,
        "    {}, {},",
        string(described.file),
        string(&site.function)
    );
    let _ = writeln!(text, "    {},", string(described.text));
    let _ = writeln!(
        text,
        "    {}, {}, {flags}, {},",
        site.line, site.column, described.device_type
    );
    let _ = writeln!(
        text,
        "    {}, {}, {}, {}, 0\n}};",
        site.vars.len(),
        described.kernels.len().min(site.kernels.len()),
        table("vars", site.vars.is_empty()),
        table(
            "kernels",
            described.kernels.is_empty() || site.kernels.is_empty()
        )
    );
    text
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
    let _ = writeln!(
        text,
        "static struct accrue_image accrue_image = {{ {ABI_VERSION}, {}, {sites}, {}, 0 }};",
        companion.sites.len(),
        c_string(companion.source.as_bytes())
    );
    text.push_str(REGISTRATION);
    text
}

/// The structs of the ABI.
const DECLARATIONS: &str = "\
struct accrue_cpu_launch {
    const unsigned long long *args;
    unsigned long long gangs[3];
    unsigned long long workers;
    unsigned long long vector;
    char *slots;
    unsigned long long slot_stride;
};
struct accrue_var {
    const char *name;
    unsigned action;
    unsigned flags;
    unsigned long long elem_size;
    unsigned short ndims;
    unsigned short pointer_dims;
    unsigned line;
    unsigned column;
};
struct accrue_kernel {
    const char *name;
    unsigned line;
    unsigned flags;
    void (*cpu)(const struct accrue_cpu_launch *, unsigned long long);
    void (*cpu_finish)(const struct accrue_cpu_launch *);
    unsigned long long cpu_slot_bytes;
    const void *reserved[4];
};
struct accrue_code {
    unsigned kind;
    unsigned sm;
    unsigned ptx;
    unsigned pad;
    unsigned long long bytes;
    const char *text;
};
struct accrue_module {
    unsigned ncodes;
    unsigned pad;
    const struct accrue_code *codes;
    void *runtime;
};
struct accrue_ptx_disjoint {
    const char *entry;
    unsigned long long read_words;
    unsigned long long written_words;
    unsigned long long aligned_words;
    void *runtime;
};
struct accrue_ptx_inner {
    const long long *length;
    struct accrue_ptx_kernel *narrow;
    struct accrue_ptx_kernel *wide;
};
struct accrue_ptx_kernel {
    struct accrue_module *module;
    const char *entry;
    unsigned flags;
    unsigned args_words;
    unsigned max_workers;
    unsigned max_vector;
    unsigned long long shared_worker_bytes;
    unsigned long long scratch_gang_bytes;
    unsigned long long scratch_worker_bytes;
    unsigned workers;
    unsigned vector;
    const long long *trip;
    void *runtime;
    struct accrue_ptx_disjoint *disjoint;
    const struct accrue_ptx_inner *inner;
};
struct accrue_site {
    unsigned abi;
    unsigned kind;
    const char *file;
    const char *function;
    const char *text;
    unsigned line;
    unsigned column;
    unsigned flags;
    unsigned device_type;
    unsigned nvars;
    unsigned nkernels;
    const struct accrue_var *vars;
    const struct accrue_kernel *kernels;
    void *runtime;
};
struct accrue_image {
    unsigned abi;
    unsigned nsites;
    struct accrue_site *const *sites;
    const char *source;
    void *runtime;
};
extern void __accrue_register_image(struct accrue_image *);
extern void __accrue_unregister_image(struct accrue_image *);
";

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

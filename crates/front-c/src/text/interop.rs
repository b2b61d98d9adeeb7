//! The directive `interop` (OpenMP 5.2, section 14.1) outside of regions. No foreign runtime shares its objects with us, so that each object
//! is `omp_interop_none`, which programs must ask for; what the directive waits for, it waits for.
//!
//! ```text
//! #pragma omp interop init(targetsync: obj) depend(in: x)      {
//!                                                              #pragma omp taskwait depend(in: x)
//!                                                              (obj)=0;}
//! ```
//! The types and routines of `omp.h` are declared for programs whose compiler has an older one.
//!
//! Cost: each token is looked at a fixed number of times, in a text with the word.

use super::lexer::Lexer;
use super::paired_variants::{edited, marker};
use super::scan::{Found, find};
use super::sentinel::{self, Sentinel};
use accrue_diag::{Diagnostic, Place};
use accrue_directives::Language;
use accrue_directives::omp::interop::Interop;
use accrue_directives::omp::selectors::Device;

/// What `omp.h` has since 5.1. There are no properties of objects that are none.
const DECLARATIONS: &str = "typedef void*omp_interop_t;enum{omp_interop_none=0};\
typedef enum omp_interop_property_t{omp_ipr_fr_id=-1,omp_ipr_fr_name=-2,omp_ipr_vendor=-3,omp_ipr_vendor_name=-4,omp_ipr_device_num=-5,\
omp_ipr_platform=-6,omp_ipr_device=-7,omp_ipr_device_context=-8,omp_ipr_targetsync=-9,omp_ipr_first=-9}omp_interop_property_t;\
typedef enum omp_interop_rc_t{omp_irc_no_value=1,omp_irc_success=0,omp_irc_empty=-1,omp_irc_out_of_range=-2,omp_irc_type_int=-3,\
omp_irc_type_ptr=-4,omp_irc_type_str=-5,omp_irc_other=-6}omp_interop_rc_t;\
typedef enum omp_interop_fr_t{omp_ifr_cuda=1,omp_ifr_cuda_driver=2,omp_ifr_opencl=3,omp_ifr_sycl=4,omp_ifr_hip=5,omp_ifr_level_zero=6,\
omp_ifr_last=7}omp_interop_fr_t;";

/// The routines: what they give, their names and their last parameters.
const ROUTINES: [(&str, &str, &str); 7] = [
    ("int", "omp_get_num_interop_properties", ""),
    (
        "long",
        "omp_get_interop_int",
        "omp_interop_property_t p,int*rc",
    ),
    (
        "void*",
        "omp_get_interop_ptr",
        "omp_interop_property_t p,int*rc",
    ),
    (
        "const char*",
        "omp_get_interop_str",
        "omp_interop_property_t p,int*rc",
    ),
    (
        "const char*",
        "omp_get_interop_name",
        "omp_interop_property_t p",
    ),
    (
        "const char*",
        "omp_get_interop_type_desc",
        "omp_interop_property_t p",
    ),
    (
        "const char*",
        "omp_get_interop_rc_desc",
        "omp_interop_rc_t p",
    ),
];

/// Writes the text anew; nothing if it has neither.
///
/// # Errors
/// What is wrong with a directive.
pub(super) fn rewritten(text: &[u8], file: &str) -> Result<Option<Vec<u8>>, Vec<Diagnostic>> {
    let word = b"interop";
    if !text.windows(word.len()).any(|bytes| bytes == word) {
        return Ok(None);
    }
    let Found {
        lines, directives, ..
    } = find(text, file, |sentinel, _| sentinel == Sentinel::Omp);
    let openmp = sentinel::openmp(text, file, Language::C, Device::Cores);
    let (mut edits, mut mistakes) = (Vec::new(), Vec::new());
    for directive in &directives {
        let start = directive.span.start;
        let mut regions = openmp.regions.iter();
        let Some(read) = Interop::read(&directive.text, Language::C) else {
            continue;
        };
        if regions.any(|region| region.range.contains(&start)) {
            continue;
        }
        match read {
            Ok(interop) => {
                let waits = interop.depends.iter();
                let waits = waits.map(|depend| format!("\n#pragma omp taskwait {depend}"));
                let objects = interop.objects.iter();
                let objects = objects.map(|object| format!("({object})=0;"));
                let device = interop.device.iter();
                let objects = objects.chain(device.map(|it| format!("(void)({it});")));
                let new = format!(
                    "{{{}\n{}{}}}",
                    waits.collect::<String>(),
                    marker(&lines, start),
                    objects.collect::<String>()
                );
                edits.push((directive.span.clone(), new));
            }
            Err(mistake) => mistakes.push(mistake.map_places(|_| Place {
                position: lines.position(start),
                length: 0,
            })),
        }
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    if is_undeclared(text) {
        // Behind the first line, which names the file.
        let first = text.split_inclusive(|byte| *byte == b'\n').next();
        let end = first
            .filter(|line| line.starts_with(b"# "))
            .map_or(0, <[u8]>::len);
        let declared = format!(
            "# 1 \"<accrue>\" 3\n__extension__ {DECLARATIONS}{}\n{}",
            routines(),
            marker(&lines, end)
        );
        edits.push((end..end, declared));
    }
    Ok((!edits.is_empty()).then(|| edited(text, edits)))
}

fn routines() -> String {
    let one = |(gives, name, last): (&str, &str, &str)| {
        let (comma, code) = match last {
            "" => ("", ""),
            last if last.contains("rc") && last.contains("int*") => {
                (",", "(void)p;if(rc)*rc=omp_irc_empty;")
            }
            _ => (",", "(void)p;"),
        };
        format!(
            "static __inline__ __attribute__((__unused__)) {gives} {name}(const omp_interop_t o{comma}{last}){{(void)o;{code}return 0;}}"
        )
    };
    ROUTINES.into_iter().map(one).collect()
}

/// Whether the type is used, and nothing declares it.
fn is_undeclared(text: &[u8]) -> bool {
    let mut tokens = Lexer::new(text).peekable();
    let mut is_used = false;
    while let Some(token) = tokens.next() {
        if token.of(text) != b"omp_interop_t" {
            continue;
        }
        is_used = true;
        if tokens.peek().is_some_and(|next| next.of(text) == b";") {
            return false;
        }
    }
    is_used
}

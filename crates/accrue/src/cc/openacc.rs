//! The OpenACC options, in gcc's and in nvc's spelling. They are the driver's: the user's compiler never sees them.
//!
//! Whether a command line asks for OpenACC decides everything else (without it the driver *is* the user's compiler),
//! so this is read before any other option is looked at.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// What one word of the command line says about OpenACC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// `-fopenacc`, `-acc`, `-acc=gpu`, …: directives are compiled.
    On,
    /// `-fno-openacc`, `-noacc`: directives are ignored.
    Off,
    /// `-fopenacc-dim=`, `-foffload=`, `-freduction=`, `-gpu=`, …: about offloading, without switching it on.
    Detail,
    /// `-Minfo`, `-Minfo=accel`, …: what became of directives is reported.
    Explain,
    /// One of ours with a value that means nothing.
    Invalid(String),
}

/// Values of nvc's `-acc=` (NVIDIA HPC compilers' reference guide, "-acc").
const ACC_VALUES: &[&str] = &[
    "gpu",
    "host",
    "multicore",
    "autopar",
    "noautopar",
    "legacy",
    "routineseq",
    "noroutineseq",
    "strict",
    "verystrict",
    "sync",
    "wait",
    "nowait",
];

/// Values of nvc's `-Minfo=` that concern accelerators.
const MINFO_VALUES: &[&str] = &["accel", "acc", "all"];

/// Reads one word; `None` when it is no OpenACC option.
pub fn spelling(word: &OsStr) -> Option<Spelling> {
    let word = str::from_utf8(word.as_bytes()).ok()?;
    match word {
        "-fopenacc" | "-acc" => return Some(Spelling::On),
        "-fno-openacc" | "-noacc" => return Some(Spelling::Off),
        "-Minfo" | "-Mneginfo" => return Some(Spelling::Explain),
        _ => {}
    }
    if let Some(values) = word.strip_prefix("-acc=") {
        return Some(switched_on(word, values));
    }
    if let Some(dimensions) = word.strip_prefix("-fopenacc-dim=") {
        return Some(dimension_option(word, dimensions));
    }
    if let Some(values) = word
        .strip_prefix("-Minfo=")
        .or_else(|| word.strip_prefix("-Mneginfo="))
    {
        // Other values are nvc's own reports about host code: not ours.
        return values
            .split(',')
            .any(|v| MINFO_VALUES.contains(&v))
            .then_some(Spelling::Explain);
    }
    if word.starts_with("-ta=") {
        // The old way of nvc to say `-acc -gpu=…`.
        return Some(Spelling::On);
    }
    let detail = [
        "-foffload=",
        "-foffload-options=",
        "-fopenacc-kernels=",
        "-freduction=",
        "-gpu=",
    ];
    detail
        .iter()
        .any(|prefix| word.starts_with(prefix))
        .then_some(Spelling::Detail)
}

fn switched_on(word: &str, values: &str) -> Spelling {
    match values.split(',').find(|v| !ACC_VALUES.contains(v)) {
        None => Spelling::On,
        Some(unknown) => Spelling::Invalid(format!(
            "`{unknown}` in `{word}` is not one of {}",
            ACC_VALUES.join(", ")
        )),
    }
}

/// gcc's `-fopenacc-dim=GANG:WORKER:VECTOR`; each part may be empty or `-` (chosen at run time).
fn dimension_option(word: &str, dimensions: &str) -> Spelling {
    let parts: Vec<&str> = dimensions.split(':').collect();
    let well_formed =
        |part: &&str| part.is_empty() || *part == "-" || part.parse::<u32>().is_ok_and(|n| n > 0);
    if parts.len() <= 3 && parts.iter().all(well_formed) {
        Spelling::Detail
    } else {
        Spelling::Invalid(format!(
            "`{word}`: expected GANG:WORKER:VECTOR, each a positive number or empty"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(word: &str) -> Option<Spelling> {
        spelling(OsStr::new(word))
    }

    #[test]
    fn both_vendors_spellings() {
        for word in [
            "-fopenacc",
            "-acc",
            "-acc=gpu",
            "-acc=multicore,nowait",
            "-ta=tesla:cc70",
        ] {
            assert_eq!(read(word), Some(Spelling::On), "{word}");
        }
        assert_eq!(read("-fno-openacc"), Some(Spelling::Off));
        for word in ["-foffload=nvptx-none", "-gpu=cc90", "-fopenacc-dim=32::128"] {
            assert_eq!(read(word), Some(Spelling::Detail), "{word}");
        }
    }

    #[test]
    fn nvc_reports() {
        for word in ["-Minfo", "-Minfo=accel", "-Minfo=loop,all", "-Mneginfo=acc"] {
            assert_eq!(read(word), Some(Spelling::Explain), "{word}");
        }
    }

    #[test]
    fn everything_else_is_the_compilers() {
        for word in [
            "-fopenmp",
            "-accurate",
            "-Minfo=loop",
            "-gpubnames",
            "-o",
            "acc.c",
        ] {
            assert_eq!(read(word), None, "{word}");
        }
    }

    #[test]
    fn values_are_checked() {
        assert!(matches!(read("-acc=gpo"), Some(Spelling::Invalid(_))));
        assert!(matches!(
            read("-fopenacc-dim=1:2:3:4"),
            Some(Spelling::Invalid(_))
        ));
        assert!(matches!(
            read("-fopenacc-dim=0"),
            Some(Spelling::Invalid(_))
        ));
    }
}

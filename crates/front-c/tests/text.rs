//! Data tests of the text side: for each `tests/text/NAME.c` the carriers, the arguments and the host text, or the
//! messages, stand in `NAME.expected`. `ACCRUE_BLESS=1 cargo test -p accrue-front-c` writes them anew.
//!
//! Linemarkers and blank lines are left out of the expectations: compilers differ in them.

mod common;
mod host_calls;

use accrue_diag::{Diagnostic, SourceFiles, render};
use accrue_directives::Language;
use accrue_front_c::text::carriers::Carriers;
use accrue_front_c::text::clang;
use accrue_front_c::text::host::{Additions, host_text};
use accrue_front_c::text::host_call::HostCall;
use accrue_front_c::text::preprocess::{Family, PreprocessError};
use accrue_front_c::text::scan::{ScannedDirective, scan};
use accrue_front_c::text::sentinel::Languages;
use accrue_hostcall::CallKind;
use common::{Result, compare, inputs, preprocessed, unit};
use host_calls::host_calls;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;

/// A call without words.
fn wait() -> HostCall {
    HostCall {
        of_file: vec![],
        kind: CallKind::Execute,
        site: "site".to_string(),
        words: vec![],
        addressed: vec![],
        shadows: vec![],
        depend: String::new(),
        is_hidden: false,
    }
}

fn essential(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("# "));
    lines.map(|line| format!("{line}\n")).collect()
}

fn results(source: &Path) -> Result<String> {
    let files = SourceFiles::default();
    let outcome = (|| -> std::result::Result<String, Vec<Diagnostic>> {
        let unit = unit("gcc", source, &[], &files)
            .map_err(|error| vec![Diagnostic::error(error.to_string())])??;
        let carriers = Carriers::new(&unit);
        let clang = clang::find().map_err(|message| vec![message])?;
        let drain = |mut json: std::process::ChildStdout| json.read_to_end(&mut Vec::new());
        let read = clang::read_ast(&clang, &[], &unit, &carriers, drain, |_| false)?;
        assert!(read.is_ok_and(|bytes| bytes > 0), "clang wrote nothing");
        let mut text = render(&unit.warnings, &files, false);
        let _ = write!(
            text,
            "=== carriers\n{}=== arguments\n",
            essential(&carriers.text)
        );
        for (directive, call) in unit.directives.iter().zip(&carriers.calls) {
            let _ = writeln!(
                text,
                "{} {:?} at {}",
                directive.ordinal,
                call.form,
                unit.place(directive.source.span.clone()).position
            );
            for argument in &call.arguments {
                let _ = writeln!(
                    text,
                    "  {:?}[{}] {:?}",
                    argument.owner, argument.item, argument.role
                );
            }
        }
        let host = match host_calls(&unit) {
            Ok(calls) => essential(&host_text(&unit, &calls, &Additions::default())),
            Err(messages) => render(&messages, &files, false),
        };
        let _ = write!(text, "=== host\n{host}");
        Ok(text)
    })();
    Ok(outcome.unwrap_or_else(|messages| render(&messages, &files, false)))
}

#[test]
fn inputs_give_what_is_expected() -> Result<()> {
    let mut differing = Vec::new();
    for source in inputs("tests/text")? {
        differing.extend(compare(&source, &results(&source)?)?);
    }
    assert!(
        differing.is_empty(),
        "not as expected:\n{}",
        differing.join("\n")
    );
    Ok(())
}

#[test]
fn clang_and_gcc_preprocess_to_the_same_directives() -> Result<()> {
    let files = SourceFiles::default();
    for source in inputs("tests/text")? {
        let texts = |compiler| -> Result<Option<Vec<String>>> {
            let unit = unit(compiler, &source, &[], &files)?.ok();
            let text = |it: &ScannedDirective| {
                it.source
                    .text
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ")
            };
            Ok(unit.map(|unit| unit.directives.iter().map(text).collect()))
        };
        assert_eq!(texts("gcc")?, texts("clang")?, "{}", source.display());
    }
    Ok(())
}

/// A small generator of pseudo-random numbers (xorshift), so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

#[test]
fn damaged_texts_are_carried_or_refused() -> Result<()> {
    let files = SourceFiles::default();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut carried = 0;
    for source in inputs("tests/text")? {
        let original = preprocessed("gcc", &source, &[])?;
        for _ in 0..300 {
            let mut text = original.clone();
            for _ in 0..=random.below(3) {
                let (at, from) = (random.below(text.len()), random.below(original.len()));
                let piece = &original[from..(from + random.below(12)).min(original.len())];
                let end = (at + random.below(6)).min(text.len());
                text.splice(at..end, piece.iter().copied());
            }
            let Ok(unit) = scan(text, Language::C, Languages::ACC, "damaged.c", &files) else {
                continue;
            };
            carried += 1;
            let carriers = Carriers::new(&unit);
            for offset in (0..carriers.text.len()).filter(|offset| !carriers.is_generated(*offset))
            {
                assert_eq!(
                    carriers.text[offset],
                    unit.text[carriers.to_preprocessed(offset)]
                );
            }
            let calls: Vec<_> = unit.directives.iter().map(|_| Some(wait())).collect();
            let lines = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
            let added = if calls.iter().any(Option::is_some) {
                3
            } else {
                0
            };
            assert!((0..=1).contains(
                &(lines(&host_text(&unit, &calls, &Additions::default()))
                    - added
                    - lines(&unit.text))
            ));
        }
    }
    assert!(carried > 100, "only {carried} texts were carried");
    Ok(())
}

#[test]
fn a_missing_compiler_is_said() {
    let error = Family::of(&[OsString::from("no-such-cc")]).err();
    assert!(
        matches!(&error, Some(PreprocessError::NotFound(name)) if name == "no-such-cc"),
        "{error:?}"
    );
}

#[test]
fn definitions_for_the_debugger_are_not_expanded_again() -> Result<()> {
    let files = SourceFiles::default();
    let text = preprocessed("gcc", Path::new("tests/text/macros.c"), &["-g3"])?;
    let unit = scan(text, Language::C, Languages::ACC, "macros.c", &files)
        .map_err(|messages| render(&messages, &files, false))?;
    assert!(!unit.macro_lines.is_empty());
    let carriers = String::from_utf8(Carriers::new(&unit).text)?;
    assert!(!carriers.contains("#define"), "{carriers}");
    Ok(())
}

#[test]
fn dependency_options_pass_through() -> Result<()> {
    let folder = std::env::temp_dir().join(format!("accrue-text-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let file = folder.join("macros.d");
    let option = file.to_string_lossy().into_owned();
    preprocessed(
        "gcc",
        Path::new("tests/text/macros.c"),
        &["-MD", "-MF", &option, "-MT", "macros.o"],
    )?;
    let dependencies = std::fs::read_to_string(&file);
    std::fs::remove_dir_all(&folder)?;
    assert!(dependencies?.contains("tests/text/macros.h"));
    Ok(())
}

#[test]
fn errors_in_system_headers_are_noted_and_those_in_their_macros_told() -> Result<()> {
    let Ok(clang) = clang::find() else {
        return Err("clang is not installed".into());
    };
    let files = SourceFiles::default();
    let read = |text: &str| {
        let unit = scan(text.into(), Language::C, Languages::ACC, "a.c", &files)?;
        let carriers = Carriers::new(&unit);
        let drain = |mut json: std::process::ChildStdout| json.read_to_end(&mut Vec::new()).is_ok();
        clang::read_ast(&clang, &[], &unit, &carriers, drain, |_| false)
            .map(|_| carriers)
            .map_err(Vec::from)
    };
    const REGION: &str = "void r(int *x) {\n#pragma acc serial\n*x = f();\n}\n";
    let header = "# 1 \"x.h\" 1 3\nint f(void) { return only_gcc_knows; }\nint g(void);\n# 1 \"a.c\" 2\nint h;\n";
    let carriers =
        read(&format!("{header}{REGION}")).map_err(|messages| render(&messages, &files, false))?;
    let at = |part: &str| {
        String::from_utf8_lossy(&carriers.text)
            .find(part)
            .unwrap_or_default()
    };
    assert!(carriers.is_incomplete(at("int f")..at("int g")));
    assert!(!carriers.is_incomplete(at("int g")..carriers.text.len()));
    let of_macro =
        "# 1 \"a.c\"\nint f(void) { return\n# 1 \"a.c\" 3 4\n  only_gcc_knows\n# 1 \"a.c\"\n; }\n";
    let messages = read(&format!("{of_macro}{REGION}"))
        .err()
        .unwrap_or_default();
    assert!(
        render(&messages, &files, false).contains("a.c:1:"),
        "{messages:?}"
    );
    Ok(())
}

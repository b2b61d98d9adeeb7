//! Directives with what becomes of them, from the files in `tests/data`.
//!
//! A case is a line `> language: directive` (further `> ` lines go on with its text) and the expected result: the
//! text form of the directive, and the diagnostics. `BLESS=1` writes the results into the files.

mod common;

use accrue_directives::{Diagnostic, Language, parse};

#[test]
fn legal() {
    run("legal.txt", true);
}

#[test]
fn fortran() {
    run("fortran.txt", true);
}

#[test]
fn errors() {
    run("errors.txt", false);
}

#[test]
fn warnings() {
    run("warnings.txt", true);
}

/// Checks every case of a file; all of them are legal or none is.
fn run(file: &str, is_legal: bool) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(file);
    let expected = std::fs::read_to_string(&path).expect("the data file");
    let mut actual = String::new();
    let mut cases = 0;
    for (language, text) in inputs(&expected) {
        let show = |diagnostics: &[Diagnostic]| -> String {
            let shown = |one| common::shown(one, "", &text, language, false);
            diagnostics.iter().map(shown).collect()
        };
        let name = match language {
            Language::C => "c",
            Language::Cxx => "c++",
            Language::Fortran => "fortran",
        };
        let result = match parse(&text, language) {
            Ok(directive) => {
                assert!(is_legal, "accepted: {text}");
                common::describe(&directive, &text) + "\n" + &show(&directive.warnings)
            }
            Err(diagnostics) => {
                assert!(!is_legal, "rejected: {text}\n{}", show(&diagnostics));
                show(&diagnostics)
            }
        };
        actual += &format!("> {name}: {}\n{}\n", text.replace('\n', "\n> "), result);
        cases += 1;
    }
    assert!(cases > 0, "no cases in {file}");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &actual).expect("the data file can be written");
    } else if actual != expected {
        let difference = actual
            .lines()
            .zip(expected.lines())
            .find(|(new, old)| new != old);
        panic!(
            "{file} differs (BLESS=1 accepts it); first difference, new and old: {difference:#?}"
        );
    }
}

/// The inputs of a data file.
fn inputs(data: &str) -> Vec<(Language, String)> {
    let mut inputs: Vec<(Language, String)> = Vec::new();
    let mut goes_on = false;
    for line in data.lines() {
        let Some(rest) = line.strip_prefix('>') else {
            goes_on = false;
            continue;
        };
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        if let (true, Some((_, text))) = (goes_on, inputs.last_mut()) {
            text.push('\n');
            text.push_str(rest);
            continue;
        }
        let (language, text) = rest
            .split_once(':')
            .expect("a language before the directive");
        let language = match language {
            "c" => Language::C,
            "c++" => Language::Cxx,
            "fortran" => Language::Fortran,
            other => panic!("unknown language {other}"),
        };
        inputs.push((language, text.strip_prefix(' ').unwrap_or(text).to_string()));
        goes_on = true;
    }
    inputs
}

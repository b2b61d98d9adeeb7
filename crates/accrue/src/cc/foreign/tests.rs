//! Every row of the table, and whether `docs/options.md` shows it.

use std::collections::BTreeSet;
use std::process::Command;

use super::table::ROWS;
use super::*;

const FORTRAN: &str = "f95-cpp-input";

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/options.md");

fn translated(line: &str, role: &host::Role) -> Translation {
    let words = line.split_whitespace().map(OsString::from).collect();
    translate(words, role, || Family::Gcc)
}

/// Ways to write a row's option.
fn spellings(row: &Row) -> Vec<String> {
    let values: Vec<&str> = match row.action {
        Action::ByValue(values) | Action::EachValue(values, ..) => values
            .iter()
            .map(|(value, _)| *value)
            .chain(["odd"])
            .collect(),
        Action::To(_) | Action::Fortran(_) | Action::Drop(_) | Action::Warn(_) => vec!["7"],
    };
    let name = row.name;
    let with = |form: &dyn Fn(&str) -> String| values.iter().map(|value| form(value)).collect();
    match row.takes {
        Takes::Exact => vec![name.to_string()],
        Takes::Valued => vec![name.to_string(), format!("{name}=7")],
        Takes::Prefix => with(&|value| format!("{name}{value}")),
        Takes::SeparateValue => [
            with(&|value: &str| format!("{name}={value}")),
            with(&|value: &str| format!("{name} {value}")),
        ]
        .concat(),
        Takes::JoinedOrSeparate => {
            vec![format!("{name}7"), format!("{name}=7"), format!("{name} 7")]
        }
    }
}

#[test]
fn names_are_unique_and_not_the_drivers_own() {
    let names: BTreeSet<_> = ROWS.iter().map(|row| row.name).collect();
    assert_eq!(names.len(), ROWS.len());
    for row in ROWS {
        let spelling = openacc::spelling(OsStr::new(row.name));
        assert_eq!(spelling, None, "{}", row.name);
    }
}

/// A word that the host compilers know must stay theirs: `-openmp` is an output file, `-mkl` instructions.
#[test]
fn no_name_is_the_host_compilers_own() {
    for row in ROWS {
        let own = options::find(row.name.as_bytes()).map(|rule| rule.role);
        let is_output = matches!(own, Some(options::Role::Output | options::Role::Preprocess));
        assert!(!is_output, "{}", row.name);
        // `-O4` is the only one that gcc takes: for the highest level that it has.
        if row.name == "-O4" || !matches!(own, Some(options::Role::CodeGen)) {
            continue;
        }
        let output = Command::new("cc")
            .args([row.name, "-fsyntax-only", "-x", "c", "/dev/null"])
            .output()
            .unwrap();
        let prefix = row.name.starts_with("-B");
        assert!(prefix || !output.status.success(), "{}", row.name);
    }
}

/// The host compilers take what each row becomes, and nothing of the old spelling is left.
#[test]
fn every_row_becomes_words_of_the_host_compiler() {
    let mut tried = BTreeSet::new();
    for row in ROWS {
        for spelling in spellings(row) {
            for (role, language) in [
                (&host::C, "c"),
                (&host::CXX, "c++"),
                (&host::FORTRAN, FORTRAN),
            ] {
                let line = format!("-fopenacc {spelling} a.c");
                let result = translated(&line, role);
                let [first, own @ .., last] = result.words.as_slice() else {
                    panic!("{line}: {result:?}");
                };
                assert_eq!(
                    (first.to_str(), last.to_str()),
                    (Some("-fopenacc"), Some("a.c"))
                );
                assert!(own.iter().all(|word| word != row.name), "{line}: {own:?}");
                if own.is_empty() {
                    let silent = matches!(row.action, Action::ByValue(values) if known(values, spelling[row.name.len() + 1..].trim()).is_some());
                    assert_eq!(result.note.is_none(), silent, "{line}");
                } else {
                    let note = result.note.unwrap_or_default();
                    assert!(note.contains(&format!("`{spelling}`")), "{line}: {note}");
                }
                // Options of C and code are checked with the compiler of C.
                let fortran = matches!(row.action, Action::Fortran(_));
                if fortran == (language == FORTRAN) {
                    tried.insert((language, own.to_vec()));
                }
            }
        }
    }
    let accepts = |compiler: &str, language: &str, words: &[OsString]| {
        let output = Command::new(compiler)
            .args(words)
            .args(["-fsyntax-only", "-x", language, "/dev/null"])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let odd = said.contains("command-line option") || said.contains("unknown argument");
        assert!(
            output.status.success() && !odd,
            "{compiler} {words:?}: {said}"
        );
    };
    for (language, words) in &tried {
        let for_x86 = words
            .iter()
            .any(|word| starts(word, "-march=") || starts(word, "-mavx"));
        let compiles = |word: &OsString| !starts(word, "-l") && word != "-std=gnu18";
        let compiling: Vec<_> = words
            .iter()
            .filter(|word| compiles(word))
            .cloned()
            .collect();
        if compiling.is_empty() || (for_x86 && cfg!(not(target_arch = "x86_64"))) {
            continue;
        }
        match *language {
            "c" => accepts("cc", "c", &compiling),
            FORTRAN if Command::new("gfortran").arg("--version").output().is_ok() => {
                accepts("gfortran", language, &compiling);
            }
            _ => {}
        }
    }
}

#[test]
fn only_with_directives_and_only_for_compilers_that_lack_the_option() {
    let plain: Vec<OsString> = ["-fast", "a.c"].map(OsString::from).into();
    let unchanged = |words: &[OsString], family| {
        let result = translate(words.to_vec(), &host::C, || family);
        assert_eq!((result.words.as_slice(), result.note), (words, None));
    };
    unchanged(&plain, Family::Gcc);
    unchanged(&[&plain[..], &["-acc".into()]].concat(), Family::Other);
    unchanged(
        &["-acc", "-o", "-fast", "-MD", "-MF", "-Minline"].map(OsString::from),
        Family::Gcc,
    );
    for asked in [
        "-acc",
        "-noacc",
        "-fopenmp",
        "-mp",
        "-mp=gpu",
        "-qopenmp",
        "-ta=tesla:cc70",
    ] {
        let result = translated(&format!("{asked} -fast a.c"), &host::C);
        assert!(result.words.contains(&"-O3".into()), "{asked}");
    }
    assert_eq!(
        translated("-acc -w -fast -Minline a.c", &host::C).note,
        None
    );
}

#[test]
fn values_and_reasons() {
    let words = |line: &str| {
        let words = translated(line, &host::C).words;
        words.join(OsStr::new(" ")).into_string().unwrap()
    };
    assert_eq!(
        words("-acc -tp zen2 -tp=host -tp=p7-64"),
        "-acc -march=znver2 -march=native"
    );
    assert_eq!(words("-acc -cudalib=cublas,cufft"), "-acc -lcublas -lcufft");
    assert_eq!(words("-mp=gpu,multicore -Minform=severe"), "-fopenmp -w");
    assert_eq!(words("-acc -i8 -Mpreprocess -fp-model precise"), "-acc");
    let fortran = translated("-acc -i8 -Mpreprocess", &host::FORTRAN).words;
    assert_eq!(fortran, ["-acc", "-fdefault-integer-8", "-cpp"]);
    let note = translated("-acc -fast -fast -cuda -Mlarge_arrays", &host::C).note;
    assert_eq!(
        note.as_deref(),
        Some(
            "options of other compilers: `-fast` is `-O3`; dropped: `-cuda` (CUDA's run-time library is not linked: \
             add -lcudart if the program calls it), `-Mlarge_arrays`"
        )
    );
}

/// `ACCRUE_BLESS=1` writes the table into the document.
#[test]
fn the_document_shows_the_table() {
    crate::cc::document::check(DOCUMENT, "options of other compilers", &markdown());
}

fn markdown() -> String {
    let mut text = String::from("| option | becomes |\n| --- | --- |\n");
    for row in ROWS {
        let name = match row.takes {
            Takes::Exact => row.name.to_string(),
            Takes::Valued => format!("{}[=…]", row.name),
            Takes::Prefix => format!("{}…", row.name),
            Takes::SeparateValue => format!("{}=…", row.name),
            Takes::JoinedOrSeparate => format!("{}…", row.name),
        };
        text.push_str(&format!("| `{name}` | {} |\n", becomes(&row.action)));
    }
    text
}

fn becomes(action: &Action) -> String {
    let code = |words: &[&str]| match words {
        [] => "nothing: the default".to_string(),
        words => format!("`{}`", words.join(" ")),
    };
    let each = |values: &[(&str, &[&str])]| {
        let lines: Vec<_> = values
            .iter()
            .map(|(value, words)| format!("`{value}` {}", code(words)))
            .collect();
        lines.join(", ")
    };
    match action {
        Action::To(words) => code(words),
        Action::Fortran(words) => format!("Fortran: {}; else dropped", code(words)),
        Action::ByValue(values) => format!("{}; else dropped", each(values)),
        Action::EachValue(values, other, []) => {
            format!("{}; else {}", each(values), becomes(other))
        }
        Action::EachValue(_, other, always) => format!(
            "{}; with other values than threads' {}",
            code(always),
            becomes(other)
        ),
        Action::Drop(why) | Action::Warn(why) => format!("dropped: {why}"),
    }
}

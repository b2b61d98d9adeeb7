//! What the documents say about the tree: files that they name exist, every crate is described, and the table of crates says which
//! others each one uses.
//!
//! A path may leave out `crates` and `src`, and begin anywhere: `opt/src/target.rs`, `par/kernels.rs`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// All files and folders of the repository below `folder`, relative to the root.
fn walk(folder: &str, found: &mut Vec<String>) {
    let entries = fs::read_dir(root().join(folder)).expect("a folder");
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name().to_string_lossy().into_owned();
        let kind = entry.file_type().expect("a type");
        let built = folder.is_empty() && matches!(name.as_str(), "target" | "build");
        if name.starts_with('.') || built || kind.is_symlink() {
            continue;
        }
        let path = match folder {
            "" => name,
            _ => format!("{folder}/{name}"),
        };
        if kind.is_dir() {
            walk(&path, found);
        }
        found.push(path);
    }
}

/// The steps of a path that documents name.
fn steps(path: &str) -> Vec<&str> {
    let all = path.split('/');
    all.filter(|step| !matches!(*step, "" | "." | "crates" | "src"))
        .collect()
}

/// What stands between backquotes in a line.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Whether the words are the path of a file that the repository should have.
fn is_path(words: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    let ending = words.rsplit_once('.').map(|(_, ending)| ending);
    let ours = match ending {
        Some("rs") => true,
        Some("py" | "md" | "sh") => words.contains('/'),
        Some(_) | None => false,
    };
    ours && words.chars().all(plain)
}

#[test]
fn files_that_documents_name_exist() {
    let mut files = vec![];
    walk("", &mut files);
    let known: Vec<Vec<&str>> = files.iter().map(|file| steps(file)).collect();
    let mut missing = vec![];
    for file in &files {
        let (document, code) = (file.ends_with(".md"), file.ends_with(".rs"));
        if !document && !code {
            continue;
        }
        for (number, line) in read(file).lines().enumerate() {
            let comment = line.find("//").map_or("", |start| &line[start..]);
            let text = if document { line } else { comment };
            for words in quoted(text).filter(|words| is_path(words)) {
                let wanted = steps(words);
                if !known.iter().any(|path| path.ends_with(&wanted)) {
                    missing.push(format!("{file}:{}: `{words}`", number + 1));
                }
            }
            if !document {
                continue;
            }
            let links = line
                .split("](")
                .skip(1)
                .filter_map(|rest| rest.split([')', '#']).next());
            for link in links.filter(|link| !link.is_empty() && !link.contains("://")) {
                let folder = Path::new(file).parent().unwrap_or(Path::new(""));
                if !root().join(folder).join(link).exists() {
                    missing.push(format!("{file}:{}: link to {link}", number + 1));
                }
            }
        }
    }
    assert!(missing.is_empty(), "no such files:\n{}", missing.join("\n"));
}

/// The crates that each crate uses, by its manifest.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let folders = fs::read_dir(root().join("crates")).expect("crates");
    let names = folders.map(|entry| entry.expect("a crate").file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    let uses = |name: &String| {
        let manifest = read(&format!("crates/{name}/Cargo.toml"));
        let own = manifest.split("\n[dependencies]\n").nth(1).unwrap_or("");
        let own = own.split("\n[").next().unwrap_or("");
        let lines = own.lines().filter_map(|line| line.strip_prefix("accrue-"));
        let ends = |c: char| !(c.is_ascii_alphanumeric() || c == '-');
        lines
            .filter_map(|line| line.split(ends).next().map(str::to_string))
            .collect()
    };
    names
        .map(|name| {
            let uses = uses(&name);
            (name, uses)
        })
        .collect()
}

#[test]
fn the_table_of_crates_is_right() {
    let (architecture, contributing) = (read("ARCHITECTURE.md"), read("CONTRIBUTING.md"));
    let mut wrong = vec![];
    let all = dependencies();
    for (name, uses) in &all {
        let row = architecture
            .lines()
            .find(|line| line.starts_with(&format!("| `{name}` |")));
        let Some(may_know) = row.and_then(|row| row.split(" | ").nth(2)) else {
            wrong.push(format!("ARCHITECTURE.md has no row for `{name}`"));
            continue;
        };
        let said: BTreeSet<String> = quoted(may_know)
            .filter(|word| all.contains_key(*word))
            .map(str::to_string)
            .collect();
        if said != *uses && !may_know.starts_with("everything") {
            wrong.push(format!("`{name}` uses {uses:?}, its row says {said:?}"));
        }
        let places = ["crates/{} ", "crates/{},", ", {} "].map(|place| place.replace("{}", name));
        if !places.iter().any(|place| contributing.contains(place)) {
            wrong.push(format!("CONTRIBUTING.md does not say where `{name}` is"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

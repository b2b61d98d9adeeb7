//! Finding the test programs.

use crate::clang;
use crate::header::Header;
use std::fs;
use std::path::{Path, PathBuf};

/// One test program.
#[derive(Debug, Clone)]
pub struct Source {
    /// Path below the directory of its kind, without `.c`: `loops/negative_step`.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// What its header asks for.
    pub header: Header,
}

impl Source {
    /// The directory the file lies in.
    pub fn directory(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }

    /// The file's own name: `negative_step.c`.
    pub fn file_name(&self) -> String {
        self.path
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }

    /// Whether nothing that it needs is missing: a test of it is else reported as ignored.
    pub fn can_be_compiled(&self) -> bool {
        let needed = self.header.needs_clang;
        needed.is_none_or(|least| clang::at_least(least).is_some())
    }

    /// The expectation file beside the source: `beside("stderr")` is `negative_step.stderr`.
    pub fn beside(&self, extension: &str) -> PathBuf {
        self.path.with_extension(extension)
    }
}

/// All programs under `tests/KIND`, sorted by name. A file `*.part.c` belongs to another program (`// with:`).
pub fn collect(kind: &str) -> Result<Vec<Source>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(kind);
    let mut files = Vec::new();
    walk(&root, &mut files)?;
    files.sort();
    let mut all = Vec::new();
    for path in &files {
        all.extend(with_options(source(&root, path)?)?);
    }
    match all.is_empty() {
        true => Err(format!("no programs under {}", root.display())),
        false => Ok(all),
    }
}

/// One test per set of options, if the program has such: `reduction/algorithms -freduction=lock`.
fn with_options(source: Source) -> Result<Vec<Source>, String> {
    let Some(file) = &source.header.option_sets else {
        return Ok(vec![source]);
    };
    let path = source.directory().join(file);
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let sets = text.lines().map(str::trim);
    let sets = sets.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let one = |set: &str| {
        let mut source = source.clone();
        source.name = format!("{} {set}", source.name);
        source.header.options = set.split_whitespace().map(str::to_owned).collect();
        source
    };
    Ok(sets.map(one).collect())
}

fn walk(directory: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let describe = |e: std::io::Error| format!("{}: {e}", directory.display());
    for entry in fs::read_dir(directory).map_err(describe)? {
        let path = entry.map_err(describe)?.path();
        let name = path.to_string_lossy();
        if path.is_dir() {
            walk(&path, files)?;
        } else if name.ends_with(".c") && !name.ends_with(".part.c") {
            files.push(path);
        }
    }
    Ok(())
}

fn source(root: &Path, path: &Path) -> Result<Source, String> {
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let header = Header::parse(&text).map_err(|e| format!("{}: {e}", path.display()))?;
    let below = path.strip_prefix(root).unwrap_or(path).with_extension("");
    Ok(Source {
        name: below.to_string_lossy().into_owned(),
        path: path.to_owned(),
        header,
    })
}

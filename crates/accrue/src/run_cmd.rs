//! `accrue run file.c [cc options] [-- arguments]`: compiles to a cache and runs the program.
//!
//! The key of a cached program is everything that decides what the compiler would make of the command line: the
//! preprocessed text of every source, the contents of every object, the words themselves, the directory, the user's
//! compiler and this program.

use std::collections::hash_map::DefaultHasher;
use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use crate::cc::Program;
use crate::process::Failure;

/// Programs that were not run for this long make room for new ones.
const KEEP: Duration = Duration::from_secs(30 * 24 * 3600);

/// Options in front of the user's, so that the user's win.
const DEFAULT_OPTIONS: &[&str] = &["-fopenacc", "-O2"];

/// Ends in the program; returns only on failure.
pub fn main(words: &[OsString]) -> Result<(), Failure> {
    let split = words.iter().position(|word| word == "--");
    let (compiler_words, arguments) = match split {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    let defaults: Vec<OsString> = DEFAULT_OPTIONS.iter().map(OsString::from).collect();
    let program = Program::new(&[&defaults, compiler_words, &["-lm".into()]].concat())?;

    let executable = cache_folder()?.join(key(&program)?).join(program.name());
    if executable.is_file() {
        touch(&executable);
    } else {
        build(program, &executable)?;
    }
    let error = Command::new(&executable).args(arguments).exec();
    Err(format!("cannot run {}: {error}", executable.display()).into())
}

/// Builds under another name and renames, so that two runs at the same time do not see each other's halves.
fn build(program: Program, executable: &Path) -> Result<(), Failure> {
    let folder = executable.parent().unwrap_or(executable);
    let cannot_write = |error: std::io::Error| format!("{}: {error}", folder.display());
    if let Some(cache) = folder.parent() {
        remove_old(cache);
    }
    fs::create_dir_all(folder).map_err(cannot_write)?;
    let unfinished = folder.join(format!("unfinished-{}", std::process::id()));
    program.build(&unfinished)?;
    Ok(fs::rename(&unfinished, executable).map_err(cannot_write)?)
}

/// `$XDG_CACHE_HOME/accrue`, or the place that the XDG base directory specification gives it.
fn cache_folder() -> Result<PathBuf, String> {
    let from = |variable| {
        env::var_os(variable)
            .map(PathBuf::from)
            .filter(|path: &PathBuf| path.is_absolute())
    };
    from("XDG_CACHE_HOME")
        .or_else(|| Some(from("HOME")?.join(".cache")))
        .map(|cache| cache.join("accrue"))
        .ok_or_else(|| "no place for the compiled program: set XDG_CACHE_HOME or HOME".to_string())
}

fn key(program: &Program) -> Result<String, Failure> {
    let mut material = program.fingerprint()?;
    material.push(env!("CARGO_PKG_VERSION").into());
    material.extend(own_identity());
    // Two 64-bit hashes: with one, a collision among all programs ever cached would not be out of the question.
    let hash = |seed: u8| {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        material.hash(&mut hasher);
        hasher.finish()
    };
    Ok(format!("{:016x}{:016x}", hash(0), hash(1)))
}

/// Tells builds of the same version apart.
fn own_identity() -> Option<Vec<u8>> {
    let own = env::current_exe().ok()?.metadata().ok()?;
    Some(format!("{} {:?}", own.len(), own.modified().ok()?).into_bytes())
}

/// Marks a program as used. A cache that cannot be written can still be read.
fn touch(executable: &Path) {
    let _ = File::options()
        .append(true)
        .open(executable)
        .and_then(|file| file.set_modified(SystemTime::now()));
}

/// Removes programs that were not used for long; a failure only leaves the cache larger.
fn remove_old(cache: &Path) {
    for entry in fs::read_dir(cache).into_iter().flatten().flatten() {
        let old = |path: &Path| {
            let used = path.metadata().and_then(|data| data.modified()).ok();
            used.and_then(|used| used.elapsed().ok())
                .is_some_and(|age| age > KEEP)
        };
        let files: Vec<PathBuf> = fs::read_dir(entry.path())
            .into_iter()
            .flatten()
            .flatten()
            .map(|file| file.path())
            .collect();
        if !files.is_empty() && files.iter().all(|file| old(file)) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

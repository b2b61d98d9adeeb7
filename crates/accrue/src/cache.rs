//! The programs of `accrue run`, to be run again.
//!
//! ```text
//! $XDG_CACHE_HOME/accrue/KEY/4711-5a2b/heat          a program
//!                                     /heat.inputs   what it was made of beside its sources (inputs.rs); without this
//!                                                    file it is not known, and the program is not run again
//! ```
//!
//! KEY is a digest of everything that is known before compiling. A program and its inputs are written to a directory
//! under another name, which is then renamed, so that no two runs see each other's halves. Others must not be able to
//! put a program there: each path is checked before anything in it is used (trusted.rs).

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::inputs::Inputs;
use crate::{cleanup, trusted};

/// Programs that were not run for this long make room for new ones.
const KEEP: Duration = Duration::from_secs(30 * 24 * 3600);

/// How long a program that will not be run again is left to a run that has just chosen it.
const GRACE: Duration = Duration::from_secs(60);

const UNFINISHED: &str = "unfinished-";

/// The directory of all programs with one key.
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// The place for programs with `key`.
    pub fn open(key: &str) -> Result<Cache, String> {
        let folder = all_programs()?.join(key);
        trusted::create_folder(&folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        trusted::check(&folder).map_err(|cause| {
            format!(
                "programs kept in {} could be another user's: {cause}; set XDG_CACHE_HOME to a directory that only you can write",
                folder.display()
            )
        })?;
        Ok(Cache { folder })
    }

    /// A program called `name` that a new compilation would make just so.
    pub fn find(&self, name: &Path) -> Option<PathBuf> {
        let current = |entry: &PathBuf| {
            let program = entry.join(name);
            let inputs = inputs_of(&program);
            let trusted = trusted::check(&program)
                .and(trusted::check(&inputs))
                .is_ok();
            let unchanged = || {
                Inputs::from_bytes(&fs::read(&inputs).ok()?)?
                    .are_unchanged()
                    .then_some(())
            };
            trusted && unchanged().is_some()
        };
        let mut finished = subfolders(&self.folder)
            .into_iter()
            .filter(|e| !is_unfinished(e));
        let program = finished.find(current)?.join(name);
        touch(&program);
        Some(program)
    }

    /// A new directory for a program; a signal removes it.
    pub fn begin(&self) -> Result<PathBuf, String> {
        let clock = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |time| time.subsec_nanos());
        let name = format!("{UNFINISHED}{}-{clock:x}", std::process::id());
        let folder = self.folder.join(name);
        cleanup::add(&folder);
        trusted::create_folder(&folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(folder)
    }

    /// Keeps the finished program of a directory, and where it is from now on. `inputs` are `None` if it is not known
    /// what the program was made of.
    pub fn keep(
        &self,
        begun: &Path,
        name: &Path,
        inputs: Option<&Inputs>,
    ) -> Result<PathBuf, String> {
        let folder = self.folder.join(finished_name(begun));
        let finish = || {
            let program = begun.join(name);
            trusted::make_private(&program, true)?;
            if let Some(inputs) = inputs {
                let file = inputs_of(&program);
                fs::write(&file, inputs.to_bytes())?;
                trusted::make_private(&file, false)?;
            }
            fs::rename(begun, &folder)
        };
        finish().map_err(|error| format!("{}: {error}", folder.display()))?;
        cleanup::forget(begun);
        Ok(folder.join(name))
    }

    /// Removes programs of this key that will not be run again, and all that were not run for long. A failure only
    /// leaves the cache larger.
    pub fn clean(&self) {
        for entry in subfolders(&self.folder) {
            if is_older(&entry, if is_unfinished(&entry) { KEEP } else { GRACE }) {
                let _ = fs::remove_dir_all(entry);
            }
        }
        let Some(all) = self.folder.parent() else {
            return;
        };
        for key in subfolders(all) {
            let entries = subfolders(&key);
            if key != self.folder
                && entries.iter().all(|entry| is_older(entry, KEEP))
                && is_older(&key, KEEP)
            {
                let _ = fs::remove_dir_all(key);
            }
        }
    }
}

/// `$XDG_CACHE_HOME/accrue`, or the place that the XDG base directory specification gives it.
fn all_programs() -> Result<PathBuf, String> {
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

fn inputs_of(program: &Path) -> PathBuf {
    let mut name = program.as_os_str().to_owned();
    name.push(".inputs");
    name.into()
}

fn is_unfinished(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default();
    name.as_encoded_bytes().starts_with(UNFINISHED.as_bytes())
}

fn finished_name(begun: &Path) -> String {
    let name = begun.file_name().unwrap_or_default().to_string_lossy();
    name.trim_start_matches(UNFINISHED).to_string()
}

fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect()
}

/// Marks a program as used. A cache that cannot be written can still be read.
fn touch(program: &Path) {
    let now = SystemTime::now();
    let folder = program.parent().unwrap_or(program);
    let _ = File::open(folder).and_then(|folder| folder.set_modified(now));
}

fn is_older(path: &Path, age: Duration) -> bool {
    let used = path.metadata().and_then(|data| data.modified()).ok();
    used.and_then(|used| used.elapsed().ok())
        .is_some_and(|since| since > age)
}

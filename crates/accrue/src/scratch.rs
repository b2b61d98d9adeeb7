//! Temporary files: one directory per run, gone when the run ends, also by an error or a signal.

use std::fs::{DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::cleanup;
use crate::process::say;

/// The directories of the run under way, the last one made last.
static CURRENT: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Lets a command have its temporary files where this run has its own, if there is a directory for them: killed, compilers
/// leave files, and what they started may still write some. Even a question (`-###`) makes some.
pub fn for_temporary_files_of(command: &mut Command) {
    if let Some(folder) = current() {
        command.env("TMPDIR", folder);
    }
}

fn current() -> Option<PathBuf> {
    if cfg!(test) {
        // Unit tests are several runs in one process, each of which would get the directory of the last.
        return None;
    }
    lock(&CURRENT).last().cloned()
}

fn lock(current: &Mutex<Vec<PathBuf>>) -> MutexGuard<'_, Vec<PathBuf>> {
    current.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A directory for the temporary files of one run.
pub struct Scratch {
    path: PathBuf,
    keep: bool,
}

impl Scratch {
    /// Makes the directory, readable by the user alone. With `keep` it stays, and where it is gets printed.
    pub fn new(keep: bool) -> io::Result<Scratch> {
        if keep {
            let path = create()?;
            say(&format!(
                "accrue: temporary files are kept in {}",
                path.display()
            ));
            return Ok(Scratch { path, keep });
        }
        let path = cleanup::make(create)?;
        lock(&CURRENT).push(path.clone());
        Ok(Scratch { path, keep })
    }

    /// A directory that is only named, for commands that are printed and not run (`-###`).
    pub fn imaginary() -> Scratch {
        Scratch {
            path: std::env::temp_dir().join("accrue-XXXXXX"),
            keep: true,
        }
    }

    /// The directory itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn file(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.keep {
            lock(&CURRENT).retain(|current| *current != self.path);
            cleanup::remove_now(&self.path);
        }
    }
}

/// Makes a directory in the temporary one. A signal may have removed that, and it must not come back, so this makes no parents.
pub fn make_folder(path: &Path) -> Result<(), String> {
    std::fs::create_dir(path).map_err(|error| format!("cannot make {}: {error}", path.display()))
}

/// A file that has to be where the user's own files are, gone when the run ends.
pub struct TemporaryFile {
    path: PathBuf,
}

impl TemporaryFile {
    /// Takes over a name that is free.
    pub fn new(path: &Path) -> Result<TemporaryFile, String> {
        if path.symlink_metadata().is_ok() {
            return Err(format!(
                "{} is in the way: the compiler names other files after it; remove it, or compile with -c",
                path.display()
            ));
        }
        cleanup::add(path);
        let path = path.to_owned();
        Ok(TemporaryFile { path })
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        cleanup::remove_now(&self.path);
    }
}

/// Makes a directory where the user wants temporary files or, as gcc does, elsewhere if that is not possible.
fn create() -> io::Result<PathBuf> {
    let named = ["TMPDIR", "TMP", "TEMP"]
        .iter()
        .filter_map(std::env::var_os);
    let named = named.filter(|name| !name.is_empty()).map(PathBuf::from);
    let usual = ["/tmp", "/var/tmp", "."].map(PathBuf::from);
    let mut failure = io::Error::from(io::ErrorKind::NotFound);
    for parent in named.chain(usual) {
        match create_unique(&parent) {
            Ok(path) => return Ok(path),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

fn create_unique(parent: &Path) -> io::Result<PathBuf> {
    let clock = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| time.subsec_nanos());
    for attempt in 0..u32::MAX {
        let path = parent.join(format!(
            "accrue-{}-{:08x}",
            std::process::id(),
            clock.wrapping_add(attempt)
        ));
        match DirBuilder::new().mode(0o700).create(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                return Err(io::Error::new(
                    error.kind(),
                    format!("{}: {error}", parent.display()),
                ));
            }
            Ok(()) => {
                // A umask may have taken the user's own permissions away.
                std::fs::set_permissions(&path, Permissions::from_mode(0o700))?;
                return Ok(path);
            }
        }
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        "no free name for a temporary directory",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_does_not_bring_the_temporary_directory_back() {
        let scratch = Scratch::new(false).unwrap();
        let folder = scratch.path().join("unit.acc");
        make_folder(&folder).unwrap();
        assert!(folder.is_dir());
        cleanup::remove_now(scratch.path());
        assert!(make_folder(&folder).is_err());
        assert!(!scratch.path().exists());
    }
}

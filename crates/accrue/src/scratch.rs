//! Temporary files: one directory per run, gone when the run ends, also by an error or a signal.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::cleanup;

/// A directory for the temporary files of one run.
pub struct Scratch {
    path: PathBuf,
    keep: bool,
}

impl Scratch {
    /// Makes the directory, readable by the user alone. With `keep` it stays, and where it is gets printed.
    pub fn new(keep: bool) -> io::Result<Scratch> {
        let path = create_unique(&std::env::temp_dir())?;
        if keep {
            eprintln!("accrue: temporary files are kept in {}", path.display());
        } else {
            cleanup::add(&path);
        }
        Ok(Scratch { path, keep })
    }

    /// A directory that is only named, for commands that are printed and not run (`-###`).
    pub fn imaginary() -> Scratch {
        Scratch {
            path: std::env::temp_dir().join("accrue-XXXXXX"),
            keep: true,
        }
    }

    pub fn file(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.keep {
            cleanup::remove_now(&self.path);
        }
    }
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
            Ok(()) => return Ok(path),
        }
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        "no free name for a temporary directory",
    ))
}

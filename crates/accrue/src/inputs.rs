//! What a program was made of beside its sources: files that the assembler and the linker have read, and files that they
//! would have read instead if they had been there. As long as all of them are as they were, the program is what a new
//! compilation would make.
//!
//! ```text
//! -Lx -Ly -lf reads y/libf.a      y/libf.a        2049:131:7420:1732.5:1732.5    device, inode, size, times
//!                                 x/libf.so, x/libf.a, y/libf.so      -          not there
//! ```
//!
//! A change is noticed by the times that the kernel keeps, not by reading all files again: nothing sets back the time of
//! a file's last change. What changed after the compilation began may or may not have been read, so that such a program
//! is not used again.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Files with their states.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    files: Vec<(PathBuf, String)>,
}

/// The state of a file that is not there.
const ABSENT: &str = "-";

/// A time in seconds and nanoseconds.
pub type Time = (i64, i64);

impl Inputs {
    /// The states of the files that were `read`, and of those of the same name in the directories of `search` and
    /// beside them. `None` if one of them has changed since `begin`.
    pub fn record(read: &[PathBuf], search: &[PathBuf], begin: Time) -> Option<Inputs> {
        let mut files = Vec::new();
        for path in candidates(read, search) {
            let data = fs::metadata(&path).ok();
            if data.as_ref().is_some_and(|data| changed(data) >= begin) {
                return None;
            }
            files.push((path, state(data)));
        }
        Some(Inputs { files })
    }

    /// Whether all files are as they were.
    pub fn are_unchanged(&self) -> bool {
        let same = |(path, then): &(PathBuf, String)| state_of(path) == *then;
        self.files.iter().all(same)
    }

    /// As bytes: path and state of each file, each with a zero at its end.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (path, state) in &self.files {
            for part in [path.as_os_str().as_bytes(), state.as_bytes()] {
                bytes.extend(part);
                bytes.push(0);
            }
        }
        bytes
    }

    /// `None` if the bytes are not what `to_bytes` makes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Inputs> {
        let mut parts: Vec<&[u8]> = bytes.split(|byte| *byte == 0).collect();
        // Behind the last zero there is nothing.
        if !parts.pop()?.is_empty() || !parts.len().is_multiple_of(2) {
            return None;
        }
        let file = |pair: &[&[u8]]| {
            let path = PathBuf::from(OsString::from_vec(pair[0].to_vec()));
            Some((path, String::from_utf8(pair[1].to_vec()).ok()?))
        };
        let files = parts.chunks_exact(2).map(file).collect::<Option<_>>()?;
        Some(Inputs { files })
    }
}

/// The last change of what is at a path, as its file system knows it: for `begin`.
pub fn time_of(path: &Path) -> std::io::Result<Time> {
    Ok(changed(&fs::metadata(path)?))
}

/// What tells a file from another one, and from itself after a change.
pub fn state_of(path: &Path) -> String {
    state(fs::metadata(path).ok())
}

fn changed(data: &Metadata) -> Time {
    (data.ctime(), data.ctime_nsec())
}

fn state(data: Option<Metadata>) -> String {
    let Some(data) = data else {
        return ABSENT.to_string();
    };
    format!(
        "{}:{}:{}:{}.{}:{}.{}",
        data.dev(),
        data.ino(),
        data.size(),
        data.mtime(),
        data.mtime_nsec(),
        data.ctime(),
        data.ctime_nsec()
    )
}

/// The files that were read, and what could have been read in their place.
fn candidates(read: &[PathBuf], search: &[PathBuf]) -> BTreeSet<PathBuf> {
    let beside = read.iter().filter_map(|file| file.parent());
    let folders: BTreeSet<&Path> = search.iter().map(PathBuf::as_path).chain(beside).collect();
    let mut all: BTreeSet<PathBuf> = read.iter().cloned().collect();
    for file in read {
        let mut names: BTreeSet<PathBuf> = file
            .file_name()
            .into_iter()
            .flat_map(names_for_the_same)
            .collect();
        // `.incbin "sub/file"` is looked for as it is in each directory.
        if file.is_relative() {
            names.insert(file.clone());
        }
        for folder in &folders {
            all.extend(names.iter().map(|name| folder.join(name)));
        }
    }
    all
}

/// A library's own name and that of its other form: `-lf` takes `libf.so` before `libf.a`, or only the latter.
fn names_for_the_same(name: &OsStr) -> Vec<PathBuf> {
    let path = Path::new(name);
    match path.extension().map(OsStr::as_bytes) {
        Some(b"a" | b"so") => vec![path.with_extension("a"), path.with_extension("so")],
        Some(_) | None => vec![path.into()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    const LONG_AFTER: Time = (i64::MAX, 0);

    #[test]
    fn changes_and_new_files_are_noticed() {
        let scratch = Scratch::new(false).unwrap();
        let (early, late) = (scratch.file("early"), scratch.file("late"));
        fs::create_dir(&late).unwrap();
        let library = late.join("libf.a");
        fs::write(&library, "1").unwrap();
        let search = [early.clone(), late.clone()];
        let record =
            || Inputs::record(std::slice::from_ref(&library), &search, LONG_AFTER).unwrap();

        let before = record();
        assert!(before.are_unchanged());
        fs::create_dir(&early).unwrap();
        fs::write(early.join("libg.so"), "").unwrap();
        assert!(before.are_unchanged());
        fs::write(early.join("libf.so"), "").unwrap();
        assert!(!before.are_unchanged());

        let before = record();
        fs::write(&library, "22").unwrap();
        assert!(!before.are_unchanged());
        assert_eq!(Inputs::record(&[library], &search, (0, 0)), None);
    }

    #[test]
    fn bytes_and_back() {
        let inputs = Inputs {
            files: vec![
                ("a\nb".into(), ABSENT.to_string()),
                (OsString::from_vec(vec![0xff]).into(), "1:2".to_string()),
            ],
        };
        assert_eq!(Inputs::from_bytes(&inputs.to_bytes()), Some(inputs));
        assert_eq!(Inputs::from_bytes(b""), Some(Inputs::default()));
        for damaged in [&b"a"[..], b"a\0", b"a\0-\0b"] {
            assert_eq!(Inputs::from_bytes(damaged), None);
        }
    }
}

//! Whether what lies under a path is the user's own: a cache in which others can put programs would run theirs.
//!
//! Every directory on the way, every symbolic link in it and the file at its end must belong to the user or to root, and
//! only its owner may write it. In a directory with the sticky bit (`/tmp`) others cannot replace what is not theirs.
//!
//! ```text
//! /home/me/.cache/accrue/…   trusted
//! /tmp/cache/accrue/…        trusted if /tmp has the sticky bit and the rest is the user's
//! /shared/cache/accrue/…     refused if /shared can be written by a group or by everyone
//! ```

use std::ffi::OsString;
use std::fs::{self, DirBuilder, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

/// How many symbolic links a path may go through, as in Linux.
const MAX_LINKS: usize = 40;

const OTHERS_MAY_WRITE: u32 = 0o022;
const STICKY: u32 = 0o1000;

/// Says what is wrong if another user could have put there what is at `path`, which is absolute and exists.
pub fn check(path: &Path) -> Result<(), String> {
    let mut reached = PathBuf::new();
    let mut rest = components(path);
    let mut links = 0;
    // The last component comes last: it is popped first.
    while let Some(component) = rest.pop() {
        if component == ".." {
            reached.pop();
            continue;
        }
        let here = reached.join(&component);
        let data =
            fs::symlink_metadata(&here).map_err(|error| format!("{}: {error}", here.display()))?;
        check_owner(&here, &data)?;
        if !data.is_symlink() {
            check_mode(&here, &data)?;
            reached = here;
            continue;
        }
        links += 1;
        if links > MAX_LINKS {
            return Err(format!("{}: too many symbolic links", path.display()));
        }
        let target =
            fs::read_link(&here).map_err(|error| format!("{}: {error}", here.display()))?;
        rest.extend(components(&target));
    }
    Ok(())
}

/// The components of a path, the first one last.
fn components(path: &Path) -> Vec<OsString> {
    path.components()
        .rev()
        .filter(|component| *component != Component::CurDir)
        .map(|component| component.as_os_str().to_owned())
        .collect()
}

fn check_owner(path: &Path, data: &Metadata) -> Result<(), String> {
    let own = rustix::process::geteuid().as_raw();
    match data.uid() {
        0 => Ok(()),
        owner if owner == own => Ok(()),
        owner => Err(format!(
            "{} belongs to another user (number {owner})",
            path.display()
        )),
    }
}

fn check_mode(path: &Path, data: &Metadata) -> Result<(), String> {
    let mode = data.mode();
    if mode & OTHERS_MAY_WRITE == 0 || data.is_dir() && mode & STICKY != 0 {
        return Ok(());
    }
    Err(format!(
        "{} can be written by other users (mode {:04o}; `chmod go-w` takes that away)",
        path.display(),
        mode & 0o7777
    ))
}

/// Makes a directory and those above it, for the user alone whatever the umask.
pub fn create_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        create_folder(parent)?;
    }
    match DirBuilder::new().mode(0o700).create(path) {
        Ok(()) => fs::set_permissions(path, Permissions::from_mode(0o700)),
        // Another run was faster.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        Err(error) => Err(error),
    }
}

/// Takes a file away from everybody else; the user may read it and, with `executable`, run it.
pub fn make_private(file: &Path, executable: bool) -> io::Result<()> {
    let mode = if executable { 0o700 } else { 0o600 };
    fs::set_permissions(file, Permissions::from_mode(mode))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;
    use std::os::unix::fs::symlink;

    fn with_mode(folder: &Path, name: &str, mode: u32) -> PathBuf {
        let path = folder.join(name);
        create_folder(&path).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        path
    }

    #[test]
    fn every_component_counts() {
        let scratch = Scratch::new(false).unwrap();
        let folder = scratch.file("");
        assert_eq!(check(&folder), Ok(()));
        for mode in [0o777, 0o770, 0o702] {
            let open = with_mode(&folder, &format!("open{mode:o}"), mode);
            let inner = with_mode(&open, "inner", 0o700);
            let message = check(&inner).unwrap_err();
            assert!(message.contains("written by other users"), "{message}");
        }
        let sticky = with_mode(&folder, "sticky", 0o1777);
        assert_eq!(check(&with_mode(&sticky, "inner", 0o700)), Ok(()));
    }

    #[test]
    fn links_are_followed_step_by_step() {
        let scratch = Scratch::new(false).unwrap();
        let folder = scratch.file("");
        let good = with_mode(&folder, "good", 0o700);
        let open = with_mode(&folder, "open", 0o777);
        symlink(&good, open.join("on")).unwrap();
        symlink("good", folder.join("straight")).unwrap();
        symlink("open/on", folder.join("round")).unwrap();
        symlink("loop", folder.join("loop")).unwrap();
        assert_eq!(check(&folder.join("straight")), Ok(()));
        assert!(check(&folder.join("round")).is_err());
        assert!(check(&folder.join("loop")).is_err());
        assert!(check(&folder.join("missing")).is_err());
    }
}

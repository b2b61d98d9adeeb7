//! Where accrue's header and runtime library are.
//!
//! ```text
//! ACCRUE_HOME set       $ACCRUE_HOME/include/accrue, $ACCRUE_HOME/lib/accrue
//! installed             PREFIX/bin/accrue  ->  PREFIX/include/accrue, PREFIX/lib/accrue
//! in the source tree    target/debug/accrue  ->  include, target/debug
//! ```

use std::env;
use std::path::{Path, PathBuf};

/// The header that compiling needs.
pub const HEADER: &str = "openacc.h";
/// The library that linking needs.
pub const LIBRARY: &str = "libaccrue.so";
/// The library that linking with `-static` needs.
pub const STATIC_LIBRARY: &str = "libaccrue.a";

/// Directories of the header and the library, as far as they were found.
#[derive(Debug)]
pub struct Home {
    pub include: Option<PathBuf>,
    pub library: Option<PathBuf>,
}

impl Home {
    pub fn find() -> Home {
        if let Some(home) = env::var_os("ACCRUE_HOME").filter(|value| !value.is_empty()) {
            // Not resolved: a link is the way around a directory that programs cannot name.
            let home = std::path::absolute(&home).unwrap_or_else(|_| PathBuf::from(&home));
            return Home {
                include: first_with(HEADER, [home.join("include/accrue"), home.join("include")]),
                library: first_with(LIBRARY, [home.join("lib/accrue"), home.join("lib")]),
            };
        }
        let Some(bin) = env::current_exe()
            .ok()
            .and_then(|own| own.canonicalize().ok()?.parent().map(Path::to_owned))
        else {
            return Home {
                include: None,
                library: None,
            };
        };
        let prefix = bin.join("..");
        let source_tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include");
        Home {
            include: first_with(HEADER, [prefix.join("include/accrue"), source_tree])
                .and_then(|folder| folder.canonicalize().ok()),
            library: first_with(
                LIBRARY,
                [
                    prefix.join("lib/accrue"),
                    bin.clone(),
                    bin.join("deps"),
                    bin.join(".."),
                ],
            )
            .and_then(|folder| folder.canonicalize().ok()),
        }
    }

    pub fn include(&self) -> Result<&Path, String> {
        self.include.as_deref().ok_or_else(|| missing(HEADER))
    }

    pub fn library(&self) -> Result<&Path, String> {
        self.library.as_deref().ok_or_else(|| missing(LIBRARY))
    }

    /// The directory of the library as a program can name it. The loader splits such names at colons and replaces
    /// `$ORIGIN`, `$LIB` and `$PLATFORM` in them (ld.so(8)); it knows no way to write them as they are.
    pub fn library_for_programs(&self) -> Result<&Path, String> {
        let folder = self.library()?;
        let name = folder.to_string_lossy();
        let Some(what) = misread_by_loader(&name) else {
            return Ok(folder);
        };
        Err(format!(
            "{LIBRARY} is in {name}, and `{what}` in a directory's name means something else to the loader of programs; \
             install accrue elsewhere, set ACCRUE_HOME to a symbolic link to its directory, or link with -static"
        ))
    }
}

/// The part of a directory's name that the loader would not take as it is.
fn misread_by_loader(name: &str) -> Option<&str> {
    if let Some(at) = name.find(':') {
        return name.get(at..at + 1);
    }
    let tokens = ["ORIGIN", "LIB", "PLATFORM"];
    name.match_indices('$').find_map(|(at, _)| {
        let after = &name[at + 1..];
        let plain = after
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(after.len());
        let length = match after.strip_prefix('{') {
            Some(braced) => braced.find('}').map_or(0, |end| end + 2),
            None => plain,
        };
        let token = after.get(..length)?;
        tokens
            .contains(&token.trim_matches(['{', '}']))
            .then_some(&name[at..=at + length])
    })
}

fn first_with<const N: usize>(file: &str, folders: [PathBuf; N]) -> Option<PathBuf> {
    folders
        .into_iter()
        .find(|folder| folder.join(file).is_file())
}

fn missing(file: &str) -> String {
    format!(
        "accrue's {file} was not found; `accrue doctor` says where it is looked for and how to repair it"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_loader_misreads() {
        for (name, what) in [
            ("/opt/accrue/lib", None),
            ("/opt/$x/${y}/$LIBRARY/a$", None),
            ("/opt/a:b/lib", Some(":")),
            ("/opt/$ORIGIN/lib", Some("$ORIGIN")),
            ("/opt/x${LIB}y", Some("${LIB}")),
            ("/opt/ä$PLATFORM", Some("$PLATFORM")),
        ] {
            assert_eq!(misread_by_loader(name), what, "{name}");
        }
    }
}

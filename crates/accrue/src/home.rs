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
            let home = PathBuf::from(home);
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
            include: first_with(HEADER, [prefix.join("include/accrue"), source_tree]),
            library: first_with(
                LIBRARY,
                [
                    prefix.join("lib/accrue"),
                    bin.clone(),
                    bin.join("deps"),
                    bin.join(".."),
                ],
            ),
        }
    }

    pub fn include(&self) -> Result<&Path, String> {
        self.include.as_deref().ok_or_else(|| missing(HEADER))
    }

    pub fn library(&self) -> Result<&Path, String> {
        self.library.as_deref().ok_or_else(|| missing(LIBRARY))
    }
}

fn first_with<const N: usize>(file: &str, folders: [PathBuf; N]) -> Option<PathBuf> {
    folders
        .into_iter()
        .find(|folder| folder.join(file).is_file())?
        .canonicalize()
        .ok()
}

fn missing(file: &str) -> String {
    format!(
        "accrue's {file} was not found; `accrue doctor` says where it is looked for and how to repair it"
    )
}

//! The command lines that make one object of what a source has become.
//!
//! ```text
//! cc -c host.i     cc -c acc.i     cc -c ir.s          what the link needs, if it needs anything
//!        └───────────────┼───────────────┘
//!                        ▼
//!                ld -r -o foo.o
//! ```

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use accrue_front_c::text::preprocess::Family;

use super::commands::{Commands, Form, stage_words};
use crate::process::Step;

impl Commands<'_> {
    /// An assembly text of ours, to an object.
    pub fn assemble(&self, text: &Path, output: &Path) -> Step {
        let mut step = self.begin(self.code_generation());
        step.push("-g0".into());
        step.extend(stage_words(Some(Form::Object), output));
        step.extend(["-x".into(), "assembler".into(), text.into()]);
        step
    }

    /// The objects made of a source into the one object the user asked for.
    ///
    /// By the linker itself where that is enough: compiler wrappers such as mpicc add libraries to every link, and `-r`
    /// takes no shared ones.
    ///
    /// What is assembled has no code for link-time optimisation: gcc then makes code of the others, and is told so.
    pub fn join(&self, objects: &[PathBuf], assembled: Option<PathBuf>, output: &Path) -> Step {
        let mut step = match self.host.linker() {
            Some(linker) if !self.join_needs_compiler() => vec![linker.into()],
            Some(_) | None => {
                let mut step = self.begin(self.code_generation());
                step.extend(self.linker_choice());
                step
            }
        };
        step.extend(["-r".into(), "-o".into(), output.into()]);
        step.extend(objects.iter().map(OsString::from));
        let is_lto = |word: &OsString| word.as_encoded_bytes().starts_with(b"-flto");
        if assembled.is_some()
            && self.host.family() == Family::Gcc
            && self.code_generation().iter().any(is_lto)
        {
            step.push("-flinker-output=nolto-rel".into());
        }
        step.extend(assembled.map(OsString::from));
        step
    }

    /// Whether the objects are not in the linker's default format, so that only the compiler knows how to join them.
    fn join_needs_compiler(&self) -> bool {
        let telling = [
            "-flto",
            "-m64",
            "-mabi=",
            "-mbig-endian",
            "-mlittle-endian",
            "-target",
            "--target=",
            "-arch",
            "-B",
            "-specs",
            "--specs=",
        ];
        let named = |word: &OsString| {
            telling
                .iter()
                .any(|prefix| word.as_encoded_bytes().starts_with(prefix.as_bytes()))
        };
        self.code_generation().iter().any(named) || !self.linker_choice().is_empty()
    }
}

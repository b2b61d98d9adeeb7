//! `-MD` and `-MMD`: the step that preprocesses writes the dependencies, under the names the user's compiler would use.
//!
//! Without `-MF` and `-MT` a compiler derives the names from its output. The preprocessing step has another output, so
//! both are always given:
//!
//! ```text
//! -MD -c a.c            -MD -MF a.d -MQ a.o
//! -MMD -c a.c -o x/b.o  -MMD -MF x/b.d -MQ x/b.o
//! -MD a.c -o prog       -MD -MF prog.d -MQ prog
//! ```

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::arguments::Invocation;
use super::options::{Depend, Role};
use super::source::Input;

/// The dependency options for the preprocessing step of one source.
pub fn words(invocation: &Invocation, input: &Input) -> Vec<OsString> {
    let given = |kind| invocation.has(|role| role == Role::Depend(kind));
    let mut words = invocation.options(|role| matches!(role, Role::Depend(_)));
    if !given(Depend::Beside) {
        return words;
    }
    let target = invocation
        .output
        .as_ref()
        .map_or_else(|| input.default_output("o"), PathBuf::from);
    if !given(Depend::File) {
        words.extend(["-MF".into(), dependency_file(&target).into()]);
    }
    if !given(Depend::Target) {
        words.extend(["-MQ".into(), target.into()]);
    }
    words
}

fn dependency_file(target: &Path) -> PathBuf {
    target.with_extension("d")
}

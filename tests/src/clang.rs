//! Clangs that are new enough for a program: `// needs-clang: 15` in its header.

use std::process::{Command, Stdio};

/// The newest version that is looked for.
const NEWEST: u32 = 22;

/// The name of a clang of version `least` or later: the one that `ACCRUE_CLANG` names, else `clang`, else the newest that
/// is installed beside it.
pub fn at_least(least: u32) -> Option<String> {
    let named = std::env::var("ACCRUE_CLANG").ok().filter(|n| !n.is_empty());
    if let Some(named) = named {
        return Some(named).filter(|name| is_at_least(name, least));
    }
    let versioned = (least..=NEWEST).rev().map(|v| format!("clang-{v}"));
    std::iter::once("clang".to_owned())
        .chain(versioned)
        .find(|name| is_at_least(name, least))
}

fn is_at_least(clang: &str, least: u32) -> bool {
    let said = Command::new(clang)
        .arg("-dumpversion")
        .stderr(Stdio::null())
        .output();
    let version = said
        .ok()
        .filter(|said| said.status.success())
        .and_then(|said| major(&String::from_utf8_lossy(&said.stdout)));
    version.is_some_and(|version| version >= least)
}

/// `16.0.6` is version 16.
fn major(version: &str) -> Option<u32> {
    version.trim().split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_versions() {
        assert_eq!(major("16.0.6\n"), Some(16));
        assert_eq!(major("21\n"), Some(21));
        assert_eq!(major("trunk"), None);
    }

    #[test]
    fn no_clang_is_that_new() {
        assert_eq!(at_least(NEWEST + 1000), None);
    }
}

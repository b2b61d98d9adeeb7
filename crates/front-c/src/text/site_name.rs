//! How the host's text names the site of a directive.
//!
//! ```text
//! __accrue_launch(&SITE, WORDS)        an object of the companion
//! __accrue_launch(SITE_at(), WORDS)    the same, where a `default` clause would ask what the object is to the construct around
//! ```
//! With `default(none)` (OpenMP 5.2, section 5.4.1) the user would have to list a name that is not in the program, and with
//! `default(private)` the site would be another one. A function is no variable, so that no such rule is about it.

use super::host_call::HostCall;
use super::unit::Unit;

/// Whether a construct of the host's may have rules about the names in it.
pub(super) fn has_default_clause(unit: &Unit) -> bool {
    let has = |text: &[u8], word: &[u8]| text.windows(word.len()).any(|it| it == word);
    unit.foreign_pragmas.iter().any(|range| {
        let text = &unit.text[range.clone()];
        has(text, b"omp") && has(text, b"default")
    })
}

impl HostCall {
    /// The address of the site as an expression.
    pub(super) fn address(&self) -> String {
        match self.is_hidden {
            true => format!("{}_at()", self.site),
            false => format!("&{}", self.site),
        }
    }

    /// What declares it in front of the user's text.
    pub(super) fn declaration(&self) -> String {
        let site = &self.site;
        let object = format!(
            "extern struct __accrue_site {site} __attribute__((__visibility__(\"hidden\")));"
        );
        match self.is_hidden {
            true => format!(
                "{object}static __inline__ __attribute__((__always_inline__,__unused__)) struct __accrue_site*{site}_at(void){{return&{site};}}"
            ),
            false => object,
        }
    }
}

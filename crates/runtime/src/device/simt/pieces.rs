//! One kernel's part of a unit's text, in PTX or in OpenCL C.
//!
//! Translating a text takes the driver some ten milliseconds a kernel, and most programs launch some of a unit's kernels
//! first and others late or never. The compiler marks where the text of each kernel starts; what comes before the first
//! mark (version, functions, shared variables) together with one kernel is a module of its own.
//!
//! ```text
//! .version 7.0 …                       .version 7.0 …
//! .func square …                       .func square …
//! //@kernel k0_0       k1_0
//! .entry k0_0 …               ─────▶
//! //@kernel k1_0               //@kernel k1_0
//! .entry k1_0 …                        .entry k1_0 …
//! ```
//! A text whose kernels share a variable has no marks.

const MARK: &str = "\n//@kernel ";

/// The module of `entry` alone; none when the text has no mark for it.
pub fn of_kernel(text: &str, entry: &str) -> Option<String> {
    let (common, kernels) = text.split_once(MARK)?;
    let own = kernels
        .split(MARK)
        .find(|kernel| kernel.lines().next() == Some(entry))?;
    Some(format!("{common}{MARK}{own}"))
}

#[cfg(test)]
mod tests {
    use super::of_kernel;

    #[test]
    fn one_of_two() {
        let text = "head\n\n//@kernel a\n.entry a\n\n//@kernel ab\n.entry ab\n";
        let piece = |entry| of_kernel(text, entry);
        assert_eq!(
            piece("a").as_deref(),
            Some("head\n\n//@kernel a\n.entry a\n")
        );
        assert_eq!(
            piece("ab").as_deref(),
            Some("head\n\n//@kernel ab\n.entry ab\n")
        );
        assert_eq!(piece("b"), None);
        assert_eq!(of_kernel("head\n.entry a\n", "a"), None);
    }
}

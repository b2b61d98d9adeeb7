//! Threads of a warp that make progress one by one.
//!
//! GPUs since Volta can schedule a warp's threads independently, which a thread that waits for another one of its warp needs, as for a
//! lock that this one holds. NVIDIA's assembler promises it only to PTX that names such a GPU as its target; what names an older one gets the
//! schedule of that one (`YIELD` is missing in its waiting loops), and such a program stands still. One text serves both: its target is
//! raised when it is translated for a GPU that can do it.
//!
//! ```text
//! .version 7.0             .version 7.0
//! .target sm_60      →     .target sm_70       on compute capability 7.0 and later
//! ```
//! Cost: one copy of the text, where its target is raised. Source: CUDA C++ Programming Guide, "Independent Thread Scheduling".

use std::borrow::Cow;

/// The first GPUs that schedule threads independently: compute capability, times ten.
const VOLTA: u32 = 70;

/// The PTX of a unit as a GPU of compute capability `sm` (times ten) translates it.
pub fn scheduled(text: &str, sm: u32) -> Cow<'_, str> {
    const OLDER: &str = "\n.target sm_60\n";
    // There is one, before all code.
    let target = text
        .find("\n.target ")
        .filter(|at| text[*at..].starts_with(OLDER));
    match target.filter(|_| sm >= VOLTA) {
        Some(_) => Cow::Owned(text.replacen(OLDER, &format!("\n.target sm_{VOLTA}\n"), 1)),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::scheduled;

    #[test]
    fn the_target_is_raised_where_threads_are_independent() {
        let pascal = "// k\n.version 7.0\n.target sm_60\n.address_size 64\n";
        assert_eq!(scheduled(pascal, 61), pascal);
        let volta = "// k\n.version 7.0\n.target sm_70\n.address_size 64\n";
        assert_eq!(scheduled(pascal, 70), volta);
        assert_eq!(scheduled(pascal, 120), volta);
        let hopper = ".version 7.8\n.target sm_90\n";
        assert_eq!(scheduled(hopper, 90), hopper);
    }
}

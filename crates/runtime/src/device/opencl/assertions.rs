//! Assertions of kernels: a work item that fails one leaves its number in scratch memory, and the kernel's text says what it is
//! (`back-opencl/src/assertions.rs`). Who launches such a kernel waits for its end and looks.
//!
//! ```text
//! //@assertion 3    7    a.c    f    p     ──▶     a.c:7: … assertion `p` failed in function `f`
//! ```

use super::OpenClDevice;
use super::queue::Stream;
use crate::abi::launch::{ASSERTION_MARK, FAILED_ASSERTION};
use crate::device::Fault;

/// An assertion of a kernel.
pub struct Assertion {
    number: u32,
    line: u32,
    file: String,
    function: String,
    condition: String,
}

/// Those of a kernel's text.
pub fn of_text(text: &str) -> Vec<Assertion> {
    let marked = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix(ASSERTION_MARK));
    marked.filter_map(read).collect()
}

fn read(line: &str) -> Option<Assertion> {
    let mut words = line.split('\t');
    let mut next = || words.next();
    Some(Assertion {
        number: next()?.parse().ok()?,
        line: next()?.parse().ok()?,
        file: next()?.to_string(),
        function: next()?.to_string(),
        condition: next()?.to_string(),
    })
}

impl OpenClDevice {
    /// Waits for the kernel that was put into the stream last: what it has failed in.
    pub(super) fn failed_assertion(
        &self,
        stream: &'static Stream,
        assertions: &[Assertion],
        scratch: usize,
    ) -> Option<Fault> {
        let active = self.active();
        let mut number = 0u32;
        let host = (&raw mut number) as usize;
        let from = scratch + FAILED_ASSERTION;
        // SAFETY: both are as large.
        unsafe { active.fetch(stream, host, from, size_of::<u32>()) };
        // SAFETY: it is a variable of this function, which a command has written.
        let number = unsafe { (&raw const number).read_volatile() };
        let failed = assertions.iter().find(|it| it.number == number)?;
        Some(Fault {
            message: format!(
                "assertion `{}` failed in function `{}`",
                failed.condition, failed.function
            ),
            source: Some((failed.file.clone(), failed.line)),
            address: None,
            aborted: true,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::of_text;

    #[test]
    fn lines_are_read() {
        let text = "  f();\n    //@assertion 3\t7\ta b.c\tmain\tp > \\\t.\n//@assertion x\n";
        let found = of_text(text);
        assert_eq!(found.len(), 1);
        let it = &found[0];
        assert_eq!((it.number, it.line), (3, 7));
        assert_eq!(
            [&*it.file, &*it.function, &*it.condition],
            ["a b.c", "main", "p > \\"]
        );
    }
}

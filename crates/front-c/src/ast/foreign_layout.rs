//! Attributes and pragmas of gcc that change how records lie in memory, and that clang does not know or not tell.
//!
//! ```text
//! struct __attribute__((scalar_storage_order("big-endian"))) header { int length; };
//! #pragma scalar_storage_order big-endian
//! struct flags { short a : 3; int b : 5; } __attribute__((ms_struct));
//! #pragma ms_struct on
//! ```
//!
//! clang ignores the first two without a trace in its tree, so the text is asked. A region that uses a member of such a
//! record is refused.

use super::node::NodeId;
use super::types::{TypeError, Types};

/// A change of layout: the word of attribute and pragma, the values that mean no change, and what to tell.
struct Change {
    word: &'static str,
    harmless: &'static [&'static str],
    reason: &'static str,
}

const CHANGES: [Change; 2] = [
    Change {
        word: "scalar_storage_order",
        // The machines that this reader knows have their bytes in this order.
        harmless: &["little-endian", "default"],
        reason: "`scalar_storage_order` gives its bytes another order; in regions, use an array of bytes, or swap \
                 them with `__builtin_bswap32`",
    },
    Change {
        word: "ms_struct",
        harmless: &["off", "reset"],
        reason: "`ms_struct` gives its bit-fields other places; in regions, use integers and masks",
    },
];

impl Types<'_> {
    /// Fails for a record whose layout is changed in a way that is not followed.
    pub(super) fn check_layout_changes(&mut self, declaration: NodeId) -> Result<(), TypeError> {
        let text = self.text;
        let occurring = self.layout_changes.get_or_insert_with(|| {
            let occurs = |change: &Change| find(text, change.word.as_bytes()).is_some();
            CHANGES.iter().map(occurs).collect()
        });
        let concerned: Vec<&Change> = CHANGES
            .iter()
            .zip(occurring)
            .filter_map(|(change, occurs)| occurs.then_some(change))
            .collect();
        match concerned
            .iter()
            .find(|change| self.is_changed(declaration, change))
        {
            None => Ok(()),
            Some(change) => {
                let name = match self.ast.name(declaration) {
                    "" => "unnamed",
                    name => name,
                };
                Err(TypeError::Layout(name.to_owned(), change.reason))
            }
        }
    }

    fn is_changed(&self, declaration: NodeId, change: &Change) -> bool {
        let node = self.ast.node(declaration);
        let (begin, end) = (node.begin as usize, node.end as usize);
        // An attribute may stand behind the members.
        let rest = self.text.get(end..).unwrap_or_default();
        let behind = rest.iter().position(|byte| *byte == b';').unwrap_or(0);
        let own = self.text.get(begin..end + behind).unwrap_or_default();
        let attribute = find(own, change.word.as_bytes()).map(|at| &own[at + change.word.len()..]);
        match attribute {
            Some(arguments) => !is_harmless(arguments, change),
            None => self.pragma_is_on(begin, change),
        }
    }

    /// Whether the last such pragma in front of a place asks for the change.
    fn pragma_is_on(&self, begin: usize, change: &Change) -> bool {
        let before = self.text.get(..begin).unwrap_or_default();
        let lines = before.rsplit(|byte| *byte == b'\n');
        let mut values = lines.filter_map(|line| {
            let line = line.trim_ascii_start().strip_prefix(b"#")?;
            let line = line.trim_ascii_start().strip_prefix(b"pragma")?;
            line.trim_ascii_start().strip_prefix(change.word.as_bytes())
        });
        values
            .next()
            .is_some_and(|value| !is_harmless(value, change))
    }
}

/// Whether an attribute's arguments or a pragma's value ask for what is there anyway.
fn is_harmless(text: &[u8], change: &Change) -> bool {
    let start = text
        .iter()
        .position(|byte| byte.is_ascii_alphanumeric())
        .unwrap_or(text.len());
    let value = &text[start..];
    change
        .harmless
        .iter()
        .any(|harmless| value.starts_with(harmless.as_bytes()))
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|window| window == word)
}

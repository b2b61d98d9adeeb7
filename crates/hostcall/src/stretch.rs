//! Where the host waits for synchronous constructs that it does not wait for one by one.

/// Places in the front end's text (only the front end understands the numbers).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stretches {
    /// The loops behind which constructs are waited for, outermost ones.
    pub loops: Vec<u64>,
    /// What in them, or in functions that they call, may tell whether a construct is complete: expressions, and loops without
    /// constructs. Constructs are waited for in front of it.
    pub observers: Vec<u64>,
}

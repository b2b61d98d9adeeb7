//! Messages to the program's user, on standard error.
//!
//! A program may have closed it, or it may be full: the message is lost then, and the program goes on, where `eprintln!` would end it.

/// Writes a line, as `eprintln!` does, if that is possible.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write;
        let line = format!($($text)*) + "\n";
        let _ = std::io::stderr().write_all(line.as_bytes());
    }};
}
pub(crate) use say;

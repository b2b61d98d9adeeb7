//! The lines that messages show.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// The user's files, read when a message needs a line of them.
#[derive(Debug, Default)]
pub struct SourceFiles {
    files: RefCell<HashMap<Arc<str>, Contents>>,
}

/// The bytes of a file; `None` if it cannot be read.
type Contents = Option<Arc<[u8]>>;

impl SourceFiles {
    /// The bytes of a file; `None` if it cannot be read, as with `<stdin>` or a generated name.
    pub fn bytes(&self, file: &Arc<str>) -> Option<Arc<[u8]>> {
        let read = || std::fs::read(&**file).ok().map(Arc::from);
        self.files
            .borrow_mut()
            .entry(file.clone())
            .or_insert_with(read)
            .clone()
    }

    /// A line (from 1) of a file, without its end.
    pub fn line(&self, file: &Arc<str>, line: usize) -> Option<String> {
        let bytes = self.bytes(file)?;
        let line = bytes
            .split(|&byte| byte == b'\n')
            .nth(line.checked_sub(1)?)?;
        Some(String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned())
    }

    /// Gives a file a text without reading it, for tests and for sources that came from a pipe.
    pub fn insert(&self, file: &str, text: &[u8]) {
        self.files
            .borrow_mut()
            .insert(file.into(), Some(text.into()));
    }
}

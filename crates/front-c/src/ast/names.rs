//! Interned strings: a name or a type string of the dump is kept once and compared as a number.

use std::collections::HashMap;
use std::sync::Arc;

/// An interned string. [`Sym::NONE`] stands for "not given".
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Sym(u32);

impl Sym {
    /// The absent string; its text is empty.
    pub const NONE: Sym = Sym(0);

    /// True for every string except the absent one.
    pub fn is_some(self) -> bool {
        self != Sym::NONE
    }
}

/// The table of interned strings.
#[derive(Debug)]
pub struct Interner {
    texts: Vec<Arc<str>>,
    index: HashMap<Arc<str>, Sym>,
}

impl Default for Interner {
    fn default() -> Self {
        let empty: Arc<str> = Arc::from("");
        Interner {
            texts: vec![empty.clone()],
            index: HashMap::from([(empty, Sym::NONE)]),
        }
    }
}

impl Interner {
    /// The number of `text`, new or known.
    pub fn intern(&mut self, text: &str) -> Sym {
        if let Some(sym) = self.index.get(text) {
            return *sym;
        }
        let sym = Sym(self.texts.len() as u32);
        let text: Arc<str> = Arc::from(text);
        self.texts.push(text.clone());
        self.index.insert(text, sym);
        sym
    }

    /// The number of `text` if it occurs anywhere.
    pub fn find(&self, text: &str) -> Option<Sym> {
        self.index.get(text).copied()
    }

    /// The text of `sym`.
    pub fn text(&self, sym: Sym) -> &str {
        &self.texts[sym.0 as usize]
    }
}

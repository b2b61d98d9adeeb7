//! A PTX file taken apart into functions and tables.
//!
//! Enough of PTX is read to find where a file-scope item begins and ends, and which words in it are names of other items:
//!
//! ```text
//! .global .align 4 .b8 __accrue_text[6] = {…};      an item that ends with a semicolon
//! .func (.param .b64 r) __accrue_f (.param .b64 a)  an item that ends with its closing brace
//! { … call (t), __accrue_g, (u); … }                needs the item __accrue_g
//! ```

use std::collections::BTreeMap;

/// Before the names of our own functions.
const PREFIX: &str = "__accrue_";

/// What the names of functions that only the library calls start with behind that.
const INTERNAL: &str = "lib_";

/// The place of an item in [`Library::items`].
pub type Index = usize;

struct Item {
    name: &'static str,
    text: &'static str,
    kind: Kind,
    needs: Vec<Index>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Code of ours.
    Function,
    /// A function of the driver.
    Extern,
    /// Data.
    Table,
}

impl Item {
    /// What C programs call the function: our own one, if the driver has one of that name too.
    fn c_name(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Function => {
                let name = self.name.strip_prefix(PREFIX);
                name.filter(|name| !name.starts_with(INTERNAL))
            }
            Kind::Extern => Some(self.name),
            Kind::Table => None,
        }
    }
}

/// File-scope items of PTX files by name.
pub struct Library {
    items: Vec<Item>,
    by_name: BTreeMap<&'static str, Index>,
}

impl Library {
    /// Takes the files apart. Later files may use items of earlier ones and the other way round.
    pub fn parse(files: &[&'static str]) -> Self {
        let mut items: Vec<Item> = files.iter().flat_map(|file| split(file)).collect();
        let by_name: BTreeMap<&str, Index> = items
            .iter()
            .enumerate()
            .map(|(index, item)| (item.name, index))
            .collect();
        for (index, item) in items.iter_mut().enumerate() {
            item.needs = words(item.text)
                .filter_map(|word| by_name.get(word).copied())
                .filter(|needed| *needed != index)
                .collect();
            item.needs.sort_unstable();
            item.needs.dedup();
        }
        Self { items, by_name }
    }

    /// The function that a call of the C function `name` calls.
    pub fn find(&self, name: &str) -> Option<Index> {
        let own = self.by_name.get(format!("{PREFIX}{name}").as_str());
        let index = *own.or_else(|| self.by_name.get(name))?;
        self.items[index].c_name().is_some().then_some(index)
    }

    /// The item that PTX text calls `name`.
    pub fn find_by_ptx_name(&self, name: &str) -> Option<Index> {
        self.by_name.get(name).copied()
    }

    pub fn item_text(&self, item: Index) -> &'static str {
        self.items[item].text
    }

    pub fn name(&self, item: Index) -> &'static str {
        self.items[item].name
    }

    /// The functions as C names them.
    pub fn c_names(&self) -> Vec<&'static str> {
        let mut names: Vec<&str> = self.items.iter().filter_map(Item::c_name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The items and what they need, each once, after what it needs.
    pub fn text(&self, items: &[Index]) -> String {
        let mut done = vec![false; self.items.len()];
        let mut text = String::new();
        for item in items {
            self.append(*item, &mut done, &mut text);
        }
        text
    }

    fn append(&self, index: Index, done: &mut [bool], text: &mut String) {
        if std::mem::replace(&mut done[index], true) {
            return;
        }
        let item = &self.items[index];
        for needed in &item.needs {
            self.append(*needed, done, text);
        }
        text.push_str(item.text);
        text.push('\n');
    }
}

/// The items of a file. Lines of the module's head are no items.
fn split(file: &'static str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut rest = skip_blank(file);
    while !rest.is_empty() {
        let (text, behind) = rest.split_at(item_length(rest));
        let is_head = [".version", ".target", ".address_size"]
            .iter()
            .any(|head| text.starts_with(head));
        if !is_head && let Some(name) = item_name(text) {
            items.push(Item {
                name,
                text,
                kind: kind_of(text),
                needs: Vec::new(),
            });
        }
        rest = skip_blank(behind);
    }
    items
}

fn kind_of(text: &str) -> Kind {
    let is_function = text.split_whitespace().any(|word| word == ".func");
    match (is_function, text.starts_with(".extern")) {
        (true, true) => Kind::Extern,
        (true, false) => Kind::Function,
        (false, _) => Kind::Table,
    }
}

/// Behind blanks and comment lines.
fn skip_blank(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        match text.strip_prefix("//") {
            Some(comment) => text = comment.find('\n').map_or("", |end| &comment[end..]),
            None => return text,
        }
    }
}

/// Bytes of the item at the start of `text`: a line of the head, or up to the brace or the semicolon that ends it.
fn item_length(text: &str) -> usize {
    let line = text.find('\n').unwrap_or(text.len());
    if !text.starts_with(".func")
        && !text.starts_with(".visible")
        && !text[..line].contains([';', '{', '='])
        && !text.starts_with(".extern")
    {
        return line;
    }
    let is_table = text
        .find('=')
        .is_some_and(|sign| sign < text.find(';').unwrap_or(0));
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 && !is_table {
                    return at + 1;
                }
            }
            ';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The name that an item defines: the first word that is neither a directive nor inside the parentheses of the result.
fn item_name(text: &'static str) -> Option<&'static str> {
    let mut depth = 0;
    for word in text.split_inclusive(|c: char| c.is_whitespace() || "()[".contains(c)) {
        let name = word.trim_end_matches(|c: char| c.is_whitespace() || "()[;".contains(c));
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if depth == 0 && is_name {
            return Some(name);
        }
        depth += word.matches('(').count();
        depth -= word.matches(')').count().min(depth);
    }
    None
}

/// The words that could be names.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '$')
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
.version 6.0
.target sm_60
.address_size 64

.extern .func (.param .b64 r) malloc (.param .b64 size);
// A table.
.global .align 4 .b8 __accrue_table[2] = {1, 2};
.func (.param .b64 r) __accrue_g (.param .b64 a)
{
  mov.u64 %rd1, __accrue_table;
  { call (t), malloc, (u); }
}
.func __accrue_f (.param .b64 a)
{
  call __accrue_g, (a);
}
";

    #[test]
    fn items_with_what_they_need() {
        let library = Library::parse(&[FILE]);
        let f = library.find("f").expect("f is in the file");
        let text = library.text(&[f, f]);
        let order: Vec<usize> = [
            "malloc (",
            ".b8 __accrue_table",
            "__accrue_g (",
            "__accrue_f (",
        ]
        .iter()
        .map(|part| text.find(part).expect("all items are in the text"))
        .collect();
        assert!(order.is_sorted(), "{text}");
        assert_eq!(text.matches("__accrue_f (").count(), 1);
        assert!(!text.contains(".version"));
    }

    #[test]
    fn tables_are_no_functions() {
        let library = Library::parse(&[FILE]);
        assert!(library.find("table").is_none());
        assert!(library.find("sin").is_none());
        assert_eq!(library.c_names(), ["f", "g", "malloc"]);
    }
}

//! The compilers' functions for atomic accesses, in the text for clang.
//!
//! Problem: `stdatomic.h` has been expanded by the user's compiler. GCC's header leads to GCC's builtins for `_Atomic` objects, which
//! clang refuses, and clang's header to builtins whose nodes in clang's tree do not tell which one they are.
//!
//! Step: in the carrier text a call of one becomes a call of an ordinary function, whose first argument says which builtin it was
//! ([`BUILTINS`]), and whose result, where the builtin has one, is given the object's type:
//!
//! ```text
//! __atomic_store(p, &v, 5)           __accrue_atomic_do(3,p,&v,5)
//! __atomic_fetch_add(p, 2, 5)   →    ((__typeof__((void)0,*(p)))__accrue_atomic_value(8,p,2,5))
//! ```
//! What the calls mean, [`crate::import`] says.

use super::lexer::{Lexer, TokenKind};
use std::ops::Range;

/// What a builtin does with the object that its first argument points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// `(p, order)`
    Load,
    /// `(p, result, order)`
    LoadInto,
    /// `(p, value, order)`; without an order where `relaxed` or `lock` say it.
    Store,
    /// `(p, value's address, order)`
    StoreFrom,
    /// `(p)`: zero.
    Release,
    /// `(p, value, order)`
    Exchange,
    /// `(p, value's address, result, order)`
    ExchangeInto,
    /// `(p, address of what is expected, value, …, order, order)`
    Compare,
    /// The same with the value's address.
    CompareFrom,
    /// `(p, what is expected, value)`: whether it was.
    Swaps,
    /// `(p, what is expected, value)`: what was there.
    Swap,
    /// `(p, value, order)`: what was there.
    Fetch(Change),
    /// `(p, value, order)`: what is there now.
    Change(Change),
    /// `(p, order)` of a byte: sets it, and tells whether it was set.
    TestAndSet,
    /// `(p, order)` of a byte
    Clear,
}

/// How a value is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
    Min,
    Max,
}

/// Whose builtin it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// `__c11_atomic_…`: pointers are stepped by elements.
    C11,
    /// `__atomic_…`: pointers are stepped by bytes.
    Gnu,
    /// `__sync_…`: the order is that of the program.
    Sync,
    /// As `__c11_atomic_…`, with no order at all.
    Unordered,
}

/// A builtin.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    pub name: &'static str,
    pub family: Family,
    pub access: Access,
}

/// What calls of builtins become, by the type of the result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Nothing,
    Truth,
    Value,
}

/// The function for builtins without result, those that tell something, and those that give a value.
pub const FUNCTIONS: [&str; 3] = [
    "__accrue_atomic_do",
    "__accrue_atomic_test",
    "__accrue_atomic_value",
];

const DECLARATIONS: &str = "void __accrue_atomic_do(int,...);_Bool __accrue_atomic_test(int,...);\
    unsigned long __accrue_atomic_value(int,...);";

macro_rules! builtins {
    ($($name:literal $family:ident $access:expr;)*) => {
        /// All of them; their indices are the first arguments of the calls.
        pub const BUILTINS: &[Builtin] = &[$(Builtin { name: $name, family: Family::$family, access: $access }),*];
    };
}

builtins! {
    "__atomic_load_n" Gnu Access::Load;
    "__atomic_load" Gnu Access::LoadInto;
    "__atomic_store_n" Gnu Access::Store;
    "__atomic_store" Gnu Access::StoreFrom;
    "__atomic_exchange_n" Gnu Access::Exchange;
    "__atomic_exchange" Gnu Access::ExchangeInto;
    "__atomic_compare_exchange_n" Gnu Access::Compare;
    "__atomic_compare_exchange" Gnu Access::CompareFrom;
    "__atomic_fetch_add" Gnu Access::Fetch(Change::Add);
    "__atomic_fetch_sub" Gnu Access::Fetch(Change::Sub);
    "__atomic_fetch_and" Gnu Access::Fetch(Change::And);
    "__atomic_fetch_or" Gnu Access::Fetch(Change::Or);
    "__atomic_fetch_xor" Gnu Access::Fetch(Change::Xor);
    "__atomic_fetch_nand" Gnu Access::Fetch(Change::Nand);
    "__atomic_fetch_min" Gnu Access::Fetch(Change::Min);
    "__atomic_fetch_max" Gnu Access::Fetch(Change::Max);
    "__atomic_add_fetch" Gnu Access::Change(Change::Add);
    "__atomic_sub_fetch" Gnu Access::Change(Change::Sub);
    "__atomic_and_fetch" Gnu Access::Change(Change::And);
    "__atomic_or_fetch" Gnu Access::Change(Change::Or);
    "__atomic_xor_fetch" Gnu Access::Change(Change::Xor);
    "__atomic_nand_fetch" Gnu Access::Change(Change::Nand);
    "__atomic_min_fetch" Gnu Access::Change(Change::Min);
    "__atomic_max_fetch" Gnu Access::Change(Change::Max);
    "__atomic_test_and_set" Gnu Access::TestAndSet;
    "__atomic_clear" Gnu Access::Clear;
    "__c11_atomic_init" Unordered Access::Store;
    "__c11_atomic_load" C11 Access::Load;
    "__c11_atomic_store" C11 Access::Store;
    "__c11_atomic_exchange" C11 Access::Exchange;
    "__c11_atomic_compare_exchange_strong" C11 Access::Compare;
    "__c11_atomic_compare_exchange_weak" C11 Access::Compare;
    "__c11_atomic_fetch_add" C11 Access::Fetch(Change::Add);
    "__c11_atomic_fetch_sub" C11 Access::Fetch(Change::Sub);
    "__c11_atomic_fetch_and" C11 Access::Fetch(Change::And);
    "__c11_atomic_fetch_or" C11 Access::Fetch(Change::Or);
    "__c11_atomic_fetch_xor" C11 Access::Fetch(Change::Xor);
    "__c11_atomic_fetch_nand" C11 Access::Fetch(Change::Nand);
    "__c11_atomic_fetch_min" C11 Access::Fetch(Change::Min);
    "__c11_atomic_fetch_max" C11 Access::Fetch(Change::Max);
    "__sync_fetch_and_add" Sync Access::Fetch(Change::Add);
    "__sync_fetch_and_sub" Sync Access::Fetch(Change::Sub);
    "__sync_fetch_and_and" Sync Access::Fetch(Change::And);
    "__sync_fetch_and_or" Sync Access::Fetch(Change::Or);
    "__sync_fetch_and_xor" Sync Access::Fetch(Change::Xor);
    "__sync_fetch_and_nand" Sync Access::Fetch(Change::Nand);
    "__sync_add_and_fetch" Sync Access::Change(Change::Add);
    "__sync_sub_and_fetch" Sync Access::Change(Change::Sub);
    "__sync_and_and_fetch" Sync Access::Change(Change::And);
    "__sync_or_and_fetch" Sync Access::Change(Change::Or);
    "__sync_xor_and_fetch" Sync Access::Change(Change::Xor);
    "__sync_nand_and_fetch" Sync Access::Change(Change::Nand);
    "__sync_bool_compare_and_swap" Sync Access::Swaps;
    "__sync_val_compare_and_swap" Sync Access::Swap;
    "__sync_lock_test_and_set" Sync Access::Exchange;
    "__sync_lock_release" Sync Access::Release;
}

impl Access {
    fn form(self) -> Form {
        match self {
            Access::LoadInto
            | Access::Store
            | Access::StoreFrom
            | Access::Release
            | Access::ExchangeInto
            | Access::Clear => Form::Nothing,
            Access::Compare | Access::CompareFrom | Access::Swaps | Access::TestAndSet => {
                Form::Truth
            }
            Access::Load
            | Access::Exchange
            | Access::Swap
            | Access::Fetch(_)
            | Access::Change(_) => Form::Value,
        }
    }
}

/// The declarations of the functions, if the text may call builtins.
pub(super) fn declarations(text: &[u8]) -> &'static str {
    let names = [&b"atomic_"[..], b"__sync_"];
    let named = |name: &[u8]| text.windows(name.len()).any(|word| word == name);
    match names.iter().any(|name| named(name)) {
        true => DECLARATIONS,
        false => "",
    }
}

/// Where the word `_Atomic` stands in the definition of GCC's `atomic_flag`, a structure: clang initialises no atomic ones. Only the
/// functions above access one, and they need no such type.
pub(super) fn flag_qualifier(text: &[u8]) -> Option<Range<usize>> {
    let name = b"atomic_flag";
    if !text.windows(name.len()).any(|word| word == name) {
        return None;
    }
    let mut tokens = Lexer::new(text).filter(|token| token.kind != TokenKind::Line);
    let mut qualifier = None;
    while let Some(token) = tokens.next() {
        let word = token.of(text);
        let expected: &[u8] = match qualifier {
            None => b"_Atomic",
            Some(_) => b"struct",
        };
        if word != expected {
            qualifier = (word == b"_Atomic").then_some(token.start..token.end);
            continue;
        }
        let Some(found) = qualifier.take() else {
            qualifier = Some(token.start..token.end);
            continue;
        };
        let mut behind = tokens
            .by_ref()
            .skip_while(|token| token.of(text) != b"}")
            .skip(1);
        if behind.next().is_some_and(|token| token.of(text) == name) {
            return Some(found);
        }
    }
    None
}

/// A call of a builtin in a text.
#[derive(Debug)]
pub(super) struct Call {
    builtin: usize,
    /// From its name to its closing parenthesis.
    pub(super) range: Range<usize>,
    /// Between its parentheses.
    pub(super) arguments: Range<usize>,
    /// Its first argument.
    object: Range<usize>,
}

/// The calls of a text, in order; one in the arguments of another is part of that.
pub(super) fn calls(text: &[u8]) -> Vec<Call> {
    let mut found = Vec::new();
    if declarations(text).is_empty() {
        return found;
    }
    let mut tokens = Lexer::new(text);
    while let Some(token) = tokens.next() {
        let word = token.of(text);
        let builtin = BUILTINS.iter().position(|it| it.name.as_bytes() == word);
        let Some(builtin) = builtin.filter(|_| token.kind == TokenKind::Word) else {
            continue;
        };
        let (mut depth, mut open, mut object) = (0, 0, None);
        for inner in tokens.by_ref() {
            match inner.of(text) {
                b"(" | b"[" | b"{" => {
                    if depth == 0 {
                        open = inner.end;
                    }
                    depth += 1;
                }
                b")" | b"]" | b"}" => depth -= 1,
                b"," if depth == 1 => object = object.or(Some(open..inner.start)),
                _ => {}
            }
            if depth == 0 {
                if inner.of(text) == b")" {
                    let arguments = open..inner.start;
                    found.push(Call {
                        builtin,
                        range: token.start..inner.end,
                        object: object.unwrap_or_else(|| arguments.clone()),
                        arguments,
                    });
                }
                break;
            }
        }
    }
    found
}

impl Call {
    fn form(&self) -> Form {
        BUILTINS[self.builtin].access.form()
    }

    /// What stands in front of the arguments.
    pub(super) fn before(&self, text: &[u8]) -> String {
        let [nothing, truth, value] = FUNCTIONS;
        let number = self.builtin;
        match self.form() {
            Form::Nothing => format!("{nothing}({number},"),
            Form::Truth => format!("{truth}({number},"),
            Form::Value => {
                let object = rewritten(&text[self.object.clone()]);
                format!("((__typeof__((void)0,*({object}))){value}({number},")
            }
        }
    }

    /// What stands behind them.
    pub(super) fn behind(&self) -> &'static str {
        match self.form() {
            Form::Nothing | Form::Truth => ")",
            Form::Value => "))",
        }
    }
}

/// A text in one line, its calls rewritten.
fn rewritten(text: &[u8]) -> String {
    let mut result = String::new();
    let mut at = 0;
    for call in calls(text) {
        result += &in_one_line(&text[at..call.range.start]);
        result += &call.before(text);
        result += &rewritten(&text[call.arguments.clone()]);
        result += call.behind();
        at = call.range.end;
    }
    result + &in_one_line(&text[at..])
}

/// The tokens of a text, without the lines of the preprocessor.
fn in_one_line(text: &[u8]) -> String {
    let mut line = String::new();
    let mut end = 0;
    for token in Lexer::new(text).filter(|token| token.kind != TokenKind::Line) {
        // What is adjacent stays so: `->` is two tokens.
        if token.start > end && !line.is_empty() {
            line.push(' ');
        }
        line += &String::from_utf8_lossy(token.of(text));
        end = token.end;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::{FUNCTIONS, rewritten};

    #[test]
    fn calls_become_calls_of_functions() {
        let text = rewritten(b"x = __atomic_fetch_add(p + f(1, 2), 2, 5);");
        assert!(
            text.starts_with(
                "x =((__typeof__((void)0,*(p + f(1, 2))))__accrue_atomic_value(8,p + f(1, 2),"
            ),
            "{text}"
        );
        let text = rewritten(b"__atomic_store (a, &v, (5)); \"__atomic_load(p)\"");
        assert!(
            text.starts_with(&format!("{}(3,a, &v, (5));", FUNCTIONS[0])),
            "{text}"
        );
        assert!(text.contains("\"__atomic_load(p)\""));
    }

    #[test]
    fn calls_in_arguments_are_rewritten_too() {
        let text = rewritten(b"__sync_fetch_and_add(&a[__atomic_load_n(p, 0)], 1)");
        assert!(
            !text.contains("__sync_") && !text.contains("__atomic_load_n"),
            "{text}"
        );
    }

    #[test]
    fn the_flag_is_no_atomic_structure() {
        let text = b"typedef _Atomic int a; typedef _Atomic struct { int x; } other; typedef _Atomic struct\n# 1\n{ _Bool v; } atomic_flag;";
        let found = super::flag_qualifier(text);
        assert_eq!(
            found.as_ref().map(|it| &text[it.clone()]),
            Some(&b"_Atomic"[..])
        );
        assert!(found.is_some_and(|it| it.start > 60));
        assert_eq!(
            super::flag_qualifier(b"_Atomic struct { int x; } y; atomic_flag z;"),
            None
        );
    }

    #[test]
    fn other_words_stay() {
        let text = "my__atomic_load(1); __atomic_load;";
        assert!(rewritten(text.as_bytes()).contains("my__atomic_load(1)"));
    }
}

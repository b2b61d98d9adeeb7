//! The C front end: source text to IR, and the rewritten host text.
//!
//! | module | side |
//! | --- | --- |
//! | [`text`] | text: preprocess, find directives, carriers for clang, host rewriting |
//! | [`ast`] | tree: clang's typed syntax tree, C types and layouts |
//! | [`import`] | the tree to IR |

pub mod ast;
pub mod import;
pub mod text;

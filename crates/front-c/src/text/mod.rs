//! The text side of the C front end: from the user's source file to the two texts made of it.
//!
//! ```text
//! heat.c ──preprocess──▶ one preprocessed text ──scan──▶ Unit: the text, its directives, its line map
//!                                                          ├─carriers──▶ carrier text ──clang──▶ JSON of the typed tree
//!                                                          └─host──────▶ host text, for the user's own compiler
//! ```
//!
//! * [`preprocess`] says how the user's compiler is called, so that includes and macros, also those inside directives, are his.
//!   [`macros`] helps the compilers that do not expand directives themselves.
//! * [`scan`] finds the directives and parses them into a [`mod@unit`], their texts made plain by [`pragma_text`]; [`placement`] checks what stands around them; [`position`] and
//!   [`align`] say where they are in his files.
//! * [`unexpanded`] expands macros in directives that gcc does not know.
//! * [`sentinel`] says whose directive a line is, [`declare_target`] what the directives in pairs are about.
//! * [`outline`] finds the function definitions, [`statement`] where a statement ends; [`bodies`] says which functions clang need
//!   not look into, [`unreached`] which declarations it need not read, by the names in [`declared_names`], [`parameters`] how long array parameters are.
//! * [`carriers`] replaces each directive by a call that clang types, with the arguments in [`carrier_arguments`], and makes [`offsetof`] plain to read; [`clang`] runs clang on that text.
//! * [`unread`] leaves out host code that clang cannot read; [`declared`] finds what it may have declared.
//! * [`rewriting`] has the steps that write the text anew, in their order:
//! * [`apart`] joins what users write apart.
//! * [`assumptions`] takes out what is only assumed.
//! * [`critical_locks`] declares words for `critical` constructs that several teams come to.
//! * [`default_mappers`] names the mappers of types in the clauses that they are for, by [`declared_types`].
//! * [`dispatch`] writes the variants into the program that `dispatch` calls.
//! * [`error_directives`] makes statements of `error at(execution)`.
//! * [`interop`] does what `interop` can do.
//! * [`metadirectives`] makes statements of what a metadirective asks when the program runs.
//! * [`older_words`] writes newer directives in words that all compilers for hosts know; [`loop_header`] reads heads of loops.
//! * [`paired_variants`] takes pairs of `begin declare variant` apart.
//! * [`tiles`] writes the loops out that `tile` and its like make.
//! * [`variants`] says what metadirectives stand for.
//! * [`host`] replaces each directive by a call of the run-time library in front of the user's own statement;
//!   [`host_call`] spells what that call passes, [`host_directive`] the directives that stay, [`register`] which keywords are in its way.
//!
//! Both texts are the user's with insertions: apart from the directive lines not a byte of it changes, but that function
//! bodies which clang need not read are left out of its text.

pub mod align;
pub mod allocation;
mod apart;
mod array_shapes;
mod assumptions;
pub mod atomics;
pub mod bodies;
mod carrier_arguments;
pub mod carriers;
pub mod clang;
pub mod critical_locks;
mod declare_target;
pub mod declared;
mod declared_names;
mod declared_reductions;
mod declared_types;
pub mod default_mappers;
mod dispatch;
mod error_directives;
mod expand;
pub mod function_addresses;
pub mod host;
pub mod host_call;
pub(crate) mod host_directive;
mod host_scans;
mod imperfect;
mod interop;
pub mod lexer;
mod loop_header;
pub mod macros;
mod metadirective_places;
mod metadirectives;
mod newer_routines;
mod offsetof;
mod older_words;
pub mod outline;
mod paired_variants;
pub mod parameters;
pub mod placement;
pub mod position;
mod pragma_text;
pub mod preprocess;
pub mod register;
mod rewriting;
pub mod scan;
pub mod sentinel;
pub mod shadows;
mod site_name;
pub mod statement;
pub mod stretches;
mod tiles;
pub mod unexpanded;
pub mod unit;
pub mod unreached;
pub mod unread;
mod variants;

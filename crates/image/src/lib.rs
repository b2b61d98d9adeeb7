//! The tables that the runtime reads: [`mod@print`] writes what `hostcall` describes as the static data of the companion object, in
//! the form that [`accrue_abi`] defines.

pub mod print;

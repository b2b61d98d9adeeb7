//! A second preprocessing, with the definitions of macros, of files whose directives the user's compiler leaves as they are.

use super::commands::Commands;
use super::source::Input;
use crate::process::{Failure, Runner};
use accrue_front_c::text::preprocess::Family;
use accrue_front_c::text::unexpanded;
use std::path::Path;

/// The preprocessed text with the macros expanded that are left in directives; `written` is where preprocessing may write.
pub fn expanded(
    commands: &Commands,
    runner: Runner,
    input: &Input,
    text: Vec<u8>,
    written: &Path,
) -> Result<Vec<u8>, Failure> {
    if commands.family() != Family::Gcc
        || !input.is_preprocessed()
        || !unexpanded::has_unexpanded(&text)
    {
        return Ok(text);
    }
    // Its messages are those of the first.
    runner.run_quietly(&commands.definitions(input, written))?;
    let defined = commands.read_preprocessed(written)?;
    Ok(unexpanded::expanded(text, &defined))
}

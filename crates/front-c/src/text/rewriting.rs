//! What is written into a text before its directives are read: each step takes away what later ones, clang or the host's compiler do
//! not know, and its own documentation says what becomes of that.
//!
//! A file without regions is its compiler's alone. Some steps are for that, too, because the compiler may be older than what it is told:
//! their text is compiled in place of the file if they have changed it. What they cannot do there, they leave to the compiler, but for loops
//! that directives make of others: many compilers say nothing of these.

use super::apart;
use super::array_shapes;
use super::assumptions;
use super::critical_locks;
use super::declared_reductions::{self, Declared};
use super::default_mappers::{self, Mapped};
use super::dispatch;
use super::error_directives;
use super::interop;
use super::metadirectives;
use super::newer_routines;
use super::older_words;
use super::paired_variants;
use super::sentinel;
use super::tiles;
use accrue_diag::Diagnostic;
use accrue_directives::Language;
use accrue_directives::omp::selectors::Device;

/// A text that is written anew.
pub(super) struct Rewritten {
    pub(super) text: Vec<u8>,
    pub(super) mapped: Mapped,
    pub(super) declared: Declared,
    /// It is another text for compilers of hosts, whether there are regions or not.
    pub(super) for_host: bool,
}

impl Rewritten {
    /// A text as it is.
    pub(super) fn none(text: Vec<u8>) -> Self {
        Rewritten {
            text,
            mapped: Mapped::default(),
            declared: Declared::default(),
            for_host: false,
        }
    }
}

type Step = fn(&[u8], &str) -> Result<Option<Vec<u8>>, Vec<Diagnostic>>;

/// Runs the steps for C with OpenMP.
///
/// # Errors
/// What the steps say.
pub(super) fn rewritten(text: Vec<u8>, file: &str) -> Result<Rewritten, Vec<Diagnostic>> {
    let mut new = Rewritten::none(text);
    new.also_for_host(|text, file| Ok(older_words::names(text, file)), file)?;
    if let Some(text) = array_shapes::rewritten(&new.text, file) {
        new.text = text;
    }
    new.tile(file)?;
    new.also_for_host(paired_variants::rewritten, file)?;
    new.also_for_host(assumptions::rewritten, file)?;
    if let Some((text, known)) = default_mappers::rewritten(&new.text, file) {
        new.mapped = known;
        new.text = text;
    }
    if let Some(text) = apart::rewritten(&new.text, file) {
        new.text = text;
    }
    if let Some(text) = metadirectives::rewritten(&new.text, file)? {
        new.text = text;
    }
    new.also_for_host(dispatch::rewritten, file)?;
    new.also_for_host(interop::rewritten, file)?;
    new.also_for_host(newer_routines::rewritten, file)?;
    new.also_for_host(older_words::rewritten, file)?;
    // A metadirective may have been one of these.
    new.tile(file)?;
    if let Some(text) = error_directives::rewritten(&new.text, file) {
        new.text = text;
    }
    if let Some(text) = critical_locks::rewritten(&new.text, file) {
        new.text = text;
    }
    if let Some((text, declared)) = declared_reductions::rewritten(&new.text, file) {
        new.text = text;
        new.declared = declared;
    }
    Ok(new)
}

impl Rewritten {
    fn tile(&mut self, file: &str) -> Result<(), Vec<Diagnostic>> {
        if let Some(text) = tiles::rewritten(&self.text, file)? {
            self.text = text;
            self.for_host = true;
        }
        Ok(())
    }

    fn also_for_host(&mut self, step: Step, file: &str) -> Result<(), Vec<Diagnostic>> {
        match step(&self.text, file) {
            Ok(Some(text)) => {
                self.text = text;
                self.for_host = true;
            }
            Ok(None) => {}
            Err(_) if !has_regions(&self.text, file) => {}
            Err(mistakes) => return Err(mistakes),
        }
        Ok(())
    }
}

/// Whether some directive is about devices.
pub(super) fn has_regions(text: &[u8], file: &str) -> bool {
    let openmp = sentinel::openmp(text, file, Language::C, Device::Cores);
    !openmp.of_devices.is_empty()
}

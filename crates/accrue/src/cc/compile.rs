//! One source of a command line, from its text to an object or an assembly file.
//!
//! 1. preprocess
//! 2. compile the directives
//! 3. compile host text and companion at the same time
//! 4. join the two
//!
//! A source without directives goes from 1 to the user's compiler. Nothing is left under the output's name when a step
//! fails.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::assembly;
use super::commands::{Commands, Form};
use super::options::Stage;
use super::source::{Input, Language};
use crate::cleanup;
use crate::process::{self, Echo, Failure, Runner};
use crate::scratch::Scratch;
use crate::unit::{self, Unit, UnitRequest};

/// One source and where its result goes.
pub struct SourceUnit<'a> {
    pub input: &'a Input,
    /// Which of the sources it is: temporary names must differ for `a/x.c b/x.c`.
    pub number: usize,
    pub output: &'a Path,
    pub scratch: &'a Scratch,
    pub commands: &'a Commands<'a>,
    pub runner: Runner,
}

impl SourceUnit<'_> {
    pub fn compile(&self, stage: Stage) -> Result<(), Failure> {
        let form = match stage {
            Stage::Assembly => Some(Form::Assembly),
            Stage::Object | Stage::Link => Some(Form::Object),
            Stage::Check | Stage::Preprocess => None,
        };
        match self.input.language {
            Language::C | Language::PreprocessedC => self.compile_c(form),
            Language::Cxx | Language::Fortran | Language::Other | Language::LinkerInput => self
                .runner
                .run(&self.commands.straight(self.input, form, self.output)),
        }
    }

    fn compile_c(&self, form: Option<Form>) -> Result<(), Failure> {
        let (preprocessed, messages) = self.preprocess()?;
        self.runner
            .note(&format!("directives of {}", preprocessed.display()));
        let (host_text, companion) = if self.runner.echo == Echo::ShowOnly {
            (self.temporary("host.i"), self.temporary("acc.c"))
        } else {
            match self.compile_unit(&preprocessed)? {
                // Standard input has been read: only its preprocessed text is left to be compiled.
                Unit::Plain if self.input.is_stdin() => {
                    process::print_messages(&messages);
                    return self.runner.run(&self.commands.host_text(
                        &preprocessed,
                        form,
                        self.output,
                    ));
                }
                // The compiler repeats the messages of the preprocessing step.
                Unit::Plain => {
                    return self
                        .runner
                        .run(&self.commands.straight(self.input, form, self.output));
                }
                Unit::Offload {
                    host_text,
                    companion,
                    warnings,
                } => {
                    process::print_messages(&messages);
                    process::print_messages(warnings.as_bytes());
                    (host_text, companion)
                }
            }
        };
        match form {
            None => self
                .runner
                .run(&self.commands.host_text(&host_text, None, self.output)),
            Some(form) => self.compile_and_join(&host_text, &companion, form),
        }
    }

    /// The preprocessed text and what the preprocessor said.
    fn preprocess(&self) -> Result<(PathBuf, Vec<u8>), Failure> {
        match self.input.language {
            Language::PreprocessedC if !self.input.is_stdin() => {
                Ok((self.input.path.clone(), Vec::new()))
            }
            Language::C
            | Language::PreprocessedC
            | Language::Cxx
            | Language::Fortran
            | Language::Other
            | Language::LinkerInput => {
                let text = self.temporary("i");
                let messages = self
                    .runner
                    .run_quietly(&self.commands.preprocess(self.input, &text))?;
                Ok((text, messages))
            }
        }
    }

    fn compile_unit(&self, preprocessed: &Path) -> Result<Unit, Failure> {
        let request = UnitRequest {
            source: &self.input.path,
            preprocessed,
            scratch: self.scratch.path(),
            options: &self.commands.reader_options(),
            host: self.commands.host(),
        };
        unit::compile_unit(&request).map_err(|errors| {
            process::print_messages(errors.0.as_bytes());
            Failure::Step(1)
        })
    }

    fn compile_and_join(
        &self,
        host_text: &Path,
        companion: &Path,
        form: Form,
    ) -> Result<(), Failure> {
        let host_result = self.temporary(&format!("host.{}", form.extension()));
        if !self.commands.has_auxiliary_outputs() || !self.output_is_file() {
            return self.join(host_text, companion, form, &host_result);
        }
        // `--coverage` and the like name their files after the output, so the host code must be compiled to it.
        cleanup::add(self.output);
        let result = self.join(host_text, companion, form, self.output);
        match result {
            Ok(()) => cleanup::forget(self.output),
            Err(_) => cleanup::remove_now(self.output),
        }
        result
    }

    fn join(
        &self,
        host_text: &Path,
        companion: &Path,
        form: Form,
        host_result: &Path,
    ) -> Result<(), Failure> {
        let companion_result = self.temporary(&format!("acc.{}", form.extension()));
        let joined = self.temporary(&format!("joined.{}", form.extension()));
        self.runner.run_both(
            &self.commands.host_text(host_text, Some(form), host_result),
            &self.commands.companion(companion, form, &companion_result),
        )?;
        match form {
            Form::Object => {
                self.runner
                    .run(&self.commands.join(host_result, &companion_result, &joined))?
            }
            Form::Assembly => {
                self.runner.note(&format!(
                    "{} and {}",
                    host_result.display(),
                    companion_result.display()
                ));
                if self.runner.echo != Echo::ShowOnly {
                    join_assembly(host_result, &companion_result, &joined)?;
                }
            }
        }
        self.runner.note(&format!(
            "{} to {}",
            joined.display(),
            self.output.display()
        ));
        if self.runner.echo == Echo::ShowOnly {
            Ok(())
        } else {
            self.deliver(&joined, form)
        }
    }

    /// Puts a complete result where the user wants it.
    fn deliver(&self, result: &Path, form: Form) -> Result<(), Failure> {
        let cannot_write =
            |error: std::io::Error| format!("cannot write {}: {error}", self.output.display());
        if form == Form::Assembly && self.output == Path::new("-") {
            let text = std::fs::read(result).map_err(cannot_write)?;
            return Ok(std::io::stdout().write_all(&text).map_err(cannot_write)?);
        }
        if !self.output_is_file() {
            return Ok(std::fs::copy(result, self.output)
                .map(drop)
                .map_err(cannot_write)?);
        }
        cleanup::add(self.output);
        match std::fs::copy(result, self.output) {
            Ok(_) => {
                cleanup::forget(self.output);
                Ok(())
            }
            Err(error) => {
                cleanup::remove_now(self.output);
                Err(cannot_write(error).into())
            }
        }
    }

    /// Not `/dev/null`, and nothing else that must not be removed.
    fn output_is_file(&self) -> bool {
        !self.output.exists() || self.output.is_file()
    }

    fn temporary(&self, suffix: &str) -> PathBuf {
        let stem = self
            .input
            .path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy();
        self.scratch
            .file(format!("{}-{stem}.{suffix}", self.number))
    }
}

fn join_assembly(host: &Path, companion: &Path, joined: &Path) -> Result<(), Failure> {
    let read =
        |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let text = assembly::join(&read(host)?, &read(companion)?);
    Ok(std::fs::write(joined, text).map_err(|error| format!("{}: {error}", joined.display()))?)
}

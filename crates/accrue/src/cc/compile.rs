//! One source of a command line, from its text to an object or an assembly file.
//!
//! 1. preprocess
//! 2. compile the directives
//! 3. compile host text and companion at the same time
//! 4. join the two, and what the object carries for the link
//!
//! A source without directives goes from 1 to the user's compiler. Nothing is left under the output's name when a step
//! fails.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::assembly;
use super::auxiliary;
use super::carried;
use super::commands::{Commands, Form};
use super::definitions;
use super::options::Stage;
use super::other_languages;
use super::source::{Input, Language};
use crate::cleanup;
use crate::process::{self, Echo, Failure, Runner};
use crate::scratch::Scratch;
use crate::unit::{self, Errors, Unit, UnitRequest};

/// One source and where its result goes.
pub struct SourceUnit<'a> {
    pub input: &'a Input,
    /// Which of the sources it is: temporary names must differ for `a/x.c b/x.c`.
    pub number: usize,
    pub output: &'a Path,
    /// What gives the files beside the output their names; `None` if they are named after the output itself.
    pub names: Option<&'a [OsString]>,
    pub scratch: &'a Scratch,
    pub commands: &'a Commands<'a>,
    pub runner: Runner<'a>,
}

/// What becomes of a source with directives.
struct Texts<'a> {
    host: &'a Path,
    /// `None` if the link makes it.
    companion: Option<&'a Path>,
    /// Assembly: what the object carries for the link.
    carried: Option<&'a Path>,
}

impl SourceUnit<'_> {
    pub fn compile(&self, stage: Stage) -> Result<(), Failure> {
        if !self.input.is_stdin() || self.runner.echo == Echo::ShowOnly {
            return self.compile_from(stage);
        }
        let copy = self.temporary("stdin");
        File::create(&copy)
            .and_then(|mut file| io::copy(&mut io::stdin().lock(), &mut file))
            .map_err(|error| format!("standard input: {error}"))?;
        SourceUnit {
            runner: Runner {
                stdin: Some(&copy),
                ..self.runner
            },
            ..*self
        }
        .compile_from(stage)
    }

    fn compile_from(&self, stage: Stage) -> Result<(), Failure> {
        let form = match stage {
            Stage::Assembly => Some(Form::Assembly),
            Stage::Object | Stage::Link => Some(Form::Object),
            Stage::Check | Stage::Preprocess => None,
        };
        match self.input.language {
            Language::C | Language::PreprocessedC => self.compile_c(form),
            Language::Cxx | Language::Fortran => self.compile_undirected(form),
            Language::Header => self.runner.run(&self.commands.header(self.input)),
            Language::Other | Language::LinkerInput => self.straight(form),
        }
    }

    /// A C++ or Fortran source: refused if it has directives.
    fn compile_undirected(&self, form: Option<Form>) -> Result<(), Failure> {
        if !self.commands.languages().acc {
            return self.straight(form);
        }
        let (text, _) = self.preprocess()?;
        let language = self.input.language;
        let found = match language {
            Language::Fortran => {
                let folders = self.commands.include_folders();
                other_languages::in_fortran(&text, &self.input.path, &folders)
            }
            Language::C
            | Language::PreprocessedC
            | Language::Header
            | Language::Cxx
            | Language::Other
            | Language::LinkerInput => other_languages::in_cxx(&text, &self.input.path),
        };
        match found {
            Some(found) => Err(found.message(language).into()),
            // The compiler repeats the messages of the preprocessing step.
            None => self.straight(form),
        }
    }

    fn compile_c(&self, form: Option<Form>) -> Result<(), Failure> {
        let (text, messages) = self.preprocess()?;
        self.runner
            .note(&format!("directives of {}", self.input.path.display()));
        if self.runner.echo == Echo::ShowOnly {
            let texts = Texts {
                host: &self.temporary("host.i"),
                companion: Some(&self.temporary("acc.i")),
                carried: None,
            };
            return self.finish(&texts, form);
        }
        let refused = || {
            let refusal = self.commands.refusal()?;
            Some(Failure::from(format!(
                "{}: {refusal}",
                self.input.path.display()
            )))
        };
        let unit = self.compile_unit(text).map_err(|errors| {
            // What the reader does not understand may be that option's meaning.
            if let Some(refused) = refused() {
                return refused;
            }
            process::print_messages(&messages);
            process::print_messages(errors.0.as_bytes());
            Failure::Step(1)
        })?;
        match unit {
            // The compiler repeats the messages of the preprocessing step.
            Unit::Plain => self.straight(form),
            Unit::Offload(offloaded) => {
                if let Some(refused) = refused() {
                    return Err(refused);
                }
                process::print_messages(&messages);
                process::print_messages(offloaded.messages.as_bytes());
                let carried = match &offloaded.record {
                    Some(record) => Some(self.write_carried(record)?),
                    None => None,
                };
                let texts = Texts {
                    host: &offloaded.host_text,
                    companion: offloaded.companion.as_deref(),
                    carried: carried.as_deref(),
                };
                self.finish(&texts, form)
            }
        }
    }

    fn straight(&self, form: Option<Form>) -> Result<(), Failure> {
        let names = self.names.unwrap_or_default();
        let step = self.commands.straight(self.input, form, self.output, names);
        self.runner.run(&step)
    }

    /// The preprocessed text and what the preprocessor said.
    fn preprocess(&self) -> Result<(Vec<u8>, Vec<u8>), Failure> {
        let written = self.temporary("i");
        let preprocessed = self.input.is_preprocessed();
        let messages = match preprocessed {
            true => self
                .runner
                .run_quietly(&self.commands.preprocess(self.input, &written))?,
            false => Vec::new(),
        };
        if self.runner.echo == Echo::ShowOnly {
            return Ok((Vec::new(), messages));
        }
        let text = match preprocessed {
            true => self.commands.read_preprocessed(&written)?,
            false => std::fs::read(self.runner.stdin.unwrap_or(&self.input.path))
                .map_err(|error| format!("{}: {error}", self.input.path.display()))?,
        };
        let defined = self.temporary("definitions.i");
        let text = definitions::expanded(self.commands, self.runner, self.input, text, &defined)?;
        Ok((self.commands.preprocessed_text(self.input, text), messages))
    }

    fn compile_unit(&self, text: Vec<u8>) -> Result<Unit, Errors> {
        let request = UnitRequest {
            source: &self.input.path,
            text,
            languages: self.commands.languages(),
            host_text: self.temporary("host.i"),
            companion: self.temporary("acc.i"),
            options: &self.commands.reader_options(),
            places: self.commands.shows_places(),
            gpu: self.commands.gpu(),
            runner: self.runner,
            explain: self.commands.explain(),
            warnings: self.commands.warnings(),
            invoked: self.commands.invoked(),
        };
        unit::compile_unit(request)
    }

    /// Writes the assembly text of what the object carries.
    fn write_carried(&self, record: &[u8]) -> Result<PathBuf, Failure> {
        let path = self.temporary("ir.s");
        std::fs::write(&path, carried::assembly(record))
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }

    fn finish(&self, texts: &Texts, form: Option<Form>) -> Result<(), Failure> {
        match form {
            None => {
                let step = self.commands.host_text(texts.host, None, self.output, &[]);
                self.runner.run(&step)
            }
            Some(form) => self.compile_and_join(texts, form),
        }
    }

    fn compile_and_join(&self, texts: &Texts, form: Form) -> Result<(), Failure> {
        self.compile_to_output(texts, form)?;
        match auxiliary::stem(self.names.unwrap_or_default()) {
            Some(stem) if self.commands.keeps_intermediates() => self.keep(&stem, form),
            Some(_) | None => Ok(()),
        }
    }

    /// Leaves the preprocessed text and the object where the user's compiler would (`-save-temps`): it has seen neither. The
    /// assembly file is its own.
    fn keep(&self, stem: &OsStr, form: Form) -> Result<(), Failure> {
        let mut kept = vec![];
        if self.input.is_preprocessed() {
            kept.push((self.temporary("i"), "i"));
        }
        match form {
            Form::Object if self.output.starts_with(self.scratch.path()) => {
                kept.push((self.output.to_owned(), "o"));
            }
            Form::Object | Form::Assembly => {}
        }
        for (file, extension) in kept {
            let mut path = stem.to_owned();
            path.push(".");
            path.push(extension);
            let path = PathBuf::from(path);
            if self.runner.echo == Echo::ShowOnly {
                continue;
            }
            std::fs::copy(&file, &path)
                .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        }
        Ok(())
    }

    fn compile_to_output(&self, texts: &Texts, form: Form) -> Result<(), Failure> {
        let host_result = self.temporary(&format!("host.{}", form.extension()));
        let named_after_output = self.commands.has_auxiliary_outputs() && self.names.is_none();
        if !named_after_output || !self.output_is_file() {
            return self.join(texts, form, &host_result);
        }
        // `--coverage` and the like name their files after the output, so the host code must be compiled to it.
        cleanup::add(self.output);
        let result = self.join(texts, form, self.output);
        match result {
            Ok(()) => cleanup::forget(self.output),
            Err(_) => cleanup::remove_now(self.output),
        }
        result
    }

    fn join(&self, texts: &Texts, form: Form, host_result: &Path) -> Result<(), Failure> {
        let companion_result = self.temporary(&format!("acc.{}", form.extension()));
        let joined = self.temporary(&format!("joined.{}", form.extension()));
        let names = self.names.unwrap_or_default();
        let host = self
            .commands
            .host_text(texts.host, Some(form), host_result, names);
        match texts.companion {
            Some(text) => {
                let companion = self.commands.companion(text, form, &companion_result);
                self.runner.run_both(&host, &companion)?;
            }
            None => self.runner.run(&host)?,
        }
        let companion = texts.companion.map(|_| companion_result);
        let mut parts: Vec<PathBuf> = [Some(host_result.to_owned()), companion]
            .into_iter()
            .flatten()
            .collect();
        let mut assembled = None;
        match (form, texts.carried) {
            (Form::Object, Some(carried)) => {
                let object = self.temporary("ir.o");
                self.runner.run(&self.commands.assemble(carried, &object))?;
                assembled = Some(object);
            }
            (Form::Assembly, Some(carried)) => parts.push(carried.to_owned()),
            (Form::Object | Form::Assembly, None) => {}
        }
        match form {
            Form::Object => self
                .runner
                .run(&self.commands.join(&parts, assembled, &joined))?,
            Form::Assembly => {
                let names: Vec<_> = parts.iter().map(|it| it.display().to_string()).collect();
                self.runner.note(&names.join(" and "));
                if self.runner.echo != Echo::ShowOnly {
                    join_assembly(&parts, &joined)?;
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
            |error: io::Error| format!("cannot write {}: {error}", self.output.display());
        if form == Form::Assembly && self.output == Path::new("-") {
            let text = std::fs::read(result).map_err(cannot_write)?;
            return Ok(io::stdout().write_all(&text).map_err(cannot_write)?);
        }
        if !self.output_is_file() {
            return Ok(std::fs::copy(result, self.output)
                .map(drop)
                .map_err(cannot_write)?);
        }
        if form == Form::Object {
            self.make_way();
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

    /// As assemblers do, replaces an older object instead of writing into it: it may be read-only, or have other names.
    fn make_way(&self) {
        if self
            .output
            .metadata()
            .is_ok_and(|data| data.is_file() && data.len() > 0)
        {
            // If this fails, writing fails too and says why.
            let _ = std::fs::remove_file(self.output);
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

fn join_assembly(parts: &[PathBuf], joined: &Path) -> Result<(), Failure> {
    let mut text = Vec::new();
    for path in parts {
        let part = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        text = match text.is_empty() {
            true => part,
            false => assembly::join(&text, &part),
        };
    }
    Ok(std::fs::write(joined, text).map_err(|error| format!("{}: {error}", joined.display()))?)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::super::arguments::Invocation;
    use super::super::options::Role;
    use super::*;
    use crate::host::{self, HostCompiler};

    const HOST: &str = "# 1 \"user.c\"\nextern int kernel(int);\nstatic int twice(int x) { return x + x; }\n\
                        int main(void) { int s = 0; for (int i = 0; i < 3; i++) s += twice(i); return s + kernel(1) - 7; }\n";
    const COMPANION: &str = "static int twice(int x) { return x * 2; }\n\
                             int kernel(int x) { int s = -1; for (int i = 0; i < x; i++) s += twice(i + 1); return s; }\n";

    /// Compiles the two texts with the user's `options` and links the result; the exit status of the program.
    fn join_and_run(options: &[&str], form: Form, companion: &str) -> (Option<i32>, Scratch) {
        let scratch = Scratch::new(false).unwrap();
        let words: Vec<OsString> = options.iter().map(OsString::from).collect();
        let invocation = Invocation::read(&host::C, &words).unwrap();
        let host = HostCompiler::find(&host::C, None).unwrap();
        let commands = Commands::new(&invocation, &host, Path::new("include"));
        let output = scratch.file(format!("result.{}", form.extension()));
        let (host_text, companion_text) = (scratch.file("host.i"), scratch.file("companion.c"));
        std::fs::write(&host_text, HOST).unwrap();
        std::fs::write(&companion_text, companion).unwrap();
        let input = Input::new(&host::C, "user.c".as_ref(), None);
        let unit = SourceUnit {
            input: &input,
            number: 0,
            output: &output,
            names: None,
            scratch: &scratch,
            commands: &commands,
            runner: Runner::new(Echo::Silent),
        };
        let texts = Texts {
            host: &host_text,
            companion: Some(&companion_text),
            carried: None,
        };
        if unit.compile_and_join(&texts, form).is_err() {
            return (None, scratch);
        }
        let program = scratch.file("program");
        let options =
            invocation.options(|role| role.concerns_code() || role == Role::AuxiliaryOutput);
        let linked = Command::new(&host.words()[0])
            .args(options)
            .arg(&output)
            .arg("-o")
            .arg(&program)
            .status()
            .unwrap();
        assert!(linked.success());
        let status = Command::new(&program)
            .current_dir(scratch.file(""))
            .status()
            .unwrap();
        (status.code(), scratch)
    }

    #[test]
    fn object_and_assembly_hold_both_parts() {
        let option_sets: [&[&str]; 5] = [
            &[],
            &["-O2", "-g"],
            &["-fPIC", "-Wall", "-Werror", "-pedantic"],
            &["-O2", "-flto"],
            &["-std=c99", "-DX"],
        ];
        for options in option_sets {
            for form in [Form::Object, Form::Assembly] {
                if form == Form::Assembly && options.contains(&"-flto") {
                    continue;
                }
                assert_eq!(
                    join_and_run(options, form, COMPANION).0,
                    Some(0),
                    "{options:?} {form:?}"
                );
            }
        }
    }

    #[test]
    fn a_broken_companion_leaves_no_output() {
        for options in [&[][..], &["--coverage"]] {
            let (status, scratch) = join_and_run(options, Form::Object, "#error broken\n");
            assert_eq!(status, None);
            assert!(!scratch.file("result.o").exists(), "{options:?}");
        }
    }

    #[test]
    fn files_beside_the_output_are_named_after_it() {
        let (status, scratch) = join_and_run(&["--coverage"], Form::Object, COMPANION);
        assert_eq!(status, Some(0));
        assert!(scratch.file("result.gcno").exists());
    }
}

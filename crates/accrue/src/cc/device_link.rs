//! The link's part in device code across units: finds the records in what is linked, has the missing companions made, and says where
//! they go on the command line.
//!
//! ```text
//! accrue cc a.o b.o -L. -lc -o app      →      cc a.o <companion of a.o> b.o -L. -lc <archive of companions> -o app …
//! ```
//! The companion of an object stands behind it. Those of an archive's members are an archive behind it: a linker takes from it what the
//! members that it has taken refer to.
//!
//! Cost: of the inputs only the sections of records are read, and the texts of those that are needed.

use std::collections::{BTreeMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use accrue_diag::{Diagnostic, SourceFiles};
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ReadCache, ReadRef};

use super::Session;
use super::arguments::{Invocation, Item};
use super::commands::{Commands, Form};
use super::options::Role;
use super::source::Language;
use crate::device_link::complete::{Asked, complete, described};
use crate::device_link::record::{Invoked, SECTION, Unreadable, sealed};
use crate::device_link::resolve::{Found, Routines};
use crate::host::{self, HostCompiler};
use crate::process::{self, Echo, Failure, Step};
use crate::scratch::Scratch;
use crate::unit;

/// What stands behind items of the command line, by their numbers.
#[derive(Default)]
pub struct Companions(BTreeMap<usize, Vec<PathBuf>>);

impl Companions {
    /// The files behind an item.
    pub fn behind(&self, item: usize) -> &[PathBuf] {
        self.0.get(&item).map_or(&[], Vec::as_slice)
    }
}

/// A file that is linked: which item of the command line it is.
struct Input {
    item: usize,
    path: PathBuf,
    /// It stands there by this name, not as an object that has just been made.
    name: String,
}

/// Records of the inputs.
#[derive(Default)]
struct Records {
    found: Vec<Found>,
    /// The item of each.
    items: Vec<usize>,
    unreadable: Vec<(String, Unreadable)>,
}

/// Makes the companions that are missing in what is linked. `objects` are the compiled sources.
pub fn companions(
    session: &Session,
    scratch: &Scratch,
    objects: &[PathBuf],
) -> Result<Companions, Failure> {
    let invocation = &session.invocation;
    if session.runner.echo == Echo::ShowOnly
        || invocation.has(|role| matches!(role, Role::LinkRelocatable))
    {
        return Ok(Companions::default());
    }
    let mut records = Records::default();
    for input in inputs(invocation, objects) {
        records.read(&input);
    }
    let incomplete = records.incomplete();
    records.check_versions(!incomplete.is_empty())?;
    let work = Work {
        session,
        scratch,
        routines: Routines::of(&records.found),
        records: &records,
    };
    work.run(&incomplete)
}

/// The files that the command line names, in order.
fn inputs(invocation: &Invocation, objects: &[PathBuf]) -> Vec<Input> {
    let mut objects = objects.iter();
    let folders = library_folders(invocation);
    let mut found = vec![];
    for (item, part) in invocation.items.iter().enumerate() {
        let (path, name) = match part {
            Item::Input(input) if input.language == Language::LinkerInput => {
                (Some(input.path.clone()), &input.path)
            }
            Item::Input(input) => (objects.next().cloned(), &input.path),
            Item::Option { words, .. } => {
                let path = library(words).and_then(|library| find(&library, &folders));
                found.extend(path.map(|path| Input {
                    item,
                    name: path.display().to_string(),
                    path,
                }));
                continue;
            }
        };
        found.extend(path.map(|path| Input {
            item,
            path,
            name: name.display().to_string(),
        }));
    }
    found
}

/// The folders of `-L`.
fn library_folders(invocation: &Invocation) -> Vec<PathBuf> {
    let options = invocation.items.iter().filter_map(|item| match item {
        Item::Option { words, .. } => argument(words, "-L"),
        Item::Input(_) => None,
    });
    options.map(PathBuf::from).collect()
}

/// The library that an option names.
fn library(words: &[OsString]) -> Option<OsString> {
    argument(words, "-l")
}

/// The argument of an option that may be written with it or behind it.
fn argument(words: &[OsString], option: &str) -> Option<OsString> {
    let (first, rest) = words.split_first()?;
    match first.as_bytes().strip_prefix(option.as_bytes())? {
        b"" => rest.first().cloned(),
        joined => Some(OsStr::from_bytes(joined).to_owned()),
    }
}

/// The archive of a library in these folders, if no shared library is in front of it.
fn find(library: &OsStr, folders: &[PathBuf]) -> Option<PathBuf> {
    let name = library.to_string_lossy();
    let names = match name.strip_prefix(':') {
        Some(file) => vec![file.to_string()],
        None => vec![format!("lib{name}.so"), format!("lib{name}.a")],
    };
    let files = folders
        .iter()
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)));
    let first = files.into_iter().find(|path| path.is_file());
    first.filter(|path| path.extension().is_some_and(|it| it != "so"))
}

impl Records {
    /// Reads what an input has. What is no object and no archive has nothing, and the linker says what is wrong with it.
    fn read(&mut self, input: &Input) {
        let Ok(file) = File::open(&input.path) else {
            return;
        };
        let cache = ReadCache::new(file);
        let mut magic = [0; 8];
        magic.copy_from_slice(cache.read_bytes_at(0, 8).unwrap_or(&[0; 8]));
        if !matches!(&magic, b"!<arch>\n" | b"!<thin>\n") {
            self.read_object(&cache, &input.name, None, input.item);
            return;
        }
        let Ok(archive) = ArchiveFile::parse(&cache) else {
            return;
        };
        for member in archive.members().flatten() {
            let member_name = String::from_utf8_lossy(member.name()).into_owned();
            let name = format!("{}({member_name})", input.name);
            if member.is_thin() {
                let folder = input.path.parent().unwrap_or(Path::new(""));
                if let Ok(file) = File::open(folder.join(&member_name)) {
                    let cache = ReadCache::new(file);
                    self.read_object(&cache, &name, Some(input.item), input.item);
                }
                continue;
            }
            let (offset, size) = member.file_range();
            self.read_object(
                cache.range(offset, size),
                &name,
                Some(input.item),
                input.item,
            );
        }
    }

    fn read_object<'a>(
        &mut self,
        data: impl ReadRef<'a>,
        name: &str,
        archive: Option<usize>,
        item: usize,
    ) {
        let Ok(file) = object::File::parse(data) else {
            return;
        };
        let Some(section) = file.section_by_name(SECTION) else {
            return;
        };
        for one in sealed(section.data().unwrap_or_default()) {
            match one {
                Ok(sealed) => {
                    self.found.push(Found {
                        object: name.to_string(),
                        archive,
                        sealed,
                    });
                    self.items.push(item);
                }
                Err(why) => self.unreadable.push((name.to_string(), why)),
            }
        }
    }

    /// The records whose companions are missing, each unit once.
    fn incomplete(&self) -> Vec<usize> {
        let mut seen = HashSet::new();
        let numbers = 0..self.found.len();
        let is_new = |number: &usize| {
            let record = &self.found[*number].sealed.record;
            record.regions.is_some() && seen.insert(record.number.clone())
        };
        numbers.filter(is_new).collect()
    }

    /// Refuses records that cannot be read, if any of them may be needed.
    fn check_versions(&self, any_needed: bool) -> Result<(), Failure> {
        let needed = |(_, why): &&(String, Unreadable)| match why {
            Unreadable::Version { incomplete, .. } => any_needed || *incomplete,
            Unreadable::Damaged => true,
        };
        match self.unreadable.iter().find(needed) {
            Some((object, why)) => Err(described(object, why).into()),
            None => Ok(()),
        }
    }
}

/// The making of companions.
struct Work<'a> {
    session: &'a Session,
    scratch: &'a Scratch,
    records: &'a Records,
    routines: Routines<'a>,
}

impl Work<'_> {
    fn run(&self, incomplete: &[usize]) -> Result<Companions, Failure> {
        let (mut steps, mut outputs) = (vec![], vec![]);
        for number in incomplete {
            let (step, output) = self.companion(*number)?;
            steps.push(step);
            outputs.push((*number, output));
        }
        let at_once = std::thread::available_parallelism().map_or(1, usize::from);
        for some in steps.chunks(at_once) {
            for (done, messages) in self.session.runner.run_all(some)? {
                process::print_messages(&messages);
                if !done {
                    return Err(Failure::Step(1));
                }
            }
        }
        let mut companions = Companions::default();
        let mut of_archives: BTreeMap<usize, Vec<PathBuf>> = BTreeMap::new();
        for (number, output) in outputs {
            let item = self.records.items[number];
            let place = match self.records.found[number].archive {
                Some(_) => of_archives.entry(item).or_default(),
                None => companions.0.entry(item).or_default(),
            };
            place.push(output);
        }
        for (item, members) in of_archives {
            let archive = self.scratch.file(format!("link-{item}.a"));
            let mut step: Step = vec!["ar".into(), "rcs".into(), archive.clone().into()];
            step.extend(members.into_iter().map(OsString::from));
            self.session.runner.run(&step)?;
            companions.0.entry(item).or_default().push(archive);
        }
        Ok(companions)
    }

    /// Makes the text of a companion; gives the step that compiles it, and what that makes.
    fn companion(&self, number: usize) -> Result<(Step, PathBuf), Failure> {
        let found = &self.records.found[number];
        let record = &found.sealed.record;
        let failed = |messages: Vec<Diagnostic>| {
            print(&messages);
            Failure::Step(1)
        };
        let Some(regions) = &record.regions else {
            return Err(described(&found.object, &Unreadable::Damaged).into());
        };
        let (compiler, invocation) = self.asked(&regions.invoked)?;
        let host = compiler.as_ref().unwrap_or(&self.session.host);
        let commands = Commands::new(&invocation, host, self.session.home.include()?);
        let asked = Asked {
            gpu: commands.gpu(),
            places: commands.shows_places(),
            warnings: commands.warnings(),
            runner: self.session.runner,
        };
        let note = format!("device code of {} in {}", record.source, found.object);
        self.session.runner.note(&note);
        let file = |extension: &str| self.scratch.file(format!("link-{number}.{extension}"));
        let made = complete(
            &self.records.found,
            &self.routines,
            number,
            &asked,
            &file("acc"),
        );
        let made = made.map_err(failed)?;
        print(&made.messages);
        let text = file("acc.i");
        std::fs::write(&text, made.text)
            .map_err(|error| format!("cannot write {}: {error}", text.display()))?;
        let output = file("acc.o");
        let mut step = commands.companion(&text, Form::Object, &output);
        // Archives of the usual program have no index of the code that link-time optimisation takes.
        step.push("-fno-lto".into());
        Ok((step, output))
    }

    /// The compiler and the command line that a unit was compiled with; `None` for a compiler that is not here.
    fn asked(&self, invoked: &Invoked) -> Result<(Option<HostCompiler>, Invocation), Failure> {
        let words: Vec<OsString> = invoked.words.iter().map(OsString::from).collect();
        let compiler = HostCompiler::find(&host::C, Some(OsStr::new(&invoked.compiler)));
        Ok((compiler.ok(), Invocation::read(&host::C, &words)?))
    }
}

fn print(messages: &[Diagnostic]) {
    process::print_messages(unit::render(messages, &SourceFiles::default()).as_bytes());
}

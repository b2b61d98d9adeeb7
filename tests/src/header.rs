//! The header of a test program: one line that says what it checks, then `// key: value` lines.
//!
//! ```c
//! // Launches on three queues.
//! // args: 17 4
//! // cflags: -DN=8 -ffast-math
//! // option-sets: foo.options
//! // with: helper.part.c
//! // needs-clang: 15 (what it is for)
//! // env: ACC_NUM_CORES=1
//! // modes: discrete gpu (host and device copies differ on purpose)
//! // launches: 3
//! // expect-output: foo.expect
//! // timeout: 30
//! // finds: out of bounds: read of 4 bytes
//! // status: 134
//! // counters: divergent == 0, load-eff >= 0.99
//! ```
//!
//! The first line and lines without a key are prose for the reader. Reading stops at the first line that is not a `//` comment. An unknown
//! key is an error, so that a misspelt one cannot silently switch a check off.

use crate::counters::Claim;
use crate::mode::Mode;
use std::time::Duration;

/// What the header of a test program asks for.
#[derive(Debug, Clone)]
pub struct Header {
    /// Command-line arguments of the program.
    pub args: Vec<String>,
    /// Options for both compilers.
    pub cflags: Vec<String>,
    /// The file with sets of options for our compiler, one per line: the program is a test of its own with each of them.
    pub option_sets: Option<String>,
    /// The set of options of this test.
    pub options: Vec<String>,
    /// Further source files, relative to the program.
    pub with: Vec<String>,
    /// The first version of clang that can read the program.
    pub needs_clang: Option<u32>,
    /// Environment of the program in all modes.
    pub env: Vec<(String, String)>,
    /// Modes to run in; empty when the header does not say.
    pub modes: Vec<Mode>,
    /// The number of kernel launches that must be seen at least.
    pub launches: usize,
    /// The file with the expected output, for programs whose output plain `cc` cannot know.
    pub expect_output: Option<String>,
    /// Parts of the simulator's message about the program; `nothing` for a program without a mistake.
    pub finds: Vec<String>,
    /// Exit status of a program in which the simulator finds something.
    pub status: i32,
    /// What must hold of the simulator's counters of each kernel.
    pub counters: Vec<Claim>,
    /// Limit for one run of the program.
    pub timeout: Duration,
}

impl Default for Header {
    fn default() -> Self {
        Header {
            args: Vec::new(),
            cflags: Vec::new(),
            option_sets: None,
            options: Vec::new(),
            with: Vec::new(),
            needs_clang: None,
            env: Vec::new(),
            modes: Vec::new(),
            launches: 1,
            expect_output: None,
            finds: Vec::new(),
            status: 1,
            counters: Vec::new(),
            timeout: Duration::from_secs(20),
        }
    }
}

impl Header {
    /// Reads the header of a program's text.
    pub fn parse(text: &str) -> Result<Header, String> {
        let mut header = Header::default();
        for (index, line) in text.lines().enumerate().skip(1) {
            let Some(comment) = line.strip_prefix("//") else {
                break;
            };
            if let Some((key, value)) = key_and_value(comment) {
                header
                    .set(key, value)
                    .map_err(|why| format!("line {}: {why}", index + 1))?;
            }
        }
        Ok(header)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let words = || value.split_whitespace().map(str::to_owned);
        match key {
            "args" => self.args.extend(words()),
            "cflags" => self.cflags.extend(words()),
            "option-sets" => self.option_sets = Some(value.to_owned()),
            "with" => self.with.extend(words()),
            "needs-clang" => self.needs_clang = Some(number(without_reason(value)?.trim())?),
            "env" => {
                for word in words() {
                    let (name, setting) = word
                        .split_once('=')
                        .ok_or_else(|| format!("env: `{word}` is not NAME=VALUE"))?;
                    self.env.push((name.to_owned(), setting.to_owned()));
                }
            }
            "modes" => {
                let names = without_reason(value)?;
                for name in names.split_whitespace() {
                    self.modes.extend(Mode::named(name)?);
                }
            }
            "launches" => self.launches = number(value)?,
            "expect-output" => self.expect_output = Some(value.to_owned()),
            "finds" => self.finds.push(value.to_owned()),
            "status" => self.status = number(value)?,
            "counters" => {
                let claims: Result<Vec<_>, _> = value.split(',').map(Claim::parse).collect();
                self.counters.extend(claims?);
            }
            "timeout" => {
                let seconds: u32 = number(value)?;
                self.timeout = Duration::from_secs(seconds.into());
            }
            _ => return Err(format!("unknown header key `{key}`")),
        }
        Ok(())
    }
}

/// Splits `" key: value"`; prose (spaces in the key, no value) gives none.
fn key_and_value(comment: &str) -> Option<(&str, &str)> {
    let (key, value) = comment.trim().split_once(": ")?;
    let is_key = !key.is_empty() && key.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    is_key.then(|| (key, value.trim()))
}

/// Takes the reason in brackets off a value that leaves something out: it needs one.
fn without_reason(value: &str) -> Result<&str, String> {
    match value.split_once('(') {
        Some((names, reason)) if reason.trim_end().ends_with(')') => Ok(names),
        _ => Err("give the reason in brackets".to_owned()),
    }
}

fn number<T: std::str::FromStr>(value: &str) -> Result<T, String> {
    value
        .parse()
        .map_err(|_| format!("`{value}` is not a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_keys_and_skips_prose() {
        let text = "// Checks a thing: it works.\n// args: 1 2\n// modes: discrete gpu (why not)\n// launches: 3\nint x;\n// args: 9\n";
        let header = Header::parse(text).expect("a valid header");
        assert_eq!(header.args, ["1", "2"]);
        assert_eq!(
            header.modes,
            [
                Mode::Discrete,
                Mode::Sim,
                Mode::OpenCl,
                Mode::OpenClCores,
                Mode::Nvidia
            ]
        );
        assert_eq!(header.launches, 3);
    }

    #[test]
    fn refuses_unknown_keys_and_missing_reasons() {
        assert!(Header::parse("// Prose.\n// launchs: 3\n").is_err());
        assert!(Header::parse("// Prose.\n// modes: shared\n").is_err());
        assert!(Header::parse("// Prose.\n// modes: lunar (why)\n").is_err());
    }
}

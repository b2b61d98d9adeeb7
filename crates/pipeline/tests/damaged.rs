//! Damaged IR texts: reading says what is wrong or gives a module, and passes report mistakes or change the module. Nothing
//! panics, and no pass leaves IR that the verifier refuses.
//!
//! The texts of `cases` are damaged at random, word by word and line by line, always in the same way; the first word of each
//! report names the text and the number that repeats it. A longer hunt, from another seed:
//!
//! ```text
//! ACCRUE_DAMAGED=20000,7 cargo test --release -p accrue-pipeline --test damaged
//! ```

use accrue_dialects as _;
use accrue_ir::text::parse;
use accrue_opt::{Pass, State, Target};
use accrue_pipeline::{PASSES, run_pass};
use pliron::{builtin::ops::ModuleOp, context::Context, operation::Operation};
use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
};

/// How many damaged texts a test run tries.
const COUNT: u64 = 150;

struct Random(u64);

impl Random {
    fn new(seed: u64, number: u64) -> Random {
        Random((seed << 32 | number).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }

    fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }
}

/// The IR texts in a folder, without their headers.
fn texts(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(folder);
    let entries = fs::read_dir(folder).expect("the folder of texts");
    let mut paths: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "ir"));
    paths.sort();
    let text = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("a text");
        let lines = text.lines().filter(|line| !line.starts_with("//"));
        lines.map(|line| format!("{line}\n")).collect()
    };
    paths.iter().map(|p| (p.clone(), text(p))).collect()
}

/// Cuts a line into names, numbers and strings, and single characters.
fn words(line: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || "_.\"".contains(c);
    let mut out = vec![];
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, behind) = rest.split_at(end);
        out.push(word);
        rest = behind;
    }
    out
}

/// The text without the locations at the ends of its operations: most damage to a line with one is found by its number.
fn without_locations(text: &str) -> String {
    let body = text.split("outlined_attributes").next().unwrap_or(text);
    let mut out = String::new();
    let mut rest = body.chars().peekable();
    while let Some(c) = rest.next() {
        if c == '!' && rest.peek().is_some_and(char::is_ascii_digit) {
            while rest.next_if(char::is_ascii_digit).is_some() {}
        } else {
            out.push(c);
        }
    }
    out
}

/// The text with some damage.
fn damage(text: &str, other: &str, random: &mut Random) -> String {
    let (body, locations) = match text.find("outlined_attributes") {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let mut lines: Vec<String> = body.lines().map(str::to_string).collect();
    let donors: Vec<&str> = other.lines().collect();
    for _ in 0..1 + random.below(3) {
        let at = random.below(lines.len());
        match random.below(12) {
            0 => drop(lines.remove(at)),
            1 => {
                let with = random.below(lines.len());
                lines.swap(at, with);
            }
            2 => {
                let line = lines[random.below(lines.len())].clone();
                lines.insert(at, line);
            }
            3 => lines.insert(at, random.of(&donors).to_string()),
            _ => lines[at] = damaged_line(&lines[at], &lines, &donors, random),
        }
        if lines.is_empty() {
            break;
        }
    }
    lines
        .iter()
        .map(|line| format!("{line}\n"))
        .collect::<String>()
        + locations
}

fn damaged_line(line: &str, lines: &[String], donors: &[&str], random: &mut Random) -> String {
    const ODD: [&str; 12] = [
        "0",
        "-1",
        "1",
        "18446744073709551616",
        "4294967295",
        "i1",
        "i128",
        "v0",
        "v5",
        "\"\"",
        "}",
        "None",
    ];
    let mut line = words(line);
    let own = words(&lines[random.below(lines.len())]);
    let other = words(random.of(donors));
    let Some(last) = line.len().checked_sub(1) else {
        return random.of(&ODD).to_string();
    };
    let at = random.below(last + 1);
    match random.below(12) {
        0 => drop(line.remove(at)),
        1 => line[at] = random.of(&ODD),
        2 if !other.is_empty() => line[at] = random.of(&other),
        3 if !own.is_empty() => line[at] = random.of(&own),
        4 => line.swap(at, random.below(last + 1)),
        // A word of the same kind in the place of one is the damage that the verifier notices least.
        _ => {
            let own: Vec<_> = own.iter().filter(|w| kind(w) == kind(line[at])).collect();
            let other: Vec<_> = other.iter().filter(|w| kind(w) == kind(line[at])).collect();
            let all = [own, other].concat();
            if !all.is_empty() {
                line[at] = all[random.below(all.len())];
            }
        }
    }
    line.concat()
}

/// Values, other names, numbers and the rest.
fn kind(word: &str) -> u8 {
    let mut letters = word.chars();
    match letters.next() {
        Some('v') if letters.all(|c| c.is_ascii_digit()) => 0,
        Some(c) if c.is_alphabetic() => 1,
        Some(c) if c.is_ascii_digit() => 2,
        Some(_) | None => 3,
    }
}

/// What is wrong with how the text is treated by the passes; `None`: nothing.
fn trouble(text: &str, target: Target, passes: &[Pass]) -> Option<String> {
    let mut ctx = Context::new();
    let operation = match catch_unwind(AssertUnwindSafe(|| parse(&mut ctx, text))) {
        Ok(parsed) => parsed.ok()?,
        Err(_) => return Some("reading panics".to_string()),
    };
    let module = Operation::get_op::<ModuleOp>(operation, &ctx)?;
    let mut state = State {
        target,
        ..State::default()
    };
    for pass in passes {
        let run = AssertUnwindSafe(|| run_pass(&mut ctx, module, pass, &mut state));
        match catch_unwind(run) {
            Ok(Ok(())) => {}
            Ok(Err(diagnostics)) => {
                let mut internal = diagnostics
                    .iter()
                    .filter(|d| d.message.starts_with("the IR is wrong"));
                return internal.next().map(|d| d.message.clone());
            }
            Err(_) => return Some(format!("the pass {} panics", pass.name)),
        }
    }
    None
}

/// Count and seed.
fn extent() -> (u64, u64) {
    let given = std::env::var("ACCRUE_DAMAGED").unwrap_or_default();
    let mut numbers = given.split(',').map(|word| word.parse().ok());
    let mut next = || numbers.next().flatten();
    (next().unwrap_or(COUNT), next().unwrap_or(1))
}

#[test]
fn damaged_texts_are_reported() {
    let cases = texts("cases");
    let (count, seed) = extent();
    let mut found = vec![];
    for number in 0..count {
        let mut random = Random::new(seed, number);
        random.below(1);
        let (path, text) = &cases[random.below(cases.len())];
        let (_, other) = &cases[random.below(cases.len())];
        let (text, other) = match random.below(4) {
            0 => (text.clone(), other.clone()),
            _ => (without_locations(text), without_locations(other)),
        };
        let damaged = damage(&text, &other, &mut random);
        let target = [Target::CPU, Target::NVIDIA][random.below(2)];
        // As `accrue opt` runs them: all, or one by itself.
        let passes = match random.below(3) {
            0 => {
                let only = random.below(PASSES.len());
                &PASSES[only..=only]
            }
            _ => PASSES,
        };
        if let Some(trouble) = trouble(&damaged, target, passes) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            found.push(format!("{name}-{number} ({target:?}): {trouble}"));
            if let Some(folder) = std::env::var_os("ACCRUE_DAMAGED_KEEP") {
                let file = Path::new(&folder).join(format!("{name}-{seed}-{number}.ir"));
                fs::write(file, &damaged).expect("writing the text");
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Texts that were treated badly once.
#[test]
fn texts_found_before_are_reported() {
    let texts = texts("damaged");
    assert!(!texts.is_empty());
    for (path, text) in texts {
        for target in [Target::CPU, Target::NVIDIA] {
            let trouble = trouble(&text, target, PASSES);
            assert_eq!(trouble, None, "{} for {target:?}", path.display());
        }
    }
}

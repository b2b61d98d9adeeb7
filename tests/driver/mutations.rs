//! Malformed directives, many of them: the driver must answer each with a message or an object, never with a panic.
//!
//! A directive is taken from the corpus, damaged a little, and compiled. The damage comes from a generator with a fixed
//! seed, so that a failure can be repeated.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use libtest_mimic::Failed;

/// Well-formed directives to start from; together they have every kind of clause argument.
const CORPUS: &[&str] = &[
    "parallel loop copy(a[0:n]) reduction(+ : s) num_gangs(4) vector_length(n + 1)",
    "parallel loop collapse(2) gang(num: 4, static: *) device_type(nvidia, host) vector(32)",
    "kernels loop independent copyin(readonly: a[0:n]) copyout(zero: b) async(1) wait(devnum: 0: queues: 1, 2)",
    "serial loop private(s) firstprivate(n) default(none) present(a) if(n > 3) self",
    "data copy(a, b[0:n]) create(s) no_create(b[:n]) attach(p) if_present",
    "enter data copyin(a[0:n]) create(b) async wait",
    "exit data copyout(a[0:n]) delete(b) detach(p) finalize",
    "update self(a[0:n]) device(b[1:n - 1]) if_present device_type(*) async(n)",
    "host_data use_device(a, p) if(n) if_present",
    "wait(1, 2) async(3) if(n)",
    "atomic capture",
    "routine(f) seq nohost bind(\"g\")",
    "declare create(a) device_resident(b) link(s)",
    "cache(readonly: a[0:4])",
    "init device_type(host) device_num(0) if(n)",
    "set default_async(2) device_num(1)",
];

const FRAGMENTS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    ":",
    ",",
    ";",
    "\"",
    "'",
    "{",
    "}",
    "\\",
    "#",
    "@",
    "0x",
    "1e",
    "99999999999999999999",
    "é",
    "copy(",
    "reduction(",
    "collapse(0)",
    "gang gang",
    "if()",
    "a[",
    "n,,n",
    "*",
    "+",
    "device_type()",
    "acc",
    "/*",
    "//",
];

/// Compiles `count` damaged directives of the series `seed` in `directory`.
pub fn check(accrue: &Path, directory: &Path, seed: u64, count: u32) -> Result<(), Failed> {
    fs::create_dir_all(directory)?;
    let source = directory.join("mutated.c");
    let object = directory.join("mutated.o");
    let mut random = Random(seed);
    for _ in 0..count {
        let directive = mutate(&mut random);
        fs::write(&source, program(&directive))?;
        let output = Command::new(accrue)
            .args(["cc", "-fopenacc", "-w", "-c"])
            .arg(&source)
            .arg("-o")
            .arg(&object)
            .stdin(Stdio::null())
            .output()?;
        let messages = String::from_utf8_lossy(&output.stderr);
        let sound = match output.status.code() {
            Some(0) => fs::remove_file(&object).is_ok(),
            Some(1) => !object.exists() && messages.contains("error"),
            Some(_) | None => false,
        };
        if !sound || messages.contains("panicked") {
            return Err(format!("#pragma acc {directive}\n{}\n{messages}", output.status).into());
        }
    }
    Ok(())
}

fn program(directive: &str) -> String {
    format!(
        "int f(int);\nvoid g(int n, float *p) {{\n    float a[100], b[100], s = 0;\n#pragma acc {directive}\n    \
         for (int i = 0; i < n; i++)\n        for (int j = 0; j < 4; j++) {{ a[i] = b[j]; s += a[i]; }}\n    \
         p[0] = s;\n}}\n"
    )
}

fn mutate(random: &mut Random) -> String {
    let mut words: Vec<char> = random.pick(CORPUS).chars().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(words.len() + 1);
        let end = (at + 1 + random.below(6)).min(words.len());
        match random.below(4) {
            0 => drop(words.drain(at.min(end)..end)),
            1 => drop(words.splice(at..at, random.pick(FRAGMENTS).chars())),
            2 => {
                let piece = words[at.min(end)..end].to_vec();
                let to = random.below(words.len() + 1);
                words.splice(to..to, piece);
            }
            _ => words.truncate(at),
        }
    }
    words.into_iter().collect()
}

/// A small linear congruential generator (Knuth's MMIX constants).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

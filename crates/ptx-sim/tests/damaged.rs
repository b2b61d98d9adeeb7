//! Damaged texts: loading says what is wrong or loads; it never panics. What loads also runs without a panic.

use accrue_ptx_sim::{Checks, Gpu, Launch, Options};
use std::{fs, path::Path};

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }
}

fn texts() -> Vec<String> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut out = Vec::new();
    for directory in ["ptx", "bad"] {
        let mut paths: Vec<_> = fs::read_dir(tests.join(directory))
            .unwrap()
            .map(|e| e.unwrap().path())
            .collect();
        paths.sort();
        out.extend(paths.iter().map(|p| fs::read_to_string(p).unwrap()));
    }
    out
}

/// Cuts a text into words and what is between them.
fn words(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    let class = |c: char| {
        if c.is_alphanumeric() || "_%$".contains(c) {
            1
        } else if c.is_whitespace() {
            2
        } else {
            0
        }
    };
    let mut last = None;
    for (at, c) in text.char_indices() {
        let now = class(c);
        if at > start && (now == 0 || last != Some(now)) {
            out.push(&text[start..at]);
            start = at;
        }
        last = Some(now);
    }
    out.push(&text[start..]);
    out
}

fn damage(text: &str, other: &str, random: &mut Random) -> String {
    let mut words: Vec<String> = words(text).into_iter().map(str::to_string).collect();
    let donors = self::words(other);
    for _ in 0..1 + random.below(3) {
        let at = random.below(words.len());
        match random.below(6) {
            0 => {
                words.remove(at);
            }
            1 => words.insert(at, donors[random.below(donors.len())].to_string()),
            2 => words[at] = donors[random.below(donors.len())].to_string(),
            3 => {
                let from = random.below(words.len());
                words.swap(at, from);
            }
            4 => words.truncate(at + 1),
            _ => {
                const NUMBERS: [&str; 8] = [
                    "0",
                    "-1",
                    "18446744073709551615",
                    "4294967296",
                    "1",
                    "0f7FC00000",
                    "1000000000000",
                    "65536",
                ];
                words[at] = NUMBERS[random.below(NUMBERS.len())].to_string();
            }
        }
        if words.is_empty() {
            break;
        }
    }
    words.concat()
}

#[test]
fn damaged_texts_do_not_panic() {
    let texts = texts();
    let mut random = Random(0x1234_5678_9abc_def1);
    let (mut loaded, mut refused) = (0, 0);
    for round in 0..3000 {
        let text = damage(
            &texts[round % texts.len()],
            &texts[random.below(texts.len())],
            &mut random,
        );
        let options = Options {
            cores: 1,
            memory: 1 << 26,
            checks: if round % 2 == 0 {
                Checks::ALL
            } else {
                Checks::NONE
            },
            instruction_limit: Some(3000),
            print: std::sync::Arc::new(|_| {}),
            ..Options::default()
        };
        let gpu = Gpu::new(options);
        match gpu.load(&text) {
            Err(error) => {
                refused += 1;
                assert!(error.line >= 1 && !error.message.is_empty());
            }
            Ok(module) => {
                loaded += 1;
                for name in module.kernels() {
                    let kernel = module.kernel(&name).unwrap();
                    let address = gpu.alloc(1024).unwrap();
                    let mut params = vec![0; kernel.param_bytes() as usize];
                    params
                        .chunks_exact_mut(8)
                        .for_each(|word| word.copy_from_slice(&address.to_le_bytes()));
                    let launch = Launch {
                        kernel: &kernel,
                        grid: [2, 1, 1],
                        block: [48, 1, 1],
                        dynamic_shared: 256,
                        params: &params,
                    };
                    // Any fault will do.
                    let _ = gpu.launch(&launch);
                }
            }
        }
    }
    // Both ways are walked often.
    assert!(
        loaded > 200 && refused > 200,
        "{loaded} loaded, {refused} refused"
    );
}

#[test]
fn errors_name_line_and_cause() {
    let start = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<4>;\n.reg .pred %p;\n";
    let cases = [
        (
            "frobnicate.u32 %r1, %r2;",
            "unknown instruction `frobnicate.u32`",
        ),
        ("add.u32.wrong %r1, %r2, %r3;", "unknown modifier `.wrong`"),
        ("add.u32 %r1, %r2;", "takes 3 operands"),
        ("add.u32 %r1, %r2, %r9;", "unknown name `%r9`"),
        ("bra nowhere;", "unknown label `nowhere`"),
        ("mov.u32 %r1 %r2;", "expected `;`"),
        (
            "tex.2d.v4.f32.s32 {%r1,%r1,%r1,%r1}, [%r1, {%r2, %r3}];",
            "unknown instruction `tex.2d.v4.f32.s32`",
        ),
        (
            "wmma.mma.sync.row.col.f32.f32 %r1, %r2, %r3;",
            "unknown instruction",
        ),
        ("call missing, ();", "`missing`, which has no body"),
        ("shfl.up.b32 %r1, %r2, 1, 0;", "only the .sync form"),
        (
            "atom.global.cas.u8 %r1, [%r2], 0, 1;",
            "unknown instruction",
        ),
        ("@%r1 bra nowhere;", "`%r1` is not a predicate"),
        (".local .b8 huge[99999999999];", "too large"),
        ("ld.global.v2.u32 %r1, [%r2];", "needs 2 registers"),
    ];
    for (line, message) in cases {
        let error = match Gpu::new(Options::default()).load(&format!("{start}{line}\nret;\n}}\n")) {
            Ok(_) => panic!("{line} loads"),
            Err(error) => error,
        };
        assert!(
            error.line == 8 && error.message.contains(message),
            "{line}: {error}"
        );
    }
}

/// The texts of the tests are PTX for NVIDIA's assembler too, where it is at hand (`ACCRUE_PTXAS`).
#[test]
fn test_texts_are_valid_ptx() {
    let Some(ptxas) = std::env::var_os("ACCRUE_PTXAS") else {
        return;
    };
    for text in texts() {
        let path = std::env::temp_dir().join(format!("ptx-sim-{}.ptx", std::process::id()));
        fs::write(&path, &text).unwrap();
        let out = std::process::Command::new(&ptxas)
            .arg("-arch=sm_90")
            .arg(&path)
            .arg("-o")
            .arg("/dev/null")
            .output();
        let out = out.unwrap();
        assert!(
            out.status.success(),
            "{text}\n{}",
            String::from_utf8_lossy(&out.stderr)
        );
        let _ = fs::remove_file(&path);
    }
}

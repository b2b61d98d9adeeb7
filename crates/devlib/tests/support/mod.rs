//! The library's functions as the tests see them: a call is words in and words out.
//!
//! An argument is one word with the bits of the number, a complex argument two; a pointer parameter is no argument but one
//! more result. [`Host`] calls the functions of the C files, compiled by the host's C compiler.

#![allow(dead_code, reason = "each test uses its share")]

pub mod gpu;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// `d`ouble, `f`loat, `i`nt, `l`ong, complex `z` (double) and `c` (float); capital letters are pointers for results.
pub struct Signature {
    pub parameters: &'static str,
    pub result: Option<char>,
    pub names: &'static str,
}

pub const fn signature(
    parameters: &'static str,
    result: Option<char>,
    names: &'static str,
) -> Signature {
    Signature {
        parameters,
        result,
        names,
    }
}

/// All functions of numbers.
pub const SIGNATURES: &[Signature] = &[
    signature(
        "d",
        Some('d'),
        "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p cbrt rsqrt reciprocal round \
         logb erf erfc tgamma lgamma j0 j1 y0 y1",
    ),
    signature(
        "f",
        Some('f'),
        "sinf cosf tanf asinf acosf atanf sinhf coshf tanhf asinhf acoshf atanhf expf exp2f exp10f expm1f logf log2f \
         log10f log1pf cbrtf rsqrtf roundf logbf erff erfcf tgammaf lgammaf j0f j1f y0f y1f",
    ),
    signature(
        "dd",
        Some('d'),
        "atan2 pow hypot fmod remainder fdim nextafter",
    ),
    signature(
        "ff",
        Some('f'),
        "atan2f powf hypotf fmodf remainderf fdimf nextafterf",
    ),
    signature("ddd", Some('d'), "quotient"),
    signature("dDD", None, "sincos"),
    signature("fFF", None, "sincosf"),
    signature("ddI", Some('d'), "remquo"),
    signature("ffI", Some('f'), "remquof"),
    signature("dI", Some('d'), "frexp"),
    signature("fI", Some('f'), "frexpf"),
    signature("dD", Some('d'), "modf"),
    signature("fF", Some('f'), "modff"),
    signature("di", Some('d'), "scalbn ldexp"),
    signature("fi", Some('f'), "scalbnf ldexpf"),
    signature("dl", Some('d'), "scalbln"),
    signature("fl", Some('f'), "scalblnf"),
    signature("d", Some('i'), "ilogb"),
    signature("f", Some('i'), "ilogbf"),
    signature("d", Some('l'), "lround llround lrint llrint"),
    signature("f", Some('l'), "lroundf llroundf lrintf llrintf"),
    signature("z", Some('d'), "cabs carg creal cimag"),
    signature("c", Some('f'), "cabsf cargf crealf cimagf"),
    signature(
        "z",
        Some('z'),
        "conj cproj cexp clog csqrt csin ccos ctan csinh ccosh ctanh casin cacos catan casinh cacosh catanh",
    ),
    signature(
        "c",
        Some('c'),
        "conjf cprojf cexpf clogf csqrtf csinf ccosf ctanf csinhf ccoshf ctanhf casinf cacosf catanf casinhf \
         cacoshf catanhf",
    ),
    signature("zz", Some('z'), "cpow"),
    signature("cc", Some('c'), "cpowf"),
    signature("id", Some('d'), "jn yn"),
    signature("if", Some('f'), "jnf ynf"),
    signature("d", Some('i'), "isnan isinf finite"),
    signature("f", Some('i'), "isnanf isinff finitef"),
    signature(
        "i",
        Some('i'),
        "abs isdigit isalpha isalnum isspace toupper tolower",
    ),
    signature("l", Some('l'), "labs llabs"),
    signature("dddd", Some('z'), "muldc3 divdc3"),
    signature("ffff", Some('c'), "mulsc3 divsc3"),
    signature(
        "f",
        Some('f'),
        "fast_sinf fast_cosf fast_tanf fast_expf fast_exp2f fast_exp10f fast_logf fast_log2f fast_log10f fast_tanhf fast_rsqrtf",
    ),
    signature("ff", Some('f'), "fast_powf"),
    signature("fFF", None, "fast_sincosf"),
];

/// Every function with its signature.
pub fn functions() -> impl Iterator<Item = (&'static str, &'static Signature)> {
    SIGNATURES
        .iter()
        .flat_map(|s| s.names.split_whitespace().map(move |name| (name, s)))
}

pub fn find(name: &str) -> Option<&'static Signature> {
    functions().find(|(n, _)| *n == name).map(|(_, s)| s)
}

/// The words of a value of this type; a pointer is the words of what it points to.
pub fn words_of(letter: char) -> usize {
    match letter {
        'z' | 'c' => 2,
        _ => 1,
    }
}

impl Signature {
    pub fn arguments(&self) -> usize {
        let values = self.parameters.chars().filter(|c| c.is_ascii_lowercase());
        values.map(words_of).sum()
    }

    /// The types of the result words, in order; `d` and `f` for the parts of complex numbers.
    pub fn results(&self) -> Vec<char> {
        let pointers = self.parameters.chars().filter(|c| c.is_ascii_uppercase());
        let types = self
            .result
            .into_iter()
            .chain(pointers.map(|c| c.to_ascii_lowercase()));
        types
            .flat_map(|letter| match letter {
                'z' => vec!['d', 'd'],
                'c' => vec!['f', 'f'],
                other => vec![other],
            })
            .collect()
    }
}

/// A call and, if known, what it gives.
#[derive(Clone, Debug)]
pub struct Call {
    pub name: String,
    pub arguments: Vec<u64>,
}

/// The program that calls the functions of the C files.
pub struct Host {
    program: PathBuf,
}

impl Host {
    /// Compiles the library; `name` is the test's own, since tests run at the same time.
    pub fn build(name: &str) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&directory).expect("the directory for the driver");
        let source = directory.join("driver.c");
        std::fs::write(&source, driver()).expect("the driver's text");
        let program = directory.join("driver");
        let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/c");
        let mut command = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".to_string()));
        command.args(["-std=gnu11", "-O2", "-ffp-contract=off"]);
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("fma") {
            command.args(["-mfma", "-msse4.1"]);
        }
        command
            .arg("-I")
            .arg(library)
            .arg("-o")
            .arg(&program)
            .arg(&source)
            .arg("-lm");
        let status = command.status().expect("a C compiler");
        assert!(status.success(), "the library does not compile");
        Self { program }
    }

    /// The result words of each call.
    pub fn run(&self, calls: &[Call]) -> Vec<Vec<u64>> {
        let mut input = String::new();
        for call in calls {
            let _ = write!(input, "{}", call.name);
            for word in &call.arguments {
                let _ = write!(input, " {word:x}");
            }
            input.push('\n');
        }
        let mut child = Command::new(&self.program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the driver");
        let mut pipe = child.stdin.take().expect("the driver's input");
        let writer = std::thread::spawn(move || pipe.write_all(input.as_bytes()));
        let output = child.wait_with_output().expect("the driver's output");
        writer
            .join()
            .expect("the writer")
            .expect("the driver reads all calls");
        assert!(output.status.success(), "the driver failed");
        let text = String::from_utf8(output.stdout).expect("hexadecimal words");
        let word = |w: &str| u64::from_str_radix(w, 16).expect("a hexadecimal word");
        let results: Vec<Vec<u64>> = text
            .lines()
            .map(|line| line.split_whitespace().map(word).collect())
            .collect();
        assert_eq!(results.len(), calls.len());
        results
    }
}

/// C text: the library and a `main` that reads calls.
fn driver() -> String {
    let mut text = "#include \"all.c\"\n#include <stdio.h>\n#include <string.h>\n".to_string();
    for (name, signature) in functions() {
        text += &wrapper(name, signature);
    }
    text += "static const struct { const char *name; void (*call)(const u64 *, u64 *); int in, out; } functions[] = {\n";
    for (name, signature) in functions() {
        let (arguments, results) = (signature.arguments(), signature.results().len());
        let _ = writeln!(text, "{{\"{name}\", call_{name}, {arguments}, {results}}},");
    }
    text + r#"};
int main(void)
{
    char name[64];
    while (scanf("%63s", name) == 1) {
        for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
            u64 in[8] = {0}, out[8] = {0};
            if (strcmp(name, functions[i].name))
                continue;
            for (int k = 0; k < functions[i].in; k++)
                if (scanf("%llx", &in[k]) != 1)
                    return 1;
            functions[i].call(in, out);
            for (int k = 0; k < functions[i].out; k++)
                printf("%llx ", out[k]);
            puts("");
        }
    }
    return 0;
}
"#
}

/// A C function that takes the words of the arguments and stores those of the results.
fn wrapper(name: &str, signature: &Signature) -> String {
    let mut arguments = vec![];
    let mut stores = String::new();
    let mut declarations = String::new();
    let (mut read, mut written) = (0, signature.result.map_or(0, words_of));
    for (index, letter) in signature.parameters.chars().enumerate() {
        let ty = c_type(letter.to_ascii_lowercase());
        let _ = write!(declarations, " {ty} p{index} = 0;");
        if letter.is_ascii_uppercase() {
            arguments.push(format!("&p{index}"));
            stores += &store(&format!("p{index}"), letter.to_ascii_lowercase(), written);
            written += 1;
            continue;
        }
        arguments.push(format!("p{index}"));
        declarations += &match letter {
            'd' => format!(" p{index} = from_bits(in[{read}]);"),
            'f' => format!(" p{index} = from_bitsf((u32)in[{read}]);"),
            'z' => format!(" MAKE(p{index}, from_bits(in[{read}]), from_bits(in[{read} + 1]));"),
            'c' => format!(
                " MAKE(p{index}, from_bitsf((u32)in[{read}]), from_bitsf((u32)in[{read} + 1]));"
            ),
            _ => format!(" p{index} = ({ty})in[{read}];"),
        };
        read += words_of(letter);
    }
    let call = format!("__accrue_{name}({})", arguments.join(", "));
    let call = match signature.result {
        None => format!("{call};"),
        Some(letter) => format!("{} r = {call};{}", c_type(letter), store("r", letter, 0)),
    };
    format!(
        "static void call_{name}(const u64 *in, u64 *out)\n{{{declarations} {call}{stores} }}\n"
    )
}

fn c_type(letter: char) -> &'static str {
    match letter {
        'd' => "double",
        'f' => "float",
        'i' => "int",
        'l' => "long",
        'z' => "double _Complex",
        'c' => "float _Complex",
        other => panic!("no type {other}"),
    }
}

/// C text that puts a value into the result words from `at`.
fn store(value: &str, letter: char, at: usize) -> String {
    match letter {
        'd' => format!(" out[{at}] = bits({value});"),
        'f' => format!(" out[{at}] = bitsf({value});"),
        'i' => format!(" out[{at}] = (u32){value};"),
        'l' => format!(" out[{at}] = (u64){value};"),
        'z' => {
            format!(" out[{at}] = bits(__real__ {value}); out[{at} + 1] = bits(__imag__ {value});")
        }
        'c' => format!(
            " out[{at}] = bitsf(__real__ {value}); out[{at} + 1] = bitsf(__imag__ {value});"
        ),
        other => panic!("no type {other}"),
    }
}

/// `tests/vectors.txt`: calls with the rounded result words and what the exact ones have beyond, in units in the last place.
pub fn vectors() -> Vec<(Call, Vec<(u64, f64)>)> {
    let word = |w: &str| u64::from_str_radix(w, 16).expect("a hexadecimal word");
    include_str!("../vectors.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let (call, results) = line.split_once(" = ").expect("a call and a result");
            let mut parts = call.split_whitespace();
            let name = parts.next().expect("a name").to_string();
            let arguments = parts.map(word).collect();
            let results = results.split_whitespace().map(|result| {
                let (rounded, beyond) = result.split_once(':').expect("bits and a fraction");
                let beyond: f64 = beyond.parse().expect("a number");
                (word(rounded), beyond / 128.0)
            });
            (Call { name, arguments }, results.collect())
        })
        .collect()
}

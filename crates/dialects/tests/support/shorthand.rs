//! Types in the IR that tests are written in, shortened.
//!
//! ```text
//! %p = core.ptr_add %a, %i: PF64        %p = core.ptr_add %a, %i: core.ptr <core.float <64>, Generic>
//! ```

/// In the data, `I32` is `builtin.integer i32`, `F64` a float, `C64` a complex number of two of those, `B` is `i1`, `V`
/// void, `S'tag` a record, `A4xF64` an array; `P` before any of these is a pointer to it (`PPF64`), `G` one to global
/// and `H` one to shared memory. Comments start with `//`.
pub fn long_types(text: &str) -> String {
    let without_comments: String = text
        .lines()
        .map(|l| l.split("//").next().unwrap_or("").to_string() + "\n")
        .collect();
    let mut out = String::new();
    let mut word = String::new();
    for c in without_comments.chars().chain(['\n']) {
        if c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '@' | '"' | '\'') {
            word.push(c);
        } else {
            out.push_str(&long_type(&word).unwrap_or(word));
            word = String::new();
            out.push(c);
        }
    }
    out
}

fn long_type(word: &str) -> Option<String> {
    let width = |rest: &str| rest.parse::<u32>().ok();
    let pointer = |rest, space| Some(format!("core.ptr <{}, {space}>", long_type(rest)?));
    match word.split_at_checked(1)? {
        ("P", rest) => pointer(rest, "Generic"),
        ("G", rest) => pointer(rest, "Global"),
        ("H", rest) => pointer(rest, "Shared"),
        ("I", rest) => Some(format!("builtin.integer i{}", width(rest)?)),
        ("F", rest) => Some(format!("core.float <{}>", width(rest)?)),
        ("C", rest) => Some(format!("core.complex <core.float <{}>>", width(rest)?)),
        ("B", "") => Some("builtin.integer i1".to_string()),
        ("V", "") => Some("core.void".to_string()),
        ("S", tag) => Some(format!("core.record <\"{}\">", tag.strip_prefix('\'')?)),
        ("A", rest) => {
            let (length, of) = rest.split_once('x')?;
            let (length, of) = (width(length)?, long_type(of)?);
            Some(format!("core.array <{length} x {of}>"))
        }
        _ => None,
    }
}

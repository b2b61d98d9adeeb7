//! What an object carries for the link ([`crate::device_link`]), as assembly: a section that linkers drop from programs and keep in
//! objects.
//!
//! ```text
//!     .section .accrue.ir,"e",@progbits
//!     .byte 97,99,99,114,117,101,73,82,…
//! ```

use std::fmt::Write;

use crate::device_link::record::SECTION;

/// Bytes in a line.
const LINE: usize = 32;

/// The assembly text of a section with these bytes.
pub fn assembly(bytes: &[u8]) -> String {
    let mut text = format!("\t.section {SECTION},\"e\",@progbits\n");
    for line in bytes.chunks(LINE) {
        let numbers: Vec<String> = line.iter().map(u8::to_string).collect();
        let _ = writeln!(text, "\t.byte {}", numbers.join(","));
    }
    text + "\t.section .note.GNU-stack,\"\",@progbits\n"
}

//! The kernel around an instruction: one thread per row, operands from columns, result into a column.
//!
//! The instruction's text uses `%a`, `%b`, `%c` for operands and `%d` for the result, and may use for itself `%r %s` (32
//! bits), `%x %y` (64), `%g %h` (16), `%p %q` (predicates), and `%o`, the address of the row's result.

use crate::forms::Form;
use std::fmt::Write;

pub const BLOCK: u64 = 128;

pub fn module(forms: &[(String, &Form)]) -> String {
    let mut text = String::from(".version 7.8\n.target sm_90\n.address_size 64\n");
    for (name, form) in forms {
        kernel(&mut text, name, form);
    }
    text
}

fn kernel(text: &mut String, name: &str, form: &Form) {
    let bytes = form.bytes();
    let register = (8 * bytes).max(16);
    // A string takes every text.
    let _ = write!(
        text,
        ".visible .entry {name}(.param .u64 in_a, .param .u64 in_b, .param .u64 in_c, .param .u64 out)
{{
    .reg .b{} %d;
    .reg .b32 %i, %n, %t, %r, %s;
    .reg .b64 %o, %x, %y;
    .reg .b16 %g, %h;
    .reg .pred %p, %q;
    mov.u32 %i, %ctaid.x;
    mov.u32 %n, %ntid.x;
    mov.u32 %t, %tid.x;
    mad.lo.u32 %i, %i, %n, %t;
    ld.param.u64 %o, [out];
    mad.wide.u32 %o, %i, {bytes}, %o;
",
        if bytes == 1 { 32 } else { register },
    );
    for (source, letter) in form.sources.iter().zip(["a", "b", "c"]) {
        let bytes = source.bytes();
        let bits = 8 * bytes;
        let _ = write!(
            text,
            "    .reg .b{bits} %{letter};
    ld.param.u64 %x, [in_{letter}];
    mad.wide.u32 %x, %i, {bytes}, %x;
    ld.global.b{bits} %{letter}, [%x];
"
        );
    }
    let _ = write!(
        text,
        "    {}\n    st.global.b{} [%o], %d;\n    ret;\n}}\n",
        form.text,
        8 * bytes
    );
}

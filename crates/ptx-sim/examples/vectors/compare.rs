//! Comparison, selection, predicates, properties of numbers.

use crate::{
    forms::{Form, INTEGERS, UNTYPED, kind},
    operands::Kind,
};

pub fn forms() -> Vec<Form> {
    let mut forms = Vec::new();
    let signed = ["eq", "ne", "lt", "le", "gt", "ge"];
    let unsigned = ["lo", "ls", "hi", "hs"];
    let unordered = ["equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"];
    let mut setp = |operator: &str, ftz: &str, ty: &str| {
        let text = format!("setp.{operator}{ftz}.{ty} %p, %a, %b;");
        forms.push(Form::truth(&text, &[kind(ty); 2]));
    };
    for ty in INTEGERS {
        signed.iter().for_each(|o| setp(o, "", ty));
        if ty.starts_with('u') {
            unsigned.iter().for_each(|o| setp(o, "", ty));
        }
    }
    for ty in UNTYPED {
        ["eq", "ne"].iter().for_each(|o| setp(o, "", ty));
    }
    for (ty, ftz) in [
        ("f32", ""),
        ("f32", ".ftz"),
        ("f64", ""),
        ("f16", ""),
        ("f16", ".ftz"),
        ("bf16", ""),
    ] {
        signed
            .iter()
            .chain(&unordered)
            .for_each(|o| setp(o, ftz, ty));
    }
    for boolean in ["and", "or", "xor"] {
        for ty in ["s32", "f32"] {
            let sources = [kind(ty), kind(ty), Kind::Few(32)];
            for (which, second) in [("%p|%z", "%q"), ("%z|%p", "!%q")] {
                let text = format!(
                    ".reg .pred %z; setp.ne.s32 %q, %c, 0; setp.lt.{boolean}.{ty} {which}, %a, %b, {second};"
                );
                forms.push(Form::truth(&text, &sources));
            }
            let text = format!("setp.ne.s32 %q, %c, 0; set.ge.{boolean}.u32.{ty} %d, %a, %b, %q;");
            forms.push(Form::new(text, "u32", &sources));
        }
        let text =
            format!("setp.ne.s32 %q, %a, 0; setp.gt.s32 %p, %b, 1; {boolean}.pred %p, %p, %q;");
        forms.push(Form::truth(&text, &[Kind::Few(32); 2]));
    }
    forms.push(Form::truth(
        "setp.ne.s32 %q, %a, 0; not.pred %p, %q;",
        &[Kind::Few(32)],
    ));
    for dest in ["u32", "s32", "f32"] {
        for (ty, ftz) in [
            ("u16", ""),
            ("s16", ""),
            ("u32", ""),
            ("s32", ""),
            ("u64", ""),
            ("s64", ""),
            ("f32", ""),
            ("f32", ".ftz"),
            ("f64", ""),
        ] {
            for operator in ["eq", "lt"] {
                forms.push(Form::plain(
                    &format!("set.{operator}{ftz}.{dest}.{ty}"),
                    dest,
                    &[kind(ty); 2],
                ));
            }
        }
        let float = kind("f32");
        forms.push(Form::plain(
            &format!("set.neu.{dest}.f32"),
            dest,
            &[float; 2],
        ));
    }
    for ty in ["b16", "b32", "b64", "u32", "s64", "f32", "f64"] {
        let sources = [kind(ty), kind(ty), Kind::Few(32)];
        let text = format!("setp.ne.s32 %q, %c, 0; selp.{ty} %d, %a, %b, %q;");
        forms.push(Form::new(text, ty, &sources));
        for control in ["s32", "f32"] {
            let sources = [kind(ty), kind(ty), kind(control)];
            forms.push(Form::plain(&format!("slct.{ty}.{control}"), ty, &sources));
        }
        let sources = [kind(ty), kind(ty), kind("f32")];
        forms.push(Form::plain(&format!("slct.ftz.{ty}.f32"), ty, &sources));
    }
    for property in [
        "finite",
        "infinite",
        "number",
        "notanumber",
        "normal",
        "subnormal",
    ] {
        for ty in ["f32", "f64"] {
            forms.push(Form::truth(
                &format!("testp.{property}.{ty} %p, %a;"),
                &[kind(ty)],
            ));
        }
    }
    forms
}

//! `cvt`: every type to every other, with the modifiers that are allowed there.

use crate::{
    forms::{Form, ROUNDINGS, bits, kind},
    operands::Kind,
};

pub fn forms() -> Vec<Form> {
    let integers = ["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"];
    let mut forms = Vec::new();
    let mut convert = |modifiers: &str, to: &'static str, from: &'static str| {
        let name = format!("cvt{modifiers}.{to}.{from}");
        let brain = to == "bf16" || from == "bf16";
        forms.push(Form::plain(&name, register(to, brain), &[kind(from)]));
    };
    for to in integers {
        for from in integers {
            convert("", to, from);
            // Elsewhere there is nothing to saturate, and the modifier is not allowed.
            let (to_signed, from_signed) = (to.starts_with('s'), from.starts_with('s'));
            let narrower =
                bits(to) < bits(from) || (bits(to) == bits(from) && to_signed != from_signed);
            if narrower || (from_signed && !to_signed) {
                convert(".sat", to, from);
            }
        }
    }
    for float in ["f16", "bf16", "f32", "f64"] {
        for integer in integers {
            if float == "bf16" && bits(integer) == 8 {
                continue;
            }
            for rounding in ROUNDINGS {
                convert(&format!(".{rounding}"), float, integer);
                convert(&format!(".{rounding}i"), integer, float);
            }
        }
    }
    for integer in integers {
        convert(".rn.sat", "f32", integer);
        convert(".rn.sat", "f64", integer);
        convert(".rzi.sat", integer, "f32");
        for rounding in ROUNDINGS {
            convert(&format!(".{rounding}i.ftz"), integer, "f32");
        }
    }
    for rounding in ROUNDINGS {
        for float in ["f16", "bf16", "f32", "f64"] {
            convert(&format!(".{rounding}i"), float, float);
        }
        for saturate in ["", ".sat"] {
            convert(&format!(".{rounding}i.ftz{saturate}"), "f32", "f32");
            for flush in ["", ".ftz"] {
                convert(&format!(".{rounding}{flush}{saturate}"), "f32", "f64");
            }
        }
        convert(&format!(".{rounding}"), "f16", "f64");
        convert(&format!(".{rounding}"), "f16", "f32");
    }
    for modifiers in [".rn.ftz", ".rn.sat", ".rn.ftz.sat", ".rz.ftz", ".rz.sat"] {
        convert(modifiers, "f16", "f32");
    }
    convert(".rn", "bf16", "f32");
    convert(".rz", "bf16", "f32");
    for rounding in ROUNDINGS {
        convert(&format!(".{rounding}"), "bf16", "f64");
        convert(&format!(".{rounding}"), "bf16", "f16");
    }
    for (to, from, list) in [
        ("f32", "f16", &["", ".ftz", ".sat", ".ftz.sat"][..]),
        ("f64", "f16", &["", ".sat"]),
        ("f32", "bf16", &[""]),
        ("f64", "bf16", &[""]),
        ("f64", "f32", &["", ".ftz", ".sat", ".ftz.sat"]),
        ("f32", "f32", &["", ".ftz", ".sat", ".ftz.sat"]),
        ("f64", "f64", &["", ".sat"]),
    ] {
        for modifiers in list {
            convert(modifiers, to, from);
        }
    }
    for pair in ["f16x2", "bf16x2"] {
        for rounding in ["rn", "rz"] {
            forms.push(Form::plain(
                &format!("cvt.{rounding}.{pair}.f32"),
                pair,
                &[Kind::Single; 2],
            ));
        }
    }
    forms
}

/// Destinations of 8 and 16 bits are in a register of 32, which shows how the value is extended; for `bf16` that is not
/// allowed.
fn register(ty: &'static str, brain: bool) -> &'static str {
    match (ty, bits(ty)) {
        ("f16" | "bf16" | "f32", _) | (_, 64) => ty,
        (_, 16) if brain => "b16",
        _ => "b32",
    }
}

//! The words of a variable, in the order in which the library reads them.

use crate::site::{SiteDim, SiteVar, ValueKind};
use accrue_abi::{Action, HEADER_WORDS, Passed, SIZE_WORDS};

/// A half of a value of 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Half {
    /// The eight bytes at the lower address; the real part; the low 64 bits.
    First,
    /// The other eight.
    Second,
}

/// A word of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableWord {
    /// The value, of a kind that has eight bytes, or fewer.
    Value(ValueKind),
    /// A half of a value of 16 bytes.
    Part(ValueKind, Half),
    /// Where element 0 is: the value of a pointer, or the address of an array, scalar or structure.
    Start,
    /// The address of the pointer itself, into which the device's address is stored in the device's copy (section 2.7.2). Only
    /// then is the address of a pointer taken: a variable whose address is known to others is slow.
    PointerPlace,
    /// 0.
    Nothing,
    /// Of dimension n: the first element.
    Lower(usize),
    /// The number of elements.
    Length(usize),
    /// Bytes from an element of the dimension to the next.
    Pitch(usize),
    /// Bytes from an element of the section to the next, where it leaves elements out.
    Stride(usize),
    /// 1.
    One,
}

/// A kernel's parameters and where their values are.
pub struct Arguments<'a, T> {
    /// Each parameter with its variable and the first of the variable's words.
    pub each: Vec<(T, &'a SiteVar, u64)>,
    /// Words of all.
    pub words: u64,
}

/// Where a kernel's parameters have their values; a message if there is not one for each variable.
pub fn arguments<'a, T>(
    kernel: &str,
    parameters: Vec<T>,
    vars: &'a [SiteVar],
) -> Result<Arguments<'a, T>, String> {
    let (have, want) = (parameters.len(), vars.len());
    if have != want {
        return Err(format!(
            "kernel `{kernel}` has {have} parameters for {want} variables"
        ));
    }
    let mut words = 0;
    let mut each = vec![];
    for (parameter, var) in parameters.into_iter().zip(vars) {
        each.push((parameter, var, words));
        words += var.argument_words();
    }
    Ok(Arguments { each, words })
}

impl SiteVar {
    /// The dimensions that its words describe. Where a section leaves elements out, the first of them is a dimension of one
    /// element, and the others are counted from there.
    pub fn passed_dims(&self) -> Vec<SiteDim> {
        let dims = self.dims.iter().enumerate();
        let passed = dims.flat_map(|(dim, kind)| {
            let more = self.stepped.contains(&dim).then_some(SiteDim::Array);
            std::iter::once(*kind).chain(more)
        });
        passed.collect()
    }

    /// Its words.
    pub fn words(&self) -> Vec<VariableWord> {
        match self.action.passed() {
            Passed::Object => self.object_words(),
            Passed::Value => value_words(self.value.unwrap_or(ValueKind::Integer)),
            Passed::Pointer => vec![VariableWord::Value(ValueKind::Pointer)],
        }
    }

    /// Whether an object in memory is passed, not a value.
    pub fn is_object(&self) -> bool {
        self.action.passed() == Passed::Object
    }

    /// Whether what is mapped is behind the variable, a pointer.
    pub fn is_behind_pointer(&self) -> bool {
        self.dims.first() == Some(&SiteDim::Pointer)
    }

    fn object_words(&self) -> Vec<VariableWord> {
        let place = match self.is_behind_pointer() && self.flags.attach {
            true => VariableWord::PointerPlace,
            false => VariableWord::Nothing,
        };
        let mut words = vec![VariableWord::Start, place];
        for dim in 0..self.dims.len() {
            // A pointer in `use_device` counts with its value only.
            if self.action == Action::UseDevice && self.is_behind_pointer() {
                words.extend([VariableWord::Nothing; 3]);
                continue;
            }
            let pitch = match self.dims.get(dim + 1) {
                Some(SiteDim::Array) => VariableWord::Pitch(dim),
                // The library knows the size of an element.
                Some(SiteDim::Pointer) | None => VariableWord::Nothing,
            };
            let (lower, length) = (VariableWord::Lower(dim), VariableWord::Length(dim));
            match self.stepped.contains(&dim) {
                false => words.extend([lower, length, pitch]),
                true => {
                    words.extend([lower, VariableWord::One, pitch]);
                    words.extend([VariableWord::Nothing, length, VariableWord::Stride(dim)]);
                }
            }
        }
        words
    }
}

impl crate::Site {
    /// The number of words of its call.
    pub fn word_count(&self) -> usize {
        let in_call = self.vars.iter().filter(|var| !var.is_global());
        let variables = in_call.map(|var| var.words().len());
        HEADER_WORDS
            + self.call.waits.len()
            + SIZE_WORDS * self.call.sizes.len()
            + variables.sum::<usize>()
    }
}

fn value_words(kind: ValueKind) -> Vec<VariableWord> {
    match kind {
        ValueKind::Integer
        | ValueKind::Float32
        | ValueKind::Float64
        | ValueKind::Pointer
        | ValueKind::Complex32 => vec![VariableWord::Value(kind)],
        ValueKind::Complex64 | ValueKind::Integer128 | ValueKind::LongDouble => {
            vec![
                VariableWord::Part(kind, Half::First),
                VariableWord::Part(kind, Half::Second),
            ]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::WordSource;
    use VariableWord::{Length, Lower, Nothing, One, Pitch, Start, Stride};

    /// `update self(a(2:3, 5:1:-2))` of Fortran's `real(8) a(5, 4)` says where the first element is, and how far it is to the others;
    /// as `a[2:3][1:2]` of C's `double a[5][4]` it says the size of a row only.
    #[test]
    fn sections_that_leave_elements_out_say_how_far_they_are_apart() {
        let words = |stepped| {
            let var = SiteVar {
                limited: None,
                reach: None,
                pointers: vec![],
                name: "a".to_string(),
                action: Action::UpdateSelf,
                flags: accrue_abi::VarFlags::default(),
                value: None,
                elem_size: 8,
                dims: vec![SiteDim::Array, SiteDim::Array],
                stepped,
                source: WordSource::Clause { clause: 0, item: 0 },
                line: 1,
                column: 1,
            };
            var.words()
        };
        let row = [Start, Nothing, Lower(0), Length(0), Pitch(0)];
        let all = [&row[..], &[Lower(1), Length(1), Nothing]].concat();
        assert_eq!(words(vec![]), all);
        let some = [Lower(1), One, Nothing, Nothing, Length(1), Stride(1)];
        assert_eq!(words(vec![1]), [&row[..], &some].concat());
        let rows = [
            Start,
            Nothing,
            Lower(0),
            One,
            Pitch(0),
            Nothing,
            Length(0),
            Stride(0),
        ];
        let some = [Lower(1), Length(1), Nothing];
        assert_eq!(words(vec![0]), [&rows[..], &some].concat());
    }
}

//! How a variable is passed to the run-time library: its words in the call.
//!
//! ```text
//! float *p;      copy(p[1:m])    (p), 0,     lower (1), length (m), stride 0
//! float a[8];    copy(a[2:])     &(a), 0,    lower (2), length 8-(2), stride 0, where 8 is sizeof(a)/sizeof((a)[0])
//! float b[8][9]; copy(b[2:n])    &(b), 0,    lower (2), length (n), stride sizeof((b)[0]), lower 0, length 9, stride 0
//! double x;      by value        __accrue_f64(x)
//! ```
//!
//! Types come from the caller, who has read clang's tree; the texts come from the clauses. Extents and strides are left to the
//! user's compiler (`sizeof`), which knows those of variable-length arrays too.

use super::host::{Half, Word};
use super::parameters::DeclaredLength;
use super::scan::ScannedDirective;
use accrue_diag::Diagnostic;
use accrue_directives::{Span, Subscript, Var};

/// A variable of a site, with what is needed to pass it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SiteVariable {
    /// Action VALUE: the value goes with the call.
    Value {
        /// The variable.
        expression: String,
        /// Its type.
        class: ValueClass,
    },
    /// Actions POINTER and DEVICEPTR: the value of a pointer.
    Pointer {
        /// The pointer.
        expression: String,
    },
    /// All other actions: an object in memory.
    Object(Object),
}

/// The types that are passed by value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueClass {
    /// Integers up to 64 bits, `_Bool`, enumerations.
    Integer,
    /// `__int128`
    Integer128,
    /// Pointers whose value is all that matters.
    Pointer,
    /// `float`
    Float32,
    /// `double`
    Float64,
    /// `long double`
    LongDouble,
    /// `float _Complex`
    Complex32,
    /// `double _Complex`
    Complex64,
}

/// One step from a type to its element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// An array, of constant or variable length.
    Array,
    /// A pointer. (An array parameter of a function is one.)
    Pointer,
}

/// An object, a part of an array, or what a pointer points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The variable without subscripts: `s->p` of `s->p[0:n]`.
    pub base: String,
    /// Its dimensions, outermost first; none for a scalar, a structure, or a pointer that is meant itself.
    pub dimensions: Vec<Dimension>,
    /// Whether the address of the pointer goes with it, to be attached (section 2.7.2). Only then is the
    /// address of a pointer variable taken: a variable whose address is known to others is slow.
    pub pass_pointer: bool,
}

/// One dimension of an [`Object`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// How its elements are reached.
    pub step: Step,
    /// The first element; 0 when absent.
    pub lower: Option<String>,
    /// The number of elements; all that are left when absent (arrays only).
    pub length: Option<String>,
}

impl Object {
    /// A whole variable, as in a clause without subscripts or by an implicit data attribute: all dimensions of an array;
    /// a pointer stands for itself.
    pub fn whole(base: impl Into<String>, steps: &[Step]) -> Self {
        let mut object = Object {
            base: base.into(),
            dimensions: Vec::new(),
            pass_pointer: false,
        };
        object.add_whole_dimensions(steps);
        object
    }

    /// A variable of a clause, with its subscripts. `steps` are those of the base's type, at least up to the first
    /// scalar or pointer behind the subscripts. An array parameter without subscripts, of which `steps` begin with a
    /// pointer, has its `declared` length.
    ///
    /// # Errors
    /// Too many subscripts, or a length that cannot be known.
    pub fn of_variable(
        directive: &ScannedDirective,
        variable: &Var,
        steps: &[Step],
        declared: Option<&DeclaredLength>,
    ) -> Result<Self, Diagnostic> {
        let text = |span: Span| directive.text_of(span).trim().to_string();
        let mut object = Object {
            base: text(variable.base),
            dimensions: Vec::new(),
            pass_pointer: false,
        };
        for (dimension, subscript) in variable.subscripts.iter().enumerate() {
            let span = subscript_span(subscript);
            let fail =
                |message: Diagnostic| directive.source.locate(message.section("2.7.1"), span);
            let Some(&step) = steps.get(dimension) else {
                return Err(fail(Diagnostic::error(format!(
                    "`{}` has no dimension for this subscript",
                    object.base
                ))));
            };
            let (lower, length) = match *subscript {
                Subscript::Index(index) => (Some(text(index)), Some("1".to_string())),
                Subscript::Section { lower, length, .. } => (lower.map(text), length.map(text)),
                Subscript::Triplet { .. } => {
                    return Err(fail(
                        Diagnostic::error("this is Fortran's way to write a section")
                            .help("write `[lower:length]`"),
                    ));
                }
            };
            if length.is_none() && step == Step::Pointer {
                let message = Diagnostic::error(format!(
                    "the length of this section of `{}` is missing",
                    object.base
                ));
                return Err(fail(
                    message.label("a pointer does not tell how many elements it points to"),
                ));
            }
            object.dimensions.push(Dimension {
                step,
                lower,
                length,
            });
        }
        if object.dimensions.is_empty() && steps.first() == Some(&Step::Pointer) {
            object.dimensions.extend(declared.map(|length| Dimension {
                step: Step::Pointer,
                lower: None,
                length: Some(length.text.clone()),
            }));
        }
        object.add_whole_dimensions(steps.get(object.dimensions.len()..).unwrap_or_default());
        Ok(object)
    }

    /// The bits of the dimensions, from the second on, that are reached through a pointer in memory.
    pub fn pointer_dimensions(&self) -> u16 {
        let pointers = self
            .dimensions
            .iter()
            .enumerate()
            .skip(1)
            .filter(|(_, dimension)| dimension.step == Step::Pointer);
        pointers.fold(0, |bits, (index, _)| {
            bits | 1u16.checked_shl(index as u32).unwrap_or(0)
        })
    }

    fn add_whole_dimensions(&mut self, steps: &[Step]) {
        let arrays = steps.iter().take_while(|step| **step == Step::Array);
        self.dimensions.extend(arrays.map(|&step| Dimension {
            step,
            lower: None,
            length: None,
        }));
    }

    /// Address, address of the pointer, then lower bound, length and stride of each dimension.
    fn words(&self) -> Vec<Word> {
        let through_pointer = self
            .dimensions
            .first()
            .is_some_and(|first| first.step == Step::Pointer);
        let mut words = match (through_pointer, self.pass_pointer) {
            (true, true) => vec![
                Word::Pointer(self.base.clone()),
                Word::Address(self.base.clone()),
            ],
            (true, false) => vec![Word::Pointer(self.base.clone()), Word::Constant(0)],
            (false, true | false) => vec![Word::Address(self.base.clone()), Word::Constant(0)],
        };
        for (index, dimension) in self.dimensions.iter().enumerate() {
            let element = format!("({}){}", self.base, "[0]".repeat(index + 1));
            let array = if index == 0 {
                self.base.clone()
            } else {
                format!("({}){}", self.base, "[0]".repeat(index))
            };
            words.push(
                dimension
                    .lower
                    .clone()
                    .map_or(Word::Constant(0), Word::Integer),
            );
            words.push(match (&dimension.length, &dimension.lower) {
                (Some(length), _) => Word::Integer(length.clone()),
                (None, Some(from)) => Word::Remaining {
                    array,
                    element: element.clone(),
                    from: from.clone(),
                },
                (None, None) => Word::Extent {
                    array,
                    element: element.clone(),
                },
            });
            let inside = self.dimensions.get(index + 1);
            words.push(match inside.map(|inside| inside.step) {
                Some(Step::Array) => Word::Bytes(element),
                Some(Step::Pointer) | None => Word::Constant(0),
            });
        }
        words
    }
}

impl SiteVariable {
    /// The words that pass the variable.
    pub fn words(&self) -> Vec<Word> {
        match self {
            SiteVariable::Object(object) => object.words(),
            SiteVariable::Pointer { expression } => vec![Word::Pointer(expression.clone())],
            SiteVariable::Value { expression, class } => {
                let text = || expression.clone();
                match class {
                    ValueClass::Integer => vec![Word::Integer(text())],
                    ValueClass::Integer128 => {
                        vec![
                            Word::Integer128(text(), Half::First),
                            Word::Integer128(text(), Half::Second),
                        ]
                    }
                    ValueClass::Pointer => vec![Word::Pointer(text())],
                    ValueClass::Float32 => vec![Word::Float32(text())],
                    ValueClass::Float64 => vec![Word::Float64(text())],
                    ValueClass::LongDouble => {
                        vec![
                            Word::LongDouble(text(), Half::First),
                            Word::LongDouble(text(), Half::Second),
                        ]
                    }
                    ValueClass::Complex32 => vec![Word::Complex32(text())],
                    ValueClass::Complex64 => {
                        vec![
                            Word::Complex64(text(), Half::First),
                            Word::Complex64(text(), Half::Second),
                        ]
                    }
                }
            }
        }
    }
}

fn subscript_span(subscript: &Subscript) -> Span {
    match subscript {
        Subscript::Index(span)
        | Subscript::Section { span, .. }
        | Subscript::Triplet { span, .. } => *span,
    }
}

//! The carrier text: each directive becomes a call whose arguments are its clause expressions, so that clang types them.
//!
//! ```text
//! #pragma acc parallel loop copy(a[0:n]) if(n > 10)       switch(__accrue_dir(0,&(a),(0),(n),!!(n > 10)))default:
//! for (…) …                                           →   for (…) …
//! #pragma acc wait(q)                                 →   __accrue_dir(1,(q));
//! #pragma acc routine(f) seq                          →   _Static_assert(sizeof(__accrue_dir(2,(f))),"");
//! ```
//!
//! * `switch(…)default:` accepts exactly a statement behind it and leaves a dangling `else` where it is.
//! * The static assertion is valid in every scope and evaluates nothing. (C and C++ both.)
//! * Functions that no region needs lose what is between the braces of their [bodies](super::bodies).
//! * Declarations that nothing with directives [reaches](super::unreached) become blanks, if that is wanted ([`Extent`]).
//! * Each [`offsetof`] becomes an expression whose value clang says.
//! * Nothing else of the text changes. [`Carriers::to_preprocessed`] maps offsets back, and [`CarrierCall::arguments`]
//!   says what each argument is.

use super::allocation;
use super::atomics;
use super::bodies;
use super::carrier_arguments::arguments;
use super::offsetof;
use super::placement::Form;
use super::scan::{ScannedDirective, Unit};
use super::unreached::unreached;
use super::unread::{self, UNREAD, Unread};
use accrue_directives::{Language, Span};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::OnceLock;

/// Declares the function that carriers call, the one that stands for what is left out, and what clang does not know of GCC's; the first
/// line of the text.
const PROLOGUE: &str = "int __accrue_dir(int,...);int __accrue_unread(int);\
    int __builtin_goacc_parlevel_id(int);int __builtin_goacc_parlevel_size(int);";
/// The same in C++.
const PROLOGUE_CXX: &str = "extern \"C\" int __accrue_dir(int,...);";

/// The carrier text of a translation unit.
#[derive(Clone, Debug)]
pub struct Carriers {
    /// The text for clang.
    pub text: Vec<u8>,
    /// The call of each directive, by ordinal number.
    pub calls: Vec<CarrierCall>,
    segments: Vec<Segment>,
    /// Where the emptied bodies end.
    emptied: Vec<usize>,
    /// The words of each piece that was left out, by number.
    pub unread: Vec<BTreeSet<String>>,
    /// Where clang found errors in system headers.
    rejected: OnceLock<Vec<usize>>,
    is_whole: bool,
    wanted_whole: OnceLock<()>,
}

/// The call that carries a directive.
#[derive(Clone, Debug)]
pub struct CarrierCall {
    /// How it is written.
    pub form: Form,
    /// What its arguments are, the ordinal number (which comes first in the call) not counted.
    pub arguments: Vec<Argument>,
}

impl CarrierCall {
    /// The index of an argument among the call's arguments, the ordinal number not counted.
    pub fn argument(&self, owner: Owner, item: usize, role: Role) -> Option<usize> {
        self.arguments
            .iter()
            .position(|argument| *argument == Argument { owner, item, role })
    }
}

/// What an argument of a carrier call stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Argument {
    /// The clause it is from.
    pub owner: Owner,
    /// Its index in the clause's list of variables, expressions, sizes or queues; 0 where there is no list.
    pub item: usize,
    /// Its part in the item.
    pub role: Role,
}

/// Where an argument comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The directive itself: `wait(1)`, `cache(a)`, `routine(f)`.
    Directive,
    /// A clause, by its index in the directive's clauses.
    Clause(usize),
}

/// What an argument is to its clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The address of a variable's base (`&(s->p)` of `s->p[0:n]`). In C++ the pointer `this` stands for itself.
    Address,
    /// The index in dimension `n` of a variable: `a[i]`.
    Index(usize),
    /// The first element in dimension `n`; absent if the user left it out.
    Lower(usize),
    /// The number of elements in dimension `n`; absent if the user left it out. Of an array parameter without subscripts,
    /// the declared length.
    Length(usize),
    /// From an element to the next in dimension `n`; absent if the user left it out.
    Stride(usize),
    /// A condition, as an `int` that is 0 or 1.
    Condition,
    /// The integer expression of a clause that has just one kind of them.
    Value,
    /// `gang(num: …)`
    GangNum,
    /// `gang(dim: …)`
    GangDim,
    /// `gang(static: …)`
    GangStatic,
    /// `wait(devnum: …)`
    Devnum,
    /// A queue of `wait`.
    Queue,
    /// The function of `routine(f)`.
    Function,
}

/// How much of the text clang is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// What directives reach. What clang says about it may differ from what it says about all: it cannot propose a name that
    /// it has not read.
    Reached,
    /// All but the bodies that no region reaches.
    All,
    /// All: any function may be what a pointer leads a region to.
    Whole,
}

/// What is not copied from the preprocessed text.
enum Replaced<'a> {
    Directive(&'a ScannedDirective),
    MacroLine,
    Body,
    Unreached,
    Unread(usize, &'a Unread),
}

/// A stretch of the carrier text, up to the start of the next one.
#[derive(Clone, Copy, Debug)]
struct Segment {
    carrier: usize,
    preprocessed: usize,
    /// Whether the bytes are those of the preprocessed text; otherwise all of them stand for one offset there.
    copied: bool,
}

impl Carriers {
    /// Makes the carrier text.
    pub fn new(unit: &Unit) -> Self {
        Carriers::without(unit, &[], Extent::All)
    }

    /// Makes the carrier text without what clang cannot read.
    pub fn without(unit: &Unit, unread: &[Unread], extent: Extent) -> Self {
        let mut carriers = Carriers {
            text: Vec::with_capacity(unit.text.len() * 11 / 10),
            calls: Vec::new(),
            segments: Vec::new(),
            emptied: Vec::new(),
            unread: unread.iter().map(|unread| unread.words.clone()).collect(),
            rejected: OnceLock::new(),
            is_whole: extent == Extent::Whole,
            wanted_whole: OnceLock::new(),
        };
        let prologue = match unit.language {
            Language::C | Language::Fortran => PROLOGUE,
            Language::Cxx => PROLOGUE_CXX,
        };
        carriers.generate(prologue, 0);
        carriers.generate(allocation::definitions(unit), 0);
        carriers.generate(atomics::declarations(&unit.text), 0);
        carriers.generate("\n", 0);
        let mut replaced: Vec<_> = unit
            .directives
            .iter()
            .map(|it| (it.source.span.clone(), Replaced::Directive(it)))
            .collect();
        let qualifier = atomics::flag_qualifier(&unit.text);
        replaced.extend(qualifier.map(|range| (range, Replaced::Unreached)));
        let lines = unit.macro_lines.iter().cloned();
        replaced.extend(lines.map(|line| (line, Replaced::MacroLine)));
        match unit.language {
            Language::C => {
                let read = match extent {
                    Extent::Reached | Extent::All => bodies::read(unit),
                    Extent::Whole => vec![true; unit.outline.bodies.len()],
                };
                let bodies = bodies::unread(unit, &read).into_iter();
                replaced.extend(bodies.map(|body| (body, Replaced::Body)));
                let unreached = match extent {
                    Extent::Reached => unreached(unit, &read),
                    Extent::All | Extent::Whole => Vec::new(),
                };
                let unreached = unreached.into_iter();
                replaced.extend(unreached.map(|range| (range, Replaced::Unreached)));
            }
            // Elsewhere a function may have its type from its body.
            Language::Cxx | Language::Fortran => {}
        }
        let unread = unread.iter().enumerate();
        replaced.extend(
            unread.map(|(number, unread)| (unread.range.clone(), Replaced::Unread(number, unread))),
        );
        replaced.sort_by_key(|(span, _)| span.start);
        let mut at = 0;
        for (span, replaced) in replaced {
            if span.start < at {
                // A line in something that is left out.
                continue;
            }
            carriers.copy(unit, at, span.start);
            match replaced {
                Replaced::Directive(directive) => carriers.call(unit, directive),
                Replaced::MacroLine => {}
                Replaced::Body => carriers.emptied.push(carriers.text.len()),
                Replaced::Unreached => carriers.blank(unit, span.clone()),
                Replaced::Unread(number, unread) => carriers.leave_out(number, unread),
            }
            at = span.end;
        }
        carriers.copy(unit, at, unit.text.len());
        carriers
    }

    /// The offset in the preprocessed text of an offset in the carrier text. Bytes that the user did not write stand
    /// for the start of their directive.
    pub fn to_preprocessed(&self, offset: usize) -> usize {
        let index = self
            .segments
            .partition_point(|segment| segment.carrier <= offset)
            .saturating_sub(1);
        self.segments
            .get(index)
            .map_or(0, |segment| match segment.copied {
                true => segment.preprocessed + (offset - segment.carrier),
                false => segment.preprocessed,
            })
    }

    /// Whether the byte at an offset of the carrier text is one that the user did not write.
    pub fn is_generated(&self, offset: usize) -> bool {
        let index = self
            .segments
            .partition_point(|segment| segment.carrier <= offset)
            .saturating_sub(1);
        self.segments
            .get(index)
            .is_some_and(|segment| !segment.copied)
    }

    /// Whether clang could not read something in a range of the carrier text and left it out of its tree. Only system
    /// headers have such places (other errors are the user's): they use what only gcc knows. A function with one
    /// must not be compiled for a device.
    pub fn is_incomplete(&self, range: Range<usize>) -> bool {
        self.rejected
            .get()
            .into_iter()
            .flatten()
            .any(|error| range.contains(error))
    }

    /// Whether the function body that ends at an offset of the carrier text (behind its `}`) is there; otherwise no region
    /// needs it, and it was left out.
    pub fn is_read(&self, end: usize) -> bool {
        let brace = end.saturating_sub(1);
        self.emptied.binary_search(&brace).is_err()
    }

    /// Whether a name is among the words of what was left out.
    pub fn is_unread(&self, name: &str) -> bool {
        self.unread.iter().any(|words| words.contains(name))
    }

    /// Whether it has all of the unit.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Takes note that import needs all of the unit.
    pub fn want_whole(&self) {
        self.wanted_whole.get_or_init(|| ());
    }

    /// Whether import needs all of the unit.
    pub fn wants_whole(&self) -> bool {
        self.wanted_whole.get().is_some()
    }

    /// Takes note of the offsets of errors in system headers.
    pub(super) fn note_rejected(&self, offsets: Vec<usize>) {
        // A second run of clang on the same text finds the same errors.
        self.rejected.get_or_init(|| offsets);
    }

    fn generate(&mut self, text: &str, preprocessed: usize) {
        self.segments.push(Segment {
            carrier: self.text.len(),
            preprocessed,
            copied: false,
        });
        self.text.extend_from_slice(text.as_bytes());
    }

    fn copy(&mut self, unit: &Unit, from: usize, to: usize) {
        let text = &unit.text[from..to];
        let mut at = from;
        for call in atomics::calls(text) {
            let (start, end) = (from + call.range.start, from + call.range.end);
            self.copy_offsetofs(unit, at, start);
            self.generate(&call.before(text), start);
            self.copy(unit, from + call.arguments.start, from + call.arguments.end);
            self.generate(call.behind(), end);
            at = end;
        }
        self.copy_offsetofs(unit, at, to);
    }

    fn copy_offsetofs(&mut self, unit: &Unit, from: usize, to: usize) {
        let mut at = from;
        for found in offsetof::expressions(&unit.text[from..to]) {
            let (start, end) = (from + found.start, from + found.end);
            self.copy_verbatim(unit, at, start);
            self.generate(offsetof::BEFORE, start);
            self.copy_verbatim(unit, start, end);
            self.generate(offsetof::BEHIND, end);
            at = end;
        }
        self.copy_verbatim(unit, at, to);
    }

    fn copy_verbatim(&mut self, unit: &Unit, from: usize, to: usize) {
        self.segments.push(Segment {
            carrier: self.text.len(),
            preprocessed: from,
            copied: true,
        });
        self.text.extend_from_slice(&unit.text[from..to]);
    }

    /// Blanks of the same length, with the same line ends.
    fn blank(&mut self, unit: &Unit, range: Range<usize>) {
        self.segments.push(Segment {
            carrier: self.text.len(),
            preprocessed: range.start,
            copied: true,
        });
        let blanks = unit.text[range].iter().map(|byte| match byte {
            b'\n' => b'\n',
            _ => b' ',
        });
        self.text.extend(blanks);
    }

    /// Copies a part of a directive's text, stretch by stretch.
    fn copy_part(&mut self, directive: &ScannedDirective, span: Span) {
        let part = &directive.source.text.as_bytes()[span.start..span.end];
        let found = offsetof::expressions(part);
        let mut expected = None;
        for (index, &byte) in part.iter().enumerate() {
            let here = directive.source.to_preprocessed(span.start + index);
            if found.iter().any(|it| it.end == index) {
                self.generate(offsetof::BEHIND, here);
                expected = None;
            }
            if found.iter().any(|it| it.start == index) {
                self.generate(offsetof::BEFORE, here);
                expected = None;
            }
            if expected != Some(here) {
                self.segments.push(Segment {
                    carrier: self.text.len(),
                    preprocessed: here,
                    copied: true,
                });
            }
            self.text.push(byte);
            expected = Some(here + 1);
        }
        if found.last().is_some_and(|it| it.end == part.len()) {
            self.generate(offsetof::BEHIND, directive.source.to_preprocessed(span.end));
        }
    }

    /// What takes the place of something that clang cannot read.
    fn leave_out(&mut self, number: usize, unread: &Unread) {
        let call = format!("{UNREAD}({number})");
        let text = match unread.form {
            unread::Form::Statement => format!("{}{call};", unread.declarations),
            unread::Form::Condition => call,
            unread::Form::Body => {
                self.emptied.push(self.text.len());
                String::new()
            }
            unread::Form::Nothing => String::new(),
        };
        self.generate(&text, unread.range.start);
    }

    pub(super) fn call(&mut self, unit: &Unit, directive: &ScannedDirective) {
        let source = &directive.source;
        let (before, after) = match directive.form {
            Form::Statement | Form::Loop => ("switch(", ")default:"),
            Form::Standalone => ("", ";"),
            Form::Declarative => ("_Static_assert(sizeof(", "),\"\");"),
        };
        self.generate(
            &format!("{before}__accrue_dir({}", directive.ordinal),
            source.span.start,
        );
        let parts = arguments(directive);
        for (argument, span) in &parts {
            let opening = match argument.role {
                Role::Address if directive.text_of(*span) != "this" => ",&(",
                Role::Condition => ",!!(",
                Role::Address
                | Role::Index(_)
                | Role::Lower(_)
                | Role::Length(_)
                | Role::Stride(_)
                | Role::Value
                | Role::GangNum
                | Role::GangDim
                | Role::GangStatic
                | Role::Devnum
                | Role::Queue
                | Role::Function => ",(",
            };
            self.generate(opening, source.to_preprocessed(span.start));
            self.copy_part(directive, *span);
            self.generate(")", source.to_preprocessed(span.end));
        }
        for ((clause, item), length) in &directive.lengths {
            let var = directive.directive.vars(*clause).get(*item);
            let start = var.map_or(0, |var| var.span.start);
            let text = format!(",({})", length.text);
            self.generate(&text, source.to_preprocessed(start));
        }
        self.generate(&format!("){after}"), source.span.start);
        // A directive of several lines keeps its line ends.
        let lines = unit.text[source.span.clone()]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        self.generate(&"\n".repeat(lines), source.span.start);
        let written = parts.into_iter().map(|(argument, _)| argument);
        let declared = directive.lengths.keys().map(|(clause, item)| Argument {
            owner: Owner::Clause(*clause),
            item: *item,
            role: Role::Length(0),
        });
        let arguments = written.chain(declared).collect();
        self.calls.push(CarrierCall {
            form: directive.form,
            arguments,
        });
    }
}

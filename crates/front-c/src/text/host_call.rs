//! The call that takes the place of a directive, spelled in C.
//!
//! ```text
//! Call { queue: Integer(clause 1, item 0), … }                (__accrue_word)(q), …
//! float *p;      copy(p[1:m])    (p), 0,     lower (1), length (m), stride 0
//! float a[8];    copy(a[2:])     &(a), 0,    lower (2), length 8-(2), stride 0, where 8 is sizeof(a)/sizeof((a)[0])
//! float b[8][9]; copy(b[2:n])    &(b), 0,    lower (2), length (n), stride sizeof((b)[0]), lower 0, length 9, stride 0
//! double x;      by value        __accrue_f64(x)
//! ```
//!
//! What is passed is the middle's decision ([`accrue_hostcall`]); the texts come from the clauses. Extents and strides are left to the user's
//! compiler (`sizeof`), which knows those of variable-length arrays too.

use super::parameters::DeclaredLength;
use super::scan::{ScannedDirective, Unit};
use super::shadows::{self, Renamed, Shadow};
use super::site_name::has_default_clause;
use accrue_abi::ZERO_SIZE;
use accrue_diag::Diagnostic;
use accrue_directives::omp::ClauseKind;
use accrue_directives::{Span, Subscript, Var};
use accrue_hostcall::{
    Arithmetic, CallKind, Expression, Half, Operator, Site, SiteDim, SiteKind, SiteVar, ValueKind,
    VariableWord, Word, WordSource, named,
};

/// The call of a directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostCall {
    /// Which function is called, and how.
    pub kind: CallKind,
    /// The symbol of the directive's `struct accrue_site` in the companion object.
    pub site: String,
    /// The words, in order.
    pub words: Vec<String>,
    /// The lvalues whose address is taken.
    pub addressed: Vec<String>,
    /// The words that are computed behind the user's text.
    pub of_file: Vec<FileWord>,
    /// The variables that mean their device addresses in the statement (`host_data`).
    pub shadows: Vec<Shadow>,
    /// The `depend` clauses of OpenMP, as they are written: an empty task of the host with them comes first.
    pub depend: String,
    /// The site's name is hidden from data-sharing rules of OpenMP around the directive.
    pub is_hidden: bool,
}

/// The call of each directive by ordinal number; `None` where the directive does nothing on the host. `symbols` gives the name
/// of each site's table, `renamed` the names that have other meanings in the statements around.
///
/// # Errors
/// Sections that C cannot express.
pub fn host_calls(
    unit: &Unit,
    sites: &[Site],
    symbols: &[String],
    renamed: &[Renamed],
) -> Result<Vec<Option<HostCall>>, Vec<Diagnostic>> {
    let mut calls = vec![None; unit.directives.len()];
    let mut errors = vec![];
    let is_hidden = has_default_clause(unit);
    for (site, symbol) in sites.iter().zip(symbols) {
        let Some(directive) = unit.directives.get(site.directive as usize) else {
            continue;
        };
        match host_call(unit, directive, site, symbol, renamed) {
            Ok(call) => calls[directive.ordinal] = Some(HostCall { is_hidden, ..call }),
            Err(message) => errors.push(message),
        }
    }
    match errors.is_empty() {
        true => Ok(calls),
        false => Err(errors),
    }
}

fn host_call(
    unit: &Unit,
    directive: &ScannedDirective,
    site: &Site,
    symbol: &str,
    renamed: &[Renamed],
) -> Result<HostCall, Diagnostic> {
    let spelling = Spelling {
        unit,
        directive,
        renamed,
    };
    let variables: Result<Vec<Spelled>, Diagnostic> =
        site.vars.iter().map(|var| spelling.variable(var)).collect();
    let variables = variables?;
    let header = site.call.header.words().into_iter();
    let mut words: Vec<String> = header
        .chain(&site.call.waits)
        .chain(site.call.sizes.iter().flatten())
        .map(|word| spelling.word(word))
        .collect();
    let (mut addressed, mut of_file) = (vec![], vec![]);
    for (var, spelled) in site.vars.iter().zip(&variables) {
        for word in var.words() {
            if var.source == WordSource::Own {
                words.push("0".to_string());
                continue;
            }
            let text = spelled.word(var, word);
            if spelled.of_file && spelled.is_about_base(word) {
                let word = FileWord {
                    function: format!("{symbol}_word{}", words.len()),
                    text,
                };
                words.push(word.call());
                of_file.push(word);
                continue;
            }
            words.push(text);
            let address = word == VariableWord::PointerPlace
                || word == VariableWord::Start && !var.is_behind_pointer();
            addressed.extend(address.then(|| spelled.base.clone()));
        }
    }
    let shadows = match site.kind {
        SiteKind::HostData => {
            let names = variables.iter().map(|spelled| spelled.base.as_str());
            shadows::shadows(directive, site, names)?
        }
        _ => vec![],
    };
    Ok(HostCall {
        kind: CallKind::of(site.kind),
        site: symbol.to_string(),
        words,
        addressed,
        of_file,
        shadows,
        depend: depend(directive),
        is_hidden: false,
    })
}

/// The `depend` clauses of a directive.
fn depend(directive: &ScannedDirective) -> String {
    let Some(omp) = directive.directive.omp() else {
        return String::new();
    };
    let clauses = omp.clauses_of(ClauseKind::Depend);
    let texts: Vec<&str> = clauses
        .map(|(_, clause)| directive.text_of(clause.span))
        .collect();
    texts.join(" ")
}

/// A word that is computed by a function behind the user's text, where the names of the file mean what they do in functions that a region calls.
///
/// ```text
/// static __accrue_word F(void);                                                   in front of the user's text
/// int main(void) { int n = 3; … __accrue_launch(&SITE, (…){ …, F() }) … }
/// static __accrue_word F(void){return (__accrue_word)(unsigned long)&(n);}        behind it
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileWord {
    pub function: String,
    pub text: String,
}

impl FileWord {
    fn call(&self) -> String {
        format!("{}()", self.function)
    }

    /// What stands in front of the user's text.
    pub(super) fn declaration(&self) -> String {
        format!("static __accrue_word {}(void);", self.function)
    }

    /// What stands behind it.
    pub(super) fn definition(&self) -> String {
        let FileWord { function, text } = self;
        format!(
            "\n# 1 \"<accrue>\" 3\n__extension__ static __accrue_word {function}(void){{return {text};}}\n"
        )
    }
}

/// The texts of one directive.
struct Spelling<'a> {
    unit: &'a Unit,
    directive: &'a ScannedDirective,
    renamed: &'a [Renamed],
}

/// A variable as C texts.
struct Spelled {
    /// The variable without subscripts: `s->p` of `s->p[0:n]`.
    base: String,
    /// Of each dimension that the clause names.
    sections: Vec<Section>,
    /// The variable is one of the file, whatever its name means where the directive is.
    of_file: bool,
}

/// What a clause says of one dimension.
struct Section {
    /// The first element.
    lower: Option<String>,
    /// The number of elements.
    length: Option<String>,
    /// From an element to the next.
    stride: Option<String>,
}

impl Spelling<'_> {
    fn text(&self, span: Span) -> String {
        shadows::in_directive(self.directive, span, self.renamed)
    }

    fn expression(&self, expression: Expression) -> String {
        let Expression {
            directive,
            clause,
            item,
        } = expression;
        let inner = directive.and_then(|number| self.unit.directives.get(number as usize));
        let owner = inner.unwrap_or(self.directive);
        let span = owner.directive.expression(clause, item);
        // Every expression in the IR was written, so that there is a span.
        span.map_or_else(
            || "0".to_string(),
            |span| shadows::in_directive(owner, span, self.renamed),
        )
    }

    fn word(&self, word: &Word) -> String {
        match word {
            Word::Constant(value) => constant(*value),
            Word::Integer(value) => format!("(__accrue_word)({})", self.expression(*value)),
            Word::DeviceNumber(value) => {
                format!("(__accrue_word)(unsigned int)({})", self.expression(*value))
            }
            // GCC warns of a comparison before `?:`, but not of a sum.
            Word::Size(value) => format!(
                "((__accrue_word)({})+0?:(__accrue_word)1<<{})",
                self.expression(*value),
                ZERO_SIZE.trailing_zeros()
            ),
            Word::Largest(words) => {
                let texts = words.iter().map(|word| self.word(word));
                let largest = texts.reduce(|a, b| format!("__accrue_most({a},{b})"));
                largest.unwrap_or_else(|| "0".to_string())
            }
            Word::Condition(value) => {
                format!("(__accrue_word)(({})!=0)", self.expression(*value))
            }
            Word::Choose {
                mask,
                then,
                otherwise,
            } => format!(
                "(__accrue_device_is({mask})?{}:{})",
                self.word(then),
                self.word(otherwise)
            ),
        }
    }

    fn variable(&self, var: &SiteVar) -> Result<Spelled, Diagnostic> {
        match &var.source {
            WordSource::Clause { clause, item } => {
                let named = self.item(*clause, *item)?;
                let place = (*clause as usize, *item as usize);
                let declared = self.directive.lengths.get(&place);
                Ok(Spelled {
                    base: self.text(named.base),
                    sections: match var.is_object() {
                        true => self.sections(var, named, declared)?,
                        false => vec![],
                    },
                    of_file: false,
                })
            }
            WordSource::Member { of, path } => {
                let object = SiteVar {
                    source: (**of).clone(),
                    ..var.clone()
                };
                let object = self.variable(&object)?;
                let base = format!("({})", object.base);
                Ok(Spelled::variable(&named(&base, path), object.of_file))
            }
            WordSource::Section { of, section } => {
                let pointer = SiteVar {
                    source: (**of).clone(),
                    dims: vec![],
                    ..var.clone()
                };
                let pointer = self.variable(&pointer)?;
                Ok(Spelled {
                    sections: vec![Section {
                        lower: Some(arithmetic(&section.lower)),
                        length: Some(arithmetic(&section.length)),
                        stride: None,
                    }],
                    ..pointer
                })
            }
            WordSource::Variable { name } => Ok(Spelled::variable(name, false)),
            WordSource::FileScope { name } => Ok(Spelled::variable(name, true)),
            WordSource::Own => Ok(Spelled::variable("0", false)),
            WordSource::Global { symbol } => Err(Diagnostic::error(format!(
                "internal error: directive {} passes `{symbol}` of another unit",
                self.directive.ordinal
            ))),
            WordSource::Extent { name, dim } => {
                let array = subscripted(name, *dim as usize);
                let base = format!("sizeof({array})/sizeof({array}[0])");
                Ok(Spelled::variable(&base, false))
            }
        }
    }

    /// The variable that is item `item` of clause `clause`.
    fn item(&self, clause: u32, item: u32) -> Result<&Var, Diagnostic> {
        let vars = self.directive.directive.vars(clause as usize);
        let var = vars.get(item as usize);
        var.ok_or_else(|| {
            Diagnostic::error(format!(
                "internal error: directive {} has no variable {item} in clause {clause}",
                self.directive.ordinal
            ))
        })
    }

    /// What the subscripts of a variable in a clause say. An array parameter without subscripts has its `declared` length.
    fn sections(
        &self,
        var: &SiteVar,
        named: &Var,
        declared: Option<&DeclaredLength>,
    ) -> Result<Vec<Section>, Diagnostic> {
        let mut sections = vec![];
        for (dimension, subscript) in named.subscripts.iter().enumerate() {
            let fail = |message: Diagnostic| {
                let span = subscript_span(subscript);
                Err(self.directive.source.locate(message.section("2.7.1"), span))
            };
            let base = || self.text(named.base);
            let Some(step) = var.dims.get(dimension) else {
                return fail(Diagnostic::error(format!(
                    "`{}` has no dimension for this subscript",
                    base()
                )));
            };
            let text = |span: Span| self.text(span);
            let (lower, length, stride) = match *subscript {
                Subscript::Index(index) => (Some(text(index)), Some("1".to_string()), None),
                Subscript::Section {
                    lower,
                    length,
                    stride,
                    ..
                } => (lower.map(text), length.map(text), stride.map(text)),
                Subscript::Triplet { .. } => {
                    return fail(
                        Diagnostic::error("this is Fortran's way to write a section")
                            .help("write `[lower:length]`"),
                    );
                }
            };
            if length.is_none() && *step == SiteDim::Pointer {
                return fail(
                    Diagnostic::error(format!(
                        "the length of this section of `{}` is missing",
                        base()
                    ))
                    .label("a pointer does not tell how many elements it points to"),
                );
            }
            sections.push(Section {
                lower,
                length,
                stride,
            });
        }
        if sections.is_empty() && var.is_behind_pointer() {
            // Without a declared length it is one struct.
            let length = declared.map_or("1", |length| &length.text);
            sections.push(Section {
                lower: None,
                length: Some(length.to_string()),
                stride: None,
            });
        }
        Ok(sections)
    }
}

impl Spelled {
    fn variable(base: &str, of_file: bool) -> Spelled {
        Spelled {
            base: base.to_string(),
            sections: vec![],
            of_file,
        }
    }

    /// Whether a word says something of the variable, and nothing of what else the call names.
    fn is_about_base(&self, word: VariableWord) -> bool {
        match word {
            VariableWord::Value(_) | VariableWord::Part(..) => true,
            VariableWord::Start | VariableWord::PointerPlace | VariableWord::Pitch(_) => true,
            VariableWord::Length(dim) => self.sections.get(dim).is_none(),
            VariableWord::Nothing | VariableWord::One => false,
            VariableWord::Lower(_) | VariableWord::Stride(_) => false,
        }
    }

    fn word(&self, var: &SiteVar, word: VariableWord) -> String {
        let base = &self.base;
        match word {
            VariableWord::Value(kind) => value(kind, base),
            VariableWord::Part(kind, half) => part(kind, half, base),
            VariableWord::Start if var.is_behind_pointer() => value(ValueKind::Pointer, base),
            VariableWord::Start | VariableWord::PointerPlace => {
                format!("(__accrue_word)(unsigned long)&({base})")
            }
            VariableWord::Nothing => "0".to_string(),
            VariableWord::Lower(dim) => match self.lower(dim) {
                Some(lower) => format!("(__accrue_word)({lower})"),
                None => "0".to_string(),
            },
            VariableWord::Length(dim) => {
                let length = self
                    .sections
                    .get(dim)
                    .and_then(|section| section.length.as_ref());
                if let Some(length) = length {
                    return format!("(__accrue_word)({length})");
                }
                let rest = match self.lower(dim) {
                    None => self.extent(dim),
                    Some(from) => format!("{}-(__accrue_word)({from})", self.extent(dim)),
                };
                match self.stride(dim) {
                    None => rest,
                    Some(stride) => {
                        let stride = format!("(__accrue_word)({stride})");
                        format!("({rest}+{stride}-1)/{stride}")
                    }
                }
            }
            VariableWord::One => "1".to_string(),
            VariableWord::Pitch(dim) => format!("sizeof({})", subscripted(base, dim + 1)),
            VariableWord::Stride(dim) => {
                let pitch = format!("sizeof({})", subscripted(base, dim + 1));
                let stride = self.stride(dim).map_or("1", String::as_str);
                format!("(__accrue_word)({stride})*{pitch}")
            }
        }
    }

    fn lower(&self, dim: usize) -> Option<&String> {
        self.sections.get(dim)?.lower.as_ref()
    }

    fn stride(&self, dim: usize) -> Option<&String> {
        self.sections.get(dim)?.stride.as_ref()
    }

    /// The number of elements of a dimension of an array.
    fn extent(&self, dim: usize) -> String {
        let array = match dim {
            0 => self.base.clone(),
            _ => subscripted(&self.base, dim),
        };
        let element = subscripted(&self.base, dim + 1);
        format!("sizeof({array})/sizeof({element})")
    }
}

/// What the host computes, with helper functions of the host's text.
fn arithmetic(number: &Arithmetic) -> String {
    match number {
        Arithmetic::Constant(number) => format!("({})", constant(*number as u64)),
        Arithmetic::Variable(name) => format!("(__accrue_word)({name})"),
        Arithmetic::Binary(operator, a, b) => {
            let (a, b) = (arithmetic(a), arithmetic(b));
            match operator {
                Operator::Add => format!("({a}+{b})"),
                Operator::Multiply => format!("{a}*{b}"),
                Operator::Divide => format!("({a}/{b})"),
                Operator::Least => format!("__accrue_least({a},{b})"),
                Operator::Most => format!("__accrue_most({a},{b})"),
            }
        }
        Arithmetic::When(condition, yes, no) => {
            let (condition, yes) = (arithmetic(condition), arithmetic(yes));
            format!("({condition}>>63?{}:{yes})", arithmetic(no))
        }
    }
}

/// The first element of an array, of its first element, and so on.
fn subscripted(array: &str, times: usize) -> String {
    format!("({array}){}", "[0]".repeat(times))
}

/// Large numbers are written as negative ones: C90 has no suffix for them.
fn constant(value: u64) -> String {
    if value <= i64::MAX as u64 {
        format!("{value}")
    } else if value.is_power_of_two() {
        format!("(__accrue_word)1<<{}", value.trailing_zeros())
    } else {
        format!("-(__accrue_word){}", value.wrapping_neg())
    }
}

/// A value of up to eight bytes.
fn value(kind: ValueKind, text: &str) -> String {
    match kind {
        ValueKind::Integer | ValueKind::Integer128 => format!("(__accrue_word)({text})"),
        ValueKind::Pointer => format!("(__accrue_word)(unsigned long)({text})"),
        ValueKind::Float32 => format!("__accrue_f32({text})"),
        ValueKind::Float64 | ValueKind::LongDouble => format!("__accrue_f64({text})"),
        ValueKind::Complex32 | ValueKind::Complex64 => format!("__accrue_c32({text})"),
    }
}

/// Eight bytes of a value of 16.
fn part(kind: ValueKind, half: Half, text: &str) -> String {
    let number = match half {
        Half::First => 0,
        Half::Second => 1,
    };
    match (kind, half) {
        (ValueKind::LongDouble, _) => format!("__accrue_ld({text},{number})"),
        (ValueKind::Complex64, _) => format!("__accrue_c64({text},{number})"),
        (ValueKind::Integer128, Half::Second) => format!("(__accrue_word)(({text})>>64)"),
        (
            ValueKind::Integer128
            | ValueKind::Integer
            | ValueKind::Float32
            | ValueKind::Float64
            | ValueKind::Pointer
            | ValueKind::Complex32,
            _,
        ) => value(kind, text),
    }
}

fn subscript_span(subscript: &Subscript) -> Span {
    match subscript {
        Subscript::Index(span)
        | Subscript::Section { span, .. }
        | Subscript::Triplet { span, .. } => *span,
    }
}

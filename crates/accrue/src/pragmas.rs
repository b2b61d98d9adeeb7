//! The user's directives, made anew of the operations of the acc dialect: `accrue ir FILE --emit=pragmas`.
//!
//! ```text
//! v1 = acc.copyin var(%a) …                            #pragma acc parallel loop gang copyin(a[0:n]) \
//! acc.parallel numGangs(v2) dataOperands(v1) { …  ──▶                num_gangs(n / 4) reduction(+:s)
//!   acc.loop reduction(v3) …
//! ```
//! What comes out is the preprocessed text with its directives replaced, line by line; the dialect loses nothing if it is imported as the
//! same operations again. Steps: [`Operations::of`] finds what each directive has become, [`directive`] writes a directive of it, and
//! [`text`] puts that in the place of the old one. An operation has a clause's expression as the value that it is, and notes which expression
//! of which clause that was: its words are the user's.
//!
//! A directive that has become no operation of the dialect (`atomic`, `cache`, `routine`, a `loop` outside of constructs, and all of
//! OpenMP's) stays as it is written.

mod directive;
mod order;

use std::collections::BTreeMap;

use accrue_dialects::acc::{AccOp, DIRECTIVE, DataInfo, DataOp, DirectiveId, Origin, Reduction};
use accrue_dialects::par::ReductionOperator;
use accrue_front_c::text::scan::Unit;
use accrue_front_c::text::sentinel::Sentinel;
use accrue_ir::{attributes, walk};
use pliron::context::{Context, Ptr};
use pliron::op::op_cast;
use pliron::operation::Operation;

/// An operation that a directive has become, which is not one about a variable.
type Own = (Ptr<Operation>, AccOp);

/// A variable of a data clause.
struct Item {
    info: DataInfo,
    operator: Option<ReductionOperator>,
}

/// What one directive has become.
#[derive(Default)]
struct Operations {
    /// The operations of the directive itself: one, or two of a combined construct.
    own: Vec<Own>,
    /// The variables of its data clauses, by clause and item.
    items: BTreeMap<(u32, u32), Item>,
}

impl Operations {
    /// What the directives have become, by number.
    fn of(ctx: &Context, module: Ptr<Operation>) -> BTreeMap<u32, Operations> {
        let mut found: BTreeMap<u32, Operations> = BTreeMap::new();
        for op in walk::nested_ops(ctx, module) {
            let Some(acc) = AccOp::of(ctx, op) else {
                continue;
            };
            let object = Operation::get_op_dyn(op, ctx);
            if let Some(DirectiveId(number)) = attributes::optional(ctx, op, &DIRECTIVE) {
                let own = &mut found.entry(number).or_default().own;
                // A function that is imported for the host and for devices has its directives twice.
                if own.iter().all(|(_, other)| !is_same_kind(*other, acc)) {
                    own.push((op, acc));
                }
            }
            if let Some(data) = op_cast::<dyn DataOp>(&*object)
                && let Some(origin) = data.origin(ctx)
            {
                let Origin {
                    directive,
                    clause,
                    item,
                } = origin;
                let operator = Operation::get_op::<Reduction>(op, ctx);
                let items = &mut found.entry(directive).or_default().items;
                items.entry((clause, item)).or_insert_with(|| Item {
                    info: data.info(ctx),
                    operator: operator.map(|reduction| reduction.operator(ctx)),
                });
            }
        }
        found
    }
}

fn is_same_kind(one: AccOp, other: AccOp) -> bool {
    std::mem::discriminant(&one) == std::mem::discriminant(&other)
}

/// The unit's text with the directives that the module's operations stand for made anew.
pub fn text(ctx: &Context, module: Ptr<Operation>, unit: &Unit) -> String {
    let operations = Operations::of(ctx, module);
    let mut text = vec![];
    let mut at = 0;
    for scanned in &unit.directives {
        let number = u32::try_from(scanned.ordinal).unwrap_or(u32::MAX);
        let made = operations
            .get(&number)
            .filter(|_| scanned.source.sentinel == Sentinel::Acc && !scanned.source.is_rewritten)
            .and_then(|operations| directive::written(ctx, operations, scanned));
        let span = &scanned.source.span;
        if let Some(made) = made
            && span.start >= at
        {
            text.extend_from_slice(&unit.text[at..span.start]);
            text.extend(placed(&made, &unit.text[span.clone()]).into_bytes());
            at = span.end;
        }
    }
    text.extend_from_slice(&unit.text[at..]);
    String::from_utf8_lossy(&text).into_owned()
}

/// A directive in the form of the old one, with as many lines.
fn placed(directive: &str, old: &[u8]) -> String {
    let lines = old.iter().filter(|byte| **byte == b'\n').count();
    match old.starts_with(b"#") {
        true => format!("#pragma acc {directive}{}", "\\\n".repeat(lines)),
        false => {
            let escaped = directive.replace('\\', "\\\\").replace('"', "\\\"");
            format!("_Pragma(\"acc {escaped}\"){}", "\n".repeat(lines))
        }
    }
}

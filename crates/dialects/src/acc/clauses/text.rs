//! The text of operations with operand groups, printed and read.
//!
//! ```text
//! acc.parallel dataOperands(v1, v2) numGangs(v3, v4 [nvidia]) [attrs] : <> { regions }
//! ```
//! Neither function is generic, so that each operation adds no copy of it.

use super::{ClauseOp, DEVICE_TYPES, DeviceType, DeviceTypes, Group};
use pliron::{
    attribute::AttributeDict,
    builtin::{attributes::OperandSegmentSizesAttr, op_interfaces::ATTR_KEY_OPERAND_SEGMENT_SIZES},
    combine::{Parser, between, many, optional, parser::char::spaces, token},
    context::{Context, Ptr},
    identifier::Identifier,
    input_err,
    irfmt::{
        parsers::{
            delimited_list_parser, process_parsed_ssa_defs, spaced, ssa_opd_parser, type_parser,
        },
        printers::iter_with_sep,
    },
    location::Location,
    op::OpObj,
    operation::Operation,
    parsable::{IntoParseResult, Parsable, ParseResult, StateStream, StreamLocation},
    printable::{ListSeparator, Printable, State},
    region::Region,
};
use std::fmt;

pub fn print(
    op: &dyn ClauseOp,
    ctx: &Context,
    state: &State,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let operation = op.get_operation().deref(ctx);
    let comma = ListSeparator::CharSpace(',');
    if operation.get_num_results() > 0 {
        write!(
            f,
            "{} = ",
            iter_with_sep(operation.results(), comma).print(ctx, state)
        )?;
    }
    write!(f, "{}", op.get_opid())?;
    let (sizes, devices) = (op.get_operand_segment_sizes(ctx).0, op.device_types(ctx));
    let mut operands = operation.operands().zip(devices);
    for (group, size) in op.groups().iter().zip(sizes).filter(|(_, size)| *size > 0) {
        write!(f, " {}(", group.name())?;
        for (i, (value, device)) in operands.by_ref().take(size as usize).enumerate() {
            write!(
                f,
                "{}{}",
                if i > 0 { ", " } else { "" },
                value.print(ctx, state)
            )?;
            if device != DeviceType::None {
                write!(f, " [{}]", device.print(ctx, state))?;
            }
        }
        write!(f, ")")?;
    }
    let mut attrs = operation.attributes.clone_skip_outlined(ctx);
    attrs
        .0
        .retain(|k, _| *k != ATTR_KEY_OPERAND_SEGMENT_SIZES && *k != DEVICE_TYPES);
    if !attrs.0.is_empty() {
        write!(f, " {}", attrs.print(ctx, state))?;
    }
    if operation.get_num_results() > 0 {
        write!(
            f,
            " : <{}>",
            iter_with_sep(operation.result_types(), comma).print(ctx, state)
        )?;
    }
    for region in operation.regions() {
        write!(f, " {}", region.print(ctx, state))?;
    }
    Ok(())
}

/// How to make an op: what `Op::get_concrete_op_info` gives.
pub type Maker = (fn(Ptr<Operation>) -> OpObj, std::any::TypeId);

pub fn parse<'a>(
    stream: &mut StateStream<'a>,
    results: Vec<(Identifier, Location)>,
    maker: Maker,
    known: &[Group],
) -> ParseResult<'a, OpObj> {
    let loc = stream.loc();
    let device = between(
        spaced(token('[')),
        spaced(token(']')),
        DeviceType::parser(()),
    );
    let operand = ssa_opd_parser().skip(spaces()).and(optional(device));
    let operands = delimited_list_parser('(', ')', ',', operand).skip(spaces());
    let clause = Identifier::parser(()).skip(spaces()).and(operands);
    let types = spaced(token(':')).with(delimited_list_parser('<', '>', ',', type_parser()));
    let ((clauses, attrs, types), _): ((Vec<_>, _, _), _) = (
        spaces().with(many(clause)),
        spaced(optional(AttributeDict::parser(()))),
        optional(types),
    )
        .parse_stream(stream)
        .into_result()?;

    let mut groups = vec![vec![]; known.len()];
    for (name, operands) in clauses {
        match known
            .iter()
            .position(|group| group.name() == AsRef::<str>::as_ref(&name))
        {
            Some(index) => groups[index] = operands,
            None => input_err!(loc.clone(), "no clause {name} here")?,
        }
    }
    let sizes = groups.iter().map(|g| g.len() as u32).collect();
    let (operands, devices): (Vec<_>, Vec<_>) = groups
        .into_iter()
        .flatten()
        .map(|(value, device)| (value, device.unwrap_or_default()))
        .unzip();

    let ctx = &mut *stream.state.ctx;
    let operation = Operation::new(ctx, maker, types.unwrap_or_default(), operands, vec![], 0);
    let mut attrs = attrs.unwrap_or_default();
    attrs.set(
        ATTR_KEY_OPERAND_SEGMENT_SIZES.clone(),
        OperandSegmentSizesAttr(sizes),
    );
    operation.deref_mut(ctx).attributes = attrs;
    if devices.iter().any(|d| *d != DeviceType::None) {
        operation
            .deref_mut(ctx)
            .attributes
            .set(DEVICE_TYPES.clone(), DeviceTypes(devices));
    }
    process_parsed_ssa_defs(stream, &results, operation)?;
    let _: (Vec<_>, _) = spaces()
        .with(many(Region::parser(operation).skip(spaces())))
        .parse_stream(stream)
        .into_result()?;
    Ok(Operation::get_op_dyn(operation, stream.state.ctx)).into_parse_result()
}

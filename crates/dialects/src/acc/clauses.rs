//! Operand groups ("clauses") of acc operations: storage, text format and verification, once for all operations.
//!
//! ```text
//! acc.parallel dataOperands(v1, v2) numGangs(v3, v4 [nvidia]) [attrs] : <> { regions }
//! ```

use pliron::{
    attribute::AttributeDict,
    builtin::{
        attributes::OperandSegmentSizesAttr,
        op_interfaces::{ATTR_KEY_OPERAND_SEGMENT_SIZES, OperandSegmentInterface},
    },
    combine::{Parser, between, many, optional, parser::char::spaces, token},
    context::{Context, Ptr},
    derive::{op_interface, pliron_attr},
    dict_key,
    identifier::Identifier,
    input_err,
    irfmt::{
        parsers::{
            delimited_list_parser, process_parsed_ssa_defs, spaced, ssa_opd_parser, type_parser,
        },
        printers::iter_with_sep,
    },
    location::Location,
    op::{Op, OpObj},
    operation::Operation,
    parsable::{IntoParseResult, Parsable, ParseResult, StateStream, StreamLocation},
    printable::{ListSeparator, Printable, State},
    region::Region,
    result::Result,
    value::Value,
    verify_err,
};
use std::fmt;

/// The device type that an operand or a property applies to (OpenACC 3.4, section 2.4, `device_type`). `None`: given
/// before any `device_type` clause; `Star`: after `device_type(*)`.
#[pliron_attr(name = "acc.device_type", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash, Default)]
pub enum DeviceType {
    #[default]
    None,
    Star,
    Host,
    Multicore,
    Nvidia,
    Radeon,
    Default,
}

/// A list of device types; as an attribute of an operation, one per operand in operand order.
#[pliron_attr(
    name = "acc.device_types",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash, Default)]
pub struct DeviceTypes(pub Vec<DeviceType>);

dict_key!(DEVICE_TYPES, "acc_operand_device_types");

/// An op whose operands fall into named groups.
#[op_interface]
pub trait ClauseOp: OperandSegmentInterface {
    /// Names of the groups, in operand order.
    fn clause_names(&self) -> &'static [&'static str];

    /// Operands of the group `name`.
    fn clause(&self, ctx: &Context, name: &str) -> Vec<Value> {
        self.get_segment(ctx, self.clause_index(name))
    }

    fn clause_index(&self, name: &str) -> usize {
        let index = self.clause_names().iter().position(|n| *n == name);
        index.unwrap_or_else(|| panic!("{} has no clause {name}", self.get_opid()))
    }

    /// Device type of each operand.
    fn device_types(&self, ctx: &Context) -> Vec<DeviceType> {
        let op = self.get_operation().deref(ctx);
        match op.attributes.get::<DeviceTypes>(&DEVICE_TYPES) {
            Some(types) => types.0.clone(),
            None => vec![DeviceType::None; op.get_num_operands()],
        }
    }

    fn verify(op: &dyn Op, ctx: &Context) -> Result<()>
    where
        Self: Sized,
    {
        let operation = op.get_operation().deref(ctx);
        let types = operation.attributes.get::<DeviceTypes>(&DEVICE_TYPES);
        if types.is_some_and(|t| t.0.len() != operation.get_num_operands()) {
            return verify_err!(operation.loc(), "one device type per operand expected");
        }
        Ok(())
    }
}

/// Implements `ClauseOp` and the clause syntax for an op.
#[macro_export]
macro_rules! clause_op {
    ($op:ident: $($name:ident),* $(,)?) => {
        #[pliron::derive::op_interface_impl]
        impl pliron::builtin::op_interfaces::OperandSegmentInterface for $op {
            fn expected_num_segments(&self, _: &pliron::context::Context) -> Option<usize> {
                Some(<[&str]>::len(&[$(stringify!($name)),*]))
            }
        }
        #[pliron::derive::op_interface_impl]
        impl $crate::acc::clauses::ClauseOp for $op {
            fn clause_names(&self) -> &'static [&'static str] {
                &[$(stringify!($name)),*]
            }
        }
        impl pliron::printable::Printable for $op {
            fn fmt(&self, ctx: &pliron::context::Context, state: &pliron::printable::State,
                   f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $crate::acc::clauses::print(self, ctx, state, f)
            }
        }
        impl pliron::parsable::Parsable for $op {
            type Arg = Vec<(pliron::identifier::Identifier, pliron::location::Location)>;
            type Parsed = pliron::op::OpObj;
            fn parse<'a>(stream: &mut pliron::parsable::StateStream<'a>, results: Self::Arg)
                -> pliron::parsable::ParseResult<'a, Self::Parsed> {
                $crate::acc::clauses::parse(stream, results,
                    <$op as pliron::op::Op>::get_concrete_op_info(), &[$(stringify!($name)),*])
            }
        }
    };
}

/// Stores operand groups on a freshly built op.
pub fn build<T: ClauseOp + Op>(
    ctx: &mut Context,
    results: Vec<pliron::r#type::TypeHandle>,
    groups: Vec<Vec<Value>>,
    regions: usize,
) -> T {
    let (operands, sizes) = T::compute_segment_sizes(groups);
    let op: T = accrue_ir::build::build(ctx, results, operands, regions);
    op.set_operand_segment_sizes(ctx, sizes);
    op
}

/// Not generic, so that each op adds no copy of it (the parser below likewise).
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
    for (name, size) in op
        .clause_names()
        .iter()
        .zip(sizes)
        .filter(|(_, size)| *size > 0)
    {
        write!(f, " {name}(")?;
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
    names: &[&str],
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

    let mut groups = vec![vec![]; names.len()];
    for (name, operands) in clauses {
        match names
            .iter()
            .position(|n| **n == *AsRef::<str>::as_ref(&name))
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

/// Appends `value` to the group `name` of `op`, for device type `device`.
pub fn push(op: &dyn ClauseOp, ctx: &mut Context, name: &str, value: Value, device: DeviceType) {
    let index = op.clause_index(name);
    let mut devices = op.device_types(ctx);
    let sizes = op.get_operand_segment_sizes(ctx).0;
    let at: u32 = sizes[..=index].iter().sum();
    devices.insert(at as usize, device);
    op.push_to_segment(ctx, index, value);
    if devices.iter().any(|d| *d != DeviceType::None) {
        let mut operation = op.get_operation().deref_mut(ctx);
        operation
            .attributes
            .set(DEVICE_TYPES.clone(), DeviceTypes(devices));
    }
}

/// Operands of the group `name` with their device types.
pub fn operands_with_devices(
    op: &dyn ClauseOp,
    ctx: &Context,
    name: &str,
) -> Vec<(Value, DeviceType)> {
    let range = op.segment_range(ctx, op.clause_index(name));
    let devices = op.device_types(ctx);
    op.clause(ctx, name)
        .into_iter()
        .zip(devices[range].to_vec())
        .collect()
}

/// Fails when one of the groups has two operands for one device type. Groups that `op` does not have are passed over.
pub fn verify_once_per_device(op: &dyn ClauseOp, ctx: &Context, names: &[&str]) -> Result<()> {
    for name in names.iter().filter(|n| op.clause_names().contains(n)) {
        let seen: Vec<_> = operands_with_devices(op, ctx, name)
            .into_iter()
            .map(|(_, d)| d)
            .collect();
        if (1..seen.len()).any(|i| seen[..i].contains(&seen[i])) {
            let loc = op.get_operation().deref(ctx).loc().clone();
            return verify_err!(loc, "{name} given twice for one device type");
        }
    }
    Ok(())
}

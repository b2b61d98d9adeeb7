//! Records of the lanes of a sub-group become one, without memory (seed: OpenMP reductions on GPUs in LLVM, "Reduction
//! Algorithms" 1 to 3; OpenACC reductions in GCC, "Vector Level").
//!
//! ```text
//! shuffle, 8 lanes         contiguous, 5 lanes             dispersed, lanes 1 3 4 6
//! 0 1 2 3 4 5 6 7          0 1 2 3 4    size 5, offset 2   numbered 0 1 2 3: 0 takes 1, 2 takes 3
//! v OP lane xor 4          0+2 1+3 4    size 3, offset 1   lanes 1 and 4 are left: numbered 0 1
//! v OP lane xor 2          0+2+1+3 4    size 2, offset 1   0 takes 1
//! v OP lane xor 1          all          size 1             lane 1 has the result
//! ```
//! `shuffle` is the seed's full sub-group reduction, with `xor` in place of `down`: two lanes that exchange values combine the
//! same pair, and the operators commute, so all lanes end with the same bits and nothing has to be handed out.
//!
//! `contiguous` moves the last value of an odd number down to a lane that has given its own away. `dispersed` combines
//! neighbours: from a lane's number among the active ones its place is easily found, not the other way round. Both give the
//! result to the first active lane, which hands it out. Their steps are unrolled for the most lanes there can be; a step too
//! many does nothing. The active lanes are found with a vote of the lanes that take part, not with `activemask`: from
//! compute capability 7.0 that may leave out lanes that are on their way.
//!
//! `redux` has the hardware do it: integers of up to 32 bits, widened to a word. `&&` and `||` are taken of truth values.
//!
//! Where several workers share a sub-group, `lanes` is how many lanes a worker has; `equal` neighbours have the same value when
//! the workers of a sub-group combine theirs.

use super::{
    super::{
        at::{Emitter, GpuAt},
        unit::Unit,
    },
    policy::Algorithm,
    record::{Record, select, shuffle},
};
use crate::{
    diagnostic::Result,
    dialect::{Ballot, Mask, MaskKind, Quantity, Reduce, ReduceKind, ShuffleMode},
};
use accrue_dialects::{
    core::{BinKind, Cast, CastKind, CmpKind, boolean, int, int_width},
    par::{ReductionInfo, ReductionOperator},
};
use pliron::{r#type::Typed, value::Value};

/// The records of `lanes` neighbouring lanes, combined; `algorithms` is one per field. All of the lanes get the result.
pub fn combine(
    at: &mut Emitter,
    unit: &Unit,
    record: &Record,
    values: &[Value],
    algorithms: &[Algorithm],
    lanes: u32,
) -> Result<Vec<Value>> {
    let mut all = values.to_vec();
    if lanes == 1 {
        return Ok(all);
    }
    for algorithm in Algorithm::ALL {
        let fields: Vec<_> = (0..all.len())
            .filter(|f| algorithms[*f] == algorithm)
            .collect();
        if fields.is_empty() {
            continue;
        }
        let part = record.part(&fields);
        let own: Vec<_> = fields.iter().map(|f| all[*f]).collect();
        let new = match algorithm {
            Algorithm::Redux => redux(at, &part, &own, lanes)?,
            Algorithm::Contiguous => {
                let lane = lane(at, unit, lanes);
                let size = at.i32(i128::from(lanes));
                let first = contiguous(at, &part, &own, (lane, size), (lanes, lanes))?;
                let zero = at.i32(0);
                shuffle(at, ShuffleMode::Index, &first, zero, lanes)
            }
            Algorithm::Dispersed => dispersed(at, &part, &own, lanes)?,
            Algorithm::Shuffle
            | Algorithm::Slots
            | Algorithm::FirstWarp
            | Algorithm::Tree
            | Algorithm::Lock
            | Algorithm::Atomic
            | Algorithm::Launches => tree(at, &part, &own, lanes, 1)?,
        };
        for (field, value) in fields.into_iter().zip(new) {
            all[field] = value;
        }
    }
    Ok(all)
}

/// Full sub-group: all of `lanes` take part; groups of `equal` lanes have the same values.
pub fn tree(
    at: &mut Emitter,
    record: &Record,
    values: &[Value],
    lanes: u32,
    equal: u32,
) -> Result<Vec<Value>> {
    let mut values = values.to_vec();
    let mut distance = lanes / 2;
    while distance >= equal {
        let other = at.i32(i128::from(distance));
        let other = shuffle(at, ShuffleMode::Xor, &values, other, lanes);
        values = record.combine(at, &values, &other)?;
        distance /= 2;
    }
    Ok(values)
}

/// Contiguous partial sub-group: the first `size` of `lanes` lanes have a record; the first lane gets the result. `most`: the
/// largest size there can be.
pub fn contiguous(
    at: &mut Emitter,
    record: &Record,
    values: &[Value],
    (lane, size): (Value, Value),
    (most, lanes): (u32, u32),
) -> Result<Vec<Value>> {
    let mut values = values.to_vec();
    let mut size = size;
    let one = at.i32(1);
    for _ in 0..most.next_power_of_two().ilog2() {
        let offset = at.bin(BinKind::ShrU, size, one);
        let remote = shuffle(at, ShuffleMode::Down, &values, offset, lanes);
        let both = record.combine(at, &values, &remote)?;
        let combines = at.cmp(CmpKind::LtU, lane, offset);
        values = select(at, combines, &both, &remote);
        let more = at.bin(BinKind::Add, size, one);
        size = at.bin(BinKind::ShrU, more, one);
    }
    Ok(values)
}

/// Dispersed partial sub-group: the lanes that are active, wherever they are.
fn dispersed(
    at: &mut Emitter,
    record: &Record,
    values: &[Value],
    lanes: u32,
) -> Result<Vec<Value>> {
    let mut values = values.to_vec();
    let one = at.i32(1);
    let zero = at.i32(0);
    let mut active = at.int(1, 1);
    let mut mask = at.make(|c| Ballot::new(c, active, lanes));
    let first = at.make(|c| Mask::new(c, MaskKind::First, mask));
    let before = at.query(Quantity::LanesBefore);
    let behind = at.query(Quantity::LanesAfter);
    let before = at.bin(BinKind::And, mask, before);
    let mut logical = at.make(|c| Mask::new(c, MaskKind::Count, before));
    for step in (0..lanes.ilog2()).rev() {
        let others = at.bin(BinKind::And, mask, behind);
        let next = at.make(|c| Mask::new(c, MaskKind::First, others));
        let remote = shuffle(at, ShuffleMode::Index, &values, next, lanes);
        let both = record.combine(at, &values, &remote)?;
        let bit = at.bin(BinKind::And, logical, one);
        let even = at.cmp(CmpKind::Eq, bit, zero);
        active = at.bin(BinKind::And, active, even);
        let exists = at.cmp(CmpKind::Ne, others, zero);
        let combines = at.bin(BinKind::And, active, exists);
        values = select(at, combines, &both, &values);
        if step > 0 {
            mask = at.make(|c| Ballot::new(c, active, lanes));
            logical = at.bin(BinKind::ShrU, logical, one);
        }
    }
    Ok(shuffle(at, ShuffleMode::Index, &values, first, lanes))
}

/// One instruction per field.
fn redux(at: &mut Emitter, record: &Record, values: &[Value], lanes: u32) -> Result<Vec<Value>> {
    let fields = record.0.iter().zip(values);
    let mut all = vec![];
    for (field, value) in fields {
        all.push(redux_of(at, field.info, *value, lanes)?);
    }
    Ok(all)
}

fn redux_of(at: &mut Emitter, info: ReductionInfo, value: Value, lanes: u32) -> Result<Value> {
    let ty = value.get_type(at.ctx);
    let (word, bool_) = (int(at.ctx, 32), boolean(at.ctx));
    let is_bool = ty == bool_;
    let signed = info.signed && !is_bool;
    let logical = matches!(
        info.operator,
        ReductionOperator::LogicalAnd | ReductionOperator::LogicalOr
    );
    let truth = match logical && !is_bool {
        true => at.make(|c| Cast::new(c, CastKind::ToBool, value, bool_)),
        false => value,
    };
    let kind = match info.operator {
        ReductionOperator::Add if is_bool => ReduceKind::Or,
        ReductionOperator::Add => ReduceKind::Add,
        ReductionOperator::Max if signed => ReduceKind::MaxS,
        ReductionOperator::Max => ReduceKind::MaxU,
        ReductionOperator::Min if signed => ReduceKind::MinS,
        ReductionOperator::Min => ReduceKind::MinU,
        ReductionOperator::BitAnd | ReductionOperator::LogicalAnd => ReduceKind::And,
        ReductionOperator::BitOr | ReductionOperator::LogicalOr => ReduceKind::Or,
        ReductionOperator::BitXor => ReduceKind::Xor,
        ReductionOperator::Mul
        | ReductionOperator::Eqv
        | ReductionOperator::Neqv
        | ReductionOperator::Declared(_) => {
            let one = Record(vec![super::record::Field { info, ty }]);
            return Ok(tree(at, &one, &[value], lanes, 1)?[0]);
        }
    };
    let from = truth.get_type(at.ctx);
    let wide = match int_width(at.ctx, from) {
        Some(32) => truth,
        Some(1) => at.make(|c| Cast::new(c, CastKind::ZExt, truth, word)),
        _ if signed => at.make(|c| Cast::new(c, CastKind::SExt, truth, word)),
        _ => at.make(|c| Cast::new(c, CastKind::ZExt, truth, word)),
    };
    let all = at.make(|c| Reduce::new(c, kind, wide, lanes));
    Ok(match int_width(at.ctx, ty) {
        Some(32) => all,
        Some(1) => at.make(|c| Cast::new(c, CastKind::ToBool, all, bool_)),
        _ => at.make(|c| Cast::new(c, CastKind::Trunc, all, ty)),
    })
}

/// The lane's number among the `lanes` neighbours that take part.
fn lane(at: &mut Emitter, unit: &Unit, lanes: u32) -> Value {
    at.query(match lanes == unit.target.subgroup {
        true => Quantity::SubgroupLane,
        false => Quantity::Lane,
    })
}

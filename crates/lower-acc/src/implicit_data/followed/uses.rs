//! What a region does with an object, and with copies that it makes of it: which pointers in it are followed.
//!
//! ```text
//! struct field l = s.u;  l.v[i] += s.rows[1][i];  kept[i] = s.w;        followed: .u.v, .rows[0], .rows[1] …; not .w, which others see
//! ```

use accrue_dialects::{
    address_use::{UseKind, use_of},
    core::{
        Alloca, Copy, Decay, If, Load, Member, PtrAdd, Store, Yield, array_parts, layout::Records,
        pointee, pointee_of, record_tag,
    },
};
use accrue_ir::walk;
use accrue_opt::analysis::variables::{Root, defined_inside, uses_of};
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    operation::Operation,
    region::Region,
    r#type::TypeHandle,
    value::Value,
};
use std::collections::HashSet;

/// How many pointers of a struct are attached: each is one more argument of the region.
const MOST: usize = 16;

/// How an address comes from the struct's.
pub type Path = Vec<Step>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    Field(u32),
    Element(u64),
    /// Some element.
    Any,
}

/// The pointers in `root` that the region follows; `var` is its address. None where they are too many.
pub fn followed(
    ctx: &Context,
    region: Ptr<Region>,
    root: &Root,
    var: Value,
    records: &Records,
) -> Vec<Path> {
    let is_object =
        |ty: &TypeHandle| array_parts(ctx, *ty).is_some() || record_tag(ctx, *ty).is_some();
    let Some(ty) = pointee(ctx, var).filter(is_object) else {
        return vec![];
    };
    let mut uses = ObjectUses::new(ctx, region, records);
    for used in uses_of(ctx, region, root) {
        uses.look_at(used.op, used.index, ty, &vec![]);
    }
    uses.paths(ty)
}

/// The same in the elements that the pointer variable `root` leads to.
pub fn followed_behind(
    ctx: &Context,
    region: Ptr<Region>,
    root: &Root,
    var: Value,
    records: &Records,
) -> Vec<Path> {
    let Some(ty) = pointee(ctx, var).and_then(|ty| pointee_of(ctx, ty)) else {
        return vec![];
    };
    let mut uses = ObjectUses::new(ctx, region, records);
    for used in uses_of(ctx, region, root) {
        if Operation::is_op::<Load>(used.op, ctx) {
            uses.add(walk::results_of(ctx, used.op), &vec![]);
        }
    }
    uses.paths(ty)
}
/// What a region does with an object.
struct ObjectUses<'a> {
    ctx: &'a Context,
    region: Ptr<Region>,
    records: &'a Records,
    /// Addresses in the object, or in a copy that the region has made.
    pending: Vec<(Value, Path)>,
    seen: HashSet<(Value, Path)>,
    /// The pointers that it follows.
    followed: Vec<Path>,
    /// Those that it keeps elsewhere, or assigns.
    kept: Vec<Path>,
}

impl<'a> ObjectUses<'a> {
    fn new(ctx: &'a Context, region: Ptr<Region>, records: &'a Records) -> Self {
        ObjectUses {
            ctx,
            region,
            records,
            pending: vec![],
            seen: HashSet::new(),
            followed: vec![],
            kept: vec![],
        }
    }

    /// The pointers in an object of type `ty` that are followed, once all has been looked at.
    fn paths(mut self, ty: TypeHandle) -> Vec<Path> {
        let (ctx, records) = (self.ctx, self.records);
        while let Some((address, path)) = self.pending.pop() {
            let Some(ty) = pointee(ctx, address) else {
                continue;
            };
            for using in address.uses(ctx) {
                let op = using.user_op();
                let operands = walk::operands_of(ctx, op);
                let indices = (0..operands.len()).filter(|index| operands[*index] == address);
                indices.for_each(|index| self.look_at(op, index, ty, &path));
            }
        }
        let mut kept = vec![];
        for path in &self.kept {
            expand(ctx, records, ty, path, &mut vec![], &mut kept);
        }
        let mut found = vec![];
        for path in &self.followed {
            expand(ctx, records, ty, path, &mut vec![], &mut found);
        }
        let mut seen = HashSet::new();
        found.retain(|path| !kept.contains(path) && seen.insert(path.clone()));
        match found.len() <= MOST {
            true => found,
            false => vec![],
        }
    }

    /// Looks at operand `index` of `op`, the address of what is at `path` and has type `ty`.
    fn look_at(&mut self, op: Ptr<Operation>, index: usize, ty: TypeHandle, path: &Path) {
        let ctx = self.ctx;
        match use_of(ctx, op, index) {
            UseKind::Derive => {
                let mut path = path.clone();
                if let Some(member) = Operation::get_op::<Member>(op, ctx) {
                    path.push(Step::Field(member.field(ctx)));
                } else if Operation::is_op::<Decay>(op, ctx) {
                    path.push(Step::Any);
                }
                self.add(walk::results_of(ctx, op), &path);
            }
            UseKind::Pass => {
                pointers_in(ctx, self.records, ty, &mut path.clone(), &mut self.followed)
            }
            UseKind::Keep => {
                match held(ctx, self.region, op, index) {
                    Some(values) => self.add(values, path),
                    // Who finds it there may follow all of them.
                    None => {
                        pointers_in(ctx, self.records, ty, &mut path.clone(), &mut self.followed)
                    }
                }
            }
            UseKind::Read { .. } => match Operation::get_op::<Copy>(op, ctx) {
                Some(copy) => match own_behind(ctx, self.region, copy.get_operand_to(ctx)) {
                    Some(own) => self.add(vec![own], path),
                    None => self.keep(ty, path),
                },
                None if pointee_of(ctx, ty).is_some() => {
                    let mut values = walk::results_of(ctx, op).into_iter();
                    match values.all(|value| is_only_followed(ctx, self.region, value)) {
                        true => self.followed.push(path.clone()),
                        false => self.kept.push(path.clone()),
                    }
                }
                None => {}
            },
            UseKind::Write { .. } | UseKind::Update { .. } => {
                // A copy in a variable of the region's is written where it is made.
                let made = Operation::get_op::<Copy>(op, ctx).is_some_and(|copy| {
                    own_behind(ctx, self.region, copy.get_operand_to(ctx)).is_some()
                });
                if !made {
                    self.keep(ty, path);
                }
            }
            UseKind::Clause | UseKind::Look => {}
        }
    }

    fn add(&mut self, addresses: Vec<Value>, path: &Path) {
        for address in addresses {
            let found = (address, path.clone());
            if pointee(self.ctx, address).is_some() && self.seen.insert(found.clone()) {
                self.pending.push(found);
            }
        }
    }

    fn keep(&mut self, ty: TypeHandle, path: &Path) {
        pointers_in(
            self.ctx,
            self.records,
            ty,
            &mut path.clone(),
            &mut self.kept,
        );
    }
}

/// Whether the pointer, and what is computed from it or kept with it in a variable of the region's, is only followed, looked at or given
/// to functions.
fn is_only_followed(ctx: &Context, region: Ptr<Region>, pointer: Value) -> bool {
    let (mut pending, mut seen) = (vec![pointer], HashSet::from([pointer]));
    while let Some(value) = pending.pop() {
        for using in value.uses(ctx) {
            let op = using.user_op();
            let operands = walk::operands_of(ctx, op);
            let Some(index) = operands.iter().position(|operand| *operand == value) else {
                continue;
            };
            match use_of(ctx, op, index) {
                UseKind::Derive => pending.extend(
                    (walk::results_of(ctx, op).into_iter()).filter(|result| seen.insert(*result)),
                ),
                UseKind::Keep => match held(ctx, region, op, index) {
                    Some(loads) => {
                        pending.extend(loads.into_iter().filter(|load| seen.insert(*load)));
                    }
                    None => return false,
                },
                UseKind::Read { .. }
                | UseKind::Write { .. }
                | UseKind::Update { .. }
                | UseKind::Pass
                | UseKind::Clause
                | UseKind::Look => {}
            }
        }
    }
    true
}

/// What has the value of operand `index` of `op` afterwards: what is loaded from the variable of the region's own in which `op` stores it,
/// the result of the branches that `op` ends one of.
fn held(
    ctx: &Context,
    region: Ptr<Region>,
    op: Ptr<Operation>,
    index: usize,
) -> Option<Vec<Value>> {
    if Operation::is_op::<Yield>(op, ctx) {
        let branches = op.deref(ctx).get_parent_op(ctx)?;
        Operation::get_op::<If>(branches, ctx)?;
        return Some(vec![*walk::results_of(ctx, branches).get(index)?]);
    }
    let store = Operation::get_op::<Store>(op, ctx)?;
    let address = store.get_operand_address(ctx);
    if !is_own(ctx, region, address) {
        return None;
    }
    let mut loads = vec![];
    for using in address.uses(ctx) {
        let op = using.user_op();
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            loads.push(load.get_result(ctx));
        } else if Operation::get_op::<Store>(op, ctx)?.get_operand_address(ctx) != address {
            return None;
        }
    }
    Some(loads)
}

/// The variable of the region's own whose address, or that of an element, this is: each gang's copy of a section is made element by
/// element.
fn own_behind(ctx: &Context, region: Ptr<Region>, address: Value) -> Option<Value> {
    let mut at = address;
    while let Some(add) = (at.defining_op()).and_then(|op| Operation::get_op::<PtrAdd>(op, ctx)) {
        at = add.get_operand_base(ctx);
    }
    is_own(ctx, region, at).then_some(at)
}

/// Whether the address is that of a variable of the region's own.
fn is_own(ctx: &Context, region: Ptr<Region>, address: Value) -> bool {
    let op = address.defining_op();
    op.is_some_and(|op| Operation::is_op::<Alloca>(op, ctx)) && defined_inside(ctx, address, region)
}

/// The pointers in an object of type `ty`, but for those in unions.
fn pointers_in(
    ctx: &Context,
    records: &Records,
    ty: TypeHandle,
    path: &mut Path,
    found: &mut Vec<Path>,
) {
    if pointee_of(ctx, ty).is_some() {
        found.push(path.clone());
    } else if let Some((_, element)) = array_parts(ctx, ty) {
        path.push(Step::Any);
        pointers_in(ctx, records, element, path, found);
        path.pop();
    } else if let Some(record) = record_tag(ctx, ty).and_then(|tag| records.get(&tag))
        && !record.layout.union_
    {
        for (field, index) in record.fields.iter().zip(0..) {
            path.push(Step::Field(index));
            pointers_in(ctx, records, field.ty, path, found);
            path.pop();
        }
    }
}

/// The paths that `path` stands for, behind `at`, in an object of type `ty`. An array of many elements has none.
fn expand(
    ctx: &Context,
    records: &Records,
    ty: TypeHandle,
    path: &[Step],
    at: &mut Path,
    found: &mut Vec<Path>,
) {
    let Some((first, rest)) = path.split_first() else {
        if pointee_of(ctx, ty).is_some() {
            found.push(at.clone());
        }
        return;
    };
    let mut go_on = |step: Step, ty: TypeHandle| {
        at.push(step);
        expand(ctx, records, ty, rest, at, found);
        at.pop();
    };
    match first {
        Step::Field(field) => {
            let record = record_tag(ctx, ty).and_then(|tag| records.get(&tag));
            if let Some(field) = record.and_then(|record| record.fields.get(*field as usize)) {
                go_on(*first, field.ty);
            }
        }
        Step::Element(_) | Step::Any => {
            if let Some((length, element)) = array_parts(ctx, ty)
                && length <= MOST as u64
            {
                (0..length).for_each(|index| go_on(Step::Element(index), element));
            }
        }
    }
}

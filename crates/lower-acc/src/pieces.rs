//! A small object that is firstprivate reaches kernels as the values of its members.
//!
//! Its bytes would have to be copied to the device before each launch, which takes longer than many a kernel runs. In a
//! loop of 200 launches with a struct of an index and a number, three quarters of the time were such copies.
//!
//! Steps: (1) the members of the object are found, those of structs and the elements of arrays in it, too; (2) each becomes a
//! parameter of the kernel and a variable of the site, passed by value; (3) the kernel puts its copy together; (4) where it uses
//! nothing but members, each is a variable of its own: a bound of a loop is then known at the launch.
//!
//! ```text
//! struct item { long weight; int value; } it;           @accrue_k0_0(%it.weight: i64, %it.value: i32) {
//! acc.firstprivate var(%it)                        →      %copy = core.alloca
//!                                                         core.store %it.weight, %copy.weight
//!                                                         core.store %it.value, %copy.value
//! ```
//!
//! Large objects, unions, bit-fields and variable-length arrays stay bytes of which each gang makes a copy. Cost: linear.

use accrue_dialects::core::emit::Emitter;
use accrue_dialects::core::{
    Decay, Member, Shape, Variable, array_parts, is_scalar,
    layout::{Records, records, size_of},
    pointee, record_tag,
};
use accrue_hostcall::{MemberStep, ValueKind, named};
use accrue_ir::walk;
use accrue_opt::analysis::variables::describe;
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::ModuleOp},
    context::{Context, Ptr},
    operation::Operation,
    r#type::TypeHandle,
    value::Value,
};

use crate::{arguments::value_kind, attributes::FollowedMembers};

/// How many bytes the members of an object may be, each in words of eight: what a launch carries along costs every launch.
const MOST_BYTES: u64 = 128;

/// A scalar in an object.
#[derive(Clone)]
pub struct Piece {
    path: Vec<Step>,
    pub ty: TypeHandle,
    pub kind: ValueKind,
    pub size: u64,
}

#[derive(Clone)]
enum Step {
    Field {
        index: u32,
        name: String,
        ty: TypeHandle,
    },
    Element(u64),
}

impl Piece {
    /// How the program gets from the object to the piece.
    pub fn steps(&self) -> Vec<MemberStep> {
        let steps = self.path.iter().filter_map(|step| match step {
            // The members of an unnamed struct are named as if they were of the one around it.
            Step::Field { name, .. } if name.is_empty() => None,
            Step::Field { name, .. } => Some(MemberStep::Field(name.clone())),
            Step::Element(index) => Some(MemberStep::Element(*index)),
        });
        steps.collect()
    }

    /// Whether these fields lead to it.
    pub fn is_at(&self, fields: &[u32]) -> bool {
        self.path.len() == fields.len()
            && self
                .path
                .iter()
                .zip(fields)
                .all(|(step, field)| match step {
                    Step::Field { index, .. } => index == field,
                    Step::Element(_) => false,
                })
    }

    /// Whether it is among the pointers that a region follows.
    pub fn is_followed(&self, members: &FollowedMembers) -> bool {
        let fields: String = (self.path.iter())
            .map(|step| match step {
                Step::Field { index, .. } => format!(".{index}"),
                Step::Element(index) => format!("[{index}]"),
            })
            .collect();
        members.0.iter().any(|member| member.fields == fields)
    }

    /// Whether it is no element of an array.
    pub fn is_member(&self) -> bool {
        !self.path.is_empty()
            && self.path.iter().all(|step| match step {
                Step::Field { .. } => true,
                Step::Element(_) => false,
            })
    }

    /// Stores `value` as this piece of the object at `object`.
    pub fn store(&self, e: &mut Emitter, value: Value, object: Value) {
        let mut at = object;
        for step in &self.path {
            at = match step {
                Step::Field { index, ty, .. } => {
                    let member = Member::new(e.ctx, at, *index, *ty);
                    e.value(member)
                }
                Step::Element(index) => {
                    // The path was made from the type, so that there is an array.
                    let Some(decay) = Decay::new(e.ctx, at) else {
                        return;
                    };
                    let first = e.value(decay);
                    let index = e.i64(i128::from(*index));
                    e.ptr_add(first, index)
                }
            };
        }
        e.store(value, at);
    }
}

/// The pieces of the object that `var` leads to, in order of their places; `op` is in its module. `None` where it has to be
/// passed as bytes.
pub fn pieces(ctx: &Context, op: Ptr<Operation>, var: Value) -> Option<Vec<Piece>> {
    let ty = pointee(ctx, var)?;
    let module = walk::enclosing::<ModuleOp>(ctx, op)?;
    let mut finder = Finder {
        ctx,
        records: records(ctx, module),
        left: MOST_BYTES,
        found: vec![],
    };
    finder.add(&mut vec![], ty)?;
    Some(finder.found).filter(|found| !found.is_empty())
}

/// Makes variables of the members of `object`, a kernel's copy, if its address is used for nothing but them.
pub fn split(ctx: &mut Context, object: Value, pieces: &[Piece]) {
    let Some(alloca) = object.defining_op() else {
        return;
    };
    let mut uses = Uses::default();
    if !pieces.iter().all(Piece::is_member) || !uses.find(ctx, object, &mut vec![], pieces) {
        return;
    }
    let name = describe(ctx, object).name;
    let mut e = Emitter::before(ctx, alloca);
    for (number, piece) in pieces.iter().enumerate() {
        let variable = Variable {
            name: named(&name, &piece.steps()),
            shape: Shape {
                dims: vec![],
                elem: piece.ty,
            },
        };
        let own = e.alloca(piece.ty, Some(variable));
        let mine = uses.members.iter().filter(|(of, _)| *of == number);
        for (_, address) in mine {
            address.replace_all_uses_with(e.ctx, &own);
        }
    }
    // Members of structs in it come behind these.
    for op in uses.addresses.into_iter().rev() {
        Operation::erase(op, ctx);
    }
    Operation::erase(alloca, ctx);
}

/// How an object is used.
#[derive(Default)]
struct Uses {
    /// Addresses of members, with the pieces that they are.
    members: Vec<(usize, Value)>,
    /// What computes addresses, from the outside in.
    addresses: Vec<Ptr<Operation>>,
}

impl Uses {
    /// Whether the address of what is at `path` is used for members only, down to the pieces.
    fn find(&mut self, ctx: &Context, at: Value, path: &mut Vec<u32>, pieces: &[Piece]) -> bool {
        at.uses(ctx).into_iter().all(|using| {
            let op = using.user_op();
            let Some(member) = Operation::get_op::<Member>(op, ctx) else {
                return false;
            };
            self.addresses.push(op);
            path.push(member.field(ctx));
            let address = member.get_result(ctx);
            let piece = pieces.iter().position(|piece| piece.is_at(path));
            let good = match piece {
                Some(piece) => {
                    self.members.push((piece, address));
                    true
                }
                None => self.find(ctx, address, path, pieces),
            };
            path.pop();
            good
        })
    }
}

struct Finder<'a> {
    ctx: &'a Context,
    records: Records,
    /// Bytes that further pieces may have.
    left: u64,
    found: Vec<Piece>,
}

impl Finder<'_> {
    /// Adds the pieces of what has type `ty` at `path`. `None` where it has to stay in one.
    fn add(&mut self, path: &mut Vec<Step>, ty: TypeHandle) -> Option<()> {
        let ctx = self.ctx;
        if let Some((length, of)) = array_parts(ctx, ty) {
            for index in 0..length {
                path.push(Step::Element(index));
                self.add(path, of)?;
                path.pop();
            }
            return Some(());
        }
        if let Some(tag) = record_tag(ctx, ty) {
            let record = self.records.get(&tag)?.clone();
            if record.layout.union_ {
                return None;
            }
            for (field, index) in record.fields.into_iter().zip(0..) {
                if field.bits != 0 {
                    return None;
                }
                let (name, ty) = (field.name, field.ty);
                path.push(Step::Field { index, name, ty });
                self.add(path, ty)?;
                path.pop();
            }
            return Some(());
        }
        let kind = value_kind(ctx, ty).filter(|_| is_scalar(ctx, ty))?;
        let size = size_of(ctx, &self.records, ty)?;
        self.left = self.left.checked_sub(size.next_multiple_of(8))?;
        self.found.push(Piece {
            path: path.clone(),
            ty,
            kind,
            size,
        });
        Some(())
    }
}

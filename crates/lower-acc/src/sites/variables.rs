//! The variables of a site: what a data operation maps, and in which words of the call it is described.

use crate::{
    arguments::{action, value_kind},
    attributes::{
        FOLLOWED, FollowedMembers, GlobalArgument, OF_HELPER, REACH, SECTION, SectionText,
    },
    check_clauses::stride,
    pieces::Piece,
};
use accrue_dialects::{
    acc::{DataClause, DataOp, INITIAL_POINTERS, InitialPointer, PRESENCE, Presence, declared},
    core::{
        self, ShapeDim, array_parts,
        layout::{Records, size_of},
        pointee, pointee_of, record_tag,
    },
};
use accrue_hostcall::{
    Action, Arithmetic, InferredSection, Reach, SiteDim, SitePointer, SiteVar, ValueKind, VarFlags,
    WordSource, named,
};
use accrue_opt::{
    analysis::variables::{Root, is_open_array, is_pointer, root_of},
    diagnostic::position,
};
use pliron::{
    context::{Context, Ptr},
    op::op_cast,
    operation::Operation,
    r#type::TypeHandle,
    value::Value,
};
use std::collections::BTreeSet;

/// The extent of a variable-length array, passed by value.
pub(super) fn extent(name: String, dim: u32, line: u32, column: u32) -> SiteVar {
    SiteVar {
        name: name.clone(),
        action: Action::Value,
        flags: VarFlags {
            implicit: true,
            ..VarFlags::default()
        },
        value: Some(ValueKind::Integer),
        elem_size: 8,
        dims: vec![],
        stepped: vec![],
        source: WordSource::Extent { name, dim },
        limited: None,
        reach: None,
        pointers: vec![],
        line,
        column,
    }
}

/// A variable of the program that another unit's function uses: a `declare` directive has made it present.
pub(super) fn global(global: GlobalArgument, line: u32, column: u32) -> SiteVar {
    SiteVar {
        name: global.name,
        action: Action::Present,
        flags: VarFlags {
            implicit: true,
            ..VarFlags::default()
        },
        value: None,
        elem_size: global.bytes,
        dims: vec![],
        stepped: vec![],
        source: WordSource::Global {
            symbol: global.symbol,
        },
        limited: None,
        reach: None,
        pointers: vec![],
        line,
        column,
    }
}

/// The site variable of a data operation. `None` when its size is not known.
pub(super) fn variable(
    ctx: &Context,
    records: &Records,
    entry: Ptr<Operation>,
    openmp: bool,
) -> Option<SiteVar> {
    let object = Operation::get_op_dyn(entry, ctx);
    let data = op_cast::<dyn DataOp>(&*object)?;
    let info = data.info(ctx);
    let action = action(ctx, data);
    let sections = data.bounds(ctx);
    let bounds = sections.len();
    let var = data.var(ctx)?;
    let presence = PRESENCE.get(ctx, entry);
    let is_own = presence == Some(Presence::Own);
    let (dims, elem_size) = match action {
        _ if is_own => (vec![], size_of(ctx, records, pointee(ctx, var)?)?),
        Action::Value => (vec![], size_of(ctx, records, pointee(ctx, var)?)?),
        Action::Pointer | Action::Deviceptr | Action::Attach | Action::Detach => {
            (vec![], records.data.pointer_bytes)
        }
        Action::Copy
        | Action::Copyin
        | Action::Copyout
        | Action::Create
        | Action::NoCreate
        | Action::Present
        | Action::Delete
        | Action::UpdateSelf
        | Action::UpdateDevice
        | Action::Firstprivate => {
            if is_open_array(&info.shape) && bounds == 0 && is_global(ctx, var) {
                return None;
            }
            dimensions(ctx, records, &info.shape, bounds)?
        }
        // Only the address counts; what it leads to may be of any type.
        Action::UseDevice if is_pointer(&info.shape) => (vec![SiteDim::Pointer], 1),
        Action::UseDevice => dimensions(ctx, records, &info.shape, bounds)?,
    };
    let section = bounds > 0;
    let member_pointer = root_of(ctx, var).is_none() && is_pointer(&info.shape) && section;
    let bare = bounds == 0 && is_pointer(&info.shape);
    // OpenACC means what it leads to, OpenMP the member itself.
    let ends_member = matches!(info.clause, DataClause::Copyout | DataClause::Delete)
        && !info.structured
        && bare
        && root_of(ctx, var).is_none();
    // Functions that regions call find what a declared pointer leads to by its device copy.
    let declared_pointer = is_global(ctx, var)
        && is_pointer(&info.shape)
        && section
        && declared(ctx, var).is_some_and(|said| said.clause != DataClause::Deviceptr);
    let value_type = pointee(ctx, var).filter(|_| action == Action::Value);
    let (line, column) = position(ctx, entry);
    let source = match data.origin(ctx) {
        _ if is_own => WordSource::Own,
        Some(origin) => WordSource::Clause {
            clause: origin.clause,
            item: origin.item,
        },
        None if of_helper(ctx, var) => WordSource::FileScope {
            name: info.name.clone(),
        },
        None => WordSource::Variable {
            name: info.name.clone(),
        },
    };
    Some(SiteVar {
        name: info.name.clone(),
        action,
        flags: VarFlags {
            implicit: info.implicit,
            readonly: info.readonly,
            zero: info.zero,
            always_in: info.always_in,
            always_out: info.always_out,
            capture: info.capture,
            attach: (member_pointer
                || ends_member
                || declared_pointer
                || dims.iter().skip(1).any(|d| *d == SiteDim::Pointer))
                && !matches!(
                    info.clause,
                    DataClause::UpdateSelf | DataClause::UpdateDevice
                ),
            required: presence == Some(Presence::Required)
                || action == Action::Pointer
                    && info.clause == DataClause::Present
                    && (!info.implicit || is_open_array(&info.shape)),
            on_device: presence == Some(Presence::OnDevice),
            around: presence == Some(Presence::Around),
            own: is_own,
            // Known once the kernels are.
            result: false,
            pointer: bare && means_target(action) && !(openmp && ends_member),
            // Present data need not be all of what the region is seen to access.
            part: SECTION.get(ctx, entry).is_some(),
            limit: false,
            value: false,
            followed: (FOLLOWED.get(ctx, entry))
                .is_some_and(|members| members.0.iter().any(|member| member.fields.is_empty())),
        },
        value: value_type.and_then(|ty| value_kind(ctx, ty)),
        elem_size,
        dims,
        stepped: (0..bounds)
            .filter(|_| SECTION.get(ctx, entry).is_none())
            .filter(|k| stride(ctx, &sections[*k]) != Some(1))
            .collect(),
        source: with_section(ctx, entry, source),
        limited: None,
        reach: reach(ctx, records, entry, &info.shape),
        pointers: match INITIAL_POINTERS.get(ctx, entry) {
            Some(initial) => initial.0.iter().map(initial_pointer).collect(),
            None => followed_pointers(ctx, records, (entry, action), var, elem_size),
        },
        line,
        column,
    })
}

/// The words of a pointer whose section no clause has.
fn with_section(ctx: &Context, entry: Ptr<Operation>, of: WordSource) -> WordSource {
    match SECTION.get(ctx, entry).and_then(|text| read(&text)) {
        None => of,
        Some(section) => WordSource::Section {
            of: Box::new(of),
            section,
        },
    }
}

fn read(text: &SectionText) -> Option<InferredSection> {
    Some(InferredSection {
        lower: Arithmetic::read(&text.lower)?,
        length: Arithmetic::read(&text.length)?,
    })
}

/// What the region accesses of a variable without a section, in elements of its outermost dimension.
fn reach(
    ctx: &Context,
    records: &Records,
    entry: Ptr<Operation>,
    shape: &core::Shape,
) -> Option<Reach> {
    let section = read(&REACH.get(ctx, entry)?)?;
    let element = size_of(ctx, records, shape.elem)?;
    let mut rows = shape.dims.iter().skip(1);
    let element = rows.try_fold(element, |bytes, dim| match dim {
        ShapeDim::Fixed(count) => bytes.checked_mul(*count),
        ShapeDim::Pointer | ShapeDim::Variable => None,
    })?;
    Some(Reach { element, section })
}

fn initial_pointer(pointer: &InitialPointer) -> SitePointer {
    let InitialPointer {
        offset,
        before,
        bytes,
    } = *pointer;
    SitePointer {
        offset,
        before,
        bytes,
    }
}

/// Where in an element of a firstprivate copy the pointers are that the region follows.
fn followed_pointers(
    ctx: &Context,
    records: &Records,
    (entry, action): (Ptr<Operation>, Action),
    var: Value,
    element: u64,
) -> Vec<SitePointer> {
    let copied = action == Action::Firstprivate && element > 0;
    let members = FOLLOWED.get(ctx, entry).filter(|_| copied);
    let ty = pointee(ctx, var).map(|ty| pointee_of(ctx, ty).unwrap_or(ty));
    let (Some(members), Some(ty)) = (members, ty) else {
        return vec![];
    };
    // Those of all elements of an array are listed one by one.
    let offsets = (members.0.iter()).filter_map(|member| offset(ctx, records, ty, &member.fields));
    let offsets: BTreeSet<u64> = offsets.map(|offset| offset % element).collect();
    let followed = |offset| SitePointer {
        offset,
        before: 0,
        bytes: 0,
    };
    offsets.into_iter().map(followed).collect()
}

/// How far `path`, of numbers of fields behind points and of elements in brackets, leads into an object of type `ty`.
fn offset(ctx: &Context, records: &Records, ty: TypeHandle, path: &str) -> Option<u64> {
    let (mut ty, mut offset, mut rest) = (ty, 0, path);
    while !rest.is_empty() {
        if let Some(behind) = rest.strip_prefix('.') {
            let end = behind.find(['.', '[']).unwrap_or(behind.len());
            let field: usize = behind[..end].parse().ok()?;
            let field = records.get(&record_tag(ctx, ty)?)?.fields.get(field)?;
            (ty, offset, rest) = (field.ty, offset + field.offset, &behind[end..]);
        } else {
            let (index, behind) = rest.strip_prefix('[')?.split_once(']')?;
            let (_, element) = array_parts(ctx, ty)?;
            let index: u64 = index.parse().ok()?;
            offset += index * size_of(ctx, records, element)?;
            (ty, rest) = (element, behind);
        }
    }
    Some(offset)
}

/// The pointer variables that a directive maps themselves: what it maps beside them through them is attached (OpenMP 5.2, section 5.8.6).
pub(super) fn mapped_pointers(
    ctx: &Context,
    entries: impl Iterator<Item = Ptr<Operation>>,
) -> Vec<Root> {
    let mapped = entries.filter_map(|entry| {
        let object = Operation::get_op_dyn(entry, ctx);
        let data = op_cast::<dyn DataOp>(&*object)?;
        let info = data.info(ctx);
        let itself = is_pointer(&info.shape) && data.bounds(ctx).is_empty();
        let maps = match info.clause {
            DataClause::Copy | DataClause::Copyin => true,
            DataClause::Copyout | DataClause::Create => true,
            DataClause::Delete | DataClause::Present | DataClause::NoCreate => false,
            DataClause::Deviceptr | DataClause::Attach | DataClause::Detach => false,
            DataClause::UseDevice | DataClause::UpdateSelf | DataClause::UpdateDevice => false,
            DataClause::Pointer | DataClause::Private | DataClause::Firstprivate => false,
            DataClause::DeviceResident | DataClause::Link | DataClause::Reduction => false,
        };
        root_of(ctx, data.var(ctx)?).filter(|_| itself && maps && !info.implicit)
    });
    mapped.collect()
}

/// Whether an entry is a section that starts at one of these pointers.
pub(super) fn leads_from(ctx: &Context, entry: Ptr<Operation>, pointers: &[Root]) -> bool {
    let object = Operation::get_op_dyn(entry, ctx);
    op_cast::<dyn DataOp>(&*object).is_some_and(|data| {
        let root = data.var(ctx).and_then(|var| root_of(ctx, var));
        !data.bounds(ctx).is_empty() && root.is_some_and(|root| pointers.contains(&root))
    })
}

/// Whether `var` is the address of a global that only functions name which the region calls.
fn of_helper(ctx: &Context, var: Value) -> bool {
    let address = var.defining_op();
    address.is_some_and(|op| OF_HELPER.get(ctx, op).is_some())
}

/// Whether `var` is the address of a global.
pub(super) fn is_global(ctx: &Context, var: Value) -> bool {
    matches!(root_of(ctx, var), Some(Root::Global(_)))
}

/// A member of the firstprivate object `object`, passed by value; `followed` are pointers that the region follows.
pub(super) fn member(object: &SiteVar, piece: &Piece, followed: &FollowedMembers) -> SiteVar {
    let path = piece.steps();
    SiteVar {
        name: named(&object.name, &path),
        action: Action::Value,
        flags: VarFlags {
            followed: piece.is_followed(followed),
            ..object.flags
        },
        value: Some(piece.kind),
        elem_size: piece.size,
        dims: vec![],
        stepped: vec![],
        source: WordSource::Member {
            of: Box::new(object.source.clone()),
            path,
        },
        ..object.clone()
    }
}

/// Whether a pointer without a section means what it points to, if that is present.
fn means_target(action: Action) -> bool {
    match action {
        Action::Copyout
        | Action::Present
        | Action::Delete
        | Action::UpdateSelf
        | Action::UpdateDevice => true,
        Action::Copy
        | Action::Copyin
        | Action::Create
        | Action::NoCreate
        | Action::Deviceptr
        | Action::Attach
        | Action::Detach
        | Action::UseDevice
        | Action::Firstprivate
        | Action::Value
        | Action::Pointer => false,
    }
}

/// The dimensions that are mapped and the size of an element: a pointer is followed only where bounds say how far.
fn dimensions(
    ctx: &Context,
    records: &Records,
    shape: &core::Shape,
    bounds: usize,
) -> Option<(Vec<SiteDim>, u64)> {
    let mut dims = vec![];
    for (index, dim) in shape.dims.iter().enumerate() {
        match dim {
            ShapeDim::Pointer if index >= bounds => {
                return Some((dims, records.data.pointer_bytes));
            }
            ShapeDim::Pointer => dims.push(SiteDim::Pointer),
            ShapeDim::Fixed(_) | ShapeDim::Variable => dims.push(SiteDim::Array),
        }
    }
    let is_void = shape
        .elem
        .deref(ctx)
        .downcast_ref::<core::VoidType>()
        .is_some();
    // GNU C counts through `void *` in bytes.
    let size = if is_void && !dims.is_empty() {
        1
    } else {
        size_of(ctx, records, shape.elem)?
    };
    Some((dims, size))
}

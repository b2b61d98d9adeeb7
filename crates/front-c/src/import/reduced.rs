//! What a `reduction` clause may combine (OpenACC 3.4, section 2.5.15): the types of its variables, and its operators.

use super::functions::Module;
use super::state::{Result, Stop};
use super::types::Scalar;
use crate::ast::describe::describe;
use crate::ast::node::NodeId;
use crate::ast::types::{CType, TypeId};
use accrue_dialects::par;
use accrue_directives::ReductionOperator;

impl Module<'_> {
    /// The operator of a reduction variable, and whether its integers are signed. A declared reduction for its type comes first.
    pub(super) fn reduced_by(
        &mut self,
        base: NodeId,
        (operator, declared): (Option<ReductionOperator>, &[u64]),
        section: bool,
    ) -> Result<(par::ReductionOperator, bool)> {
        let ty = self.type_of(base)?;
        let is_pointer = self.scalar(ty) == Some(Scalar::Pointer) && !section;
        let object = self.innermost(ty);
        for number in declared.iter().filter(|_| !is_pointer) {
            if self.objects_of_reduction(*number)? == Some(object) {
                return Ok((par::ReductionOperator::Declared(*number), true));
            }
        }
        if is_pointer {
            self.reduced_type(base, ReductionOperator::Add, section)?;
        }
        let Some(operator) = operator else {
            let text = describe(&self.types, object);
            let message = format!("no reduction with this name is declared for `{text}`");
            return Err(Stop::at(base, message)
                .help("name the type in the `declare reduction`")
                .openmp("5.5.11"));
        };
        let signed = self.reduced_type(base, operator, section)?;
        Ok((reduction_operator(operator), signed))
    }

    /// The type of the objects that the functions of a declared reduction are for.
    fn objects_of_reduction(&mut self, number: u64) -> Result<Option<TypeId>> {
        let name = par::declared::combiner(number);
        let Some(function) = self.definition_named(&name) else {
            return Ok(None);
        };
        let ty = self.type_of(function)?;
        let CType::Function { parameters, .. } = self.types.get(ty).clone() else {
            return Ok(None);
        };
        let first = parameters
            .first()
            .map(|first| self.types.get(first.ty).clone());
        Ok(match first {
            Some(CType::Pointer(object)) => Some(object.ty),
            Some(_) | None => None,
        })
    }

    /// Checks the type of a reduction variable (2.5.15); whether its integers are signed. `section`: it has subscripts.
    pub(super) fn reduced_type(
        &mut self,
        base: NodeId,
        operator: ReductionOperator,
        section: bool,
    ) -> Result<bool> {
        let declared = self.type_of(base)?;
        if self.scalar(declared) == Some(Scalar::Pointer) && !section {
            return Err(Stop::at(base, "a pointer cannot be reduced")
                .help("say which elements of what it points to, as in `p[0:n]`")
                .section("2.5.15"));
        }
        let ty = self.innermost(declared);
        let fits = match self.types.get(declared) {
            CType::Record(_) => self.members_are_reducible(declared, operator),
            _ => self.is_reducible(ty, operator),
        };
        if !fits {
            let text = describe(&self.types, declared);
            return Err(
                Stop::at(base, format!("this reduction is not defined for `{text}`"))
                    .help("reduce numbers, arrays of them, or a struct that consists of these")
                    .section("2.5.15"),
            );
        }
        Ok(!matches!(
            self.scalar(ty),
            Some(Scalar::Bool | Scalar::Int { signed: false, .. })
        ))
    }

    /// Whether the operator is defined for values of the type.
    fn is_reducible(&mut self, ty: TypeId, operator: ReductionOperator) -> bool {
        match self.scalar(ty) {
            Some(Scalar::Bool | Scalar::Int { .. }) => true,
            Some(Scalar::Float(_)) => !matches!(
                operator,
                ReductionOperator::BitAnd | ReductionOperator::BitOr | ReductionOperator::BitXor
            ),
            Some(Scalar::Complex(_)) => matches!(
                operator,
                ReductionOperator::Add
                    | ReductionOperator::Multiply
                    | ReductionOperator::LogicalAnd
                    | ReductionOperator::LogicalOr
            ),
            Some(Scalar::Pointer) | None => false,
        }
    }

    /// Whether the operator is defined for all members of a struct. Bit-fields have no address, and the members of a union
    /// are one.
    fn members_are_reducible(&mut self, ty: TypeId, operator: ReductionOperator) -> bool {
        let CType::Record(declaration) = *self.types.get(ty) else {
            return self.is_reducible(ty, operator);
        };
        let Ok(layout) = self.types.layout(declaration) else {
            return false;
        };
        let whole = layout.places.iter().all(|place| place.width.is_none());
        let members: Vec<TypeId> = layout.record.fields.iter().map(|f| f.ty.ty).collect();
        !layout.record.is_union
            && whole
            && members.into_iter().all(|member| {
                let element = self.element(member);
                let is_array = element != member;
                let is_record = matches!(self.types.get(element), CType::Record(_));
                !(is_array && is_record) && self.members_are_reducible(element, operator)
            })
    }
}

pub(super) fn reduction_operator(operator: ReductionOperator) -> par::ReductionOperator {
    match operator {
        ReductionOperator::Add => par::ReductionOperator::Add,
        ReductionOperator::Multiply => par::ReductionOperator::Mul,
        ReductionOperator::Max => par::ReductionOperator::Max,
        ReductionOperator::Min => par::ReductionOperator::Min,
        ReductionOperator::BitAnd => par::ReductionOperator::BitAnd,
        ReductionOperator::BitOr => par::ReductionOperator::BitOr,
        ReductionOperator::BitXor => par::ReductionOperator::BitXor,
        ReductionOperator::LogicalAnd => par::ReductionOperator::LogicalAnd,
        ReductionOperator::LogicalOr => par::ReductionOperator::LogicalOr,
        ReductionOperator::Equivalent => par::ReductionOperator::Eqv,
        ReductionOperator::NotEquivalent => par::ReductionOperator::Neqv,
    }
}

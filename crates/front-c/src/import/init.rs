//! Initialisers: piece by piece into the object (C11 6.7.9). clang has already put every value at its
//! place (designators, nested braces), so only arrays, records and scalars remain.

use super::functions::Module;
use super::place::Place;
use super::state::{Result, Stop};
use crate::ast::node::{Flags, Kind, NodeId};
use crate::ast::types::{ArrayLength, CType, Record, TypeId};
use accrue_dialects::core;
use pliron::value::Value;

impl Module<'_> {
    /// Initialises the object at `address` with `initialiser`, which has the object's type.
    pub fn initialise(&mut self, address: Value, initialiser: NodeId) -> Result<()> {
        let ast = self.source.ast;
        let ty = self.type_of(initialiser)?;
        match (ast.kind(initialiser), self.types.get(ty).clone()) {
            (Kind::ParenExpr | Kind::ConstantExpr, _) => {
                let inner = self.child(initialiser, 0)?;
                self.initialise(address, inner)
            }
            (Kind::ImplicitValueInitExpr, CType::Array { .. } | CType::Record(_)) => {
                self.zero(address);
                Ok(())
            }
            (Kind::InitListExpr, CType::Array { element, length }) => {
                self.initialise_array(address, initialiser, element.ty, length)
            }
            (Kind::InitListExpr, CType::Record(declaration)) => {
                self.initialise_record(address, initialiser, declaration)
            }
            (Kind::StringLiteral | Kind::PredefinedExpr, CType::Array { length, .. }) => {
                self.initialise_with_string(address, initialiser, length)
            }
            (_, CType::Record(_) | CType::Array { .. }) => {
                let from = self.object(initialiser)?;
                let op = core::Copy::new(self.ctx, address, from);
                self.emit(op);
                Ok(())
            }
            _ => {
                let value = self.value(initialiser)?;
                let value = self.fit(value, address, initialiser)?;
                self.store(value, address, false);
                Ok(())
            }
        }
    }

    fn zero(&mut self, address: Value) {
        let op = core::Zero::new(self.ctx, address);
        self.emit(op);
    }

    fn initialise_array(
        &mut self,
        address: Value,
        list: NodeId,
        element: TypeId,
        length: ArrayLength,
    ) -> Result<()> {
        let ast = self.source.ast;
        let items = self.items_of(list);
        // `char s[4] = {"abc"}`
        if let [only] = items.as_slice()
            && matches!(ast.kind(*only), Kind::StringLiteral)
            && !self.is_array(element)
        {
            return self.initialise_with_string(address, *only, length);
        }
        let total = match length {
            ArrayLength::Fixed(total) => total,
            ArrayLength::Unknown | ArrayLength::Variable(_) => items.len() as u64,
        };
        if (items.len() as u64) < total {
            self.zero(address);
        }
        let Some(decay) = core::Decay::new(self.ctx, address) else {
            return Err(self.unsupported(list));
        };
        let first = self.emit_value(decay);
        for (index, item) in items.into_iter().enumerate() {
            let index = self.constant(64, index as i128);
            let op = core::PtrAdd::new(self.ctx, first, index);
            let place = self.emit_value(op);
            self.initialise(place, item)?;
        }
        Ok(())
    }

    /// The initialisers of an array's first elements; the others are zero.
    pub(super) fn items_of(&self, list: NodeId) -> Vec<NodeId> {
        let ast = self.source.ast;
        let filler = usize::from(ast.node(list).has(Flags::FILLER));
        ast.children(list).skip(filler).collect()
    }

    pub(super) fn is_array(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), CType::Array { .. })
    }

    fn initialise_record(
        &mut self,
        address: Value,
        list: NodeId,
        declaration: NodeId,
    ) -> Result<()> {
        let ast = self.source.ast;
        let layout = self
            .types
            .layout(declaration)
            .map_err(|e| Stop::at(list, e.to_string()))?;
        if layout.record.is_union || ast.children(list).count() < layout.record.fields.len() {
            self.zero(address);
        }
        for (index, item) in self.members_of(list, &layout.record) {
            let field = &layout.record.fields[index];
            let index = index as u32;
            let flexible = matches!(
                self.types.get(field.ty.ty),
                CType::Array {
                    length: ArrayLength::Unknown,
                    ..
                }
            );
            if flexible {
                continue;
            }
            if field.bits.is_some() {
                let value = self.value(item)?;
                let place = Place::Bits {
                    record: address,
                    field: index,
                    ty: field.ty.ty,
                };
                self.write(place, value);
                continue;
            }
            let ir = self.ir_type(field.ty.ty, item)?;
            let op = core::Member::new(self.ctx, address, index, ir);
            let place = self.emit_value(op);
            self.initialise(place, item)?;
        }
        Ok(())
    }

    /// The numbers of the members that a list initialises, with their initialisers.
    pub(super) fn members_of(&self, list: NodeId, record: &Record) -> Vec<(usize, NodeId)> {
        let ast = self.source.ast;
        let fields = &record.fields;
        let members: Vec<usize> = match record.is_union {
            // clang names the one that it initialises; the first by default.
            true => {
                let named = ast.referenced(list);
                let chosen = (fields.iter()).position(|field| Some(field.declaration) == named);
                vec![chosen.unwrap_or(0)]
            }
            // Unnamed bit-fields take no initialiser.
            false => (0..fields.len())
                .filter(|index| fields[*index].bits.is_none() || fields[*index].name.is_some())
                .collect(),
        };
        let there = members.into_iter().filter(|index| *index < fields.len());
        there.zip(ast.children(list)).collect()
    }

    fn initialise_with_string(
        &mut self,
        address: Value,
        literal: NodeId,
        length: ArrayLength,
    ) -> Result<()> {
        let ast = self.source.ast;
        let inner = match ast.kind(literal) {
            Kind::PredefinedExpr => self.child(literal, 0)?,
            _ => literal,
        };
        let mut bytes = self.string_bytes(inner)?;
        bytes.push(0);
        if let ArrayLength::Fixed(length) = length {
            bytes.truncate(length as usize);
            if (bytes.len() as u64) < length {
                self.zero(address);
            }
        }
        let Some(decay) = core::Decay::new(self.ctx, address) else {
            return Err(self.unsupported(literal));
        };
        let first = self.emit_value(decay);
        for (index, byte) in bytes.into_iter().enumerate() {
            let index = self.constant(64, index as i128);
            let op = core::PtrAdd::new(self.ctx, first, index);
            let place = self.emit_value(op);
            let value = self.constant(8, i128::from(byte));
            self.store(value, place, false);
        }
        Ok(())
    }

    /// `(T){…}`: a new object, which lasts as long as the block of C around it (6.5.2.5).
    pub fn compound_literal(&mut self, expression: NodeId) -> Result<Value> {
        let initialiser = self.child(expression, 0)?;
        let ty = self.ir_type_of(expression)?;
        let object = core::Alloca::new(self.ctx, ty, None);
        let address = self.at_home(self.function.homes.block, object);
        self.initialise(address, initialiser)?;
        Ok(address)
    }
}

//! Small objects of a dump, read key by key: positions, ranges, mentions of other nodes. What no one asks for is passed over.

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// A string, borrowed from the input where it has no escapes.
pub(super) struct Text<'a>(pub Cow<'a, str>);

impl<'de> serde::Deserialize<'de> for Text<'de> {
    /// Takes strings, numbers and truth values: clang prints `value` as any of them. Everything else
    /// reads as the empty text.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyScalar;
        impl<'de> Visitor<'de> for AnyScalar {
            type Value = Text<'de>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a value")
            }
            fn visit_borrowed_str<E>(self, v: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(v)))
            }
            fn visit_str<E>(self, v: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(v.to_owned())))
            }
            fn visit_bool<E>(self, v: bool) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(if v { "1" } else { "0" })))
            }
            fn visit_u64<E>(self, v: u64) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(v.to_string())))
            }
            fn visit_i64<E>(self, v: i64) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(v.to_string())))
            }
            fn visit_f64<E>(self, v: f64) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(v.to_string())))
            }
            fn visit_unit<E>(self) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed("")))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Text<'de>, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Text(Cow::Borrowed("")))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Text<'de>, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Text(Cow::Borrowed("")))
            }
        }
        deserializer.deserialize_any(AnyScalar)
    }
}

/// clang's numbers are addresses in hexadecimal.
pub(super) fn clang_id(text: &str) -> u64 {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap_or(0)
}

/// A value read from an object key by key; anything that is no object reads as the default.
pub(super) trait FromKeys: Default {
    fn key<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error>;
}

/// Wraps a [`FromKeys`] value for serde.
pub(super) struct Keyed<T>(pub T);

impl<'de, T: FromKeys> serde::Deserialize<'de> for Keyed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object<T>(std::marker::PhantomData<T>);
        impl<'de, T: FromKeys> Visitor<'de> for Object<T> {
            type Value = Keyed<T>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keyed<T>, A::Error> {
                let mut value = T::default();
                while let Some(key) = map.next_key::<Text>()? {
                    value.key(&key.0, &mut map)?;
                }
                Ok(Keyed(value))
            }
            fn visit_unit<E>(self) -> Result<Keyed<T>, E> {
                Ok(Keyed(T::default()))
            }
        }
        deserializer.deserialize_any(Object(std::marker::PhantomData))
    }
}

/// A position of the dump.
#[derive(Default, Clone, Copy)]
pub(super) struct Position {
    pub offset: Option<u32>,
    pub length: u32,
}

impl FromKeys for Position {
    fn key<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "offset" => self.offset = Some(map.next_value()?),
            "tokLen" => self.length = map.next_value()?,
            "expansionLoc" => *self = map.next_value::<Keyed<Position>>()?.0,
            _ => drop(map.next_value::<IgnoredAny>()?),
        }
        Ok(())
    }
}

/// The range of a node's text; `end` is the start of its last token.
#[derive(Default)]
pub(super) struct Range {
    pub begin: Position,
    pub end: Position,
}

impl FromKeys for Range {
    fn key<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "begin" => self.begin = map.next_value::<Keyed<Position>>()?.0,
            "end" => self.end = map.next_value::<Keyed<Position>>()?.0,
            _ => drop(map.next_value::<IgnoredAny>()?),
        }
        Ok(())
    }
}

/// A mention of another node.
#[derive(Default)]
pub(super) struct Mention(pub u64);

impl FromKeys for Mention {
    fn key<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "id" => self.0 = clang_id(&map.next_value::<Text>()?.0),
            _ => drop(map.next_value::<IgnoredAny>()?),
        }
        Ok(())
    }
}

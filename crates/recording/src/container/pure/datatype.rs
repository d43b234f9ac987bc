//! The types of elements as rust-hdf5 writes them.

use crate::container::{Element, Field};
use rust_hdf5::DatatypeMessage;
use rust_hdf5::format::messages::datatype::CompoundMember;

/// The library's type of an element.
pub(super) fn datatype(element: &Element) -> DatatypeMessage {
    match element {
        Element::U8 => DatatypeMessage::u8_type(),
        Element::U32 => DatatypeMessage::u32_type(),
        Element::U64 => DatatypeMessage::u64_type(),
        Element::I64 => DatatypeMessage::i64_type(),
        Element::F32 => DatatypeMessage::f32_type(),
        Element::F64 => DatatypeMessage::f64_type(),
        Element::Text(size) => DatatypeMessage::FixedString { size: *size as u32, padding: 1, charset: 1 },
        Element::Array(element, count) => DatatypeMessage::array(vec![*count], datatype(element)),
        Element::Record(fields) => {
            let mut offset = 0;
            let members = fields.iter().map(|Field { name, element }| {
                let member =
                    CompoundMember { name: (*name).to_string(), offset, datatype: datatype(element) };
                offset += element.size() as u32;
                member
            });
            let members = members.collect();
            DatatypeMessage::compound(offset, members)
        }
    }
}

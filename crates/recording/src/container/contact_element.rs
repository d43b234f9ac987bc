//! The contact record as an element of a dataset: the same 232 bytes as [`Contact`](palpate_contact::Contact).

use super::{Element, Field};

fn field(name: &'static str, element: Element) -> Field {
    Field { name, element }
}

fn array(element: Element, count: u32) -> Element {
    Element::Array(Box::new(element), count)
}

/// One side of a contact.
fn feature_element() -> Element {
    Element::Record(vec![
        field("kind", Element::U32),
        field("vertex_count", Element::U32),
        field("vertices", array(Element::U32, 4)),
        field("cell", Element::U32),
        field("child", Element::U32),
        field("weights", array(Element::F64, 4)),
        field("point", array(Element::F64, 3)),
    ])
}

/// One contact.
pub(crate) fn contact_element() -> Element {
    Element::Record(vec![
        field("a", feature_element()),
        field("b", feature_element()),
        field("direction", array(Element::F64, 3)),
        field("depth", Element::F64),
        field("depth_upper", Element::F64),
        field("time_of_impact", Element::F64),
        field("id", Element::U64),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::{Contact, Feature};
    use std::mem::offset_of;

    #[test]
    fn the_record_is_the_contact_in_memory() {
        assert_eq!(contact_element().size(), size_of::<Contact>());
        let Element::Record(fields) = contact_element() else { panic!("a contact is a record") };
        let mut offset = 0;
        let wanted = [
            0,
            offset_of!(Contact, b),
            offset_of!(Contact, direction),
            offset_of!(Contact, depth),
            offset_of!(Contact, depth_upper),
            offset_of!(Contact, time_of_impact),
            offset_of!(Contact, id),
        ];
        for (field, wanted) in fields.iter().zip(wanted) {
            assert_eq!(offset, wanted, "{}", field.name);
            offset += field.element.size();
        }
        assert_eq!(feature_element().size(), size_of::<Feature>());
        assert_eq!(offset_of!(Feature, weights), 32);
        assert_eq!(offset_of!(Feature, point), 64);
    }
}

//! Validated numbers, points and cells from JSON.

use crate::describe::DescriptionError;
use crate::math::{Point, Vector};
use serde_json::Value;

/// A finite number.
pub fn number(value: &Value) -> Result<f64, DescriptionError> {
    match value.as_f64() {
        Some(number) if number.is_finite() => Ok(number),
        _ => Err(DescriptionError::found(value, "a finite number")),
    }
}

/// A finite number greater than 0.
pub fn positive(value: &Value) -> Result<f64, DescriptionError> {
    let found = number(value)?;
    if found > 0.0 { Ok(found) } else { Err(DescriptionError::found(value, "a number greater than 0")) }
}

/// A finite number, 0 or more.
pub fn not_negative(value: &Value) -> Result<f64, DescriptionError> {
    let found = number(value)?;
    if found >= 0.0 { Ok(found) } else { Err(DescriptionError::found(value, "a number, 0 or more")) }
}

/// A list of `N` finite numbers.
pub fn numbers<const N: usize>(value: &Value) -> Result<[f64; N], DescriptionError> {
    let list = list_of(value, N, "finite numbers")?;
    let mut numbers = [0.0; N];
    for (index, item) in list.iter().enumerate() {
        numbers[index] = number(item).map_err(|error| error.at_index(index))?;
    }
    Ok(numbers)
}

/// A list of `R` lists of `C` finite numbers.
pub fn rows<const R: usize, const C: usize>(value: &Value) -> Result<[[f64; C]; R], DescriptionError> {
    let list = list_of(value, R, &format!("lists of {C} finite numbers"))?;
    let mut rows = [[0.0; C]; R];
    for (index, item) in list.iter().enumerate() {
        rows[index] = numbers(item).map_err(|error| error.at_index(index))?;
    }
    Ok(rows)
}

/// A point: three finite numbers.
pub fn point(value: &Value) -> Result<Point, DescriptionError> {
    numbers(value).map(|[x, y, z]| Point::new(x, y, z))
}

/// A vector: three finite numbers.
pub fn vector(value: &Value) -> Result<Vector, DescriptionError> {
    numbers(value).map(|[x, y, z]| Vector::new(x, y, z))
}

/// A direction: three finite numbers, not all zero.
pub fn direction(value: &Value) -> Result<Vector, DescriptionError> {
    let found = vector(value)?;
    if found.amax() > 0.0 {
        Ok(found)
    } else {
        Err(DescriptionError::found(value, "a direction, not all zero"))
    }
}

/// `n` × 3 coordinates.
pub fn points(value: &Value) -> Result<Vec<Point>, DescriptionError> {
    let list =
        value.as_array().ok_or_else(|| DescriptionError::found(value, "a list of points, 3 numbers each"))?;
    list.iter().enumerate().map(|(index, item)| point(item).map_err(|error| error.at_index(index))).collect()
}

/// `m` × `N` vertex ids, each less than `vertex_count`.
pub fn cells<const N: usize>(value: &Value, vertex_count: usize) -> Result<Vec<[u32; N]>, DescriptionError> {
    let list = value
        .as_array()
        .ok_or_else(|| DescriptionError::found(value, format!("a list of cells, {N} vertices each")))?;
    let cell = |item| cell(item, vertex_count);
    list.iter().enumerate().map(|(index, item)| cell(item).map_err(|error| error.at_index(index))).collect()
}

fn cell<const N: usize>(value: &Value, vertex_count: usize) -> Result<[u32; N], DescriptionError> {
    let list = list_of(value, N, "vertex numbers")?;
    let mut ids = [0; N];
    for (index, item) in list.iter().enumerate() {
        ids[index] = vertex_id(item, vertex_count).map_err(|error| error.at_index(index))?;
    }
    Ok(ids)
}

fn vertex_id(value: &Value, vertex_count: usize) -> Result<u32, DescriptionError> {
    let id = value.as_u64().and_then(|id| u32::try_from(id).ok()).filter(|&id| (id as usize) < vertex_count);
    id.ok_or_else(|| {
        DescriptionError::found(
            value,
            format!("a whole number less than {vertex_count}, the number of vertices"),
        )
    })
}

/// A list of whole numbers from 0 to `most`.
pub fn whole_numbers(value: &Value, most: u32) -> Result<Vec<u32>, DescriptionError> {
    let wanted = || format!("whole numbers from 0 to {most}");
    let list = value.as_array().ok_or_else(|| DescriptionError::found(value, wanted()))?;
    let number = |(index, item): (usize, &Value)| {
        let number = item.as_u64().and_then(|number| u32::try_from(number).ok());
        let number = number.filter(|&number| number <= most);
        number.ok_or_else(|| DescriptionError::found(item, wanted()).at_index(index))
    };
    list.iter().enumerate().map(number).collect()
}

fn list_of<'a>(value: &'a Value, length: usize, what: &str) -> Result<&'a [Value], DescriptionError> {
    match value.as_array() {
        Some(list) if list.len() == length => Ok(list),
        _ => Err(DescriptionError::found(value, format!("{length} {what}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_wrong_value_is_named_with_its_place() {
        let message = |error: DescriptionError| error.at("v").to_string();
        assert_eq!(
            message(points(&json!([[1, 2]])).unwrap_err()),
            "v[0]: found a list of 2, wanted 3 finite numbers"
        );
        assert_eq!(
            message(points(&json!([[0, 0, 0], [1, null, 3]])).unwrap_err()),
            "v[1][1]: found null, wanted a finite number"
        );
        let error = cells::<2>(&json!([[0, 1], [1, 2]]), 2).unwrap_err();
        assert_eq!(
            message(error),
            "v[1][1]: found 2, wanted a whole number less than 2, the number of vertices"
        );
        assert!(message(cells::<2>(&json!([[0, -1]]), 2).unwrap_err()).contains("found -1"));
        assert!(message(cells::<2>(&json!([[0, 0.5]]), 2).unwrap_err()).contains("found 0.5"));
        assert_eq!(message(positive(&json!(0)).unwrap_err()), "v: found 0, wanted a number greater than 0");
        assert!(message(direction(&json!([0, 0.0, 0])).unwrap_err()).contains("not all zero"));
    }
}

//! The few letters of the legend, five by seven dots.

/// Columns and rows of a letter.
const SIZE: (usize, usize) = (5, 7);

/// A letter's rows, the leftmost dot in the highest of five bits.
fn rows(letter: char) -> [u8; 7] {
    match letter {
        '0' => [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
        '1' => [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
        '2' => [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
        '3' => [0b01110, 0b10001, 0b00001, 0b00110, 0b00001, 0b10001, 0b01110],
        '4' => [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
        '5' => [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
        '6' => [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
        '7' => [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
        '8' => [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
        '9' => [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
        '.' => [0, 0, 0, 0, 0, 0b01100, 0b01100],
        'd' => [0b00001, 0b00001, 0b01101, 0b10011, 0b10001, 0b10011, 0b01101],
        'e' => [0, 0, 0b01110, 0b10001, 0b11111, 0b10000, 0b01110],
        'h' => [0b10000, 0b10000, 0b10110, 0b11001, 0b10001, 0b10001, 0b10001],
        'm' => [0, 0, 0b11010, 0b10101, 0b10101, 0b10101, 0b10101],
        'p' => [0, 0, 0b11110, 0b10001, 0b11110, 0b10000, 0b10000],
        't' => [0b01000, 0b01000, 0b11110, 0b01000, 0b01000, 0b01001, 0b00110],
        _ => [0; 7],
    }
}

/// Visits the dots of a text: column and row, from its upper left corner.
pub(crate) fn dots(text: &str, mut visit: impl FnMut(usize, usize)) {
    for (index, letter) in text.chars().enumerate() {
        for (row, bits) in rows(letter).into_iter().enumerate() {
            for column in (0..SIZE.0).filter(|column| bits >> (SIZE.0 - 1 - column) & 1 == 1) {
                visit(index * (SIZE.0 + 1) + column, row);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_stand_side_by_side() {
        let mut columns = Vec::new();
        dots("11", |column, row| {
            if row == 6 {
                columns.push(column);
            }
        });
        assert_eq!(columns, [1, 2, 3, 7, 8, 9]);
    }
}

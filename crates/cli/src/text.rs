//! Text from outside (names, metadata, paths, messages) as it is printed: data, never commands to a terminal.

/// The longest name in a table or a sentence, in characters.
pub(crate) const NAME: usize = 32;

/// The longest other value, in characters.
pub(crate) const VALUE: usize = 200;

/// The longest line, and the longest word in it, of an error.
const LINE: usize = 4000;
const WORD: usize = 1000;

/// `text` in at most `most` characters. Control characters, line and paragraph separators, and the characters that change the
/// direction of text are replaced by their escapes (`\n`, `\u{1b}`); what is too long ends in `…`. Cost: that of `most`
/// characters, however long the text is.
pub(crate) fn printed(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut length = 0;
    // Where the text is cut if it turns out to be too long.
    let mut cut = 0;
    for letter in text.chars() {
        let before = out.len();
        if is_printed(letter) {
            out.push(letter);
            length += 1;
        } else {
            let escape: String = letter.escape_default().collect();
            length += escape.len();
            out.push_str(&escape);
        }
        if length > most {
            out.truncate(cut);
            out.push('…');
            return out;
        }
        if length < most {
            cut = out.len();
        } else if cut == 0 {
            cut = before;
        }
    }
    out
}

/// A line of an error or a message: line feeds become spaces, and the rest is as [`printed`]; the limits leave room for every
/// path of an operating system.
pub(crate) fn line(text: &str) -> String {
    let mut out = String::new();
    for (index, word) in text.split([' ', '\n', '\r']).enumerate() {
        if index > 0 {
            out.push(' ');
        }
        out.push_str(&printed(word, WORD));
        if out.len() > 4 * LINE {
            break;
        }
    }
    printed(&out, LINE)
}

/// A name in a table or a sentence.
pub(crate) fn name(name: &str) -> String {
    printed(name, NAME)
}

/// Whether a letter is printed as it is: it is no control character, separates no lines, and does not change the direction of
/// text.
pub(crate) fn is_printed(letter: char) -> bool {
    let is_direction = matches!(letter,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_line = matches!(letter, '\u{2028}' | '\u{2029}' | '\u{feff}');
    !(letter.is_control() || is_direction || is_line)
}

/// Columns as wide as their widest cell, in characters. Cells are [`printed`].
pub(crate) fn aligned<const N: usize>(lines: &[[String; N]]) -> String {
    let lines: Vec<[String; N]> =
        lines.iter().map(|line| line.each_ref().map(|cell| printed(cell, VALUE))).collect();
    let mut widths = [0; N];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for line in &lines {
        let mut row = String::new();
        for (index, (cell, width)) in line.iter().zip(widths).enumerate() {
            if index > 0 {
                row.push_str("  ");
            }
            row.push_str(cell);
            row.extend(std::iter::repeat_n(' ', width - cell.chars().count()));
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

/// Words in lines of at most `width` characters, where a word is no longer. Lines behind the first begin with `indent` spaces;
/// before the first one the caller has written as many. No line feed at the end.
pub(crate) fn wrapped(words: &str, width: usize, indent: usize) -> String {
    let mut text = String::new();
    let mut column = indent;
    for (index, word) in words.split_whitespace().enumerate() {
        let length = word.chars().count();
        if index > 0 && column + 1 + length > width {
            text.push('\n');
            text.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        } else if index > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text
}

/// A name as it is written in a pair.
pub(crate) fn quoted(name: &str) -> String {
    name.replace('\\', "\\\\").replace(':', "\\:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_command_a_terminal_is_escaped() {
        assert_eq!(printed("a\u{1b}[31mb\u{7}\n", 100), "a\\u{1b}[31mb\\u{7}\\n");
        assert_eq!(printed("\u{202e}gnp.exe\u{9b}", 100), "\\u{202e}gnp.exe\\u{9b}");
        assert_eq!(printed("größe 面 👩‍⚕️", 100), "größe 面 👩‍⚕️");
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(printed("abcdef", 6), "abcdef");
        assert_eq!(printed("abcdefg", 6), "abcde…");
        assert_eq!(printed("ab\u{1b}defg", 6), "ab…");
        let long = "x".repeat(100_000);
        assert_eq!(name(&long).chars().count(), NAME);
        let error = line(&format!("no object {long:?}: wanted one of a, b"));
        assert!(error.len() < 2 * WORD && error.ends_with("… wanted one of a, b"), "{error}");
        assert!(line(&"word ".repeat(100_000)).chars().count() <= LINE);
        assert_eq!(line("one\ntwo"), "one two");
    }

    #[test]
    fn a_table_of_any_names_is_aligned() {
        let rows = [["a".to_owned(), "1".to_owned()], ["x".repeat(100_000), "2".to_owned()]];
        let table = aligned(&rows);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| line.chars().count() == VALUE + 3), "{table}");
    }

    #[test]
    fn words_are_wrapped_between_them() {
        assert_eq!(wrapped("one two three", 9, 2), "one two\n  three");
        assert_eq!(wrapped("one", 2, 0), "one");
    }
}

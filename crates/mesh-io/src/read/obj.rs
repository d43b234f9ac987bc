//! Wavefront OBJ: `v`, `f`, `l`. Normals, textures, groups and materials are ignored, free-form curves and surfaces
//! and unknown keywords are counted as left out.
//!
//! Vertices keep their numbers regardless of groups: loaders for rendering renumber them, but a simulator's maps
//! are by number. A backslash at the end of a line joins it with the next.

use super::lines::{Lines, Words, split_line};
use crate::cells::Collector;
use crate::{Contents, Format, MeshIoError};
use palpate_math::Limits;
use std::borrow::Cow;

/// Keywords that do not change the mesh.
const IGNORED: [&str; 22] = [
    "vn",
    "vt",
    "vp",
    "g",
    "o",
    "s",
    "mg",
    "p",
    "mtllib",
    "usemtl",
    "maplib",
    "usemap",
    "lod",
    "bevel",
    "c_interp",
    "d_interp",
    "shadow_obj",
    "trace_obj",
    "ctech",
    "stech",
    "cstype",
    "deg",
];

pub(super) fn read(bytes: &[u8], file: &str, limits: &Limits) -> Result<Contents, MeshIoError> {
    let mut cells = Collector::new(file, Format::Obj, limits);
    let bytes = joined(bytes);
    let mut lines = Lines::new(file, &bytes, Some(b'#'));
    while let Some(mut words) = lines.next() {
        match words.next() {
            Some("v") => {
                let point = words.point()?;
                // A weight or a colour.
                words.numbers_to_end("a number behind a vertex")?;
                cells.point(point, words.place)?;
            }
            Some("f" | "fo") => {
                let ids = corners(&mut words, cells.point_count())?;
                cells.polygon(&ids, words.place)?;
            }
            Some("l") => {
                let ids = corners(&mut words, cells.point_count())?;
                cells.polyline(&ids, words.place)?;
            }
            Some(word) if IGNORED.contains(&word) => {}
            Some(word)
                if word.bytes().all(|byte| byte.is_ascii_lowercase() || b"0123456789_".contains(&byte)) =>
            {
                cells.left_out(&format!("lines {word:?}"));
            }
            word => {
                let wanted = "v, f, l or another keyword of OBJ";
                return Err(words.error(
                    "the keyword",
                    &format_args!("{:?}", word.unwrap_or_default()),
                    wanted,
                ));
            }
        }
    }
    cells.finish()
}

/// The text with continued lines joined; the ends of lines taken out follow the joined line, so that the numbers of
/// later lines stay. A backslash in a comment joins nothing.
fn joined(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !bytes.windows(2).any(|pair| pair == b"\\\n" || pair == b"\\\r") {
        return Cow::Borrowed(bytes);
    }
    let (mut text, mut rest, mut taken_out) = (Vec::with_capacity(bytes.len()), bytes, 0);
    while !rest.is_empty() {
        let (line, behind) = split_line(rest);
        rest = behind;
        match line.strip_suffix(b"\\") {
            Some(line) if !line.contains(&b'#') => {
                text.extend_from_slice(line);
                taken_out += 1;
            }
            _ => {
                text.extend_from_slice(line);
                text.resize(text.len() + 1 + taken_out, b'\n');
                taken_out = 0;
            }
        }
    }
    Cow::Owned(text)
}

/// The vertices of corners like `7`, `7/1`, `7//3`, `7/1/3`; counted from 1, or from the last one back when negative.
fn corners(words: &mut Words<'_>, point_count: usize) -> Result<Vec<u64>, MeshIoError> {
    let mut ids = Vec::new();
    while let Some(word) = words.next() {
        let mut parts = word.split('/');
        let number = parts.next().and_then(|vertex| vertex.parse::<i64>().ok()).filter(|&number| number != 0);
        // The texture and the normal.
        let rest_is_whole = parts.by_ref().take(2).all(|part| part.is_empty() || part.parse::<i64>().is_ok());
        let number = number.filter(|_| rest_is_whole && parts.next().is_none());
        let id = match number {
            Some(number) if number > 0 => Some(number as u64 - 1),
            Some(number) => (point_count as u64).checked_sub(number.unsigned_abs()),
            None => None,
        };
        let wanted = "a vertex, counted from 1, or back from -1";
        ids.push(id.ok_or_else(|| words.error("a corner", &format_args!("{word:?}"), wanted))?);
    }
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_lines_and_groups() {
        let text = b"o a\nv 0 0 0\nv 1 0 0 1.0\nv 0 1 0\nvn 0 0 1\ng one\nf 1/1/1 2//1 3\ng two\nv 0 0 1e-1\nf -1 1 2 3\nl 1 4\n";
        let contents = read(text, "a.obj", &Limits::DEFAULT).unwrap();
        assert_eq!(contents.positions[3].z, 0.1);
        assert_eq!(contents.triangles, [[0, 1, 2], [0, 1, 2], [3, 0, 2]]);
        assert_eq!((contents.lines.as_slice(), contents.split_polygons), ([[0, 3]].as_slice(), 1));
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| read(text.as_bytes(), "a.obj", &Limits::DEFAULT).unwrap_err().to_string();
        assert_eq!(error("v 0 0 0\nv 1 x 0\n"), "a.obj, line 2: the y of a vertex is \"x\": wanted a number");
        assert!(error("v 0 0 0\nf 1 0 1\n").contains("line 2: a corner is \"0\""));
        for corner in ["1/x", "1/1/1/1", "x/1", "/1", "1.5", "1\\\\"] {
            let error = error(&format!("v 0 0 0\nf 1 {corner} 1\n"));
            assert!(error.contains("line 2: a corner is \""), "{corner}: {error}");
        }
        assert!(error("v 0 0 0 red\n").contains("a number behind a vertex is \"red\""));
        assert!(error("v 0 0 1D0\n").contains("line 1: the z of a vertex is \"1D0\""));
        assert!(error("\nv 0 nan 0\n").contains("line 2: the y of vertex 0 is NaN: wanted a finite number"));
        assert!(error("v 0 1e999 0\n").contains("line 1: the y of vertex 0 is inf"));
        assert!(error("V 0 0 0\n").contains("line 1: the keyword is \"V\": wanted v, f, l"));
        assert!(error("v 0 0 0\nf 1 -2 1\n").contains("line 2: a corner is \"-2\""));
        assert!(error("v 0 0 0\nf 1 1 2\n").contains("line 2: a vertex of a cell is 1: wanted less than 1"));
        assert!(error("v 0 0 0\nf 1 1\n").contains("the number of vertices of a face is 2"));
    }

    #[test]
    fn continued_lines_keep_the_numbers_of_later_ones() {
        for end in ["\n", "\r\n", "\r"] {
            let text = "v 0 0 0\nv 1 0 \\\n0\nv 0 1 0\n# no \\\nf 1 \\\n 2\\\n 3\nx! 1\n";
            let whole = text.replace("x! 1\n", "curv 0 1 1 2\n").replace('\n', end);
            let contents = read(whole.as_bytes(), "a.obj", &Limits::DEFAULT).unwrap();
            assert_eq!(
                (contents.positions[1].x, contents.triangles.as_slice()),
                (1.0, [[0, 1, 2]].as_slice())
            );
            assert_eq!(contents.left_out.get("lines \"curv\""), Some(&1));
            let error =
                read(text.replace('\n', end).as_bytes(), "a.obj", &Limits::DEFAULT).unwrap_err().to_string();
            assert!(error.starts_with("a.obj, line 9: the keyword is \"x!\""), "{error}");
        }
    }
}

//! The declarations for C#, made from the header and from the list of layouts: every field stands at its place by number.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::Path;

fn file(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap_or_default()
}

/// One declaration of the header with the comment before it.
struct Item {
    comment: String,
    text: String,
}

/// The declarations, each on one line.
fn items(header: &str) -> Vec<Item> {
    let (mut items, mut comment, mut text, mut in_comment) =
        (Vec::new(), String::new(), String::new(), false);
    let body = header.split("#include <stdint.h>").nth(1).unwrap();
    for line in body.lines().map(str::trim).take_while(|line| !line.starts_with("#endif  /* PALPATE_H")) {
        if in_comment || line.starts_with("/**") {
            in_comment = !line.ends_with("*/");
            let told = line.trim_start_matches("/**").trim_end_matches("*/").trim_start_matches('*').trim();
            if text.is_empty() && !told.is_empty() {
                write!(comment, "{}{told}", if comment.is_empty() { "" } else { " " }).unwrap();
            }
        } else if line.starts_with("#define") {
            items.push(Item { comment: std::mem::take(&mut comment), text: line.to_owned() });
        } else if !line.is_empty()
            && !line.starts_with('#')
            && !line.starts_with("extern")
            && line != "}  // extern \"C\""
        {
            write!(text, "{}{line}", if text.is_empty() { "" } else { " " }).unwrap();
            let is_open = text.contains('{') && !text.contains('}');
            if text.ends_with(';') && !is_open {
                items.push(Item { comment: std::mem::take(&mut comment), text: std::mem::take(&mut text) });
            }
        }
    }
    items
}

/// The type of C# of a type of C.
fn type_of(c: &str, names: &HashMap<String, String>) -> String {
    let words: Vec<&str> =
        c.split([' ', '*']).filter(|word| !["", "const", "struct"].contains(word)).collect();
    let stars = c.matches('*').count();
    let base = match words[0] {
        "double" => "double",
        "float" => "float",
        "char" | "uint8_t" => "byte",
        "uint32_t" => "uint",
        "int32_t" | "palpate_status" => "int",
        "uint64_t" | "palpate_geometry_id" | "palpate_pair_id" => "ulong",
        "size_t" => "UIntPtr",
        "void" => "void",
        other => names.get(other).map_or("IntPtr", String::as_str),
    };
    match (base, stars) {
        // A pointer to what C# does not see into, or a callback.
        ("IntPtr", 0 | 1) => "IntPtr".to_owned(),
        ("IntPtr", stars) => format!("IntPtr{}", "*".repeat(stars - 1)),
        (base, stars) => format!("{base}{}", "*".repeat(stars)),
    }
}

/// Name and type of a field or a parameter: `double direction[3]`.
fn split(declaration: &str) -> (String, String, usize) {
    let (plain, dimensions) = declaration.split_at(declaration.find('[').unwrap_or(declaration.len()));
    let count = dimensions.split(['[', ']']).filter_map(|number| number.parse::<usize>().ok()).product();
    let place = plain.rfind([' ', '*']).unwrap() + 1;
    (
        plain[place..].to_owned(),
        plain[..place].trim().to_owned(),
        if dimensions.is_empty() { 0 } else { count },
    )
}

/// Name, offset and size of every field, by struct, and the sizes of structs.
fn layouts(list: &str) -> BTreeMap<String, (usize, HashMap<String, usize>)> {
    let (mut found, mut current) = (BTreeMap::new(), String::new());
    for line in list.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["struct", name, size] => {
                current = name.to_owned();
                found.insert(current.clone(), (size.parse().unwrap(), HashMap::new()));
            }
            [field, offset, _] if line.starts_with(' ') => {
                let fields: &mut (usize, HashMap<String, usize>) = found.get_mut(&current).unwrap();
                fields.1.insert(field.to_owned(), offset.parse().unwrap());
            }
            _ => {}
        }
    }
    found
}

/// A word that C# does not take as a name.
fn safe(name: &str) -> String {
    let taken = ["params", "out", "in", "ref", "object", "base", "event", "fixed", "lock"].contains(&name);
    if taken { format!("@{name}") } else { name.to_owned() }
}

fn generated() -> String {
    let (header, layouts) = (file("include/palpate.h"), layouts(&file("abi.txt")));
    let names: HashMap<String, String> = layouts.keys().map(|name| (name.clone(), name.clone())).collect();
    let (mut structs, mut constants, mut functions) = (String::new(), String::new(), String::new());
    for Item { comment, text } in items(&header) {
        let told = |indent: &str| {
            format!("{indent}/// {}\n", comment.replace('&', "and").replace('<', "less than "))
        };
        if let Some(rest) = text.strip_prefix("#define ") {
            let Some((name, value)) = rest.split_once(' ').filter(|(name, _)| !name.contains('(')) else {
                continue;
            };
            let (kind, value) =
                if value == "UINT32_MAX" { ("uint", "uint.MaxValue") } else { ("int", value) };
            writeln!(constants, "{}    public const {kind} {name} = {value};", told("    ")).unwrap();
        } else if let Some(rest) = text.strip_prefix("typedef struct ") {
            let Some((name, fields)) = rest.split_once(" {") else { continue };
            let (size, offsets) = &layouts[name];
            write!(
                structs,
                "\n{}[StructLayout(LayoutKind.Explicit, Size = {size})]\npublic unsafe struct {name}\n{{\n",
                told("")
            )
            .unwrap();
            let fields = fields.split('}').next().unwrap();
            for field in fields.split(';').map(str::trim).filter(|field| !field.is_empty()) {
                let (field, of, count) = split(field);
                let (of, offset) = (type_of(&of, &names), offsets[&field]);
                let array = if count > 0 {
                    format!("fixed {of} {}[{count}]", safe(&field))
                } else {
                    format!("{of} {}", safe(&field))
                };
                writeln!(structs, "    [FieldOffset({offset})] public {array};").unwrap();
            }
            structs.push_str("}\n");
        } else if !text.starts_with("typedef") {
            let (head, rest) = text.split_once('(').unwrap();
            let (name, of, _) = split(head);
            let parameters: Vec<String> = rest
                .trim_end_matches(");")
                .split(',')
                .map(str::trim)
                .filter(|parameter| *parameter != "void")
                .map(|parameter| {
                    let (parameter, of, _) = split(parameter);
                    format!("{} {}", type_of(&of, &names), safe(&parameter))
                })
                .collect();
            let (of, parameters) = (type_of(&of, &names), parameters.join(", "));
            write!(
                functions,
                "\n{}    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]\n    public static extern {of} {name}({parameters});\n",
                told("    ")
            )
            .unwrap();
        }
    }
    format!(
        "// Made from palpate.h; do not edit. Pointers to objects and callbacks are IntPtr; texts are UTF-8 with a final zero byte.\n\
         using System;\nusing System.Runtime.InteropServices;\n\nnamespace Palpate\n{{\n{structs}\n\
         public static unsafe class NativeMethods\n{{\n    public const string Library = \"palpate\";\n\n{constants}{functions}}}\n}}\n"
    )
}

#[test]
fn the_declarations_for_csharp_are_up_to_date() {
    let now = generated();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("csharp/NativeMethods.g.cs");
    if std::env::var_os("PALPATE_WRITE").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    assert!(now.matches("DllImport").count() > 90 && now.matches("StructLayout").count() > 25);
    let wanted = "PALPATE_WRITE=1 cargo test -p palpate-capi --test csharp, after the list of layouts";
    assert!(
        file("csharp/NativeMethods.g.cs") == now,
        "NativeMethods.g.cs is not that of the header: {wanted}"
    );
}

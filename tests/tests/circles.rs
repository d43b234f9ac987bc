//! No two modules of a crate import each other, directly or in a circle; nor do two folders.
//!
//! A module is a file. It imports another if one of its paths names an item that the other defines; re-exported
//! items count where they are defined, so a `mod.rs` that only re-exports is not part of a circle. A module may use
//! the items of its parent modules; tests may import anything.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;
use syn::{Attribute, File, Item, ItemUse, UseTree, Visibility};

/// A path from the root of a crate: `["mesh", "side"]`.
type Segments = Vec<String>;

/// A name that a `use` brings into a module, with its path.
struct Import {
    name: String,
    path: Segments,
    is_reexport: bool,
}

/// One file of a crate.
#[derive(Default)]
struct Module {
    imports: Vec<Import>,
    /// Paths in the code, as written.
    paths: Vec<Segments>,
    /// Every name in the code outside `use` lines.
    names: BTreeSet<String>,
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let tokens = match &attribute.meta {
            syn::Meta::List(list) if list.path.is_ident("cfg") => list.tokens.to_string(),
            _ => return false,
        };
        tokens == "test" || tokens == "doctest"
    })
}

fn leaves(tree: &UseTree, prefix: &Segments, out: &mut Vec<(String, Segments)>) {
    let joined = |name: &syn::Ident| {
        let mut path = prefix.clone();
        path.push(name.to_string());
        path
    };
    match tree {
        UseTree::Path(path) => leaves(&path.tree, &joined(&path.ident), out),
        UseTree::Name(name) if name.ident == "self" => {
            out.push((prefix.last().cloned().unwrap_or_default(), prefix.clone()));
        }
        UseTree::Name(name) => out.push((name.ident.to_string(), joined(&name.ident))),
        UseTree::Rename(name) => out.push((name.rename.to_string(), joined(&name.ident))),
        UseTree::Glob(_) => out.push(("*".to_owned(), prefix.clone())),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, prefix, out)),
    }
}

/// Collects the paths of one file; nested modules have their own files and are skipped.
struct Reader {
    module: Module,
}

impl Reader {
    /// The names and paths in tokens that syn does not parse: macro arguments.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path = Segments::new();
        let mut colons = 0;
        for tree in tokens {
            match tree {
                TokenTree::Ident(name) => {
                    let name = name.to_string();
                    self.module.names.insert(name.clone());
                    if colons != 2 {
                        self.module.paths.push(std::mem::take(&mut path));
                    }
                    path.push(name);
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                other => {
                    self.module.paths.push(std::mem::take(&mut path));
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.tokens(group.stream());
                    }
                }
            }
        }
        self.module.paths.push(path);
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Mod(item) if item.content.is_none() => return,
            Item::Mod(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            Item::Struct(item) => &item.attrs,
            _ => return syn::visit::visit_item(self, item),
        };
        if !is_test(attributes) {
            syn::visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let mut found = Vec::new();
        leaves(&item.tree, &Segments::new(), &mut found);
        let is_reexport = !matches!(item.vis, Visibility::Inherited);
        self.module.imports.extend(found.into_iter().map(|(name, path)| Import { name, path, is_reexport }));
    }

    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.module.paths.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        syn::visit::visit_path(self, path);
    }

    fn visit_ident(&mut self, ident: &'ast syn::Ident) {
        self.module.names.insert(ident.to_string());
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        self.visit_path(&called.path);
        self.tokens(called.tokens.clone());
    }
}

/// The modules of a crate by their paths.
type Modules = BTreeMap<Segments, Module>;

/// Reads a file and the files of its `mod` lines.
fn read(file: &Path, folder: &Path, path: &Segments, modules: &mut Modules) {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let parsed: File = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    for item in &parsed.items {
        let Item::Mod(child) = item else { continue };
        if child.content.is_some() || is_test(&child.attrs) {
            continue;
        }
        let name = child.ident.to_string();
        let inner = folder.join(&name);
        let candidates = [folder.join(format!("{name}.rs")), inner.join("mod.rs")];
        let file = candidates.iter().find(|file| file.exists()).expect("a module has a file");
        let mut below = path.clone();
        below.push(name);
        read(file, &inner, &below, modules);
    }
    let mut reader = Reader { module: Module::default() };
    reader.visit_file(&parsed);
    modules.insert(path.clone(), reader.module);
}

/// The path from the root of the crate; `None` if it leads out of the crate.
fn absolute(path: &[String], module: &Segments, modules: &Modules) -> Option<Segments> {
    let mut base = match path.first()?.as_str() {
        "crate" => Segments::new(),
        "self" => module.clone(),
        "super" => module[..module.len().checked_sub(1)?].to_vec(),
        name => {
            let mut child = module.clone();
            child.push(name.to_owned());
            let imported = modules[module].imports.iter().any(|import| import.name == name);
            if path.len() == 1 || imported || !modules.contains_key(&child) {
                return None;
            }
            child
        }
    };
    for segment in &path[1..] {
        if segment == "super" {
            base.pop()?;
        } else {
            base.push(segment.clone());
        }
    }
    Some(base)
}

/// The module that defines the item of a path.
fn definer(path: &Segments, modules: &Modules, depth: usize) -> Segments {
    let length = (0..=path.len()).rev().find(|&length| modules.contains_key(&path[..length])).unwrap_or(0);
    let module = path[..length].to_vec();
    let Some(item) = path.get(length).filter(|_| depth < 8) else { return module };
    let reexport = modules[&module].imports.iter().find(|import| import.name == *item && import.is_reexport);
    match reexport.and_then(|import| absolute(&import.path, &module, modules)) {
        Some(target) => definer(&target, modules, depth + 1),
        None => module,
    }
}

/// The modules that each module imports.
fn links(modules: &Modules) -> Links {
    let mut links = Links::new();
    for (path, module) in modules {
        let used =
            module.imports.iter().filter(|import| !import.is_reexport || module.names.contains(&import.name));
        let all = used.map(|import| &import.path).chain(&module.paths);
        let found: BTreeSet<Segments> = all
            .filter_map(|written| absolute(written, path, modules))
            .map(|target| definer(&target, modules, 0))
            .filter(|target| !path.starts_with(target))
            .collect();
        links.insert(path.clone(), found);
    }
    links
}

/// The shortest circle through a module.
fn circle(start: &Segments, links: &Links) -> Option<Vec<Segments>> {
    let mut from: BTreeMap<&Segments, &Segments> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(module) = queue.pop_front() {
        for next in &links[module] {
            if next == start {
                let mut way = vec![start.clone(), module.clone()];
                let mut at = module;
                while let Some(before) = from.get(at) {
                    way.push((*before).clone());
                    at = before;
                }
                way.reverse();
                way.dedup();
                return Some(way);
            }
            if !from.contains_key(next) {
                from.insert(next, module);
                queue.push_back(next);
            }
        }
    }
    None
}

/// What each module of a crate imports.
type Links = BTreeMap<Segments, BTreeSet<Segments>>;

fn links_of(source: &Path) -> Links {
    let root = ["lib.rs", "main.rs"].map(|name| source.join(name)).into_iter().find(|file| file.exists());
    let mut modules = Modules::new();
    read(&root.expect("a crate has a root"), source, &Segments::new(), &mut modules);
    links(&modules)
}

/// The links between what stands in one folder, its files and its folders, each with all that is in it.
fn links_between_folders(links: &Links, parent: &[String]) -> Links {
    let child = |path: &Segments| {
        let is_inside = path.len() > parent.len() && path.starts_with(parent);
        is_inside.then(|| path[..=parent.len()].to_vec())
    };
    let mut between = Links::new();
    for (path, targets) in links {
        let Some(own) = child(path) else { continue };
        let others = targets.iter().filter_map(child).filter(|other| *other != own);
        between.entry(own.clone()).or_default().extend(others);
    }
    between
}

/// The circles of a crate's folders.
fn circles_of_folders(source: &Path) -> Vec<String> {
    let links = links_of(source);
    let parents: BTreeSet<Segments> =
        links.keys().filter_map(|path| path.split_last()).map(|(_, parent)| parent.to_vec()).collect();
    parents.iter().flat_map(|parent| listed(&links_between_folders(&links, parent))).collect()
}

/// The circles of a crate, each listed once, and the number of links checked.
fn circles(source: &Path) -> (Vec<String>, usize) {
    let links = links_of(source);
    (listed(&links), links.values().map(BTreeSet::len).sum())
}

/// The shortest circle through each module that is in one, each listed once.
fn listed(links: &Links) -> Vec<String> {
    let mut told = BTreeSet::new();
    let mut found = Vec::new();
    for start in links.keys().filter(|path| !path.is_empty()) {
        let Some(way) = circle(start, links) else { continue };
        let members: BTreeSet<Segments> = way.iter().cloned().collect();
        if told.insert(members) {
            let names: Vec<String> = way.iter().map(|path| path.join("::")).collect();
            found.push(names.join(" -> "));
        }
    }
    found
}

fn crates() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let entries = fs::read_dir(folder).expect("the folder of crates").filter_map(Result::ok);
    entries.map(|entry| entry.path().join("src")).filter(|source| source.exists()).collect()
}

// Proves: REQ-FLOORS
#[test]
fn no_modules_import_each_other_in_a_circle() {
    let mut failures = Vec::new();
    let mut links = 0;
    for source in crates() {
        let (found, count) = circles(&source);
        links += count;
        failures.extend(found.iter().map(|circle| format!("{}: {circle}", source.display())));
    }
    assert!(links >= 500, "only {links} imports were checked");
    assert!(failures.is_empty(), "{} circles of imports:\n{}", failures.len(), failures.join("\n"));
}

// Proves: REQ-FLOORS
#[test]
fn no_folders_import_each_other_in_a_circle() {
    let found = |source: PathBuf| {
        let circles = circles_of_folders(&source);
        circles.into_iter().map(move |circle| format!("{}: {circle}", source.display()))
    };
    let failures: Vec<String> = crates().into_iter().flat_map(found).collect();
    assert!(failures.is_empty(), "{} circles of folders:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn a_circle_of_folders_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().expect("a file is in a folder")).expect("a folder");
        fs::write(file, text).expect("a file");
    };
    write("lib.rs", "mod a;\nmod b;\n");
    write("a/mod.rs", "mod one;\nmod two;\npub use one::A;\n");
    write("a/one.rs", "use crate::b::B;\npub struct A(B);\n");
    write("a/two.rs", "pub struct Two;\n");
    write("b.rs", "pub struct B;\nuse crate::a::two::Two;\n");
    assert!(circles(folder.path()).0.is_empty());
    assert_eq!(circles_of_folders(folder.path()), ["a -> b -> a"]);
}

#[test]
fn a_circle_through_a_reexport_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write("lib.rs", "mod a;\nmod b;\nmod c;\npub use a::A;\n");
    write("a.rs", "use crate::b::B;\npub struct A(B);\n");
    write("b.rs", "pub struct B;\nfn f() { g!(crate::c::h()) }\n");
    write("c.rs", "pub fn h() -> crate::A { todo!() }\n#[cfg(test)]\nmod tests { use crate::b::B; }\n");
    let (found, _) = circles(folder.path());
    assert_eq!(found, ["a -> b -> c -> a"]);
    write("b.rs", "pub struct B;\n");
    assert!(circles(folder.path()).0.is_empty());
}

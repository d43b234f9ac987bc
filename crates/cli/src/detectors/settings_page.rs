//! The page of the settings.

use palpate::detect::{Entry, Registry, Setting, SettingValues};

const HEAD: &str = "\
# Settings

Every setting of every detector. This page is made from the registry; after a change of a setting make it again:

```sh
cargo run -- detectors --settings > docs/settings.md
```

A pair takes a settings struct or JSON with the same names. An omitted setting has the value of the alias, or else the default:

```rust,ignore
use palpate::{prelude::*, serde_json::json};

let settings = SurfaceMeshConvexSettings { internal_edges: InternalEdges::Ignore, ..Default::default() };
scene.add_pair(organ, tool, PairOptions::of(settings).with_margin(1e-3))?;
scene.add_pair(floor, crate_id, PairOptions::of(json!({\"manifold\": false})))?;
```

A name or a value that a detector does not have is an error when the pair is bound; in pairs by groups a setting applies
to the pairs whose detector has it. `Pair::settings()` returns all settings of a pair;
recordings keep them. Which settings a floor, an organ or a thread want is in [using contacts](using-contacts.md). The margin is not a
setting of a detector but an option of every pair.

## Meanings

| setting | values | meaning |
|---|---|---|
";

/// The page, as Markdown.
pub(super) fn page(registry: &Registry) -> String {
    let mut text = HEAD.to_owned();
    let entries = registry.detectors();
    let mut all: Vec<Setting> = entries.iter().flat_map(Entry::settings).collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all.dedup_by(|a, b| a.name == b.name);
    for Setting { name, values, meaning, .. } in &all {
        text.push_str(&format!("| `{name}` | {} | {meaning} |\n", words(*values)));
    }
    text.push_str("\n## Defaults\n\n| detector | struct in `palpate::prelude` | settings |\n|---|---|---|\n");
    let (with, without): (Vec<&Entry>, Vec<&Entry>) =
        entries.iter().partition(|entry| !entry.settings().is_empty());
    for entry in with {
        let settings: Vec<String> = entry
            .settings()
            .iter()
            .map(|setting| format!("`{}`: {}", setting.name, setting.default))
            .collect();
        let name = entry.name;
        text.push_str(&format!(
            "| [{name}](detectors.md#{name}) | `{}` | {} |\n",
            entry.settings_type(),
            settings.join(", ")
        ));
    }
    let names: Vec<&str> = without.iter().map(|entry| entry.name).collect();
    text.push_str(&format!("\nWithout settings: {}.\n", names.join(", ")));
    text
}

fn words(values: SettingValues) -> String {
    match values {
        SettingValues::Boolean => "true, false".to_owned(),
        SettingValues::Number => "a number".to_owned(),
        SettingValues::Words(words) => {
            words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
        }
        _ => "see the detector".to_owned(),
    }
}

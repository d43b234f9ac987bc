//! The page: a frame of HTML, the description of the sessions, their numbers, and the script.

use super::session::Session;
use palpate::diff::Report;
use serde::Serialize;

const HTML: &str = include_str!("../../page/page.html");
const STYLE: &str = include_str!("../../page/page.css");
const LICENCES: &str = include_str!("../../page/LICENCES.txt");
/// Built from `page/src`: see `page/README.md`.
const SCRIPT: &str = include_str!("../../page/report.js");
const SCRIPT_STYLE: &str = include_str!("../../page/report.css");

/// The description of a page.
#[derive(Serialize)]
pub(super) struct Page<'a> {
    pub(super) title: String,
    pub(super) version: &'static str,
    pub(super) bounds: Bounds,
    /// Metres.
    pub(super) deepest: f64,
    pub(super) sessions: &'a [Session],
    pub(super) diff: Option<Diff>,
}

#[derive(Serialize)]
pub(super) struct Bounds {
    pub(super) low: [f64; 3],
    pub(super) high: [f64; 3],
}

#[derive(Serialize)]
pub(super) struct Diff {
    pub(super) verdict: String,
    #[serde(flatten)]
    pub(super) report: Report,
}

/// The whole page; `said` is the line below the title, `numbers` those of each session.
pub(super) fn html(page: &Page<'_>, said: &str, numbers: &[String]) -> String {
    // Of JSON in a script only `<` could end it.
    let description = crate::json::line(page).replace('<', "\\u003c");
    let mut data = format!("<script type=\"application/json\" id=\"page\">{description}</script>\n");
    for (number, numbers) in numbers.iter().enumerate() {
        data.push_str(&format!("<script type=\"text/plain\" id=\"numbers-{number}\">{numbers}</script>\n"));
    }
    let style = format!("{STYLE}\n{SCRIPT_STYLE}");
    let parts = [
        ("{{title}}", escaped(&page.title)),
        ("{{said}}", escaped(said)),
        ("{{style}}", style),
        ("{{licences}}", LICENCES.to_owned()),
        ("{{data}}", data),
        ("{{script}}", SCRIPT.to_owned()),
    ];
    // In one pass, so that a name that looks like a placeholder is itself.
    let mut html = String::new();
    let mut rest = HTML;
    while let Some(at) = rest.find("{{") {
        html.push_str(&rest[..at]);
        rest = &rest[at..];
        match parts.iter().find(|(name, _)| rest.starts_with(name)) {
            Some((name, text)) => {
                html.push_str(text);
                rest = &rest[name.len()..];
            }
            None => {
                html.push_str("{{");
                rest = &rest[2..];
            }
        }
    }
    html + rest
}

fn escaped(text: &str) -> String {
    crate::text::line(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

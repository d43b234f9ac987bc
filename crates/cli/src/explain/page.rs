//! The iterations as an HTML page: the drawing of every case, and a table of its numbers.

use super::Answered;
use super::drawing::{escaped, svg};
use super::panel::{answer, interval, short, tuple};
use super::report::Report;

const STYLE: &str = "body{font:14px sans-serif;margin:2em;max-width:1100px}svg{max-width:100%;height:auto}\
table{border-collapse:collapse;margin:1em 0 3em}td,th{border:1px solid #ccc;padding:.25em .6em;text-align:left}";

/// A page with every case.
pub(crate) fn html(answers: &[Answered]) -> String {
    let cases: String = answers.iter().map(case).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>palpate explain</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n{cases}</body>\n</html>\n"
    )
}

fn case(answered: &Answered) -> String {
    let drawing = svg(std::slice::from_ref(answered));
    let chain = answered.chain.iter().flat_map(|chain| &chain.steps);
    let chain: String = chain.map(|step| format!("<p>{}</p>\n", escaped(&step.text))).collect();
    format!("{drawing}{}{chain}", answered.report.as_ref().map_or_else(|_| String::new(), table))
}

fn table(report: &Report) -> String {
    let mut rows = String::new();
    for (index, step) in report.gjk.iterations.iter().enumerate() {
        let nearest = step.nearest.as_ref().map_or_else(|| "-".to_owned(), tuple);
        rows += &row(&[
            format!("GJK {}", index + 1),
            step.feature.to_owned(),
            step.simplex.iter().map(tuple).collect::<Vec<_>>().join(" "),
            format!("nearest {nearest}"),
            tuple(&step.support),
            interval("distance", &step.bounds),
        ]);
    }
    rows += &ended("GJK ends", report.gjk.ended);
    if let Some(epa) = &report.epa {
        for (index, step) in epa.iterations.iter().enumerate() {
            rows += &row(&[
                format!("EPA {}", index + 1),
                step.feature.to_owned(),
                step.facet.iter().map(tuple).collect::<Vec<_>>().join(" "),
                format!("normal {} at {}", tuple(&step.normal), short(step.distance)),
                tuple(&step.support),
                interval("depth", &step.bounds),
            ]);
        }
        rows += &ended("EPA ends", epa.ended);
    }
    let heads = ["iteration", "feature", "its vertices", "of the origin", "support", "bounds"];
    let heads: String = heads.iter().map(|head| format!("<th>{head}</th>")).collect();
    format!("<p>{}</p>\n<table>\n<tr>{heads}</tr>\n{rows}</table>\n", escaped(&answer(report).join(", ")))
}

fn row(cells: &[String]) -> String {
    let cells: String = cells.iter().map(|cell| format!("<td>{}</td>", escaped(cell))).collect();
    format!("<tr>{cells}</tr>\n")
}

fn ended(what: &str, reason: &str) -> String {
    format!("<tr><td>{what}</td><td colspan=\"5\">{reason}</td></tr>\n")
}

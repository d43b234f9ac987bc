//! `palpate detect`: cases in, contacts out.

mod answer;
#[cfg(test)]
mod fuzz;
pub(crate) mod lines;

use crate::args::DetectArguments;
use crate::error::CommandError;
use crate::output::{Output, refuse_own_input};
use crate::{progress, terminal};
pub(crate) use answer::Name;
use answer::{Answer, Answering, panicked, too_long};
use lines::{Line, Lines};
use palpate::describe::MeshFiles;
use palpate::detect::Registry;
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Answers every case, in the order of the cases. Errors: an input that cannot be read; cases with an error line.
pub(crate) fn run(arguments: &DetectArguments) -> Result<(), CommandError> {
    let limits = arguments.limit.limits()?;
    let longest_line = limits.json_line_bytes;
    let mut lines = Lines::new(open(&arguments.cases)?, longest_line);
    if let Some(out) = &arguments.out {
        refuse_own_input(out, std::slice::from_ref(&arguments.cases))?;
    }
    let mut output = Output::create(arguments.out.as_deref())?;
    let folder = arguments.cases.parent().map(Path::to_path_buf).unwrap_or_default();
    let files = MeshFiles { folder, scale: arguments.mesh.scale()?, limits };
    let answering =
        Answering { registry: Registry::standard(), files, timing: arguments.timing, longest_line };
    let threads = thread_count(arguments.limit.threads(arguments.threads)?);
    let mut tally = Tally::default();
    loop {
        let batch =
            lines.next_batch().map_err(|error| CommandError::io(&arguments.cases, "reading", error))?;
        if batch.is_empty() {
            break;
        }
        for (line, answer) in batch.iter().zip(answer_all(&answering, &batch, threads)) {
            tally.count(line.number, answer.failed);
            tally.panicked += u64::from(answer.panicked);
            writeln!(output, "{}", answer.text)
                .map_err(|error| CommandError::io(&output.path(), "writing", error))?;
        }
        // An interactive caller waits for the answer to each line.
        output.flush().map_err(|error| CommandError::io(&output.path(), "writing", error))?;
    }
    output.finish()?;
    if let Some(out) = arguments.out.as_deref().filter(|_| arguments.json) {
        terminal::print_json(&tally.summary(out))?;
    }
    tally.verdict()
}

/// The input, or standard input for `-`.
pub(crate) fn open(path: &Path) -> Result<Box<dyn BufRead>, CommandError> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    if path.is_dir() {
        return Err(CommandError::IsDirectory { path: path.to_owned() });
    }
    let file = File::open(path).map_err(|error| CommandError::io(path, "opening", error))?;
    Ok(Box::new(BufReader::with_capacity(1 << 16, progress::reading(file))))
}

/// One thread per core if 0 are requested.
pub(crate) fn thread_count(asked: usize) -> usize {
    if asked > 0 { asked } else { thread::available_parallelism().map_or(1, usize::from) }
}

/// The answers to a batch, in its order. Threads take the next unclaimed line; an answer does not depend on its
/// thread.
fn answer_all(answering: &Answering, batch: &[Line], threads: usize) -> Vec<Answer> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut answers = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(line) = batch.get(index) else { return answers };
            answers.push((index, answer(answering, line)));
        }
    };
    if threads < 2 || batch.len() < 2 {
        return work().into_iter().map(|(_, answer)| answer).collect();
    }
    let mut answers: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.min(batch.len())).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("answering a case does not panic"))
            .collect()
    });
    answers.sort_unstable_by_key(|(index, _)| *index);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

fn answer(answering: &Answering, line: &Line) -> Answer {
    match &line.bytes {
        // A panic is a fault of the program; it must not cost the answers to the other cases.
        Some(bytes) => panic::catch_unwind(AssertUnwindSafe(|| answering.answer(bytes, line.number)))
            .unwrap_or_else(|cause| panicked(bytes, line.number, cause.as_ref())),
        None => too_long(line.number, answering.longest_line),
    }
}

/// What `--json` prints where the answers are in a file.
#[derive(Serialize)]
pub(crate) struct CaseSummary {
    cases: u64,
    failed: u64,
    /// From 1.
    first_failed_line: Option<u64>,
    out: String,
}

/// The number of cases, and of cases without an answer.
#[derive(Default)]
pub(crate) struct Tally {
    total: u64,
    failed: u64,
    panicked: u64,
    first: Option<u64>,
}

impl Tally {
    /// Counts the case on a line.
    pub(crate) fn count(&mut self, line: u64, failed: bool) {
        self.total += 1;
        if failed {
            self.failed += 1;
            self.first.get_or_insert(line);
        }
    }

    /// The numbers of cases, and the file of their answers.
    pub(crate) fn summary(&self, out: &Path) -> CaseSummary {
        CaseSummary {
            cases: self.total,
            failed: self.failed,
            first_failed_line: self.first,
            out: out.display().to_string(),
        }
    }

    /// An error if a case had no answer.
    pub(crate) fn verdict(&self) -> Result<(), CommandError> {
        match self.first {
            None => Ok(()),
            Some(first) => {
                let Self { failed, panicked, total, .. } = *self;
                Err(match panicked {
                    0 => CommandError::Cases { failed, total, first },
                    _ => CommandError::Panicked { panicked, failed, total, first },
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate::contact::CollisionData;
    use palpate::detect::{About, Context, PairDetector, Status};
    use palpate::geometry::Sphere;

    /// A detector with a fault: it panics on spheres of radius 2.
    struct Faulty;

    impl PairDetector for Faulty {
        type A = Sphere;
        type B = Sphere;
        type Settings = ();

        const NAME: &'static str = "faulty";
        const ABOUT: About = About {
            elements_a: "point",
            elements_b: "point",
            at_most: "none",
            sides: "one",
            method: "panics",
            cost: "O(1)",
            source: "",
        };

        fn new((): ()) -> Self {
            Self
        }

        fn detect(&mut self, a: &Sphere, _: &Sphere, _: &Context<'_>, _: &mut CollisionData) -> Status {
            assert!(a.radius() < 2.0, "the radius is {}", a.radius());
            Status::default()
        }
    }

    #[test]
    fn a_panic_costs_the_answer_to_its_own_case_alone() {
        let mut registry = Registry::new();
        registry.register::<Faulty>().unwrap();
        let answering =
            Answering { registry, files: MeshFiles::default(), timing: false, longest_line: 1 << 20 };
        let case = |number: u64| {
            let ball = |radius: u64| format!(r#"{{"type":"Sphere","center":[0,0,0],"radius":{radius}}}"#);
            let (a, b) = (ball(1 + number % 2), ball(1 + number % 2));
            Line { number, bytes: Some(format!(r#"{{"id":"n{number}","a":{a},"b":{b}}}"#).into_bytes()) }
        };
        let batch: Vec<Line> = (1..6).map(case).collect();
        for threads in [1, 3] {
            let answers = answer_all(&answering, &batch, threads);
            let told: Vec<bool> = answers.iter().map(|answer| answer.panicked).collect();
            assert_eq!(told, [true, false, true, false, true]);
            let wanted = r#"{"id":"n1","error":"panicked, which is a fault of palpate: the radius is 2"}"#;
            assert_eq!((answers[0].text.as_str(), answers[0].failed), (wanted, true));
            assert!(answers[1].text.starts_with(r#"{"id":"n2","detector":"faulty","contacts":[]"#));
        }
        let mut tally = Tally { panicked: 3, ..Tally::default() };
        (1..6).for_each(|line| tally.count(line, line % 2 == 1));
        let verdict = tally.verdict().unwrap_err().to_string();
        assert!(
            verdict.starts_with("3 of 5 cases ended in a panic") && verdict.contains("line 1 "),
            "{verdict}"
        );
    }
}

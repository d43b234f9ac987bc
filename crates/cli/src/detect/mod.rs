//! `palpate detect`: cases in, contacts out.

mod answer;
pub(crate) mod lines;

use crate::args::DetectArguments;
use crate::error::CommandError;
use crate::output::{Output, refuse_own_input};
pub(crate) use answer::Name;
use answer::{Answer, Answering, too_long};
use lines::{LONGEST_LINE, Line, Lines};
use palpate::detect::Registry;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Answers every case, in the order of the cases. Errors: an input that cannot be read; cases with an error line.
pub(crate) fn run(arguments: &DetectArguments) -> Result<(), CommandError> {
    let mut lines = Lines::new(open(&arguments.cases)?);
    if let Some(out) = &arguments.out {
        refuse_own_input(out, std::slice::from_ref(&arguments.cases))?;
    }
    let mut output = Output::create(arguments.out.as_deref())?;
    let answering = Answering { registry: Registry::standard(), timing: arguments.timing };
    let threads = thread_count(arguments.threads);
    let mut tally = Tally::default();
    loop {
        let batch =
            lines.next_batch().map_err(|error| CommandError::io(&arguments.cases, "reading", error))?;
        if batch.is_empty() {
            break;
        }
        for (line, answer) in batch.iter().zip(answer_all(&answering, &batch, threads)) {
            tally.count(line.number, answer.failed);
            writeln!(output, "{}", answer.text)
                .map_err(|error| CommandError::io(&output.path(), "writing", error))?;
        }
        // An interactive caller waits for the answer to each line.
        output.flush().map_err(|error| CommandError::io(&output.path(), "writing", error))?;
    }
    output.finish()?;
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
    Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
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
        Some(bytes) => answering.answer(bytes, line.number),
        None => too_long(line.number, LONGEST_LINE),
    }
}

/// The number of cases, and of cases without an answer.
#[derive(Default)]
pub(crate) struct Tally {
    total: u64,
    failed: u64,
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

    /// An error if a case had no answer.
    pub(crate) fn verdict(&self) -> Result<(), CommandError> {
        match self.first {
            None => Ok(()),
            Some(first) => Err(CommandError::Cases { failed: self.failed, total: self.total, first }),
        }
    }
}

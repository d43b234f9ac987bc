//! Foreign VTKHDF files: one object, named after the file, or one per block.

use super::Part;
use crate::container::Source;
use crate::error::RecordingError;
use crate::frame::{Placement, State};
use crate::journal::points_of;
use crate::limits::check_limits;
use crate::note::Note;
use crate::session::{ObjectInfo, SessionInfo, Topology};
use crate::vtkhdf::{self, Block, open_blocks};
use palpate_math::Limits;
use std::path::Path;

pub(super) struct PlainPart {
    source: Box<dyn Source>,
    blocks: Vec<Block>,
    info: SessionInfo,
    times: Option<Vec<f64>>,
    changes: Vec<Vec<usize>>,
    frames: usize,
    note: Option<Note>,
}

impl PlainPart {
    pub(super) fn open(
        source: Box<dyn Source>,
        path: &Path,
        limits: &Limits,
    ) -> Result<Self, RecordingError> {
        let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let blocks = open_blocks(source.as_ref(), path, &stem, limits)?;
        // A block without time, or with one step, beside others is static.
        let longest = blocks.iter().max_by_key(|block| block.step_count());
        let frames = longest.map_or(0, Block::step_count);
        let times = longest.and_then(Block::times).map(<[f64]>::to_vec);
        let mut objects = Vec::new();
        let mut changes = Vec::new();
        for block in &blocks {
            if block.step_count() != frames && block.step_count() != 1 {
                let found = format!("{} steps", block.step_count());
                let wanted = format!("{frames}, as another block has, or one");
                return Err(RecordingError::invalid(
                    path,
                    format!("block '{}'", block.object),
                    found,
                    wanted,
                ));
            }
            let (topology, changed) = find_changes(source.as_ref(), block, "")?;
            objects.push(ObjectInfo {
                name: block.object.clone(),
                kind: topology.kind().unwrap_or_default().to_string(),
                radius: block.radius(source.as_ref())?,
                topology,
                ..ObjectInfo::default()
            });
            changes.push(changed);
        }
        let info = SessionInfo { objects, ..SessionInfo::default() };
        check_limits(path, &info, limits)?;
        let version = source.first_byte(vtkhdf::ROOT, "Version");
        let version = version.map_err(|reason| RecordingError::hdf5(path, vtkhdf::ROOT, reason))?;
        let newer = version.filter(|&major| major > vtkhdf::KNOWN_VERSION);
        let note = newer.map(|major| Note::NewerVersion { path: path.to_path_buf(), major });
        Ok(Self { source, blocks, info, times, changes, frames, note })
    }
}

/// The cells of the first step, and the steps at which they change; `kind` is the assumed kind of a step without
/// cells, if known. VTK's own writer stores cells again at every step: those are compared.
pub(super) fn find_changes(
    source: &dyn Source,
    block: &Block,
    kind: &str,
) -> Result<(Topology, Vec<usize>), RecordingError> {
    let first = block.topology(source, 0, kind)?;
    let kind = first.kind().unwrap_or_default();
    let mut changes = Vec::new();
    let mut current = first.clone();
    for step in 1..block.step_count() {
        if !block.shares_cells(step - 1, step) {
            block.charge_cells(source, step)?;
            let next = block.topology(source, step, kind)?;
            if next.kind() != first.kind() {
                let place = format!("block '{}', step {step}", block.object);
                let found = format!("the cells of a {}", next.kind().unwrap_or_default());
                return Err(RecordingError::invalid(&block.path, place, found, format!("those of a {kind}")));
            }
            if next != current {
                changes.push(step);
                current = next;
            }
        }
    }
    Ok((first, changes))
}

impl Part for PlainPart {
    fn info(&self) -> &SessionInfo {
        &self.info
    }

    fn times(&self) -> Option<&[f64]> {
        self.times.as_deref()
    }

    fn frame_count(&self) -> usize {
        self.frames
    }

    fn changes(&self, object: usize) -> &[usize] {
        &self.changes[object]
    }

    fn topology(&mut self, object: usize, frame: usize) -> Result<Topology, RecordingError> {
        let block = &self.blocks[object];
        block.topology(
            self.source.as_ref(),
            frame.min(block.step_count() - 1),
            &self.info.objects[object].kind,
        )
    }

    fn read(
        &mut self,
        frame: usize,
        base: usize,
        states: &mut Vec<State>,
        _: &mut Vec<Placement>,
    ) -> Result<(), RecordingError> {
        for (object, block) in self.blocks.iter_mut().enumerate() {
            let step = frame.min(block.step_count() - 1);
            block.points(self.source.as_ref(), step, points_of(states, base + object))?;
        }
        Ok(())
    }

    fn has_checksums(&self) -> bool {
        false
    }

    fn note(&self) -> Option<Note> {
        self.note.clone()
    }
}

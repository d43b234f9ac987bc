//! Nothing is printed, whatever fails: a full disk, and files that make the HDF5 library panic.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(unix)]

mod sample;

use palpate_contact::{Contact, Feature};
use palpate_recording::{
    ContactPair, ContactsOptions, ContactsWriter, Point, Reader, RecordingError, Writer, WriterOptions,
    recover,
};
use sample::{every_kind, frame};
use std::path::Path;
use std::process::Command;

const SIDE: u32 = 12;
const FRAMES: usize = 6;
/// Passes the folder to the child process, which is this program again.
const CHILD: &str = "PALPATE_RECORDING_SILENT_CHILD";

fn write_contacts(path: &Path) -> Result<(), RecordingError> {
    let pairs = [ContactPair { a: "a".into(), b: "b".into(), detector: String::new() }];
    let options = ContactsOptions { compression: 0, vtk: true, ..ContactsOptions::default() };
    let mut writer = ContactsWriter::create(path, &pairs, options)?;
    let point = |x: usize| Feature::point(Point::new(x as f64, 0.5, 0.25));
    for index in 0..FRAMES {
        let contact = Contact::exact(point(index), point(1), nalgebra::Vector3::x(), index as f64, 7);
        writer.append(index as u64, index as f64, &[0; 400], &[contact; 400])?;
    }
    writer.finish()
}

/// Not a test of its own: code of the child process, whose files may not grow beyond 8 blocks of 512 or 1024 bytes.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(CHILD) else { return };
    let folder = Path::new(&folder);
    assert!(recover(folder.join("session.vtkhdf")).is_err());
    assert!(write_contacts(&folder.join("contacts.h5")).is_err());
    assert!(Reader::open(folder.join("session.vtkhdf")).unwrap().frame_count() == FRAMES);
}

#[test]
fn a_full_disk_is_an_error_and_no_output() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("session.vtkhdf");
    let info = every_kind(SIDE);
    let mut writer = Writer::create(&session, &info, WriterOptions::default()).unwrap();
    (0..FRAMES).for_each(|index| writer.append(&frame(&info, SIDE, index)).unwrap());
    drop(writer);
    let run = |blocks: u32| {
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" child --exact --nocapture");
        let program = std::env::current_exe().unwrap();
        Command::new("sh").arg("-c").arg(&script).arg(program).env(CHILD, folder.path()).output().unwrap()
    };
    for blocks in [0, 1, 2, 4, 8] {
        let output = run(blocks);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{blocks} blocks: {}", String::from_utf8_lossy(&output.stdout));
        assert_eq!(errors, "", "{blocks} blocks");
        let names = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(names.collect::<Vec<_>>(), ["session.vtkhdf.journal"], "{blocks} blocks");
    }
    assert_eq!(recover(&session).unwrap().frames, FRAMES);
    write_contacts(&folder.path().join("contacts.h5")).unwrap();
}

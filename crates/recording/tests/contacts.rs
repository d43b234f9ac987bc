//! Contacts are written and read back to the last bit, and another HDF5 library sees the same bytes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod sample;

use palpate_contact::{Contact, Feature};
use palpate_recording::{
    ContactFrame, ContactPair, ContactsOptions, ContactsReader, ContactsWriter, Point, Reader, RecordingError,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

/// Contacts of frame `frame`: none in every third, otherwise increasingly many.
fn contacts(frame: usize) -> (Vec<u32>, Vec<Contact>) {
    let mut random = ChaCha8Rng::seed_from_u64(frame as u64);
    let count = if frame.is_multiple_of(3) { 0 } else { 40 * frame };
    let mut point = || Point::new(random.random(), random.random(), random.random());
    let one = |number: usize| {
        let (p, q, direction) = (point(), point(), point().coords.normalize());
        let a = Feature::triangle([1, 2, number as u32], [0.25, 0.5, 0.25], 7, p);
        Contact::exact(a, Feature::vertex(number as u32, 3, q), direction, p.x - 0.5, number as u64)
    };
    ((0..count).map(|number| number as u32 % 2).collect(), (0..count).map(one).collect())
}

fn pairs() -> Vec<ContactPair> {
    let pair = |a: &str, b: &str, detector: &str| ContactPair {
        a: a.into(),
        b: b.into(),
        detector: detector.into(),
    };
    vec![pair("liver", "tool:ö", "surface_mesh_capsule"), pair("thread", "thread", "")]
}

fn write(path: &Path, frames: usize, options: ContactsOptions) {
    let mut writer = ContactsWriter::create(path, &pairs(), options).unwrap();
    for frame in 0..frames {
        let (pairs, contacts) = contacts(frame);
        writer.append(100 + frame as u64, 0.1 * frame as f64, &pairs, &contacts).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn contacts_come_back_to_the_last_bit() {
    let folder = tempfile::tempdir().unwrap();
    for (frames, compression, vtk) in [(0, 1, true), (1, 0, true), (12, 4, true), (12, 0, false)] {
        let path = folder.path().join(format!("{frames}-{compression}-{vtk}.h5"));
        write(&path, frames, ContactsOptions { compression, vtk, ..ContactsOptions::default() });
        let mut reader = ContactsReader::open(&path).unwrap();
        assert_eq!((reader.pairs(), reader.frame_count()), (pairs().as_slice(), frames));
        let mut found = ContactFrame::default();
        let mut total = 0;
        for frame in (0..frames).rev() {
            reader.read_frame(frame, &mut found).unwrap();
            let (pairs, wanted) = contacts(frame);
            assert_eq!((found.frame, found.time), (100 + frame as u64, 0.1 * frame as f64));
            assert_eq!(found.pairs, pairs);
            assert_eq!(found.contacts.len(), wanted.len());
            assert!(found.contacts.iter().zip(&wanted).all(|(a, b)| a.same_bits(b)));
            total += wanted.len() as u64;
        }
        assert_eq!(reader.contact_count(), total);
    }
}

#[test]
fn another_library_reads_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("contacts.h5");
    write(&path, 12, ContactsOptions { vtk: true, ..ContactsOptions::default() });
    let file = hdf5_reader::Hdf5File::open(&path).unwrap();
    let (all_pairs, all): (Vec<_>, Vec<_>) = (0..12).map(contacts).unzip();
    let (all_pairs, all) = (all_pairs.concat(), all.concat());
    let bytes = file.dataset("/contacts").unwrap().read_raw_bytes().unwrap();
    assert_eq!(bytes, bytemuck::cast_slice::<Contact, u8>(&all));
    let bytes = file.dataset("/pair").unwrap().read_raw_bytes().unwrap();
    assert_eq!(bytes, bytemuck::cast_slice::<u32, u8>(&all_pairs));
    let depths: Vec<f64> = all.iter().map(|contact| contact.depth).collect();
    let bytes = file.dataset("/VTKHDF/PointData/depth").unwrap().read_raw_bytes().unwrap();
    assert_eq!(bytes, bytemuck::cast_slice::<f64, u8>(&depths));
}

#[test]
fn nothing_is_left_of_a_file_that_was_not_finished() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("contacts.h5");
    let mut writer = ContactsWriter::create(&path, &pairs(), ContactsOptions::default()).unwrap();
    let (pairs, contacts) = contacts(4);
    writer.append(0, 0.0, &pairs, &contacts).unwrap();
    drop(writer);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("contacts.h5");
    let mut writer = ContactsWriter::create(&path, &pairs(), ContactsOptions::default()).unwrap();
    let (_, contacts) = contacts(1);
    let message = writer.append(5, 0.0, &[0], &contacts).unwrap_err().to_string();
    assert!(
        message.contains("frame 5") && message.contains("1 pairs") && message.contains("40"),
        "{message}"
    );
    let message = writer.append(5, 0.0, &[2], &contacts[..1]).unwrap_err().to_string();
    assert!(message.contains("pair 2") && message.contains("2 pairs"), "{message}");
    writer.finish().unwrap();
    let again = ContactsWriter::create(&path, &pairs(), ContactsOptions::default());
    assert!(matches!(again, Err(RecordingError::Exists { .. })));
    let missing = ContactsReader::open(folder.path().join("other.h5"));
    assert!(matches!(missing, Err(RecordingError::Missing { .. })));
}

#[test]
fn contacts_are_no_session_and_a_session_no_contacts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("contacts.h5");
    write(&path, 3, ContactsOptions { vtk: true, ..ContactsOptions::default() });
    let message = Reader::open(&path).unwrap_err().to_string();
    assert!(message.contains("contacts.h5") && message.contains("but contacts"), "{message}");
    let path = folder.path().join("session.vtkhdf");
    sample::write(&path, &sample::every_kind(3), 3, 1, 0);
    let message = ContactsReader::open(&path).unwrap_err().to_string();
    assert!(message.contains("session.vtkhdf") && message.contains("no contacts"), "{message}");
}

#[test]
fn a_flipped_bit_in_any_table_is_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("contacts.h5");
    write(&path, 12, ContactsOptions { compression: 0, ..ContactsOptions::default() });
    let whole = std::fs::read(&path).unwrap();
    let last = 11.0 * 0.1_f64;
    let tables: [&[u8]; 4] = [
        &last.to_le_bytes(),
        // The contacts of frames 1 and 2 are before frame 3.
        &[120_u64.to_le_bytes(), 120_u64.to_le_bytes()].concat(),
        b"liver",
        b"surface_mesh_capsule",
    ];
    for table in tables {
        let places: Vec<usize> = whole
            .windows(table.len())
            .enumerate()
            .filter(|(_, part)| *part == table)
            .map(|(at, _)| at)
            .collect();
        assert_eq!(places.len(), 1, "{table:?}");
        for bit in [0, 3] {
            let mut bytes = whole.clone();
            bytes[places[0]] ^= 1 << bit;
            std::fs::write(&path, bytes).unwrap();
            let error = ContactsReader::open(&path).unwrap_err();
            assert!(
                matches!(error, RecordingError::Checksum { .. } | RecordingError::Invalid { .. }),
                "{table:?}: {error}"
            );
        }
    }
}

/// A file of an earlier version has no checksum of its tables.
#[test]
fn contacts_without_a_checksum_of_their_tables_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("contacts.h5");
    write(&path, 5, ContactsOptions::default());
    let file = rust_hdf5::H5File::open_rw(&path).unwrap();
    file.delete_dataset("tables_crc32").unwrap();
    file.close().unwrap();
    assert_eq!(ContactsReader::open(&path).unwrap().frame_count(), 5);
}

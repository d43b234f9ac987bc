//! The file, the others that it leads to, and where in them a path is.

use super::charge::Account;
use super::guard::{caught, text};
use super::heaps;
use crate::container::{Outcome, ReadOptions};
use rust_hdf5::{H5Dataset, H5File, Hdf5Error, LinkClass};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Links that are followed for one path: they may be cyclic.
const MOST_LINKS: usize = 64;
/// Other files that are held open at a time.
const MOST_FILES: usize = 32;

/// A file that is open.
pub(crate) struct OpenFile {
    pub(super) file: H5File,
    pub(super) path: PathBuf,
}

/// Where a path leads: a file, and the path in it without soft and external links.
#[derive(Clone)]
pub(crate) struct Place {
    pub(super) file: Arc<OpenFile>,
    pub(crate) path: String,
    /// Whether it is in the file that was opened, not in another.
    #[cfg_attr(not(feature = "libhdf5"), expect(dead_code, reason = "the C library reads that file alone"))]
    pub(crate) is_own: bool,
}

/// The file that was opened, and the others that it leads to.
pub(super) struct Files {
    own: Arc<OpenFile>,
    /// The folder of the file, without links.
    folder: PathBuf,
    others: RefCell<BTreeMap<PathBuf, Arc<OpenFile>>>,
    allow_external: bool,
    pub(super) account: Account,
}

/// What the first link on a path does to it.
enum Step {
    None,
    Missing,
    Soft(String),
    External { link: String, file: String, path: String },
}

impl Files {
    pub(super) fn open(path: &Path, options: &ReadOptions) -> Outcome<Self> {
        let metadata = fs::metadata(path).map_err(text)?;
        if !metadata.is_file() {
            return Err("it is no regular file".to_string());
        }
        let whole = fs::canonicalize(path).map_err(text)?;
        let folder = whole.parent().unwrap_or(Path::new("/")).to_path_buf();
        Ok(Self {
            own: Arc::new(open_file(path)?),
            folder,
            others: RefCell::default(),
            allow_external: options.allow_external,
            account: Account::new(options.limits, metadata.len()),
        })
    }

    /// Where `path` of the file leads; `None` if nothing is there. Errors: a link to a file that is not there or may
    /// not be read.
    pub(super) fn locate(&self, path: &str) -> Outcome<Option<Place>> {
        self.locate_from(&self.own, path)
    }

    /// [`Self::locate`] for a path in another file.
    pub(super) fn locate_from(&self, file: &Arc<OpenFile>, path: &str) -> Outcome<Option<Place>> {
        let mut file = Arc::clone(file);
        let mut path = path.trim_matches('/').to_string();
        for _ in 0..MOST_LINKS {
            match first_link(&file, &path)? {
                Step::None => {
                    let is_own = Arc::ptr_eq(&file, &self.own);
                    return Ok(Some(Place { file, path, is_own }));
                }
                Step::Missing => return Ok(None),
                Step::Soft(target) => path = target,
                Step::External { link, file: name, path: target } => {
                    file = self.other(&file, &name, &format!("the external link '{link}'"))?;
                    path = target;
                }
            }
        }
        Err(format!("more than {MOST_LINKS} links one after another"))
    }

    /// The file called `name` in `from`, opened. `what` names it there, for messages. Errors: as [`Self::find`].
    pub(super) fn other(&self, from: &OpenFile, name: &str, what: &str) -> Outcome<Arc<OpenFile>> {
        let (path, size) = self.find(from, name, what)?;
        if let Some(open) = self.others.borrow().get(&path) {
            return Ok(Arc::clone(open));
        }
        self.account.add_file(&path, size);
        let open = open_file(&path).map_err(|reason| format!("{what} leads to '{name}': {reason}"))?;
        let open = Arc::new(open);
        let mut others = self.others.borrow_mut();
        if others.len() >= MOST_FILES {
            others.clear();
        }
        others.insert(path, Arc::clone(&open));
        Ok(open)
    }

    /// The canonical path and size of the file called `name` in `from`: where an absolute path says, beside `from`, or else
    /// in the working directory, as the HDF5 library searches. Errors: it is not there, is no regular file, or may not be read.
    pub(super) fn find(&self, from: &OpenFile, name: &str, what: &str) -> Outcome<(PathBuf, u64)> {
        let unwanted = |found: &str| {
            format!("{what} leads to '{name}', {found}: read only where external files are allowed")
        };
        let given = Path::new(name);
        let mut candidates = vec![from.path.with_file_name("").join(given), given.to_path_buf()];
        if let (true, Some(base)) = (given.is_absolute(), given.file_name()) {
            candidates.push(from.path.with_file_name(base));
        }
        let found =
            candidates.iter().find_map(|path| fs::metadata(path).ok().map(|metadata| (path, metadata)));
        let Some((path, metadata)) = found.filter(|_| !name.is_empty()) else {
            return Err(format!("{what} leads to '{name}', which is missing"));
        };
        let whole = fs::canonicalize(path).map_err(text)?;
        if !self.allow_external && !whole.starts_with(&self.folder) {
            return Err(unwanted("outside the folder of the recording"));
        }
        if !metadata.is_file() {
            return Err(format!("{what} leads to '{name}', which is no regular file"));
        }
        Ok((whole, metadata.len()))
    }

    /// Checks that the raw data of a dataset outside its file may be read and are there; their size in bytes.
    pub(super) fn check_external(&self, place: &Place, dataset: &H5Dataset) -> Outcome<()> {
        let segments = dataset.external_files().map_err(text)?;
        let Some(first) = segments.first() else { return Ok(()) };
        if !self.allow_external {
            return Err(format!(
                "the data of '{}' are in '{}', outside HDF5: read only where external files are allowed",
                place.path, first.name
            ));
        }
        for segment in &segments {
            let name = &segment.name;
            // The library prepends a folder that the environment names.
            let path = match std::env::var_os("HDF5_EXTFILE_PREFIX") {
                Some(prefix) if !prefix.is_empty() => Path::new(&prefix).join(name),
                _ => PathBuf::from(name),
            };
            let metadata = fs::metadata(&path);
            let metadata = metadata
                .map_err(|_| format!("the data of '{}' are in '{name}', which is missing", place.path))?;
            if !metadata.is_file() {
                return Err(format!(
                    "the data of '{}' are in '{name}', which is no regular file",
                    place.path
                ));
            }
            self.account.add_file(&path, metadata.len());
        }
        Ok(())
    }
}

fn open_file(path: &Path) -> Outcome<OpenFile> {
    caught(|| heaps::check(path))?;
    // Locking is optional for readers: recordings are also opened from read-only disks.
    let file = caught(|| H5File::options().best_effort_locking().open(path).map_err(text))?;
    Ok(OpenFile { file, path: path.to_path_buf() })
}

/// What the first soft or external link on a path does to it.
fn first_link(file: &OpenFile, path: &str) -> Outcome<Step> {
    let root = file.file.root_group();
    let ends = path.match_indices('/').map(|(at, _)| at).chain((!path.is_empty()).then_some(path.len()));
    for end in ends {
        let (link, rest) = path.split_at(end);
        match root.link_class(link) {
            Ok(LinkClass::Hard) => {}
            Ok(LinkClass::Soft { path: target }) => {
                let parent = link.rsplit_once('/').map_or("", |(parent, _)| parent);
                let parent = if target.starts_with('/') { "" } else { parent };
                return Ok(Step::Soft(format!("{parent}/{target}{rest}").trim_matches('/').to_string()));
            }
            Ok(LinkClass::External { file, path: target }) => {
                let path = format!("{target}{rest}").trim_matches('/').to_string();
                return Ok(Step::External { link: link.to_string(), file, path });
            }
            Ok(LinkClass::UserDefined { .. }) => return Err(format!("a link of unknown kind at '{link}'")),
            Err(Hdf5Error::NotFound(_)) => return Ok(Step::Missing),
            Err(error) => return Err(text(error)),
        }
    }
    Ok(Step::None)
}

use std::path::PathBuf;

/// Why the evidence cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvidenceError {
    /// A file that cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file that is not the JSON that is wanted.
    #[error("{}: {source}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        source: serde_json::Error,
    },
}

/// The text of a file.
pub(crate) fn read(path: PathBuf) -> Result<String, EvidenceError> {
    std::fs::read_to_string(&path).map_err(|source| EvidenceError::File { path, source })
}

/// A file of JSON.
pub(crate) fn read_json<T: serde::de::DeserializeOwned>(path: PathBuf) -> Result<T, EvidenceError> {
    let text = read(path.clone())?;
    serde_json::from_str(&text).map_err(|source| EvidenceError::Json { path, source })
}

//! Limits on what is read from outside: one table for all readers and the command, stated in `docs/limits.md`.

/// How much a reader accepts before it refuses a file with an error that names the limit.
///
/// The defaults let every file pass that a simulator is known to write, and keep the memory of one read below
/// 1 GiB. A caller raises a limit by its field, the command by `--limit NAME=VALUE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that the compressed data of one file may expand to, whatever the size of the file.
    pub expanded_bytes: u64,
    /// Compressed data beyond [`Self::expanded_bytes`] is accepted up to this many times the size of the file.
    pub expansion_ratio: u64,
    /// Objects of a session.
    pub objects: u64,
    /// Pairs of a session, named or by rule.
    pub pairs: u64,
    /// Threads of one replay or one run of cases.
    pub threads: u64,
    /// Bytes of the name of an object, a field or a block.
    pub name_bytes: u64,
    /// Bytes of one line of JSON.
    pub json_line_bytes: u64,
    /// Corners of one polygon.
    pub polygon_corners: u64,
    /// Bytes of one mesh file, which is read whole.
    pub mesh_bytes: u64,
}

impl Limits {
    /// The limits of a caller that names none.
    pub const DEFAULT: Self = Self {
        expanded_bytes: 256 << 20,
        expansion_ratio: 100,
        objects: 500_000,
        pairs: 500_000,
        threads: 256,
        name_bytes: 1 << 20,
        json_line_bytes: 64 << 20,
        polygon_corners: 100_000,
        mesh_bytes: 1 << 30,
    };

    /// Every limit with its name, which is that of the field, and what it counts.
    pub const TABLE: [(&'static str, &'static str); 9] = [
        ("expanded_bytes", "bytes that the compressed data of one file may expand to, whatever its size"),
        ("expansion_ratio", "beyond that, how many times the size of the file compressed data may expand to"),
        ("objects", "objects of a session"),
        ("pairs", "pairs of a session, named or by rule"),
        ("threads", "threads of one replay or one run of cases"),
        ("name_bytes", "bytes of the name of an object, a field or a block"),
        ("json_line_bytes", "bytes of one line of JSON"),
        ("polygon_corners", "corners of one polygon"),
        ("mesh_bytes", "bytes of one mesh file, which is read whole"),
    ];

    /// The limit of that name.
    pub fn get(&self, name: &str) -> Option<u64> {
        { *self }.field(name).copied()
    }

    /// Sets the limit of that name. False, and nothing is changed, if there is none.
    #[must_use]
    pub fn set(&mut self, name: &str, value: u64) -> bool {
        let field = self.field(name);
        let known = field.is_some();
        if let Some(field) = field {
            *field = value;
        }
        known
    }

    /// How many bytes the compressed data of a file of `file_bytes` may expand to.
    pub fn expansion(&self, file_bytes: u64) -> u64 {
        self.expanded_bytes.max(file_bytes.saturating_mul(self.expansion_ratio))
    }

    fn field(&mut self, name: &str) -> Option<&mut u64> {
        Some(match name {
            "expanded_bytes" => &mut self.expanded_bytes,
            "expansion_ratio" => &mut self.expansion_ratio,
            "objects" => &mut self.objects,
            "pairs" => &mut self.pairs,
            "threads" => &mut self.threads,
            "name_bytes" => &mut self.name_bytes,
            "json_line_bytes" => &mut self.json_line_bytes,
            "polygon_corners" => &mut self.polygon_corners,
            "mesh_bytes" => &mut self.mesh_bytes,
            _ => return None,
        })
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Proves: REQ-LIMIT-SET
    #[test]
    fn every_limit_is_read_and_set_by_its_name() {
        let mut limits = Limits::DEFAULT;
        for (index, (name, _)) in Limits::TABLE.into_iter().enumerate() {
            let value = 1000 + index as u64;
            assert!(limits.set(name, value), "{name}");
            assert_eq!(limits.get(name), Some(value), "{name}");
        }
        assert!(!limits.set("frames", 1));
        assert_eq!(limits.get("frames"), None);
        let values: Vec<u64> = Limits::TABLE.iter().filter_map(|(name, _)| limits.get(name)).collect();
        assert_eq!(values, (1000..1009).collect::<Vec<u64>>());
    }

    // Proves: REQ-LIMIT-EXPANSION-RATIO
    #[test]
    fn a_large_file_may_hold_more_than_a_small_one() {
        assert_eq!(Limits::DEFAULT.expansion(1 << 10), 256 << 20);
        assert_eq!(Limits::DEFAULT.expansion(1 << 30), 100 << 30);
        assert_eq!(Limits::DEFAULT.expansion(u64::MAX), u64::MAX);
    }
}

//! Arguments of all commands that read files.

use crate::error::CommandError;
use clap::{Args, ValueEnum};
use palpate::detect::nearest_name;
use palpate::math::Limits;
use palpate::replay::ReplayOptions;

/// How much is read.
#[derive(Args, Debug)]
pub(crate) struct LimitArguments {
    /// Set a limit on what is read, as in --limit threads=512; may be given several times (--help lists them)
    #[arg(long = "limit", value_name = "NAME=VALUE", long_help = limits_help())]
    limits: Vec<String>,
}

/// How much is read, and from where.
#[derive(Args, Debug)]
pub(crate) struct ReadArguments {
    #[command(flatten)]
    limit: LimitArguments,
    /// Read data outside the folder of a recording where the recording refers to it
    #[arg(long)]
    pub(crate) allow_external: bool,
}

impl ReadArguments {
    /// As [`LimitArguments::limits`].
    pub(crate) fn limits(&self) -> Result<Limits, CommandError> {
        self.limit.limits()
    }

    /// As [`LimitArguments::threads`].
    pub(crate) fn threads(&self, asked: usize) -> Result<usize, CommandError> {
        self.limit.threads(asked)
    }

    /// The options of a replay. Errors: a scale that is not greater than 0 and finite; as [`limits`](Self::limits).
    pub(crate) fn replay_options(
        &self,
        mesh: &MeshArguments,
        margin: Option<f64>,
    ) -> Result<ReplayOptions, CommandError> {
        Ok(ReplayOptions {
            margin,
            mesh_scale: mesh.scale()?,
            limits: self.limits()?,
            allow_external: self.allow_external,
            ..ReplayOptions::default()
        })
    }
}

impl LimitArguments {
    /// The limits. Errors: an unknown limit, or a value that is no whole number.
    pub(crate) fn limits(&self) -> Result<Limits, CommandError> {
        let mut limits = Limits::DEFAULT;
        for text in &self.limits {
            let wrong = |wanted: &str| CommandError::Argument {
                argument: "--limit",
                found: text.clone(),
                wanted: wanted.to_owned(),
            };
            let (name, value) = text.split_once('=').ok_or_else(|| wrong("NAME=VALUE, as threads=512"))?;
            let number = value.replace('_', "").parse();
            let number = number.map_err(|_| wrong("a whole number behind the ="))?;
            if !limits.set(name, number) {
                let known = Limits::TABLE.map(|(name, _)| name);
                return Err(CommandError::Unknown {
                    argument: "--limit",
                    found: name.to_owned(),
                    nearest: nearest_name(name, known).map(str::to_owned),
                    known: known.join(", "),
                });
            }
        }
        Ok(limits)
    }

    /// The number of threads that is asked for, if it is within the limit. Errors: it is not.
    pub(crate) fn threads(&self, asked: usize) -> Result<usize, CommandError> {
        let limit = self.limits()?.threads;
        if asked as u64 > limit { Err(CommandError::Threads { found: asked, limit }) } else { Ok(asked) }
    }
}

fn limits_help() -> String {
    let mut text =
        String::from("Set a limit on what is read, as in --limit threads=512; may be given several times:\n");
    for (name, meaning) in Limits::TABLE {
        let default = Limits::DEFAULT.get(name).unwrap_or_default();
        text.push_str(&format!("\n{name} [default: {default}]\n  {meaning}"));
    }
    text
}

/// The unit of mesh files.
#[derive(Args, Debug)]
pub(crate) struct MeshArguments {
    /// Metres per unit of mesh files: 0.001 for files in millimetres
    #[arg(long, value_name = "FACTOR", conflicts_with = "unit", allow_hyphen_values = true)]
    scale: Option<f64>,
    /// The unit of mesh files [default: m]
    #[arg(long, value_enum)]
    unit: Option<Unit>,
}

/// A unit of length.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Unit {
    /// Millimetres
    Mm,
    /// Centimetres
    Cm,
    /// Metres
    M,
    /// Inches
    In,
}

impl MeshArguments {
    /// Metres per unit; `None` if neither was given. Errors: a scale that is not greater than 0 and finite.
    pub(crate) fn given(&self) -> Result<Option<f64>, CommandError> {
        match (self.scale, self.unit) {
            (Some(scale), _) if !(scale > 0.0 && scale.is_finite()) => Err(CommandError::Argument {
                argument: "--scale",
                found: scale.to_string(),
                wanted: "a finite number greater than 0".to_owned(),
            }),
            (Some(scale), _) => Ok(Some(scale)),
            (None, unit) => Ok(unit.map(|unit| match unit {
                Unit::Mm => 1e-3,
                Unit::Cm => 1e-2,
                Unit::M => 1.0,
                Unit::In => 0.0254,
            })),
        }
    }

    /// Metres per unit. Errors: as [`given`](Self::given).
    pub(crate) fn scale(&self) -> Result<f64, CommandError> {
        Ok(self.given()?.unwrap_or(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(limits: &[&str]) -> LimitArguments {
        LimitArguments { limits: limits.iter().map(|&text| text.to_owned()).collect() }
    }

    // Proves: REQ-LIMIT-SET
    #[test]
    fn limits_are_set_by_name_and_the_last_holds() {
        let limits = read(&["threads=512", "objects=3", "objects=1_000"]).limits().unwrap();
        assert_eq!((limits.threads, limits.objects, limits.pairs), (512, 1000, Limits::DEFAULT.pairs));
        for (text, words) in [
            ("threads", "wanted NAME=VALUE"),
            ("threads=many", "a whole number"),
            ("threads=-1", "a whole number"),
            ("thread=1", "did you mean \"threads\"? wanted one of expanded_bytes,"),
        ] {
            let error = read(&[text]).limits().unwrap_err().to_string();
            assert!(error.starts_with("--limit: found ") && error.contains(words), "{error}");
        }
    }

    // Proves: REQ-LIMIT-THREADS
    #[test]
    fn threads_beyond_the_limit_are_refused_with_both_numbers() {
        assert_eq!(read(&[]).threads(256).unwrap(), 256);
        let error = read(&[]).threads(257).unwrap_err().to_string();
        assert_eq!(error, "--threads: found 257, wanted at most 256 (the limit `threads`)");
        assert_eq!(read(&["threads=300"]).threads(257).unwrap(), 257);
    }
}

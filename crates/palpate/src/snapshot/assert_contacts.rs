//! Snapshot assertions for tests with insta.

use super::difference::Difference;
use super::error::SnapshotError;
use super::model::ContactSnapshot;

/// The differences between two snapshots given as text, as from [`ContactSnapshot::differences`]. Errors: a text that is not a
/// valid snapshot; snapshots taken with different options.
pub fn text_differences(was: &str, is: &str) -> Result<Vec<Difference>, SnapshotError> {
    was.parse::<ContactSnapshot>()?.differences(&is.parse()?)
}

/// `insta::assert_snapshot!` for a [`ContactSnapshot`](crate::snapshot::ContactSnapshot), with the same arguments. It compares like
/// `palpate snapshot --check`: numbers within the tolerance pass, and the stored text is not changed.
///
/// Differences are printed one per line, at most 20, before insta shows the two texts. The caller's crate needs insta;
/// palpate does not depend on it.
///
/// ```
/// # fn sessions_contacts() -> Result<(), palpate::snapshot::SnapshotError> {
/// use palpate::snapshot::{Detail, SnapshotOptions};
///
/// let options = SnapshotOptions { every: 10, detail: Detail::Deepest(3), ..SnapshotOptions::default() };
/// palpate::assert_contacts!(palpate::snapshot::session("data/demo.vtkhdf", &options)?);
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! assert_contacts {
    ($($argument:tt)*) => {{
        #[derive(Clone)]
        struct WithinTolerance;

        impl ::insta::Comparator for WithinTolerance {
            fn matches(&self, stored: &::insta::Snapshot, now: &::insta::Snapshot) -> bool {
                let (Some(stored), Some(now)) = (stored.as_text(), now.as_text()) else { return false };
                match $crate::snapshot::text_differences(&stored.to_string(), &now.to_string()) {
                    Ok(differences) => {
                        let told = differences.iter().take(20);
                        told.for_each(|difference| ::std::eprintln!("{difference}"));
                        if let Some(more @ 1..) = differences.len().checked_sub(20) {
                            ::std::eprintln!("and {more} more");
                        }
                        differences.is_empty()
                    }
                    Err(error) => {
                        ::std::eprintln!("{error}");
                        false
                    }
                }
            }

            fn dyn_clone(&self) -> ::std::boxed::Box<dyn ::insta::Comparator> {
                ::std::boxed::Box::new(self.clone())
            }
        }

        // Bound to the scope, not to a closure: an argument may contain a `?`.
        let mut settings = ::insta::Settings::clone_current();
        settings.set_comparator(::std::boxed::Box::new(WithinTolerance));
        let _bound = settings.bind_to_scope();
        ::insta::assert_snapshot!($($argument)*);
    }};
}

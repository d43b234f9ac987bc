//! The known name that a misspelt one is meant to be.

/// The name that is spelled most like `name`, if one is close: at most a third of its letters, and no fewer than one, are
/// missing, added, exchanged or wrong, where upper and lower case count as the same, or the one begins with the other. Ties
/// go to the first. `None` also if `name` is longer than 100 bytes. Cost: the product of the lengths, for each name.
pub fn nearest_name<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 100;
    if name.is_empty() || name.len() > LONGEST {
        return None;
    }
    let letters = |text: &str| text.to_lowercase().chars().collect::<Vec<char>>();
    let wanted = letters(name);
    let most = (wanted.len() / 3).max(1);
    let near = names.into_iter().filter(|known| known.len() <= 2 * LONGEST).filter_map(|known| {
        let found = letters(known);
        let begins = wanted.len() >= 3 && (found.starts_with(&wanted) || wanted.starts_with(&found));
        let distance = distance(&wanted, &found);
        if distance <= most {
            Some((distance, known))
        } else {
            // Behind every name that is misspelt.
            (begins && !found.is_empty()).then_some((LONGEST + distance, known))
        }
    });
    near.min_by_key(|&(distance, _)| distance).map(|(_, known)| known)
}

/// The words of an error for [`nearest_name`]: `did you mean "x"? `, or nothing.
pub fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!("did you mean {name:?}? "))
}

/// The number of letters to add, to remove, to change or to exchange with their neighbour (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let changed = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = changed.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_pen_are_found_and_other_words_are_not() {
        let names = ["sphere_sphere", "sphere_capsule", "capsule_capsule", "organ"];
        for (name, wanted) in [
            ("sphere_capsul", Some("sphere_capsule")),
            ("Sphere_Capsule", Some("sphere_capsule")),
            ("shpere_sphere", Some("sphere_sphere")),
            ("orgna", Some("organ")),
            ("organ_surface", Some("organ")),
            ("capsule", Some("capsule_capsule")),
            ("tool", None),
            ("", None),
        ] {
            assert_eq!(nearest_name(name, names), wanted, "{name}");
        }
        assert_eq!(nearest_name(&"x".repeat(101), names), None);
        assert_eq!(did_you_mean(&Some("organ".to_owned())), "did you mean \"organ\"? ");
    }

    #[test]
    fn the_distance_is_that_of_the_definition() {
        let of = |a: &str, b: &str| {
            let [a, b] = [a, b].map(|text| text.chars().collect::<Vec<_>>());
            distance(&a, &b)
        };
        assert_eq!((of("kitten", "sitting"), of("ab", "ba"), of("", "abc"), of("abc", "")), (3, 1, 3, 3));
    }
}

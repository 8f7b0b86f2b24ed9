//! Damaged files of all formats: 10,000, or the number in the variable DAMAGED_FILES.

use crate::damage::damage;

#[test]
#[ignore = "10,000 damaged files take some minutes"]
fn damage_is_never_used_silently() {
    let files = std::env::var("DAMAGED_FILES").map_or(10_000, |count| {
        count.parse().expect("DAMAGED_FILES is a number")
    });
    damage(files, 2);
}

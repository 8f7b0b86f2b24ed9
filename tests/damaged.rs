//! A few damaged files of every format; `long/damaged.rs` tests many.

use crate::damage::damage;

#[test]
fn damage_is_never_used_silently() {
    damage(48, 1);
}

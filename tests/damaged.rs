//! Some damaged files of every format. The full size is in `long/damaged.rs`.

use crate::damage::damage;

#[test]
fn damage_is_never_used_silently() {
    damage(48, 1);
}

//! The exchange protocol: JSON values over standard input and output.
//!
//! | to see or change | look at |
//! |---|---|
//! | the JSON of boards and set-up arrays | `exchange.rs` |

pub mod exchange;

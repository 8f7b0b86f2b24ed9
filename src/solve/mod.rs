//! Small boards solved, and proofs by forward search.
mod by_turns;
mod bytes;
mod crews;
mod embed;
mod file;
mod game;
mod kernel;
mod lattice;
mod layer;
mod proof_table;
mod probe;
mod prover;
mod random;
mod run;
mod shape;
mod size;
mod solver;
mod state;
mod turns;
mod value;
#[cfg(test)]
mod tests;

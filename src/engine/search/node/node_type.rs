//! The kinds of nodes, as types: each is compiled by itself.

/// The kind of a node.
pub(super) trait NodeType {
    /// Whether the window is open and the principal variation is kept.
    const PV: bool;
    const ROOT: bool = false;
}

/// The root.
pub(super) struct Root;

/// An inner node of the principal variation.
pub(super) struct Pv;

/// A node with a null window.
pub(super) struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeType for Pv {
    const PV: bool = true;
}

impl NodeType for NonPv {
    const PV: bool = false;
}

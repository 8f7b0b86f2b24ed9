//! The content of a picture, independent of how it is drawn: the position, the turn that
//! led to it, and the players.

use crate::printable::printable;
use crate::rules::{
    Bitboard, Card, Cards, Extra, Geometry, Placement, Position, Side, Square, Turn,
};

/// A player by the order of play. The first player plays the even turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seat {
    /// The player who moves first, drawn as X.
    First = 0,
    /// The player who moves second, drawn as O.
    Second = 1,
}

impl Seat {
    /// Both seats in order.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The seat of the player to move in a position.
    pub const fn to_move<const N: usize>(position: &Position<N>) -> Self {
        Self::BOTH[position.player()]
    }

    /// The opponent's seat.
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// The side of this seat in a position.
    pub fn side<const N: usize>(self, position: &Position<N>) -> Side {
        if self == Self::to_move(position) {
            Side::Mover
        } else {
            Side::Other
        }
    }

    /// The letter of the player's workers in text.
    pub const fn letter(self) -> char {
        match self {
            Self::First => 'X',
            Self::Second => 'O',
        }
    }
}

/// The steps of the turn that led to the board of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LastTurn {
    /// The turn itself.
    pub turn: Turn,
    /// The squares it built on: one or two, or none after a winning step.
    pub built: Bitboard,
    /// The squares from and to which an opponent's worker was pushed or swapped.
    pub displaced: Option<(Square, Square)>,
}

impl LastTurn {
    /// The steps of a turn that is legal in the position.
    pub fn of<const N: usize>(before: &Position<N>, turn: Turn) -> Self {
        let after = before.play(turn);
        let (stood, stands) = (before.workers(Side::Other), after.workers(Side::Mover));
        let displaced = stood
            .without(stands)
            .first()
            .zip(stands.without(stood).first());
        let mut built: Bitboard = turn.build().into_iter().collect();
        built |= turn.extra().build().map_or(Bitboard::EMPTY, Bitboard::of);
        Self {
            turn,
            built,
            displaced,
        }
    }

    /// The squares on the worker's path, from start to end.
    pub fn path(&self) -> Vec<Square> {
        let (from, to) = (self.turn.from(), self.turn.to());
        match self.turn.extra() {
            Extra::Via(via) => vec![from, via, to],
            _ => vec![from, to],
        }
    }

    /// The mark of the turn on a square.
    pub fn mark(&self, square: Square) -> Option<Mark> {
        if self.turn.to() == square {
            Some(Mark::Arrived)
        } else if self.displaced.is_some_and(|(_, to)| to == square) {
            Some(Mark::Displaced)
        } else {
            self.path().contains(&square).then_some(Mark::Left)
        }
    }
}

/// What the last turn did to workers on a space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// A worker left it or passed over it.
    Left,
    /// The worker of the turn ended there.
    Arrived,
    /// A worker was pushed or swapped there.
    Displaced,
}

/// The content of one space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpaceView {
    /// 0 to 4; 4 is a dome.
    pub level: u8,
    /// The owner of the worker on the space.
    pub worker: Option<Seat>,
    /// What the last turn did to workers on the space.
    pub mark: Option<Mark>,
    /// Whether the last turn built on the space.
    pub built: bool,
}

/// A board ready to be drawn.
///
/// Captions show the turn number of the board: the first board of a game, before any turn,
/// has number 0.
#[derive(Clone, Debug)]
pub struct Scene<const N: usize> {
    position: Position<N>,
    last: Option<LastTurn>,
    names: Option<[String; 2]>,
    note: Option<String>,
    /// The seats whose workers are not placed yet. In the position they stand on arbitrary
    /// free squares.
    unplaced: [bool; 2],
    /// The numbers of rows and columns shown.
    shown: [usize; 2],
}

impl<const N: usize> Scene<N> {
    /// A picture of a board without a known last turn.
    pub fn new(position: &Position<N>) -> Self {
        Self {
            position: *position,
            last: None,
            names: None,
            note: None,
            shown: [N; 2],
            unplaced: [false; 2],
        }
    }

    /// A picture of the board during placement. `placed` are the workers of the first and
    /// second player as far as they are placed; `cards` are in the same order.
    pub fn placing(placed: [Option<Placement>; 2], cards: Cards) -> Self {
        let taken: Bitboard = placed.into_iter().flatten().flatten().collect();
        let mut free = Geometry::<N>::BOARD.without(taken);
        let mut any = || free.next().unwrap_or(Square::new(0));
        let workers = placed.map(|placed| placed.unwrap_or_else(|| [any(), any()]));
        let position = Position::start(workers, cards);
        let position = position.expect("placements are of free squares, and cards differ");
        Self {
            unplaced: placed.map(|placed| placed.is_none()),
            ..Self::new(&position)
        }
    }

    /// Shows only the first rows and columns, for a small board whose other spaces are
    /// domes.
    pub fn showing(mut self, rows: usize, columns: usize) -> Self {
        self.shown = [rows, columns].map(|count| count.clamp(1, N));
        self
    }

    /// The numbers of rows and columns shown.
    pub const fn shown(&self) -> [usize; 2] {
        self.shown
    }

    /// Marks the turn that led here from `before`, where it must be legal.
    pub fn after(mut self, before: &Position<N>, turn: Turn) -> Self {
        self.last = Some(LastTurn::of(before, turn));
        self
    }

    /// The picture after a legal turn, with the same players.
    pub fn followed_by(&self, turn: Turn) -> Self {
        Self {
            position: self.position.play(turn),
            last: Some(LastTurn::of(&self.position, turn)),
            note: None,
            unplaced: [false; 2],
            ..self.clone()
        }
    }

    /// Names the players, the first player first. Unprintable characters are escaped.
    pub fn named(mut self, names: [impl Into<String>; 2]) -> Self {
        self.names = Some(names.map(|name| printable(&name.into()).into_owned()));
        self
    }

    /// Removes the names of the players.
    pub fn unnamed(mut self) -> Self {
        self.names = None;
        self
    }

    /// Adds a note on what the board does not show, such as why the game ended.
    pub fn noted(mut self, note: impl Into<String>) -> Self {
        self.note = Some(printable(&note.into()).into_owned());
        self
    }

    /// The same picture without its note.
    pub fn without_note(self) -> Self {
        Self { note: None, ..self }
    }

    /// The position of the picture.
    pub fn position(&self) -> &Position<N> {
        &self.position
    }

    /// The turn that led here, if it is known.
    pub fn last(&self) -> Option<&LastTurn> {
        self.last.as_ref()
    }

    /// The note on the board.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// The content of the space at a row and a column, both from 0.
    pub fn cell(&self, row: usize, column: usize) -> SpaceView {
        let square = Square::at::<N>(row, column);
        let workers = |seat: Seat| self.position.workers(seat.side(&self.position));
        SpaceView {
            level: self.position.level(square),
            worker: Seat::BOTH
                .into_iter()
                .find(|&seat| !self.unplaced[seat as usize] && workers(seat).has(square)),
            mark: self.last.and_then(|last| last.mark(square)),
            built: self.last.is_some_and(|last| last.built.has(square)),
        }
    }

    /// The name of a player, or "first player" or "second player" without names.
    pub fn name(&self, seat: Seat) -> &str {
        match (&self.names, seat) {
            (Some(names), _) => &names[seat as usize],
            (None, Seat::First) => "first player",
            (None, Seat::Second) => "second player",
        }
    }

    /// The card of a player.
    pub fn card(&self, seat: Seat) -> Option<Card> {
        self.position.card(seat.side(&self.position))
    }

    /// The name of a player, with the card in brackets.
    pub fn title(&self, seat: Seat) -> String {
        match self.card(seat) {
            Some(card) => format!("{} ({card})", self.name(seat)),
            None => self.name(seat).to_string(),
        }
    }

    /// The winner, if the board and the last turn show one.
    pub fn winner(&self) -> Option<Seat> {
        let stuck = || {
            self.is_stuck()
                .then(|| Seat::to_move(&self.position).other())
        };
        self.winner_by_turn().or_else(stuck)
    }

    /// Whether the player to move has lost because it has no legal turn.
    pub fn is_stuck(&self) -> bool {
        self.winner_by_turn().is_none() && !self.position.has_turn()
    }

    /// The winner by a winning turn, whether that turn is known or not.
    fn winner_by_turn(&self) -> Option<Seat> {
        let mover = Seat::to_move(&self.position);
        match self.last {
            Some(last) => last.turn.wins().then_some(mover.other()),
            None => self.position.shows_win().then(|| {
                let on_top = self.position.workers(Side::Other) & self.position.above(2);
                if on_top.any() { mover.other() } else { mover }
            }),
        }
    }

    /// The notation of the last turn.
    pub fn turn_text(&self) -> Option<String> {
        Some(self.last?.turn.text::<N>().to_string())
    }

    /// The state of the game: who is to move, or who has won and why. `called` gives the
    /// names used.
    pub fn standing(&self, called: impl Fn(Seat) -> String) -> String {
        let mover = Seat::to_move(&self.position);
        if let Some(next) = Seat::BOTH
            .into_iter()
            .find(|&seat| self.unplaced[seat as usize])
        {
            return format!("{} to place", called(next));
        }
        match self.winner() {
            None => format!("{} to move", called(mover)),
            Some(winner) if self.is_stuck() => format!(
                "{} has no turn left: {} wins",
                called(winner.other()),
                called(winner)
            ),
            Some(winner) => format!("{} wins", called(winner)),
        }
    }

    /// One line on the board: `turn 19: O to move; X played c3-c4+b4`. `called` gives the
    /// names used.
    pub fn headline(&self, called: impl Fn(Seat) -> String) -> String {
        if self.unplaced.contains(&true) {
            return self.standing(called);
        }
        let number = self.position.turn();
        let before = Seat::to_move(&self.position).other();
        let played = self.turn_text();
        let played = played.map(|turn| format!("; {} played {turn}", called(before)));
        let note = self.note.as_ref().map(|note| format!("; {note}"));
        let standing = format!("turn {number}: {}", self.standing(called));
        [Some(standing), played, note]
            .into_iter()
            .flatten()
            .collect()
    }
}

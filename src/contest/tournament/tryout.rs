//! A check of every player before the first game: each places its workers and makes a
//! turn, in both seats, with cards if they are played. With openings it makes two turns: a
//! second answer of the same process shows what the first one leaves behind.

use std::time::Instant;

use serde_json::{Value, json};

use super::runner::Runner;
use crate::jobs::Jobs;
use crate::openings::OpeningNumber;
use crate::program::{Evidence, Player, Shortage, Termination, remember_program};
use crate::rules::{Cards, Placement, Position, Square};
use crate::table::Table;

/// Placements of the opponent. The two workers of a checked player can occupy spaces of at
/// most two of them, so one is always free.
const OPPONENTS: [Placement; 3] = [
    [Square::at::<5>(0, 0), Square::at::<5>(4, 4)],
    [Square::at::<5>(0, 4), Square::at::<5>(4, 0)],
    [Square::at::<5>(2, 1), Square::at::<5>(2, 3)],
];

/// The check of one player.
#[derive(Debug)]
pub struct Tryout {
    /// The player's name.
    pub player: String,
    /// As the first and as the second player.
    seats: [Trial; 2],
}

/// The check of a player in one seat.
#[derive(Debug, Default)]
struct Trial {
    /// The seconds of the placement; `None` if it was not asked for or failed.
    placement: Option<f64>,
    /// The seconds of the slowest turn; `None` if none was asked for or one failed.
    turn: Option<f64>,
    /// What went wrong.
    fault: Option<Fault>,
}

/// What went wrong in one seat.
#[derive(Debug)]
struct Fault {
    message: String,
    evidence: Evidence,
}

impl Tryout {
    /// Whether something went wrong.
    pub fn fails(&self) -> bool {
        self.seats.iter().any(|trial| trial.fault.is_some())
    }

    /// What went wrong, each in lines. The same fault in both seats is told once.
    pub fn faults(&self) -> Vec<String> {
        let text = |seat: &str, fault: &Fault| {
            let Fault { message, evidence } = fault;
            format!("{seat}: {message}{}", evidence.short_text())
        };
        match self.seats.each_ref().map(|trial| trial.fault.as_ref()) {
            [Some(first), Some(second)] if first.is_like(second) => {
                vec![text("in both seats", first)]
            }
            faults => {
                let seats = ["as the first player", "as the second player"];
                let faults = seats.into_iter().zip(faults);
                faults
                    .filter_map(|(seat, fault)| Some(text(seat, fault?)))
                    .collect()
            }
        }
    }
}

impl Fault {
    /// Whether both are the same mistake: the message and the standard error are equal.
    fn is_like(&self, other: &Self) -> bool {
        self.message == other.message && self.evidence.stderr == other.evidence.stderr
    }
}

/// The checks as JSON: for each player, whether it passed, and its faults, each in lines.
pub fn json(tryouts: &[Tryout]) -> Value {
    let checks = tryouts.iter().map(|tryout| {
        json!({ "name": tryout.player, "passed": !tryout.fails(), "faults": tryout.faults() })
    });
    json!({ "checks": checks.collect::<Vec<_>>() })
}

/// The checks as a table.
pub fn table(tryouts: &[Tryout]) -> Table {
    let seats = ["first", "second"];
    let heads = seats.map(|seat| [format!("{seat}: places"), format!("{seat}: turn")]);
    let head = ["checked".to_string()]
        .into_iter()
        .chain(heads.into_iter().flatten());
    let mut table = Table::new(head).with_names_in(0);
    for tryout in tryouts {
        let cells = tryout.seats.iter().flat_map(Trial::cells);
        table.add([tryout.player.clone()].into_iter().chain(cells));
    }
    table
}

impl Trial {
    fn cells(&self) -> [String; 2] {
        let fails = || match self.fault {
            Some(_) => "FAILS".to_string(),
            None => "-".to_string(),
        };
        let shown = |seconds: Option<f64>| seconds.map(|seconds| format!("{seconds:.2} s"));
        match (shown(self.placement), shown(self.turn)) {
            (None, None) if self.fault.is_some() => [fails(), "-".into()],
            (placement, turn) => [
                placement.unwrap_or_else(|| "-".into()),
                turn.unwrap_or_else(fails),
            ],
        }
    }
}

impl Runner<'_> {
    /// Checks all players, several at a time. Fewer are returned if `jobs` is stopped.
    ///
    /// # Errors
    /// If the machine can start no more players.
    pub fn try_out(&self, jobs: &Jobs) -> Result<Vec<Tryout>, Shortage> {
        // Before the first player starts, which may change the programs of others.
        for (player, (command, _)) in self.settings.players.iter().zip(self.players) {
            remember_program(&player.name, command);
        }
        let mut tryouts = Vec::new();
        let count = self.players.len() as u64;
        let work = |number: u64| self.try_player(number as usize, jobs);
        jobs.run(0..count, work, |_, tryout| {
            tryouts.push(tryout?);
            Ok(())
        })?;
        Ok(tryouts)
    }

    fn try_player(&self, number: usize, jobs: &Jobs) -> Result<Tryout, Shortage> {
        let cards = self.settings.cards.pairs()[0];
        let mut seats = <[Trial; 2]>::default();
        for (seat, trial) in seats.iter_mut().enumerate() {
            let mut player = self.player(number);
            match self.try_seat(&mut player, seat, cards, jobs, trial) {
                Ok(()) => {}
                Err(Termination::Shortage(shortage)) => return Err(shortage),
                Err(ending) => {
                    trial.fault = Some(Fault {
                        message: ending.message(player.name()),
                        evidence: player.evidence(),
                    });
                }
            }
        }
        let player = self.settings.players[number].name.clone();
        Ok(Tryout { player, seats })
    }

    /// Asks a player for a placement, if the games do, and for a turn; otherwise for two turns.
    fn try_seat(
        &self,
        player: &mut Player,
        seat: usize,
        cards: Cards,
        jobs: &Jobs,
        trial: &mut Trial,
    ) -> Result<(), Termination> {
        player.start(jobs.stop)?;
        let board = match self.openings.board(OpeningNumber::of_one_game(0), cards) {
            Some(board) => Some(board),
            None => {
                let asked = Instant::now();
                let own = [cards[seat], cards[1 - seat]];
                let first = (seat == 1).then_some(OPPONENTS[0]);
                let placed = player.place(own, first, jobs.stop)?;
                trial.placement = Some(asked.elapsed().as_secs_f64());
                start(placed, seat, cards)
            }
        };
        let Some(mut board) = board else {
            return Ok(());
        };
        let turns = if trial.placement.is_some() { 1 } else { 2 };
        let mut slowest = None;
        for _ in 0..turns {
            board = after_opponent(board, seat);
            if !board.has_turn() || board.shows_win() {
                break;
            }
            let asked = Instant::now();
            board = board.play(player.turn(&board, jobs.stop)?);
            slowest = slowest.max(Some(asked.elapsed()));
        }
        trial.turn = slowest.map(|time| time.as_secs_f64());
        Ok(())
    }
}

/// The board after any turn of the opponent, if it is to move and can.
fn after_opponent(board: Position<5>, seat: usize) -> Position<5> {
    let is_opponents = board.player() != seat && !board.shows_win();
    let turn = is_opponents.then(|| board.turns().first().copied());
    turn.flatten().map_or(board, |turn| board.play(turn))
}

/// The board with the player's placement and the first opponent's that leaves it free.
fn start(placed: Placement, seat: usize, cards: Cards) -> Option<Position<5>> {
    OPPONENTS.iter().find_map(|&opponent| {
        let workers = match seat {
            0 => [placed, opponent],
            _ => [opponent, placed],
        };
        Position::start(workers, cards).ok()
    })
}

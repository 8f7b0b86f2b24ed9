//! Reviews a game: searches every board and judges every turn.

use std::sync::atomic::{AtomicBool, Ordering};

use super::chance::chance;
use super::judgement::Judgement;
use crate::rules::{Position, Turn};
use crate::search::{Engine, Limits, Line, is_proved, loss_in};

/// A turn of a game, compared with the best turn found.
#[derive(Clone, PartialEq, Debug)]
pub struct ReviewedTurn<const N: usize> {
    /// The board on which it was played.
    pub before: Position<N>,
    /// The turn from the game.
    pub played: Turn,
    /// The score of the turn played, for its player.
    pub score: i32,
    /// The best line and its score.
    pub best: Line,
    /// The player's chance of winning with the best turn, from 0 to 1.
    pub chance_before: f64,
    /// The same with the turn played, from 0 to 1.
    pub chance_after: f64,
    /// The class of the turn by the chance it lost.
    pub judgement: Judgement,
}

impl<const N: usize> ReviewedTurn<N> {
    /// The chance of winning lost by the turn.
    pub fn lost(&self) -> f64 {
        (self.chance_before - self.chance_after).max(0.0)
    }

    /// The player, 0 or 1, of the turn.
    pub fn player(&self) -> usize {
        self.before.player()
    }
}

/// A reviewed game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameReview<const N: usize> {
    /// The board before the first turn.
    pub start: Position<N>,
    /// All turns of the game, in order.
    pub turns: Vec<ReviewedTurn<N>>,
    /// The first player's chance on the start board and after each turn.
    pub chances: Vec<f64>,
    /// The nodes of all searches.
    pub nodes: u64,
}

/// The result of a search of one board.
struct BoardResult {
    /// The best line, for the player to move.
    best: Line,
    /// The chance of the player to move.
    chance: f64,
    nodes: u64,
}

/// Reviews the game of the legal `turns` from `start`, searching each board within
/// `limits`. `progress` is called after each board with the number done and the number of
/// all boards. `None` if it was stopped.
///
/// The boards are searched from the last to the first, so that the results of later boards,
/// in the engine's table, help with earlier ones.
pub fn review<const N: usize>(
    start: &Position<N>,
    turns: &[Turn],
    engine: &mut Engine<N>,
    limits: &Limits,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(usize, usize),
) -> Option<GameReview<N>> {
    let mut boards = vec![*start];
    for turn in turns {
        boards.push(boards[boards.len() - 1].play(*turn));
    }
    let won = turns.last().is_some_and(|turn| turn.wins());
    engine.clear();
    let mut found = Vec::with_capacity(boards.len());
    for (index, board) in boards.iter().enumerate().rev() {
        let is_won = won && index == turns.len() || board.shows_win();
        let is_over = is_won || !board.has_turn();
        found.push(if is_over {
            BoardResult::over()
        } else {
            search(board, engine, limits, stop)
        });
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        progress(found.len(), boards.len());
    }
    found.reverse();
    back_up(&mut found, turns);
    let chances = boards.iter().zip(&found).map(first_players_chance);
    let reviewed = turns.iter().enumerate();
    let reviewed = reviewed.map(|(index, &turn)| judged(&boards[index], turn, &found[index..]));
    Some(GameReview {
        start: *start,
        turns: reviewed.collect(),
        chances: chances.collect(),
        nodes: found.iter().map(|it| it.nodes).sum(),
    })
}

fn search<const N: usize>(
    board: &Position<N>,
    engine: &mut Engine<N>,
    limits: &Limits,
    stop: &AtomicBool,
) -> BoardResult {
    let report = engine.search(board, limits, stop, &mut |_| {});
    let report = engine.scored(report, board);
    let nodes = report.nodes;
    let best = report.lines.into_iter().next().unwrap_or_default();
    BoardResult {
        chance: chance(board, best.score),
        best,
        nodes,
    }
}

/// Carries the result of each board back to the board before it, so that the chances before
/// and after a turn differ only by the chance it lost.
fn back_up(found: &mut [BoardResult], turns: &[Turn]) {
    for (index, &played) in turns.iter().enumerate().rev() {
        let (before, after) = found.split_at_mut(index + 1);
        let (board, after) = (&mut before[index], &after[0]);
        let score = one_ply_earlier(after.best.score);
        let is_best = board.best.turns.first() == Some(&played);
        if is_best || score > board.best.score {
            let mut turns = vec![played];
            turns.extend_from_slice(&after.best.turns);
            board.best = Line { score, turns };
            board.chance = 1.0 - after.chance;
        }
        // The same score may mean a slightly higher chance on another board.
        board.chance = board.chance.max(1.0 - after.chance);
    }
}

/// The score on the board before, for the other player: a proved end is one ply further
/// away.
fn one_ply_earlier(score: i32) -> i32 {
    let score = -score;
    score - i32::from(is_proved(score)) * score.signum()
}

impl BoardResult {
    /// The result of a board on which the player to move has lost.
    fn over() -> Self {
        Self {
            best: Line {
                score: loss_in(0),
                turns: Vec::new(),
            },
            chance: 0.0,
            nodes: 0,
        }
    }
}

fn first_players_chance<const N: usize>((board, found): (&Position<N>, &BoardResult)) -> f64 {
    if board.player() == 0 {
        found.chance
    } else {
        1.0 - found.chance
    }
}

/// Judges a turn; `found` are the results of the board before and the board after it.
fn judged<const N: usize>(
    board: &Position<N>,
    played: Turn,
    found: &[BoardResult],
) -> ReviewedTurn<N> {
    let chance_before = found[0].chance;
    let chance_after = 1.0 - found[1].chance;
    let score = one_ply_earlier(found[1].best.score);
    let best = found[0].best.clone();
    let judgement = match Judgement::of(chance_before - chance_after) {
        // A slower win, or a faster loss.
        Judgement::Best if is_proved(score) && score < best.score => Judgement::Good,
        judgement => judgement,
    };
    ReviewedTurn {
        before: *board,
        played,
        score,
        best,
        chance_before,
        chance_after,
        judgement,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{Action, PlayedGame};
    use crate::jobs::NEVER;
    use crate::openings::random_opening;
    use crate::rules::{Card, Cards};
    use crate::search::EngineOptions;

    fn engine<const N: usize>() -> Engine<N> {
        Engine::new(EngineOptions {
            hash_mib: 1,
            ..EngineOptions::default()
        })
    }

    fn reviewed<const N: usize>(start: &Position<N>, turns: &[Turn]) -> GameReview<N> {
        let limits = Limits::nodes(3000);
        let mut told = Vec::new();
        let progress = &mut |done, all| told.push((done, all));
        let review = review(start, turns, &mut engine(), &limits, &NEVER, progress).unwrap();
        assert_eq!(told.last(), Some(&(turns.len() + 1, turns.len() + 1)));
        assert_eq!(review.chances.len(), turns.len() + 1);
        review
    }

    #[test]
    fn a_missed_win_is_a_blunder_and_a_win_is_best() {
        let board: Position<5> = "00000/00030/00200/00000/00032 c3a1 e1e5 10"
            .parse()
            .unwrap();
        let turn = |text: &str| Turn::parse::<5>(text).unwrap();
        let won = reviewed(&board, &[turn("c3-d2#")]);
        assert_eq!(won.turns[0].judgement, Judgement::Best);
        assert_eq!(won.chances, [1.0, 1.0]);
        // The opponent wins instead.
        let missed = reviewed(&board, &[turn("a1-a2+a1"), turn("e5-d5#")]);
        let first = &missed.turns[0];
        assert_eq!(
            (first.judgement, first.chance_before),
            (Judgement::Blunder, 1.0)
        );
        assert_eq!(first.best.turns, [turn("c3-d2#")]);
        assert_eq!((first.lost(), missed.chances[1]), (1.0, 0.0));
        assert_eq!((first.player(), missed.turns[1].player()), (0, 1));
    }

    #[test]
    fn a_game_that_starts_won_has_its_winner() {
        let board: Position<5> = "00000/00030/00200/00000/00032 c3a1 d2e5 10"
            .parse()
            .unwrap();
        assert_eq!(reviewed(&board, &[]).chances, [0.0]);
    }

    #[test]
    fn without_a_completed_depth_the_static_evaluation_is_the_score() {
        let board: Position<5> = random_opening(3, 1, 7, [None; 2]);
        let limits = Limits::nodes(1);
        let review = review(&board, &[], &mut engine(), &limits, &NEVER, &mut |_, _| {}).unwrap();
        let value = EngineOptions::default().eval.value(&board);
        assert_ne!(value, 0);
        // The second player is to move.
        assert_eq!(review.chances, [1.0 - chance(&board, value)]);
    }

    #[test]
    fn a_slower_win_is_good_but_not_best() {
        let board: Position<5> = "00000/00030/00200/00000/00000 c3a1 e5a5 10"
            .parse()
            .unwrap();
        let turn = |text: &str| Turn::parse::<5>(text).unwrap();
        // The opponent cannot stop the win on the next turn.
        let slow = reviewed(&board, &[turn("a1-a2+a1"), turn("e5-e4+e5")]);
        let first = &slow.turns[0];
        assert_eq!((first.lost(), first.judgement), (0.0, Judgement::Good));
        assert!(is_proved(first.score) && first.score < first.best.score);
    }

    /// A game of random turns.
    fn random_game<const N: usize>(cards: Cards) -> GameReview<N> {
        let start: Position<N> = random_opening(3, 1, 7, cards);
        let mut rng = crate::seeds::seeded(4);
        let game = PlayedGame::play(start, |_, board| {
            Action::Play(board.random_turn(&mut rng).expect("there is a turn"))
        });
        let review = reviewed(&start, &game.turns);
        let winner_is_first = game.winner == 0;
        assert_eq!(
            review.chances.last(),
            Some(&f64::from(u8::from(winner_is_first)))
        );
        review
    }

    #[test]
    fn reviews_of_random_games_are_consistent() {
        let cards = [Some(Card::Prometheus), Some(Card::Artemis)];
        check(&random_game::<5>([None; 2]));
        check(&random_game::<5>(cards));
        check(&random_game::<6>([None; 2]));
    }

    fn check<const N: usize>(review: &GameReview<N>) {
        assert!(review.turns.iter().any(|turn| turn.judgement.is_error()));
        for (index, turn) in review.turns.iter().enumerate() {
            let [before, after] = [turn.chance_before, turn.chance_after];
            assert!((0.0..=1.0).contains(&before) && before >= after);
            // The chances of the boards agree with those of the turn.
            for (board, own) in [(index, before), (index + 1, after)] {
                let first = if turn.player() == 0 { own } else { 1.0 - own };
                assert!((review.chances[board] - first).abs() < 1e-9);
            }
            assert!(turn.before.turns().contains(&turn.best.turns[0]));
        }
    }

    #[test]
    fn a_stopped_review_gives_none() {
        let start: Position<5> = random_opening(3, 1, 7, [None; 2]);
        let turn = start.turns()[0];
        let stop = AtomicBool::new(true);
        let limits = Limits::nodes(100);
        let stopped = review(
            &start,
            &[turn],
            &mut engine(),
            &limits,
            &stop,
            &mut |_, _| {},
        );
        assert_eq!(stopped, None);
    }
}

//! Reads turns typed by people: accepts many spellings, and explains why a turn is illegal.

use super::building::{TypedBuilds, check_before};
use super::{BrokenRule, judge_board};
use crate::protocol::exchange::ExchangeError;
use crate::rules::{
    Blocked, Building, CAP, Geometry, Position, Side, Space, Square, Turn, claims_win,
    parse_square, plain_text,
};

/// The result of reading a typed turn.
#[derive(Debug, PartialEq, Eq)]
pub enum Typed {
    /// A legal turn.
    Turn(Turn),
    /// The beginning of these legal turns, spelled as they were begun.
    Beginning(Vec<Turn>),
    /// An illegal turn, with the reason.
    Illegal(String),
    /// Not a turn.
    Nothing,
}

/// Reads a typed line as a turn of the player to move. An illegal turn is explained in any
/// spelling of [`Position::read_turn`] too.
pub fn read_turn<const N: usize>(position: &Position<N>, line: &str) -> Typed {
    if let Ok(turn) = position.read_turn(line) {
        return Typed::Turn(turn);
    }
    let wanted = plain_text(line);
    if wanted.len() >= 2 {
        let beginning = turns_that_begin(position, &wanted);
        if !beginning.is_empty() {
            return match false_win::<N>(position, line) {
                Some(why) => Typed::Illegal(why),
                None => Typed::Beginning(beginning),
            };
        }
    }
    match steps::<N>(&wanted) {
        Err(NoTurn::Shape) => Typed::Nothing,
        Err(NoTurn::Illegal(why)) => Typed::Illegal(why),
        Ok((from, steps)) => Typed::Illegal(match judge_steps(position, from, &steps) {
            Err(why) => why,
            Ok(Ok(turn)) => format!(
                "no legal turn takes these steps; {} leads to the same board",
                turn.text::<N>()
            ),
            Ok(Err(broken)) => broken.to_string(),
        }),
    }
}

/// The rule that an illegal turn breaks, if its steps make a board that can be judged.
pub fn broken_rule<const N: usize>(position: &Position<N>, line: &str) -> Option<BrokenRule> {
    let (from, steps) = steps::<N>(&plain_text(line)).ok()?;
    judge_steps(position, from, &steps).ok()?.err()
}

/// The legal turn to the board after these steps, or the rule that they break. The outer
/// error says why they make no board.
fn judge_steps<const N: usize>(
    position: &Position<N>,
    from: Square,
    steps: &[Step],
) -> Result<Result<Turn, BrokenRule>, String> {
    let (board, builds) = board_after(position, from, steps)?;
    let judged = judge_board(position, board, Some(&builds)).map(|(turn, _)| turn);
    let builds_first = position.power(Side::Mover).building == Building::OrBeforeMoving;
    Ok(match judged {
        Err(BrokenRule::NoWorkerMoved { .. }) if builds_first => {
            let mut built = builds.before_move.iter();
            let checked = built.try_for_each(|&square| check_before(position, from, square));
            checked.and(judged)
        }
        judged => judged,
    })
}

/// The legal turns with a spelling that begins with `wanted`, in that spelling.
fn turns_that_begin<const N: usize>(position: &Position<N>, wanted: &str) -> Vec<Turn> {
    let begins = |turn: &Turn| plain_text(&turn.text::<N>().to_string()).starts_with(wanted);
    let turns = position.turns().into_iter();
    turns
        .filter_map(|turn| position.spellings(turn).into_iter().find(begins))
        .collect()
}

/// Why a turn that `#` marks as a win does not win; `None` for any other text.
fn false_win<const N: usize>(position: &Position<N>, line: &str) -> Option<String> {
    if !claims_win(line) {
        return None;
    }
    let (start, mut steps) = steps::<N>(&plain_text(line)).ok()?;
    let ('-', to) = steps.pop()? else {
        return Some("# marks a move that wins, and nothing is built after it".into());
    };
    let moved = steps.iter().rfind(|(sign, _)| *sign == '-');
    let low = position.level(moved.map_or(start, |&(_, via)| via));
    let built = steps.iter().filter(|&&(sign, on)| sign != '-' && on == to);
    let high = usize::from(position.level(to)) + built.count();
    let to = Space::of::<N>(to);
    Some(format!(
        "the move to {to} does not win: it goes from level {low} to {high}"
    ))
}

/// Why a text is not a sequence of steps.
enum NoTurn {
    Shape,
    Illegal(String),
}

/// A sign of the notation and the square after it.
type Step = (char, Square);

/// The start square and the steps of a [plain text](plain_text), in any order.
fn steps<const N: usize>(text: &str) -> Result<(Square, Vec<Step>), NoTurn> {
    let signs = ['-', '+', '^'];
    let mut rest = text;
    let mut squares = Vec::new();
    let mut sign = '-';
    loop {
        let end = rest.find(signs).unwrap_or(rest.len());
        squares.push((sign, square::<N>(&rest[..end])?));
        let Some(next) = rest[end..].chars().next() else {
            break;
        };
        sign = next;
        rest = &rest[end + 1..];
    }
    let ((_, from), steps) = (squares[0], squares[1..].to_vec());
    Ok((from, steps))
}

fn square<const N: usize>(name: &str) -> Result<Square, NoTurn> {
    if let Some(square) = parse_square::<N>(name) {
        return Ok(square);
    }
    match name.as_bytes() {
        [letter, digit] if letter.is_ascii_lowercase() && digit.is_ascii_digit() => {
            let last = char::from(b'a' + N as u8 - 1);
            Err(NoTurn::Illegal(format!(
                "{name} is not on the board; it has columns a to {last} and rows 1 to {N}"
            )))
        }
        _ => Err(NoTurn::Shape),
    }
}

/// The arguments for [`judge_board`]: the board after the steps, legal or not, or why it is
/// not a position; and the builds.
fn board_after<const N: usize>(
    position: &Position<N>,
    from: Square,
    steps: &[Step],
) -> Result<(Result<Position<N>, ExchangeError>, TypedBuilds), String> {
    let own = position.workers(Side::Mover);
    if !own.has(from) {
        let stand: Vec<String> = own.map(|own| Space::of::<N>(own).to_string()).collect();
        return Err(format!(
            "the player to move has no worker on {}, but on {}",
            Space::of::<N>(from),
            stand.join(" and ")
        ));
    }
    let mut levels = position.levels();
    let mut workers = [Side::Mover, Side::Other].map(|side| position.placement(side));
    let mut builds = TypedBuilds::default();
    let mut built = &mut builds.before_move;
    let mut at = from;
    for &(sign, square) in steps {
        if matches!(sign, '+' | '^') {
            let level = &mut levels[square.row::<N>()][square.column::<N>()];
            if *level == CAP {
                let name = Space::of::<N>(square);
                return Err(format!(
                    "nothing can be built on {name}: it is capped (level 4)"
                ));
            }
            let added = if sign == '^' { CAP - *level } else { 1 };
            *level += added;
            built.extend((0..added).map(|_| square));
            continue;
        }
        displace(position, &mut workers[1], at, square)?;
        replace(&mut workers[0], at, square);
        at = square;
        built = &mut builds.after_move;
    }
    let [mover, other] = workers;
    if let Some([both, _]) = [other, mover].into_iter().find(|[a, b]| a == b) {
        let both = ExchangeError::BothOn(Space::of::<N>(both));
        return Ok((Err(both), builds));
    }
    let [card, others_card] = position.cards();
    let cards = [others_card, card];
    let board = Position::new(
        &levels,
        [other, mover],
        cards,
        position.turn().wrapping_add(1),
    );
    Ok((board.map_err(ExchangeError::from), builds))
}

/// Displaces an opponent's worker by the power of the player's card.
fn displace<const N: usize>(
    position: &Position<N>,
    others: &mut [Square],
    from: Square,
    to: Square,
) -> Result<(), String> {
    if !others.contains(&to) {
        return Ok(());
    }
    let target = match position.power(Side::Mover).blocked {
        Blocked::Stays => return Ok(()),
        Blocked::Swaps => from,
        Blocked::Pushes if Geometry::<N>::distance(from, to) != 1 => return Ok(()),
        Blocked::Pushes => Geometry::<N>::beyond(from, to).ok_or_else(|| {
            let [from, to] = [from, to].map(Space::of::<N>);
            format!("from {from} the worker on {to} cannot be pushed: the board ends behind it")
        })?,
    };
    replace(others, to, target);
    Ok(())
}

fn replace(workers: &mut [Square], from: Square, to: Square) {
    if let Some(worker) = workers.iter_mut().find(|worker| **worker == from) {
        *worker = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(board: &str, line: &str) -> Typed {
        let position: Position<5> = board.parse().unwrap();
        read_turn(&position, line)
    }

    fn why(board: &str, line: &str) -> String {
        match read(board, line) {
            Typed::Illegal(why) => why,
            other => panic!("{line}: {other:?}"),
        }
    }

    const BOARD: &str = "00002/11200/10030/00300/00014 c2d4 e2e3 18";
    const PROMETHEUS: &str = "00000/00000/00000/00000/00000 b3d3 a5d5 4 Prometheus Pan";

    #[test]
    fn turns_are_read_in_every_spelling() {
        for (board, line, turn) in [
            (BOARD, "c2-c3+c4", "c2-c3+c4"),
            (BOARD, " C2 - c3 + C4 ", "c2-c3+c4"),
            (BOARD, "c2-d3", "c2-d3#"),
            (BOARD, "c2-d3#", "c2-d3#"),
            (
                "00000/00000/00000/00000/00000 c2e5 c3e3 4 Apollo Pan",
                "c2-c3+c4",
                "c2xc3+c4",
            ),
            (
                "00000/00000/00000/00000/00000 c2e5 c3e3 4 Minotaur Pan",
                "c2xc3+b3",
                "c2xc3+b3",
            ),
            (
                "00000/00000/00000/00000/00000 c2e5 c3e3 4 Demeter Pan",
                "c2-c1+d1+b1",
                "c2-c1+b1+d1",
            ),
        ] {
            let turn = Turn::parse::<5>(turn).unwrap();
            assert_eq!(read(board, line), Typed::Turn(turn), "{line}");
        }
    }

    #[test]
    fn beginnings_are_read_in_every_spelling() {
        let board = "00000/00000/00000/00000/00000 b2d3 c4e5 0 Prometheus Pan";
        // The generator writes the first one b2+b1-a1+a2.
        let Typed::Beginning(turns) = read(board, "b2+a2-a1") else {
            panic!("a beginning");
        };
        let texts: Vec<String> = turns
            .iter()
            .map(|turn| turn.text::<5>().to_string())
            .collect();
        assert_eq!(texts, ["b2+a2-a1+b1", "b2+a2-a1+a2", "b2+a2-a1+b2"]);
    }

    #[test]
    fn steps_out_of_order_name_the_turn_to_the_same_board() {
        let board = "00000/00000/00000/00000/00000 b2d3 c4e5 0 Prometheus Pan";
        assert_eq!(
            why(board, "b2-a1+a2+b1"),
            "no legal turn takes these steps; b2+b1-a1+a2 leads to the same board"
        );
    }

    #[test]
    fn a_beginning_gives_the_turns_that_begin_with_it() {
        let Typed::Beginning(turns) = read(BOARD, "c2-c3") else {
            panic!("a beginning");
        };
        assert!(!turns.is_empty());
        for turn in turns {
            assert!(turn.text::<5>().to_string().starts_with("c2-c3+"));
        }
    }

    #[test]
    fn errors_use_both_notations() {
        for (board, line, words) in [
            (
                BOARD,
                "d4-c4+b4",
                "the worker on d4 (4,4) cannot step to c4 (4,3): from level 0 to 3",
            ),
            (
                BOARD,
                " D4 x C4 + B4 ",
                "the worker on d4 (4,4) cannot step",
            ),
            (
                BOARD,
                "a1-a2+a1",
                "the player to move has no worker on a1 (1,1), but on c2 (2,3) and d4 (4,4)",
            ),
            (
                BOARD,
                "c2-c4+c3",
                "the worker on c2 (2,3) cannot move to c4 (4,3): that is not one of the spaces",
            ),
            (BOARD, "d4-e5+d5", "e5"),
            (
                BOARD,
                "d4-e4+e5",
                "nothing can be built on e5 (5,5): it is capped",
            ),
            (BOARD, "c2-c3+e3", "e3"),
            (
                BOARD,
                "c2-f2+e2",
                "f2 is not on the board; it has columns a to e and rows 1 to 5",
            ),
            (BOARD, "c2-c3+c4+b4", "b4 (4,2) and c4 (4,3) were built on"),
            (
                "00000/00000/00000/00000/00000 d3a1 e3e5 4 Minotaur Pan",
                "d3xe3+d3",
                "the board ends behind it",
            ),
            (
                PROMETHEUS,
                "b3-c4+a2",
                "nothing can be built on a2 (2,1): it is not next to the worker that has moved to c4 (4,3)",
            ),
            (
                PROMETHEUS,
                "b3-c4+c4",
                "nothing can be built on c4 (4,3), where the worker that has moved stands",
            ),
            (
                PROMETHEUS,
                "b3+e5-c4",
                "e5 (5,5) was built on before the move, but is not next to where the worker stood, b3 (3,2)",
            ),
            (
                PROMETHEUS,
                "b3+e5",
                "e5 (5,5) was built on before the move, but is not next to",
            ),
            (
                PROMETHEUS,
                "b3+e5-c4+c5",
                "e5 (5,5) was built on before the move, but is not next to",
            ),
            (
                PROMETHEUS,
                "b3-c4+c5+e5",
                "c5 (5,3) and e5 (5,5) were built on; Prometheus builds one level after the move",
            ),
            (
                PROMETHEUS,
                "b3-c4+c5+c5",
                "the tower on c5 (5,3) grew from level 0 to 2; Prometheus builds",
            ),
        ] {
            let said = why(board, line);
            assert!(said.contains(words), "{line}: {said}");
        }
    }

    #[test]
    fn builds_are_judged_in_the_order_typed() {
        let empty = "00000/00000/00000/00000/00000";
        let prometheus = "01000/00000/00000/00000/00000 a1c3 c2d2 4 Prometheus Atlas";
        let demeter = "00010/32000/00000/00000/00000 b1c3 c2b2 4 Demeter Pan";
        let below_win = "20000/30000/00000/00000/00000 a1c3 c2d2 4 Prometheus Atlas";
        let start = format!("{empty} c1e5 b2d4 0 Prometheus Pan");
        for (board, line, words) in [
            (
                &*start,
                "c1-c2+d3+c3",
                "c3 (3,3) and d3 (3,4) were built on; Prometheus builds one level after the move",
            ),
            (
                &start,
                "c1+e1-c2+c1",
                "e1 (1,5) was built on before the move, but is not next to where the worker stood",
            ),
            (
                &start,
                "c1-c2+b3+b3",
                "b3 (3,2) grew from level 0 to 2; Prometheus builds one level after the move",
            ),
            (
                prometheus,
                "a1-b2+a1+c1",
                "a1 (1,1) and c1 (1,3) were built on; Prometheus builds one level after the move",
            ),
            (
                prometheus,
                "a1+c1-b2+a1",
                "c1 (1,3) was built on before the move, but is not next to where the worker stood",
            ),
            (
                prometheus,
                "a1+c3-a2+a1",
                "c3 (3,3) was built on before the move, when a worker stood there",
            ),
            (
                below_win,
                "a1+b1-a2",
                "may not move up after building before the move",
            ),
            (below_win, "a1-a2+b1", "b1 (1,2) was built on after a win"),
            (
                demeter,
                "b1+a1-c1+d1",
                "a1 (1,1) was built on before the move; Demeter builds only after it",
            ),
            (
                BOARD,
                "c2+b1-c3",
                "b1 (1,2) was built on before the move; a turn builds only after it",
            ),
        ] {
            let said = why(board, line);
            assert!(said.contains(words), "{line}: {said}");
        }
    }

    #[test]
    fn a_move_that_does_not_win_is_no_win() {
        for (board, line, words) in [
            (
                BOARD,
                "c2-c3#",
                "the move to c3 (3,3) does not win: it goes from level 2 to 0",
            ),
            (
                "11000/00000/00000/00000/00000 a1c3 c2d2 4 Prometheus Atlas",
                " A1+a2 - a2 # ",
                "the move to a2 (2,1) does not win: it goes from level 1 to 1",
            ),
            (
                "00000/12000/00000/00000/00000 a1c3 c2d2 4 Artemis Atlas",
                "a1-a2-b2#",
                "the move to b2 (2,2) does not win: it goes from level 1 to 2",
            ),
        ] {
            assert_eq!(why(board, line), words, "{line}");
        }
        let said = why(BOARD, "c2-c3+c4#");
        assert!(said.contains("nothing is built after it"), "{said}");
    }

    #[test]
    fn other_texts_are_nothing() {
        for line in ["", "hello", "c", "-c2", "é2-c3", "c2+c3-", "++++", "3,4"] {
            assert_eq!(read(BOARD, line), Typed::Nothing, "{line:?}");
        }
    }

    #[test]
    fn no_text_panics() {
        let signs = [
            "c2", "d4", "e2", "c4", "z9", "-", "x", "+", "^", "#", " ", "ß",
        ];
        let boards = [
            BOARD,
            "00000/00000/00000/00000/00000 d3a1 e3e5 4 Minotaur Pan",
        ];
        let mut number = 1_u64;
        for _ in 0..2_000 {
            let mut line = String::new();
            for _ in 0..number % 9 {
                number = number
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                line += signs[(number >> 40) as usize % signs.len()];
            }
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(7);
            read(boards[(number >> 50) as usize % 2], &line);
        }
    }
}

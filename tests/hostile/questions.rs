//! The player with an instant engine: corrupted questions followed by valid ones, whose
//! answers must equal those of a player that is asked nothing else.

use std::cell::RefCell;
use std::io::{self, Read, Write};
use std::rc::Rc;
use std::time::{Duration, Instant};

use rand::RngExt;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use santorini::player::{JsonPlayer, Think};
use santorini::protocol::exchange::write_board;
use santorini::protocol::stream::LONGEST;
use santorini::rules::{Bitboard, Card, Cards, Geometry, Placement, Position, Setup, Square, Turn};
use serde_json::{Value, json};

use super::mutator::Mutator;
use super::{on_each_core, peak_memory};

/// Fragments likely to confuse a parser of JSON or boards.
const LIKELY: &[&[u8]] = &[
    b"[",
    b"]",
    b"{",
    b"}",
    b",",
    b":",
    b"\"",
    b"\\",
    b"\n",
    b" ",
    b"[[",
    b"]]",
    b"],[",
    b"{\"a\":",
    b"[\n",
    b"],\n",
    b"0,",
    b"[1,2]",
    b"0",
    b"5",
    b"-1",
    b"1e999",
    b"1e-999",
    b"0.5",
    b"4294967295",
    b"18446744073709551616",
    b"-",
    b"true",
    b"null",
    b"\"\\ud800\"",
    b"\"\\u0000\"",
    b"\xff",
    b"\xc3",
    b"\0",
    b"\r\n",
    b"\"players\":",
    b"\"spaces\":",
    b"\"turn\":",
    b"\"card\":",
    b"\"tokens\":",
    b"\"Pan\"",
    b"\"Hephastus\"",
];

/// Answers at once, and always the same in the same position.
struct Hasty;

impl Think for Hasty {
    fn place(&mut self, setup: Setup, _: Instant) -> Placement {
        let taken: Bitboard = match setup {
            Setup::First { .. } => Bitboard::EMPTY,
            Setup::Second { first, .. } => first.into_iter().collect(),
        };
        let mut free = Geometry::<5>::BOARD.without(taken).into_iter();
        [(); 2].map(|()| free.next().unwrap())
    }

    fn turn(&mut self, position: Position<5>, _: Instant) -> Option<Turn> {
        position.win().or_else(|| position.turns().first().copied())
    }
}

/// The answers and errors of a new player for a stream.
fn answers(stream: &[u8]) -> (String, String) {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let mut player = JsonPlayer::with_thinker(Hasty);
    player.run(stream, &mut output, &mut errors).unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output), text(errors))
}

/// A question on one line, and its answer.
struct Good {
    question: String,
    answer: String,
}

impl Good {
    fn new(question: &Value) -> Self {
        let question = format!("{question}\n");
        let (answer, errors) = answers(question.as_bytes());
        assert_eq!((answer.lines().count(), errors.as_str()), (1, ""));
        Self { question, answer }
    }
}

/// Boards of random games of each kind.
fn boards(rng: &mut Xoshiro256PlusPlus) -> Vec<Value> {
    let mut boards = Vec::new();
    let pairs = Card::pairs().map(|pair| pair.map(Some));
    let kinds: Vec<Cards> = pairs.chain([[None; 2]; 20]).collect();
    for cards in kinds {
        let workers = [(); 2].map(|()| [(); 2].map(|()| Square::new(rng.random_range(0..25))));
        let Ok(mut position) = Position::<5>::start(workers, cards) else {
            continue;
        };
        for _ in 0..rng.random_range(0..30) {
            match position.random_turn(rng) {
                Some(turn) if !turn.wins() => position = position.play(turn),
                _ => break,
            }
        }
        if position.has_turn() && !position.shows_win() {
            boards.push(write_board(&position));
        }
    }
    assert!(boards.len() > 20);
    boards
}

fn setups() -> Vec<Value> {
    vec![
        json!([]),
        json!([[[4, 3], [2, 3]]]),
        json!([{"card": "Artemis"}, {"card": "Prometheus"}]),
        json!([{"card": "Pan"}, {"card": "Atlas", "tokens": [[4, 3], [2, 3]]}]),
    ]
}

/// The number of inputs tried, and the results.
#[derive(Debug, Default)]
struct Tally {
    inputs: u64,
    rounds: u64,
    bytes: u64,
    answers: u64,
    errors: u64,
    slowest: Duration,
}

/// A stream of rounds: a few corrupted questions, then two valid ones on their own lines.
/// The second one shows that the corrupted ones have no lasting effect, so that the first
/// is found.
struct Rounds {
    mutator: Mutator,
    boards: Vec<Good>,
    setups: Vec<Good>,
    /// The remaining inputs.
    left: u64,
    round: Vec<u8>,
    sent: usize,
    began: Instant,
    /// The answers that the round must end with.
    expected: String,
    output: Vec<u8>,
    errors: Vec<u8>,
    tally: Tally,
}

impl Rounds {
    fn new(seed: u64, inputs: u64) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        Self {
            boards: boards(&mut rng).iter().map(Good::new).collect(),
            setups: setups().iter().map(Good::new).collect(),
            mutator: Mutator::new(seed, LIKELY),
            left: inputs,
            round: Vec::new(),
            sent: 0,
            began: Instant::now(),
            expected: String::new(),
            output: Vec::new(),
            errors: Vec::new(),
            tally: Tally::default(),
        }
    }

    fn good(&mut self, boards: u32) -> usize {
        let from = if self.mutator.once_in(boards) {
            0..self.boards.len()
        } else {
            self.boards.len()..self.boards.len() + self.setups.len()
        };
        self.mutator.rng.random_range(from)
    }

    fn good_at(&self, index: usize) -> &Good {
        let boards = self.boards.len();
        self.boards
            .get(index)
            .unwrap_or_else(|| &self.setups[index - boards])
    }

    /// Creates the next round. Returns false if there is none.
    fn begin(&mut self) -> bool {
        self.round.clear();
        self.output.clear();
        self.errors.clear();
        self.expected.clear();
        self.sent = 0;
        if self.left == 0 {
            return false;
        }
        let mut corrupted = Vec::new();
        for _ in 0..self.left.min(self.mutator.rng.random_range(1..=4)) {
            let [input, other] = [self.good(2), self.good(2)];
            corrupted.clear();
            corrupted.extend(self.good_at(input).question.bytes());
            let other = self.good_at(other).question.clone();
            if self.mutator.once_in(4) {
                corrupted.pop();
            }
            self.mutator.corrupt(&mut corrupted, other.as_bytes());
            self.round.append(&mut corrupted);
            self.left -= 1;
            self.tally.inputs += 1;
        }
        if self.mutator.once_in(1 << 17) {
            self.lengthen();
        }
        self.round.push(b'\n');
        for good in [self.good(4), self.good(16)] {
            let Good { question, answer } = self.good_at(good);
            let (question, answer) = (question.clone(), answer.clone());
            self.round.extend(question.bytes());
            self.expected += &answer;
        }
        self.tally.rounds += 1;
        self.tally.bytes += self.round.len() as u64;
        self.began = Instant::now();
        true
    }

    /// Repeats a fragment in the round until a value is too long.
    fn lengthen(&mut self) {
        let piece = *self.mutator.pick(LIKELY);
        let length = self.mutator.rng.random_range(LONGEST..3 * LONGEST);
        let place = self.mutator.rng.random_range(0..=self.round.len());
        let filler = piece.repeat(length / piece.len());
        self.round.splice(place..place, filler);
    }

    /// Returns a piece of the round.
    fn hand_out(&mut self, buffer: &mut [u8]) -> usize {
        let rest = &self.round[self.sent..];
        let mut length = rest.len().min(buffer.len());
        if rest.len() < 5000 && self.mutator.once_in(4) {
            length = self.mutator.rng.random_range(1..=length);
        }
        buffer[..length].copy_from_slice(&rest[..length]);
        self.sent += length;
        length
    }

    /// Checks the output for the round.
    fn judge(&mut self) {
        self.tally.slowest = self.tally.slowest.max(self.began.elapsed());
        let whole = || String::from_utf8_lossy(&self.round).into_owned();
        let expected = self.expected.as_bytes();
        let before = self.output.strip_suffix(expected).unwrap_or_else(|| {
            let said = String::from_utf8_lossy(&self.output);
            panic!(
                "{said}\ndoes not end with\n{}\nfor\n{}",
                self.expected,
                whole()
            );
        });
        for answer in before.split_inclusive(|&byte| byte == b'\n') {
            let is_value = matches!(answer, [b'[' | b'{', .., b'\n']);
            assert!(is_value, "{answer:?} for {}", whole());
            self.tally.answers += 1;
        }
        for line in self.errors.split_inclusive(|&byte| byte == b'\n') {
            let fits = line.starts_with(b"santorini: line ") && line.len() < 400;
            assert!(fits && line.ends_with(b"\n"), "{line:?} for {}", whole());
            self.tally.errors += 1;
        }
        if self.mutator.once_in(64) {
            self.judge_afresh();
        }
    }

    /// Checks that a new player gives the same output for the whole round at once.
    fn judge_afresh(&self) {
        let (output, errors) = answers(&self.round);
        assert_eq!(output.as_bytes(), self.output);
        // The positions in the stream differ.
        let reasons = |errors: &str| -> Vec<String> {
            let reason = |line: &str| line.splitn(3, ": ").nth(2).unwrap_or_default().to_owned();
            errors.lines().map(reason).collect()
        };
        let heard = String::from_utf8_lossy(&self.errors);
        assert_eq!(reasons(&errors), reasons(&heard));
        for answer in output.lines() {
            serde_json::from_str::<Value>(answer).unwrap();
        }
    }
}

/// One end of the rounds: the player's input, or one of its two outputs.
#[derive(Clone)]
struct End(Rc<RefCell<Rounds>>, fn(&mut Rounds) -> &mut Vec<u8>);

impl Read for End {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut rounds = self.0.borrow_mut();
        // A request for more means that everything before was handled.
        if rounds.sent == rounds.round.len() {
            if rounds.sent > 0 {
                rounds.judge();
            }
            if !rounds.begin() {
                return Ok(0);
            }
        }
        Ok(rounds.hand_out(buffer))
    }
}

impl Write for End {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1(&mut self.0.borrow_mut()).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Asks one player this many corrupted questions.
fn run(seed: u64, inputs: u64) -> Tally {
    let rounds = Rc::new(RefCell::new(Rounds::new(seed, inputs)));
    let output = End(rounds.clone(), |rounds| &mut rounds.output);
    let errors = End(rounds.clone(), |rounds| &mut rounds.errors);
    let mut player = JsonPlayer::with_thinker(Hasty);
    let all_answered = player.run(output.clone(), output, errors).unwrap();
    assert!(!all_answered);
    std::mem::take(&mut rounds.borrow_mut().tally)
}

/// Asks `inputs` corrupted questions, on all cores.
pub fn corrupt(inputs: u64) {
    let start = Instant::now();
    let tallies = on_each_core(inputs, run);
    println!(
        "{:.1} s, at most {} MiB",
        start.elapsed().as_secs_f64(),
        peak_memory()
    );
    for tally in tallies {
        println!("{tally:?}");
    }
}

//! Turns are read in every spelling that the slow rules of `reference/` allow, and in no
//! other.

use std::collections::BTreeSet;

use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use santorini::openings::random_opening;
use santorini::rules::{Card, Cards, Position};

use crate::legal_turns::board_of;

/// The number of texts read for each position.
const TEXTS: usize = 60;

/// The text with random white space and capital letters.
fn disguised(text: &str, rng: &mut impl Rng) -> String {
    let mut disguised = String::from([" ", "", "\t"].choose(rng).copied().unwrap());
    for sign in text.chars() {
        match rng.random_range(0..4) {
            0 => disguised.push(sign.to_ascii_uppercase()),
            1 => disguised.extend([sign, ' ']),
            _ => disguised.push(sign),
        }
    }
    disguised
}

/// The text with one letter, digit or sign replaced.
fn changed<const N: usize>(text: &str, rng: &mut impl Rng) -> String {
    let mut signs: Vec<char> = text.chars().collect();
    let at = rng.random_range(0..signs.len());
    let letters: Vec<char> = "abcdef".chars().take(N).collect();
    let digits: Vec<char> = "123456".chars().take(N).collect();
    let choices = match signs[at] {
        'a'..='f' => &letters[..],
        '1'..='6' => &digits[..],
        _ => &['-', '+', '^'],
    };
    signs[at] = *choices.choose(rng).unwrap();
    signs.into_iter().collect()
}

/// Reads turns of a position in legal and illegal spellings; returns the number of each.
fn check<const N: usize>(position: &Position<N>, rng: &mut Xoshiro256PlusPlus) -> [usize; 2] {
    let spelled = board_of(position).spelled_turns();
    let plain = |text: &str| text.replace('#', "");
    let legal: BTreeSet<String> = spelled.iter().map(|(text, _)| plain(text)).collect();
    let mut counts = [0; 2];
    for (text, board) in spelled.iter().sample(rng, TEXTS) {
        let written = disguised(text, rng);
        let turn = position.read_turn(&written);
        let turn = turn.unwrap_or_else(|error| panic!("{written:?} on {position}: {error}"));
        assert_eq!(
            board_of(&position.play(turn)),
            *board,
            "{written} on {position}"
        );
        assert!(position.turns().contains(&turn), "{written} on {position}");
        let spellings = position.spellings(turn).into_iter();
        let mut texts = spellings.map(|turn| turn.text::<N>().to_string());
        let same = text.replace('x', "-");
        let is_listed = texts.any(|it| it.replace('x', "-") == same) || same.contains('^');
        assert!(
            is_listed,
            "{text} is not a spelling of itself on {position}"
        );
        counts[0] += 1;
        let other = changed::<N>(text, rng);
        if !legal.contains(&plain(&other)) {
            let read = position.read_turn(&other);
            assert!(read.is_err(), "{other} on {position} is read as {read:?}");
            counts[1] += 1;
        }
    }
    counts
}

fn check_games<const N: usize>(cards: Cards, rng: &mut Xoshiro256PlusPlus) -> [usize; 2] {
    let mut counts = [0; 2];
    for number in 0..8 {
        let turns = rng.random_range(0..24);
        let position = random_opening::<N>(turns, 11, number, cards);
        let checked = check(&position, rng);
        counts = [counts[0] + checked[0], counts[1] + checked[1]];
    }
    counts
}

#[test]
fn turns_are_read_in_every_legal_spelling_and_no_other() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let base = [
        check_games::<5>([None; 2], &mut rng),
        check_games::<6>([None; 2], &mut rng),
    ];
    let mut counts = base.to_vec();
    for pair in Card::pairs() {
        let cards = pair.map(Some);
        counts.push(check_games::<5>(cards, &mut rng));
        if pair[1] == Card::Pan || pair[0] == Card::Pan {
            counts.push(check_games::<6>(cards, &mut rng));
        }
    }
    let sum = |kind: usize| counts.iter().map(|it| it[kind]).sum::<usize>();
    assert!(sum(0) > 20_000 && sum(1) > 10_000, "{} {}", sum(0), sum(1));
}

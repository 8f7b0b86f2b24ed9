//! Winners compared with exact values and checked by turns.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::probe::WinnerProber;
use super::rows::{self, Spread, row_bytes};
use super::split::Split;
use crate::jobs::{Jobs, NEVER};
use crate::solve::game::SmallGame;
use crate::solve::header::SolvedFileError;
use crate::solve::run::{
    CHECKPOINT, SolveError, SolveOptions, checkpoint_path, solve_into, solve_winners,
};
use crate::solve::shape::MOST_SQUARES;
use crate::solve::{
    Prober, SmallState, SolvedFile, WinnersFile, check_winners, states_up_to_symmetry,
};

const ALL: SolveOptions = SolveOptions {
    memory: 1 << 30,
    keep: u64::MAX,
    check: 1,
    checkpoint: CHECKPOINT,
    force: false,
};

/// Few slabs are kept, so resuming needs the checkpoint.
const FEW: SolveOptions = SolveOptions {
    keep: 20_000,
    check: 0,
    ..ALL
};

fn jobs(stop: &AtomicBool) -> Jobs<'_> {
    Jobs { threads: 2, stop }
}

fn game(shape: &str) -> SmallGame {
    SmallGame::new(shape.parse().unwrap(), 1, None)
}

/// The states of one in `step` boards of a game.
fn states(game: &SmallGame, step: usize) -> impl Iterator<Item = SmallState> {
    let squares = game.squares();
    let numbers = (0..5usize.pow(squares as u32)).step_by(step);
    let heights = numbers.map(move |number| {
        let mut heights = [0; MOST_SQUARES];
        for (square, height) in heights.iter_mut().enumerate().take(squares) {
            *height = (number / 5usize.pow(square as u32) % 5) as u8;
        }
        heights
    });
    let workers = (0..squares).flat_map(move |a| (0..squares).map(move |b| [a, b]));
    heights.flat_map(move |heights| {
        workers.clone().filter_map(move |[a, b]| {
            let state = SmallState {
                heights,
                workers: [1 << a, 1 << b],
                side: 0,
            };
            let stand = a != b && heights[a] < 3 && heights[b] < 3;
            stand.then_some(state)
        })
    })
}

#[test]
fn every_state_has_the_winner_of_its_exact_value() {
    // One board in `step` is checked.
    for (shape, step) in [("2x2", 1), ("2x3", 1), ("3x2", 1), ("3x3", 4999)] {
        let game = game(shape);
        let check = if step > 1 { 64 } else { 1 };
        let folder = tempfile::tempdir().unwrap();
        let [exact, winners] = ["exact", "winners"].map(|name| folder.path().join(name));
        solve_into(
            &exact,
            &game,
            &SolveOptions { check: 0, ..ALL },
            jobs(&NEVER),
            |_| {},
        )
        .unwrap();
        let all = SolveOptions { check, ..ALL };
        let report = solve_winners(&winners, &game, &all, jobs(&NEVER), |_| {}).unwrap();
        assert!(report.next.is_none());
        assert!(report.checked >= states_up_to_symmetry(&game) / check);
        let mut prober = Prober::new(SolvedFile::open(&exact).unwrap(), jobs(&NEVER)).unwrap();
        let file = WinnersFile::open(&winners).unwrap();
        let mut winner = WinnerProber::new(&file, jobs(&NEVER)).unwrap();
        for state in states(&game, step) {
            let value = prober.value(&state).unwrap();
            assert_eq!(
                winner.wins(&state).unwrap(),
                value.wins(),
                "{}",
                state.text(&game)
            );
        }
        let checked = check_winners(&file, jobs(&NEVER), check, |_, _| {}).unwrap();
        assert_eq!(checked, report.checked);
    }
}

/// Resumes from the files that a killed program leaves.
#[test]
fn a_killed_run_resumes_from_its_checkpoint() {
    let game = game("2x4");
    let folder = tempfile::tempdir().unwrap();
    let [whole, killed] = ["whole", "killed"].map(|name| folder.path().join(name));
    let options = SolveOptions {
        checkpoint: Duration::ZERO,
        ..FEW
    };
    let copies = [50, 100, 130].map(|slabs| (slabs, folder.path().join(format!("copy {slabs}"))));
    let mut slabs = 0;
    solve_winners(&whole, &game, &options, jobs(&NEVER), |_| {
        slabs += 1;
        for (_, copy) in copies.iter().filter(|copy| copy.0 == slabs) {
            std::fs::copy(&whole, copy).unwrap();
            std::fs::copy(checkpoint_path(&whole), checkpoint_path(copy)).unwrap();
        }
    })
    .unwrap();
    for (done, copy) in copies {
        std::fs::rename(&copy, &killed).unwrap();
        std::fs::rename(checkpoint_path(&copy), checkpoint_path(&killed)).unwrap();
        let mut left = 0;
        solve_winners(&killed, &game, &options, jobs(&NEVER), |_| left += 1).unwrap();
        // At most the last slab is solved again.
        assert!(left == slabs - done || left == slabs - done + 1, "{left}");
        assert_eq!(
            std::fs::read(&whole).unwrap(),
            std::fs::read(&killed).unwrap()
        );
        assert!(!checkpoint_path(&killed).exists());
    }
}

#[test]
fn a_resumed_run_writes_the_same_file() {
    let game = game("2x4");
    let folder = tempfile::tempdir().unwrap();
    let [whole, part] = ["whole", "part"].map(|name| folder.path().join(name));
    solve_winners(&whole, &game, &FEW, jobs(&NEVER), |_| {}).unwrap();
    let mut runs = 0;
    loop {
        let stop = AtomicBool::new(false);
        let mut slabs = 0;
        let report = solve_winners(&part, &game, &FEW, jobs(&stop), |_| {
            slabs += 1;
            stop.store(slabs == 40, Ordering::Relaxed);
        })
        .unwrap();
        runs += 1;
        if report.next.is_none() {
            break;
        }
    }
    assert!(runs > 3, "{runs}");
    assert!(!checkpoint_path(&part).exists());
    assert_eq!(
        std::fs::read(&whole).unwrap(),
        std::fs::read(&part).unwrap()
    );
    let file = WinnersFile::open(&part).unwrap();
    let mut prober = WinnerProber::new(&file, jobs(&NEVER)).unwrap();
    let found = prober.placements().unwrap();
    assert!(
        found.iter().all(|placement| placement.lost_to[0] > 0),
        "the second player wins"
    );
    let high = SmallState::parse("4444/4400 c2 d2", &game).unwrap();
    let error = prober.wins(&high).unwrap_err();
    assert!(
        matches!(error, SolveError::NotKept { total: 24, .. }),
        "{error}"
    );
}

#[test]
fn damaged_files_are_refused() {
    let game = game("2x3");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("winners");
    solve_winners(&path, &game, &ALL, jobs(&NEVER), |_| {}).unwrap();
    let good = std::fs::read(&path).unwrap();
    let check = |bytes: &[u8]| -> Result<u64, SolveError> {
        std::fs::write(&path, bytes).unwrap();
        let file = WinnersFile::open(&path)?;
        file.check_finished()?;
        check_winners(&file, jobs(&NEVER), 1, |_, _| {})
    };
    check(&good).unwrap();
    for at in (0..good.len()).step_by(97) {
        let mut bad = good.clone();
        bad[at] ^= 1;
        assert!(check(&bad).is_err(), "byte {at}");
    }
    let cut = check(&good[..good.len() - 1]);
    assert!(matches!(
        cut,
        Err(SolveError::File(SolvedFileError::Unfinished { .. }))
    ));
    let little = SolveOptions { memory: 1, ..ALL };
    let other = folder.path().join("on-disk");
    let report = solve_winners(&other, &game, &little, jobs(&NEVER), |_| {}).unwrap();
    assert!(report.on_disk);
    assert_eq!(std::fs::read(&other).unwrap(), good);
}

#[test]
fn force_keeps_the_old_file_until_the_new_one_is_whole() {
    let game = game("2x3");
    let folder = tempfile::tempdir().unwrap();
    let [path, whole] = ["winners", "whole"].map(|name| folder.path().join(name));
    solve_winners(&whole, &game, &ALL, jobs(&NEVER), |_| {}).unwrap();
    std::fs::write(&path, b"my own notes").unwrap();
    let force = SolveOptions { force: true, ..ALL };
    let stop = AtomicBool::new(false);
    let halt = |_: &_| stop.store(true, Ordering::Relaxed);
    let report = solve_winners(&path, &game, &force, jobs(&stop), halt).unwrap();
    assert!(report.next.is_some());
    assert_eq!(std::fs::read(&path).unwrap(), b"my own notes");
    solve_winners(&path, &game, &force, jobs(&NEVER), |_| {}).unwrap();
    assert_eq!(
        std::fs::read(&path).unwrap(),
        std::fs::read(&whole).unwrap()
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn an_incomplete_last_part_is_cut_off() {
    let game = game("2x3");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("winners");
    let mut copies = Vec::new();
    let copy = |_: &_| copies.push(std::fs::read(&path).unwrap());
    solve_winners(&path, &game, &ALL, jobs(&NEVER), copy).unwrap();
    let whole = std::fs::read(&path).unwrap();
    let (begun, one_more) = (&copies[20], &copies[21]);
    let (begin, end) = (begun.len(), one_more.len());
    for (written, length) in [
        (begin, begin + 24),
        (begin, begin + 100_000),
        (begin + 9, end),
        (begin + 24, end),
        (end - 1, end + 1),
    ] {
        let mut bytes = one_more[..written].to_vec();
        bytes.resize(length, 0);
        std::fs::write(&path, bytes).unwrap();
        solve_winners(&path, &game, &ALL, jobs(&NEVER), |_| {}).unwrap();
        assert!(std::fs::read(&path).unwrap() == whole, "{written} {length}");
    }
    let longer = [&whole[..], &[0; 50]].concat();
    std::fs::write(&path, &longer).unwrap();
    // Finished, it needs no room.
    let little = SolveOptions { memory: 1, ..ALL };
    let done = solve_winners(&path, &game, &little, jobs(&NEVER), |_| {}).unwrap();
    assert_eq!(done.memory, 0);
    assert!(std::fs::read(&path).unwrap() == longer);
    std::fs::write(&path, [&begun[..], &[1; 50]].concat()).unwrap();
    let error = solve_winners(&path, &game, &ALL, jobs(&NEVER), |_| {}).unwrap_err();
    assert!(
        matches!(error, SolveError::File(SolvedFileError::Damaged { .. })),
        "{error}"
    );
}

#[test]
fn files_of_winners_and_of_distances_are_not_confused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("winners");
    let game = game("2x2");
    solve_winners(&path, &game, &ALL, jobs(&NEVER), |_| {}).unwrap();
    let opened = SolvedFile::open(&path).err().unwrap();
    assert!(
        matches!(opened, SolvedFileError::OnlyWinners(_)),
        "{opened}"
    );
    let solved = solve_into(&path, &game, &ALL, jobs(&NEVER), |_| {}).unwrap_err();
    assert_eq!(solved.to_string(), opened.to_string());
}

#[test]
fn bits_of_a_board_read_back() {
    let spread = Spread::new();
    let standing = 0b1001_0110_1110_0101;
    let mut wins = [0; MOST_SQUARES];
    for (other, wins) in wins.iter_mut().enumerate() {
        *wins = (0x9e37_79b9u32 >> other) as u16 & standing & !(1 << other);
    }
    let mut row = Vec::new();
    rows::add(&spread, standing, &wins, &mut row);
    assert_eq!(row.len(), row_bytes(standing.count_ones() as usize));
    row.resize(row.len() + 4, 0xff);
    for other in crate::solve::squares_of(standing) {
        assert_eq!(rows::wins(&spread, &row, standing, other), wins[other]);
    }
}

#[test]
fn few_boards_are_stored_twice_and_none_is_missing() {
    for (shape, most) in [
        ("3x3", 1.6),
        ("2x6", 1.06),
        ("3x4", 1.06),
        ("3x5", 1.01),
        ("4x4", 1.01),
    ] {
        let game = game(shape);
        let split = Split::new(&game);
        let frames: usize = (0..=split.highest_frame_sum())
            .map(|sum| split.frames(sum).len())
            .sum();
        let boards = frames as f64 * 5f64.powi(split.core.count_ones() as i32);
        let least = 5f64.powi(game.squares() as i32) / game.symmetries.len() as f64;
        assert!(
            boards >= least && boards < most * least,
            "{shape}: {}",
            boards / least
        );
    }
}

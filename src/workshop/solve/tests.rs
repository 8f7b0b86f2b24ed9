//! Whole games solved, and compared with forward search.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::embed::embedded;
use super::file::SolvedFile;
use super::game::SmallGame;
use super::header::{SOLVED_FILE, SolvedFileError};
use super::placements::{best_game, placements};
use super::probe::Prober;
use super::random::random_state;
use super::replacement::unfinished_path;
use super::run::{
    CHECKPOINT, SolveError, SolveOptions, SolveProgress, SolveReport, checkpoint_path, solve_into,
};
use super::size::states;
use super::state::SmallState;
use super::storage::check_disk;
use super::value::ExactValue;
use super::verify::{check_file, check_random, check_whole};
use crate::jobs::{Jobs, NEVER};
use crate::prover::Prover;
use crate::rules::Card;
use crate::search::{bench_signature, card_signature};
use crate::seeds::seeded;

fn jobs(stop: &AtomicBool) -> Jobs<'_> {
    Jobs { threads: 2, stop }
}

/// Everything is kept and every state is checked by its turns.
const ALL: SolveOptions = SolveOptions {
    memory: 1 << 30,
    keep: u64::MAX,
    check: 1,
    checkpoint: CHECKPOINT,
    force: false,
};

fn game(shape: &str, workers: usize, cards: Option<[Card; 2]>) -> SmallGame {
    SmallGame::new(shape.parse().unwrap(), workers, cards)
}

fn solve(path: &Path, game: &SmallGame, options: &SolveOptions) -> SolveReport {
    solve_into(path, game, options, jobs(&NEVER), |_| {}).unwrap()
}

fn open(path: &Path) -> Prober<'static> {
    Prober::new(SolvedFile::open(path).unwrap(), jobs(&NEVER)).unwrap()
}

/// Solves some layers of a game, then stops.
fn solve_some(path: &Path, game: &SmallGame, options: &SolveOptions, some: usize) -> SolveReport {
    let stop = AtomicBool::new(false);
    let mut layers = 0;
    let count = |_: &_| {
        layers += 1;
        stop.store(layers == some, Ordering::Relaxed);
    };
    solve_into(path, game, options, jobs(&stop), count).unwrap()
}

/// Solves a game, compares random states and the whole game with forward searches, and
/// returns the value of the best placement.
fn solved(game: &SmallGame, random: u64) -> ExactValue {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solved");
    let report = solve(&path, game, &ALL);
    assert!(report.checked > 0 && report.next.is_none());
    let mut prober = open(&path);
    let wanted = [random, 1, 1_000_000];
    let check = check_random(&mut prober, wanted, jobs(&NEVER), |_| {}).unwrap();
    assert_eq!((check.same, check.too_hard), (random, 0));
    if states(game) < 1_000_000 {
        let whole = check_whole(prober.file(), 1 << 30, jobs(&NEVER), |_| {}).unwrap();
        assert!(whole > 100);
    }
    placements(&mut prober).unwrap()[0].value
}

#[test]
fn solved_games_agree_with_forward_search() {
    for (shape, workers, plies) in [
        ("2x2", 1, 12),
        ("2x3", 1, 20),
        ("3x2", 1, 20),
        ("2x3", 2, 14),
        ("2x4", 1, 28),
    ] {
        let value = solved(&game(shape, workers, None), 100);
        assert_eq!(value, ExactValue::in_plies(plies), "{shape} {workers}");
    }
}

#[test]
fn solved_games_with_cards_agree_with_forward_search() {
    for cards in Card::pairs() {
        solved(&game("2x3", 1, Some(cards)), 10);
    }
    for first in [Card::Minotaur, Card::Demeter, Card::Prometheus] {
        solved(&game("2x3", 2, Some([first, Card::Apollo])), 50);
    }
    let cards = [Card::Prometheus, Card::Minotaur];
    solved(&game("2x3", 2, Some(cards)), 50);
}

#[test]
fn the_value_of_the_empty_board_is_proved_by_search() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solved");
    let game = game("3x3", 2, None);
    solve(&path, &game, &SolveOptions { check: 0, ..ALL });
    let mut prober = open(&path);
    for text in ["000/000/000 a1b1 c1a2", "000/000/000 b2c3 a1a2"] {
        let state = SmallState::parse(text, &game).unwrap();
        let value = prober.value(&state).unwrap();
        assert!(!value.wins() && value.plies() == 26, "{text}: {value}");
        let line = best_game(&mut prober, &state).unwrap();
        assert_eq!(line.len(), 26);
        // The positions of the line are lost and won in turn.
        let (last, _) = line[14];
        let proved = Prover::<5>::new(16).distance(&embedded(&game, &last), 12, 1 << 20);
        assert_eq!(proved, Some(12));
    }
}

#[test]
fn layers_missing_in_the_file_are_solved_again() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let cards = Some([Card::Atlas, Card::Prometheus]);
    for (game, keep) in [
        (game("2x4", 1, None), 60_000),
        (game("2x3", 1, cards), 20_000),
    ] {
        let few = SolveOptions { keep, ..ALL };
        solve(&at("few"), &game, &few);
        solve(&at("all"), &game, &ALL);
        let (mut few, mut all) = (open(&at("few")), open(&at("all")));
        assert!(
            (3..20).contains(&few.file().kept()),
            "{}",
            few.file().kept()
        );
        let mut rng = seeded(3);
        for _ in 0..60 {
            let state = random_state(&game, &mut rng);
            let value = all.value(&state).unwrap();
            assert_eq!(few.value(&state).unwrap(), value, "{}", state.text(&game));
            let values = |prober: &mut Prober| -> Vec<ExactValue> {
                let turns = prober.turns(&state).unwrap();
                turns.iter().map(|turn| turn.value).collect()
            };
            let turns = values(&mut all);
            assert_eq!(values(&mut few), turns);
            assert_eq!(value, turns.first().copied().unwrap_or(ExactValue(0)));
        }
        assert!(check_file(few.file(), jobs(&NEVER), 1, |_, _| {}).unwrap() > 0);
        fs::remove_file(at("few")).unwrap();
        fs::remove_file(at("all")).unwrap();
    }
}

#[test]
fn a_resumed_run_writes_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let cards = Some([Card::Atlas, Card::Demeter]);
    let keep = SolveOptions {
        keep: 30_000,
        ..ALL
    };
    // In memory and, with too little of it, in files.
    let on_disk = SolveOptions {
        memory: 1 << 20,
        ..keep
    };
    for (game, options) in [
        (game("2x4", 1, None), keep),
        (game("2x4", 1, None), on_disk),
        (game("2x3", 1, cards), keep),
    ] {
        solve(&at("whole"), &game, &options);
        let mut stops = 0;
        for _ in 0..100 {
            let path = at("parts");
            let report = solve_some(&path, &game, &options, 3);
            if report.next.is_none() {
                break;
            }
            stops += 1;
            assert!(SolvedFile::open(&path).unwrap().check_finished().is_err());
        }
        assert!((5..60).contains(&stops), "{stops}");
        assert_eq!(
            fs::read(at("parts")).unwrap(),
            fs::read(at("whole")).unwrap()
        );
        assert!(!checkpoint_path(&at("parts")).exists());
        fs::remove_file(at("parts")).unwrap();
        fs::remove_file(at("whole")).unwrap();
    }
}

#[test]
fn force_keeps_the_old_file_until_the_new_one_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (path, beside) = (at("solved"), unfinished_path(&at("solved")));
    let keep = SolveOptions {
        keep: 30_000,
        ..ALL
    };
    let cards = game("2x3", 1, Some([Card::Atlas, Card::Demeter]));
    solve(&at("whole"), &cards, &keep);
    let whole = fs::read(at("whole")).unwrap();
    fs::write(&path, b"my own notes").unwrap();
    // An unfinished file of another game is not resumed.
    fs::copy(at("whole"), &beside).unwrap();
    let force = SolveOptions {
        force: true,
        ..keep
    };
    let other = game("2x2", 1, None);
    assert!(solve_some(&path, &other, &force, 3).next.is_some());
    let mut stops = 0;
    while let Some(next) = solve_some(&path, &cards, &force, 3).next {
        stops += 1;
        // Each run resumes the previous one.
        assert_eq!(next + 3 * stops, cards.highest_total());
        assert_eq!(fs::read(&path).unwrap(), b"my own notes");
    }
    assert!(stops > 5, "{stops}");
    assert_eq!(fs::read(&path).unwrap(), whole);
    let names: BTreeSet<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");
    // A file that the program did not write is not overwritten.
    fs::write(&beside, b"other notes").unwrap();
    let error = solve_into(&path, &cards, &force, jobs(&NEVER), |_| {}).unwrap_err();
    assert!(
        matches!(error, SolveError::File(SolvedFileError::Foreign { .. })),
        "{error}"
    );
    assert_eq!(fs::read(&beside).unwrap(), b"other notes");
    assert_eq!(fs::read(&path).unwrap(), whole);
}

#[cfg(unix)]
#[test]
fn force_solves_beside_the_file_that_a_link_leads_to() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("target")).unwrap();
    std::os::unix::fs::symlink("target/solved", at("link")).unwrap();
    let force = SolveOptions { force: true, ..ALL };
    let game = game("2x2", 1, None);
    assert!(solve_some(&at("link"), &game, &force, 3).next.is_some());
    assert!(unfinished_path(&at("link")).exists());
    assert!(unfinished_path(&at("target/solved")).exists());
    assert!(solve(&at("link"), &game, &force).next.is_none());
    assert!(at("target/solved").exists());
    assert!(at("link").is_symlink());
}

/// As when an older copy of the file is put back, or the file did not survive a power
/// failure and the checkpoint did.
#[test]
fn a_checkpoint_newer_than_the_file_does_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let options = SolveOptions {
        keep: 30_000,
        checkpoint: Duration::ZERO,
        ..ALL
    };
    let game = game("2x3", 1, Some([Card::Atlas, Card::Demeter]));
    let (whole, older) = (at("whole"), at("older"));
    let kept = {
        solve(&whole, &game, &options);
        SolvedFile::open(&whole).unwrap().kept()
    };
    for (file, saved) in [(kept + 1, kept - 1), (kept, kept - 1), (kept + 1, kept)] {
        let path = at("solved");
        let copy = |progress: &SolveProgress| {
            if progress.total == file {
                fs::copy(&path, &older).unwrap();
            }
            if progress.total == saved {
                fs::copy(checkpoint_path(&path), checkpoint_path(&older)).unwrap();
            }
        };
        solve_into(&path, &game, &options, jobs(&NEVER), copy).unwrap();
        solve(&older, &game, &options);
        assert_eq!(fs::read(&older).unwrap(), fs::read(&whole).unwrap());
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_damaged_checkpoint_is_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solved");
    let options = SolveOptions {
        keep: 30_000,
        ..ALL
    };
    let game = game("2x4", 1, None);
    assert!(solve_some(&path, &game, &options, 6).next.is_some());
    let saved = checkpoint_path(&path);
    let mut bytes = fs::read(&saved).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&saved, bytes).unwrap();
    assert!(solve(&path, &game, &options).next.is_none());
    SolvedFile::open(&path).unwrap().check_finished().unwrap();
}

#[test]
fn another_file_is_not_overwritten_by_a_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solved");
    let saved = checkpoint_path(&path);
    fs::write(&saved, "my notes\n").unwrap();
    let options = SolveOptions { keep: 0, ..ALL };
    let game = game("2x3", 1, None);
    let refused = solve_into(&path, &game, &options, jobs(&NEVER), |_| {});
    let Err(SolveError::File(SolvedFileError::Foreign { path: named, .. })) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(named, saved);
    assert_eq!(fs::read_to_string(&saved).unwrap(), "my notes\n");
    assert!(!path.exists());
}

#[test]
fn an_incomplete_last_part_is_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solved");
    let game = game("2x3", 1, None);
    assert!(solve_some(&path, &game, &ALL, 12).next.is_some());
    let begun = fs::read(&path).unwrap();
    assert!(solve_some(&path, &game, &ALL, 1).next.is_some());
    let one_more = fs::read(&path).unwrap();
    solve(&path, &game, &ALL);
    let whole = fs::read(&path).unwrap();
    let with_zeros = |written: usize, length: usize| {
        let mut bytes = one_more[..written].to_vec();
        bytes.resize(length, 0);
        bytes
    };
    let (begin, end) = (begun.len(), one_more.len());
    for bytes in [
        // Nothing of the next layer, a part of its header, that, and a part of its rows.
        with_zeros(begin, begin + 20),
        with_zeros(begin, begin + 3_000_000),
        with_zeros(begin + 7, end),
        with_zeros(begin + 20, end),
        with_zeros(begin + 100, end + 1000),
        with_zeros(end - 1, end),
    ] {
        fs::write(&path, &bytes).unwrap();
        solve(&path, &game, &ALL);
        assert!(fs::read(&path).unwrap() == whole);
    }
    // Bytes behind the last layer are ignored and stay.
    for more in [vec![0; 20], vec![0; 4000], b"more than 20 letters".to_vec()] {
        let longer = [&whole[..], &more].concat();
        fs::write(&path, &longer).unwrap();
        placements(&mut open(&path)).unwrap();
        solve(&path, &game, &ALL);
        assert!(fs::read(&path).unwrap() == longer);
    }
    // Other bytes in place of the next layer are damage.
    let damaged = [&begun[..], &[0; 20], &one_more[begin + 20..]].concat();
    for bytes in [[&begun[..], &[1; 40]].concat(), damaged] {
        fs::write(&path, &bytes).unwrap();
        let error = solve_into(&path, &game, &ALL, jobs(&NEVER), |_| {}).unwrap_err();
        assert!(
            matches!(error, SolveError::File(SolvedFileError::Damaged { .. })),
            "{error}"
        );
        assert!(fs::read(&path).unwrap() == bytes);
    }
}

#[test]
fn a_finished_file_needs_no_room() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solved");
    let game = game("2x3", 1, None);
    let little = SolveOptions { memory: 1, ..ALL };
    let error = solve_into(&path, &game, &little, jobs(&NEVER), |_| {}).unwrap_err();
    assert!(matches!(error, SolveError::LittleMemory { .. }), "{error}");
    assert!(
        error.to_string().ends_with("more than the 1 bytes allowed"),
        "{error}"
    );
    assert_eq!(error.remedy(), Some(("use a larger", "memory")));
    assert!(!path.exists());
    let done = solve(&path, &game, &ALL);
    assert!(done.memory > 0);
    let again = solve(&path, &game, &little);
    assert_eq!((again.memory, again.next), (0, None));
}

#[test]
fn a_killed_run_loses_only_its_last_layer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solved");
    let game = game("2x3", 1, None);
    solve(&path, &game, &ALL);
    let whole = fs::read(&path).unwrap();
    for length in (0..whole.len()).step_by(whole.len() / 23) {
        fs::write(&path, &whole[..length]).unwrap();
        // A truncated header is not recognised.
        if (1..150).contains(&length) {
            continue;
        }
        solve(&path, &game, &ALL);
        assert!(fs::read(&path).unwrap() == whole, "cut at {length}");
    }
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solved");
    let small = game("2x2", 1, None);
    solve(&path, &small, &ALL);
    let whole = fs::read(&path).unwrap();
    let read_all = || -> Result<u64, SolveError> {
        let file = SolvedFile::open(&path)?;
        file.check_finished()?;
        check_file(&file, jobs(&NEVER), 1, |_, _| {})
    };
    assert!(read_all().unwrap() > 0);
    for at in (0..whole.len()).step_by(7) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        fs::write(&path, &bytes).unwrap();
        let error = read_all().unwrap_err();
        assert!(matches!(error, SolveError::File(_)), "byte {at}: {error}");
    }
    fs::write(&path, b"my own notes").unwrap();
    let run = |game: &SmallGame| solve_into(&path, game, &ALL, jobs(&NEVER), |_| {});
    let foreign = SolveError::File(SolvedFileError::Foreign {
        path: path.clone(),
        kind: SOLVED_FILE.name,
    });
    assert_eq!(run(&small).unwrap_err().to_string(), foreign.to_string());
    assert_eq!(fs::read(&path).unwrap(), b"my own notes");
    fs::write(&path, &whole).unwrap();
    let error = run(&game("2x3", 1, None)).unwrap_err().to_string();
    assert!(error.contains("it holds 2x2 with 1 worker each"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), whole);
}

#[test]
fn too_large_games_name_what_they_need() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solved");
    let error = solve_into(&path, &game("4x4", 2, None), &ALL, jobs(&NEVER), |_| {}).unwrap_err();
    assert!(matches!(error, SolveError::TooLarge { .. }), "{error}");
    assert!(
        error.to_string().contains("4x4 with 2 workers each needs "),
        "{error}"
    );
    assert!(!path.exists());
}

#[test]
fn layers_that_are_files_need_space_beside_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let free = fs4::available_space(folder.path()).unwrap();
    let [half, most] = [free / 2, free / 4 * 3];
    assert!(check_disk(most, 0, folder.path(), &ALL).is_ok());
    let error = check_disk(most, half, folder.path(), &ALL).unwrap_err();
    let told = error.to_string();
    assert!(
        told.starts_with("the file and the layers in use at a time need "),
        "{told}"
    );
}

#[test]
fn the_tables_of_the_guide_are_of_the_current_engine() {
    let guide = include_str!("SOLVED.txt");
    let [base, cards] = [bench_signature(), card_signature()];
    for named in [
        format!("has signature {base},"),
        format!("(signatures {base} and, with cards, {cards})"),
    ] {
        assert!(
            guide.contains(&named),
            "measure the tables of SOLVED.txt again: {named}"
        );
    }
}

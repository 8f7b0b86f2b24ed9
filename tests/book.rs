//! Tests of `santorini book`.

use std::process::Stdio;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use santorini::openings::{Openings, boards_of_lines};

use crate::program::{run, santorini};

#[test]
fn a_small_book_is_made_and_says_how() {
    let options = "book --openings 6 --nodes 1000 --turn-nodes 1000 --games 60 --game-nodes 100 \
                   --margin 0.3 --turns 2 --seed 6";
    let book = |threads: &str| {
        let arguments: Vec<&str> = options.split_whitespace().collect();
        let output = run(&[&arguments[..], &["--threads", threads]].concat(), "");
        assert!(output.status.success(), "{output:?}");
        assert!(output.stderr.is_empty(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let text = book("2");
    assert_eq!(text, book("1"));
    let Ok(Openings::Boards(boards)) = Openings::from_lines(&text, 1) else {
        panic!("not a book: {text}");
    };
    assert_eq!(boards.len(), 6);
    let command = text.lines().nth(1).unwrap();
    let words = command.split_whitespace().skip(2).collect::<Vec<_>>();
    let again = run(&[&words[..], &["--threads", "2"]].concat(), "");
    assert_eq!(String::from_utf8(again.stdout).unwrap(), text);
}

#[test]
fn a_book_with_cards_says_the_cards() {
    let options = "book --cards --openings 1 --candidates 1 --nodes 1000 --turn-nodes 100 \
                   --games 112 --game-nodes 100 --margin 0.45 --turns 1";
    let output = run(&options.split_whitespace().collect::<Vec<_>>(), "");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("#   santorini book --cards --openings 1 --candidates 1 --nodes 1000"));
    let boards = Openings::from_lines(&text, 1).unwrap().boards();
    assert_eq!(boards.len(), 56);
    assert!(boards.iter().all(|board| !board.cards().contains(&None)));
}

#[test]
fn ctrl_c_writes_the_openings_found_until_then() {
    let interrupted = |words: &str, seconds| {
        let words: Vec<&str> = words.split_whitespace().collect();
        let mut command = santorini(&words);
        let child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let child = child.unwrap();
        std::thread::sleep(Duration::from_secs(seconds));
        kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        let [text, errors] =
            [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
        (text, errors)
    };
    let (text, errors) = interrupted("book --games 1000000", 1);
    assert_eq!(text, "");
    assert!(errors.contains("nothing is written"), "{errors}");

    let words = "book --openings 1000000 --nodes 1000 --turn-nodes 1000 --games 60 --game-nodes 100 \
                 --margin 0.3 --turns 2 --seed 6 --eval tuned";
    // How long the first opening takes depends on the machine.
    let mut runs = [2, 4, 8, 16, 32]
        .into_iter()
        .map(|seconds| interrupted(words, seconds));
    let (text, errors) = runs.find(|(text, _)| !text.is_empty()).unwrap();
    let found = Openings::from_lines(&text, 1).unwrap().boards().len();
    assert!(text.contains("# Interrupted"), "{text}");
    assert!(errors.contains(&format!("{found} of 1000000")), "{errors}");

    // An interrupted run does not replace a book.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.txt");
    std::fs::write(&path, "# Openings from which\n").unwrap();
    let (_, errors) = interrupted(&format!("{words} --out {}", path.display()), 1);
    assert!(errors.contains("nothing is written"), "{errors}");
    let left = std::fs::read_to_string(&path).unwrap();
    assert_eq!(left, "# Openings from which\n");
}

#[test]
fn boards_of_other_books_are_judged_first() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let book = |words: &str| {
        let options = "book --openings 4 --nodes 1000 --turn-nodes 1000 --games 60 --game-nodes 100 \
                       --margin 0.3 --turns 2 --trials 4";
        let words = format!("{options} {words}");
        let output = run(&words.split_whitespace().collect::<Vec<_>>(), "");
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (a, b) = (path("a.txt"), path("b.txt"));
    assert_eq!(book(&format!("--seed 6 --out {a}")).0, Some(0));
    assert_eq!(
        book(&format!("--seed 7 --candidates 3 --from {a} --out {b}")).0,
        Some(0)
    );
    let boards = |path: &str| {
        let text = std::fs::read_to_string(path).unwrap();
        boards_of_lines(&text).unwrap()
    };
    let (first, second) = (boards(&a), boards(&b));
    assert_eq!(second.len(), 4);
    // Openings of the other book that are even come first.
    let common = second.iter().filter(|board| first.contains(board)).count();
    assert!(common > 0 && second[..common].iter().all(|board| first.contains(board)));
    let text = std::fs::read_to_string(&b).unwrap();
    assert!(
        text.contains(&format!("--eval network --from {a}\n")),
        "{text}"
    );

    let cards = path("cards.txt");
    std::fs::write(
        &cards,
        "00000/02020/02200/00000/00000 c2c4 a3c3 8 Apollo Artemis\n",
    )
    .unwrap();
    let refusals = [
        (
            format!("--from {cards}"),
            "it has a board with cards; add --cards",
        ),
        (
            format!("--cards --from {a}"),
            "it has a board without cards; leave out --cards",
        ),
        (format!("--from {a} --out {a}"), "a.txt"),
        (format!("--from {}", path("none.txt")), "none.txt"),
    ];
    for (words, expected) in refusals {
        let (code, errors) = book(&words);
        assert!(
            code != Some(0) && errors.contains(expected),
            "{words}: {errors}"
        );
    }
    assert_eq!(boards(&a), first);
}

#[test]
fn wrong_requests_are_refused() {
    for wrong in [
        &["book", "--margin", "0.6"],
        &["book", "--openings", "0"],
        &["book", "--eval", "nothing"],
    ] {
        let output = run(wrong, "");
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {output:?}");
    }
}

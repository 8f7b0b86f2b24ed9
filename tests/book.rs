//! Tests of `santorini book`.

use santorini::openings::{Openings, boards_of_lines};

use crate::program::{
    Program, Signal, errors, run, run_words, santorini_in, signal, stdout, success,
};

#[test]
fn a_small_book_is_made_and_says_how() {
    let options = "book --openings 6 --nodes 1000 --turn-nodes 1000 --games 60 --game-nodes 100 \
                   --margin 0.3 --turns 2 --seed 6";
    let book = |threads: &str| {
        let words = format!("{options} --threads {threads}");
        let output = run_words(&words);
        assert!(output.stderr.is_empty(), "{output:?}");
        success(&output)
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
    assert_eq!(stdout(&again), text);
}

#[test]
fn a_book_with_cards_says_the_cards() {
    let options = "book --cards --openings 1 --candidates 1 --nodes 1000 --turn-nodes 100 \
                   --games 112 --game-nodes 100 --margin 0.45 --turns 1";
    let text = success(&run_words(options));
    assert!(text.contains("#   santorini book --cards --openings 1 --candidates 1 --nodes 1000"));
    let boards = Openings::from_lines(&text, 1).unwrap().boards();
    assert_eq!(boards.len(), 56);
    assert!(boards.iter().all(|board| !board.cards().contains(&None)));
}

#[test]
fn ctrl_c_writes_the_openings_found_until_then() {
    let folder = tempfile::tempdir().unwrap();
    // Interrupts a command at this line of its progress. Returns its output and its last words.
    let interrupted_at = |progress: &str, words: &str| {
        let mut command = santorini_in(folder.path(), words);
        command.env("SANTORINI_PROGRESS", "0");
        let program = Program::start(command);
        program.notice(progress);
        signal(program.id(), Signal::SIGINT);
        let ended = program.end();
        assert_eq!(ended.code, Some(130), "{ended:?}");
        (
            ended.output.join("\n"),
            ended.errors.last().unwrap().clone(),
        )
    };
    let (text, told) = interrupted_at("0 of 1000000 games", "book --games 1000000");
    assert_eq!(text, "");
    assert!(told.contains("nothing is written"), "{told}");

    let words = "book --openings 1000000 --nodes 1000 --turn-nodes 100 --games 20 --game-nodes 50 \
                 --margin 0.4 --turns 2 --seed 6 --eval tuned";
    let (text, told) = interrupted_at("1 of 1000000 openings", words);
    let found = Openings::from_lines(&text, 1).unwrap().boards().len();
    assert!(text.contains("# Interrupted"), "{text}");
    assert!(told.contains(&format!("{found} of 1000000")), "{told}");

    // An interrupted run does not replace a book.
    let path = folder.path().join("book.txt");
    std::fs::write(&path, "# Openings from which\n").unwrap();
    let words = format!("{words} --out book.txt");
    let (_, told) = interrupted_at("1 of 1000000 openings", &words);
    assert!(told.contains("nothing is written"), "{told}");
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
        let output = run_words(&words);
        (output.status.code(), errors(&output))
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
        let (code, told) = book(&words);
        assert!(
            code != Some(0) && told.contains(expected),
            "{words}: {told}"
        );
    }
    assert_eq!(boards(&a), first);
}

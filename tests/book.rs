//! `santorini book` on the command line.

use santorini::openings::Openings;

use crate::program::run;

#[test]
fn a_small_book_is_made_and_says_how() {
    let options = "book --openings 6 --nodes 1000 --turn-nodes 1000 --games 60 --game-nodes 100 \
                   --margin 0.3 --turns 2 --seed 6 --eval tuned";
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
    let options = "book --cards --openings 1 --nodes 1000 --turn-nodes 1000 --games 448 \
                   --game-nodes 600 --margin 0.45 --turns 1";
    let output = run(&options.split_whitespace().collect::<Vec<_>>(), "");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("#   santorini book --cards --openings 1 --candidates 400 --nodes 1000"));
    let boards = Openings::from_lines(&text, 1).unwrap().boards();
    assert_eq!(boards.len(), 56);
    assert!(boards.iter().all(|board| !board.cards().contains(&None)));
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

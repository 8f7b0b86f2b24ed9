//! Boards as text, compared character by character.

use santorini::draw::{Scene, Style};
use santorini::rules::{Position, Turn};

/// The scene after a legal turn.
pub fn after<const N: usize>(before: &str, turn: &str) -> Scene<N> {
    let before: Position<N> = before.parse().expect(before);
    let turn = Turn::parse::<N>(turn).expect(turn);
    assert!(before.turns().contains(&turn), "{before}: {turn:?}");
    Scene::new(&before.play(turn)).after(&before, turn)
}

fn ascii<const N: usize>(scene: &Scene<N>) -> String {
    scene.text(Style::Ascii).to_string()
}

#[test]
fn the_board_of_the_assignment_in_ascii() {
    let scene = after::<5>("00002/11200/10030/00300/00014 c2d4 e2e3 18", "c2-c3+c4");
    let expected = "\
turn 19: O to move; X played c2-c3+c4
X first player, O second player
      a      b      c      d      e
   +------+------+------+------+------+
 1 |      |      |      |      | 2    |
   +------+------+------+------+------+
 2 | 1    | 1    | 2  - |      |   O  |
   +------+------+------+------+------+
 3 | 1    |      |   X* | 3    |   O  |
   +------+------+------+------+------+
 4 |      |      |(4)+  |   X  |      |
   +------+------+------+------+------+
 5 |      |      |      | 1    |(4)   |
   +------+------+------+------+------+
      1      2      3      4      5
";
    assert_eq!(ascii(&scene), expected);
}

#[test]
fn the_same_board_in_unicode_without_colour() {
    let scene = after::<5>("00002/11200/10030/00300/00014 c2d4 e2e3 18", "c2-c3+c4");
    let expected = "\
turn 19: ▲ to move; ● played c2-c3+c4
● Ann, ▲ Bob
      a      b      c      d      e
   ┌──────┬──────┬──────┬──────┬──────┐
 1 │      │      │      │      │▒2▒▒▒▒│
   ├──────┼──────┼──────┼──────┼──────┤
 2 │░1░░░░│░1░░░░│▒2▒▒-▒│      │   ▲  │
   ├──────┼──────┼──────┼──────┼──────┤
 3 │░1░░░░│      │   ●* │▓3▓▓▓▓│   ▲  │
   ├──────┼──────┼──────┼──────┼──────┤
 4 │      │      │(4)+  │   ●  │      │
   ├──────┼──────┼──────┼──────┼──────┤
 5 │      │      │      │░1░░░░│(4)   │
   └──────┴──────┴──────┴──────┴──────┘
      1      2      3      4      5
";
    let text = scene.named(["Ann", "Bob"]).text(Style::Unicode).to_string();
    assert_eq!(text, expected);
}

#[test]
fn a_pushed_worker_on_a_6x6_board() {
    let start = "000000/000000/000000/000000/000000/000012 c3d6 d3a6 1 Minotaur Pan";
    let scene = after::<6>(start, "c3xd3+d4");
    let expected = "\
turn 2: X to move; O played c3xd3+d4
X first player (Pan), O second player (Minotaur)
      a      b      c      d      e      f
   +------+------+------+------+------+------+
 1 |      |      |      |      |      |      |
   +------+------+------+------+------+------+
 2 |      |      |      |      |      |      |
   +------+------+------+------+------+------+
 3 |      |      |    - |   O* |   Xx |      |
   +------+------+------+------+------+------+
 4 |      |      |      | 1+   |      |      |
   +------+------+------+------+------+------+
 5 |      |      |      |      |      |      |
   +------+------+------+------+------+------+
 6 |   X  |      |      |   O  | 1    | 2    |
   +------+------+------+------+------+------+
      1      2      3      4      5      6
";
    assert_eq!(ascii(&scene), expected);
}

/// The first line of a drawing: the state of the game and the last turn.
fn headline<const N: usize>(scene: &Scene<N>) -> String {
    ascii(scene).lines().next().unwrap_or_default().to_string()
}

#[test]
fn the_headline_shows_the_state_of_the_game() {
    let start: Position<5> = "00000/00000/00000/00000/00000 c2c4 b3d3 0".parse().unwrap();
    assert_eq!(headline(&Scene::new(&start)), "turn 0: X to move");
    let board: Position<5> = "10000/00000/00000/00000/00000 c2c4 b3d3 1".parse().unwrap();
    assert_eq!(headline(&Scene::new(&board)), "turn 1: O to move");

    let win = after::<5>("00000/00000/02300/00000/00000 b3e5 e1e2 7", "b3-c3#");
    assert_eq!(headline(&win), "turn 8: O wins; O played b3-c3#");
    assert_eq!(headline(&Scene::new(win.position())), "turn 8: O wins");

    let fall = after::<5>(
        "20000/00000/00000/00000/00000 a1e5 e1e2 8 Pan Atlas",
        "a1-b1#",
    );
    assert_eq!(headline(&fall), "turn 9: X wins; X played a1-b1#");

    let walled: Position<5> = "04000/44000/00000/00044/00040 a1e5 c2c3 6".parse().unwrap();
    assert_eq!(
        headline(&Scene::new(&walled)),
        "turn 6: X has no turn left: O wins"
    );
}

#[test]
fn both_steps_and_both_builds_of_a_turn_are_marked() {
    let two_steps = after::<5>(
        "00000/00000/00000/00000/00000 a1e5 e1e2 0 Artemis Pan",
        "a1-b1-c1+d1",
    );
    let row = ascii(&two_steps).lines().nth(4).map(str::to_string);
    assert_eq!(
        row.as_deref(),
        Some(" 1 |    - |    - |   X* | 1+   |   O  |")
    );
    let two_builds = after::<5>(
        "30000/00000/00000/00000/00000 c1e5 e1e2 0 Demeter Pan",
        "c1-b1+a1+c1",
    );
    let row = ascii(&two_builds).lines().nth(4).map(str::to_string);
    assert_eq!(
        row.as_deref(),
        Some(" 1 |(4)+  |   X* | 1+ - |      |   O  |")
    );
}

#[test]
fn coloured_spaces_have_the_same_width() {
    let scene = after::<5>(
        "32102/11234/10030/00300/00014 c2d4 e4e3 18 Apollo Pan",
        "d4xe4+d5",
    );
    for (style, width, lines) in [(Style::Colour, 38, 19), (Style::LargeColour, 58, 29)] {
        let text = scene.text(style).to_string();
        assert_eq!(text.lines().count(), lines);
        let board: Vec<String> = text.lines().skip(3).map(without_escapes).collect();
        for line in &board[..board.len() - 1] {
            assert_eq!(line.chars().count(), width, "{line:?}");
        }
        assert_eq!(text.matches('●').count(), 4, "two captions and two workers");
    }
}

fn without_escapes(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| {
        text + part.split_once('m').map_or("", |(_, rest)| rest)
    })
}

//! The referee with misbehaving players: the game ends in time with the right ending, the
//! message names the player, and no process is left.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Duration;

use santorini::jobs::NEVER;
use santorini::program::{Player, Termination, TimeLimit};
use santorini::referee::{GameOptions, play};
use santorini::rules::Card;

use crate::program::{HANG, Program, SANTORINI, santorini, wait_until, write_program};

struct Game {
    boards: Vec<String>,
    commentary: String,
    code: Option<i32>,
}

impl Game {
    fn last_line(&self) -> &str {
        self.commentary.lines().last().unwrap_or("")
    }
}

fn fake(kind: &str) -> String {
    format!("{SANTORINI} fake-player {kind}")
}

/// Runs a game of the players `Ada=FIRST` and `Bob=SECOND`.
fn referee(options: &[&str], first: &str, second: &str) -> Game {
    finish(Program::start(command(options, first, second)))
}

fn command(options: &[&str], first: &str, second: &str) -> Command {
    let mut command = santorini(&["referee"]);
    command
        .args(options)
        .args([format!("Ada={first}"), format!("Bob={second}")])
        .env_remove("SANTORINI_TIME");
    command
}

/// Waits for the referee, and checks that none of its players is left.
fn finish(mut program: Program) -> Game {
    let id = program.id();
    let code = program.wait();
    let left = players_of(id);
    assert_eq!(left, Vec::<u32>::new(), "players are left behind");
    let ended = program.end();
    Game {
        boards: ended.output,
        commentary: ended.errors.join("\n"),
        code,
    }
}

/// The running processes that a referee marked as players.
fn players_of(referee: u32) -> Vec<u32> {
    let mark = format!("SANTORINI_PLAYER={referee}-");
    let marked = |id: &u32| {
        fs::read(format!("/proc/{id}/environ")).is_ok_and(|environment| {
            environment
                .split(|&byte| byte == 0)
                .any(|entry| entry.starts_with(mark.as_bytes()))
        })
    };
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(marked).collect()
}

/// Checks that Ada loses at once with this message.
fn loses(options: &[&str], command: &str, words: &str) {
    let game = referee(options, command, &fake("random"));
    assert!(
        game.commentary.contains("Ada") && game.commentary.contains(words),
        "{command}: {}",
        game.commentary
    );
    assert_eq!(game.code, Some(0), "{command}: Bob has won");
}

#[test]
fn a_whole_game_is_played_and_reported() {
    let game = referee(&[], &fake("random"), &fake("random --seed 2"));
    assert_eq!(game.code, Some(0));
    let told: Vec<&str> = game.commentary.lines().collect();
    assert!(
        told[0].starts_with("Ada places its workers on "),
        "{told:?}"
    );
    assert!(told[1].starts_with("Bob places its workers on "));
    assert!(told[2].starts_with("turn 0: Ada "));
    assert!(told[3].starts_with("turn 1: Bob "));
    assert!(told[2].ends_with(" s)"), "its seconds are told");
    assert_eq!(told.len(), 2 + (game.boards.len() - 1) + 1);
    let last = game.last_line();
    assert!(
        last.starts_with("Win by ") || last.starts_with("No move possible for "),
        "{last}"
    );
    for (turn, board) in game.boards.iter().enumerate() {
        let board: serde_json::Value = serde_json::from_str(board).unwrap();
        assert_eq!(board["turn"], turn);
    }
}

#[test]
fn a_game_with_cards_is_set_up_with_them() {
    let cards = ["--cards", "Hephastus", "Minotaur"];
    let game = referee(&cards, &fake("random"), &fake("random --seed 2"));
    assert_eq!(game.code, Some(0), "{}", game.commentary);
    let board: serde_json::Value = serde_json::from_str(&game.boards[0]).unwrap();
    assert_eq!(board["players"][0]["card"], "Hephastus");
    assert_eq!(board["players"][1]["card"], "Minotaur");
}

#[test]
fn every_pair_of_cards_is_played_to_a_valid_end() {
    let player = |name: &str, seed: u32| {
        let command = fake(&format!("random --seed {seed}"));
        Player::new(name, command.parse().unwrap(), TimeLimit::unannounced(HANG))
    };
    let (mut first, mut second) = (player("Ada", 1), player("Bob", 2));
    let mut options = GameOptions {
        reuse: true,
        ..GameOptions::default()
    };
    for pair in Card::pairs() {
        options.cards = pair.map(Some);
        let outcome = play([&mut first, &mut second], &options, &NEVER, &mut ());
        let message = outcome.message(["Ada", "Bob"]);
        assert!(!outcome.ending.kind().is_fault(), "{pair:?}: {message}");
        let mut board = outcome.start.unwrap();
        assert_eq!(board.cards(), options.cards);
        for &turn in &outcome.turns {
            board = board.play(turn);
        }
        let won_by_turn = outcome.turns.last().is_some_and(|turn| turn.wins());
        assert_eq!(won_by_turn, outcome.ending == Termination::Win);
        assert!(won_by_turn || !board.has_turn());
        let last_mover = (outcome.turns.len() + 1) % 2;
        assert_eq!(outcome.winner, Some(last_mover), "{pair:?}: {message}");
    }
}

#[test]
fn valid_answers_in_unusual_forms_are_accepted() {
    for kind in ["no-newline", "bytewise", "spacious", "chatty", "late"] {
        let game = referee(&[], &fake(kind), &fake("random"));
        let last = game.last_line();
        assert!(
            last.starts_with("Win by ") || last.starts_with("No move possible for "),
            "{kind}: {last}"
        );
    }
    // A byte order mark before the first answer.
    let marked = format!(
        "sh -c 'printf \"\\357\\273\\277\"; exec {}'",
        fake("random")
    );
    let game = referee(&[], &marked, &fake("random"));
    assert!(!game.commentary.contains("not JSON"), "{}", game.commentary);
}

#[test]
fn a_program_that_cannot_start_loses() {
    loses(
        &[],
        "/nowhere/player",
        "cannot start Ada: /nowhere/player does not exist",
    );
    loses(&[], "/etc", "cannot start Ada: /etc is a folder");
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    fs::write(&script, "exit 0\n").unwrap();
    let path = script.to_str().unwrap();
    loses(&[], path, "is not executable; run chmod +x");
    write_program(&script, "exit 0\n");
    loses(&[], path, "a script needs a first line such as #!");
    write_program(&script, "#!/nowhere/python\n");
    loses(&[], path, "the interpreter");
}

#[test]
fn there_is_no_winner_if_no_program_can_start() {
    let game = referee(&[], "/nowhere/a", "/nowhere/b");
    assert_eq!(game.code, Some(1));
    assert!(game.last_line().contains("cannot start Ada"));
}

#[test]
fn a_process_that_exits_has_crashed() {
    loses(
        &[],
        &fake("exit"),
        "Error: Ada exited without an answer: exit code 0",
    );
    loses(
        &[],
        &fake("crash"),
        "Error: Ada exited without an answer: exit code 3",
    );
    loses(&[], &fake("crash --after 4"), "exit code 3");
    loses(
        &[],
        &fake("crash"),
        "standard error   fake player: crashing on purpose",
    );
    loses(&[], &fake("abort"), "killed by signal 6 (SIGABRT)");
    loses(
        &[],
        &fake("orphan"),
        "Error: Ada exited without an answer: exit code 0",
    );
    loses(&[], "/bin/false", "exit code 1");
}

#[test]
fn a_process_that_closes_its_output_has_not_crashed() {
    loses(
        &[],
        &fake("close-output"),
        "Error: Ada closed its standard output",
    );
}

#[test]
fn silence_is_a_stall() {
    let kinds = ["never", "deaf", "flood-stderr", "daemon", "stubborn"];
    std::thread::scope(|scope| {
        for kind in kinds {
            scope.spawn(move || silence_of(kind));
        }
    });
}

fn silence_of(kind: &str) {
    let words = "Error: Ada sent no answer in ";
    loses(&["--time", "0.3"], &fake(kind), words);
}

#[test]
fn an_interrupted_game_leaves_no_process() {
    use nix::sys::signal::{Signal, kill};
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        let program = Program::start(command(
            &["--time", "600"],
            &fake("daemon --after 2"),
            &fake("stubborn --after 2"),
        ));
        let id = program.id();
        // Both players, and the orphaned child of the first.
        wait_until("three players", || players_of(id).len() >= 3);
        kill(nix::unistd::Pid::from_raw(id as i32), signal).unwrap();
        let game = finish(program);
        assert_eq!(game.last_line(), "Error: the game was interrupted");
        assert_eq!(game.code, Some(1));
    }
}

/// A process cannot react to SIGKILL, so another one must kill the players.
#[test]
fn a_killed_referee_leaves_no_process() {
    let stubborn = fake("stubborn --after 2");
    let wrapped = format!("sh -c '{}; true'", fake("daemon --after 2"));
    for command in [&["referee"][..], &["tournament", "--reuse", "--jobs", "2"]] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = santorini(command);
        command
            .args(["--time", "600", &stubborn, &wrapped])
            .current_dir(&folder);
        let program = Program::start(command);
        let id = program.id();
        // The stubborn player, the shell, and its player in another session.
        wait_until("three players", || players_of(id).len() >= 3);
        // This kills it.
        drop(program);
        wait_until("the players' end", || players_of(id).is_empty());
    }
}

/// After `job & exec santorini referee`, the job is a child of the referee.
#[test]
fn jobs_of_the_callers_shell_are_not_killed() {
    let player = fake("random");
    let script = format!(
        "sleep 600 </dev/null >/dev/null 2>&1 & echo $! >&2; exec {SANTORINI} referee \"$1\" \"$2\" >/dev/null"
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, "sh", &player, &player]);
    let game = finish(Program::start(shell));
    assert_eq!(game.code, Some(0), "{}", game.commentary);
    let job: i32 = game.commentary.lines().next().unwrap().parse().unwrap();
    let job = nix::unistd::Pid::from_raw(job);
    nix::sys::signal::kill(job, nix::sys::signal::Signal::SIGKILL).expect("the job lives");
}

/// Writes its SANTORINI_TIME to standard error, and then plays.
fn talkative() -> String {
    format!(
        "sh -c 'echo told $SANTORINI_TIME >&2; exec {}'",
        fake("random")
    )
}

#[test]
fn players_are_told_their_time_limit() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stderr");
    let log = ["--stderr", file.to_str().unwrap()];
    for (time, told) in [(&["--time", "7.5"][..], "told 7.5\n"), (&[], "told\n")] {
        let _ = fs::remove_file(&file);
        let options = [&log[..], time].concat();
        let game = referee(&options, &talkative(), &talkative());
        assert_eq!(game.code, Some(0), "{}", game.commentary);
        let mut said: Vec<String> = ["Ada", "Bob"].map(|name| format!("{name}: {told}")).into();
        let text = fs::read_to_string(&file).unwrap();
        said.retain(|line| !text.contains(line));
        assert!(said.is_empty() && text.lines().count() == 2, "{text}");
    }
}

/// Children in the group, in another session, without the environment, without a parent,
/// and without any of these.
#[test]
fn everything_that_a_player_started_is_killed() {
    // A sleep time that no other process uses.
    let nap = format!("98765.{}", std::process::id());
    let script = format!(
        "sleep {nap} & setsid sleep {nap} & env -i sleep {nap} & env -i setsid sleep {nap} & \
         (setsid sleep {nap} &) ; (env -i setsid sleep {nap} &) ; read x; echo hello; wait"
    );
    let sleepers = || {
        let entries = fs::read_dir("/proc").unwrap().flatten();
        let commands = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
        let ours = commands.filter(|command| {
            command.starts_with(b"sleep\0") && command[6..].starts_with(nap.as_bytes())
        });
        ours.count()
    };
    loses(&[], &format!("sh -c '{script}'"), "is not JSON");
    assert_eq!(sleepers(), 0);
    // Validates the check: such a process is found.
    let mut seen = Command::new("sleep").arg(&nap).spawn().unwrap();
    while sleepers() == 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
    seen.kill().unwrap();
    seen.wait().unwrap();
}

#[test]
fn standard_error_is_logged_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stderr");
    let options = ["--stderr", file.to_str().unwrap()];
    loses(&options, &fake("crash --after 1"), "exit code 3");
    loses(&options, &fake("crash --after 2"), "exit code 3");
    let line = "Ada: fake player: crashing on purpose\n";
    assert_eq!(fs::read_to_string(&file).unwrap(), line.repeat(2));
    loses(
        &[&options[..], &["--time", "0.5"]].concat(),
        &fake("flood-stderr"),
        "sent no answer",
    );
    let length = fs::metadata(&file).unwrap().len();
    assert!((1 << 20..16 << 20).contains(&length), "{length}");
}

#[test]
fn usage_errors_are_refused_before_a_game() {
    let over = "{\"players\":[[[2,3],[5,5]],[[1,1],[1,2]]],\"spaces\":[[0,0,0,0,0],\
[0,0,3,0,0],[0,0,3,0,0],[0,0,0,0,0],[0,0,0,0,0]],\"turn\":8}";
    for (options, words) in [
        (vec!["--time", "0"], "not a time"),
        (vec!["--cards", "Pan", "Zeus"], "no card is called \"Zeus\""),
        (vec!["--cards", "Pan", "Pan"], "must differ"),
        (
            vec!["--set-up", "a1b2", "a1c3"],
            "two workers stand on space a1 (1,1)",
        ),
        (vec!["--set-up", "a1", "a1c3"], "use two spaces like b2d4"),
        (vec!["--start", "{}"], "--start: the board has no"),
        (
            vec!["--start", "hello"],
            "--start: not JSON: expected value",
        ),
        (vec!["--start", over], "the game is over"),
        (
            vec![
                "--start",
                "000000/000000/000000/000000/000000/000000 a1f6 b2e5 0",
            ],
            "--start: it has 6x6 spaces; the referee's games have 5x5",
        ),
    ] {
        let game = referee(&options, &fake("random"), &fake("random"));
        assert_eq!(game.code, Some(2), "{options:?}");
        assert!(
            game.commentary.contains(words),
            "{options:?}: {}",
            game.commentary
        );
    }
    let game = referee(&[], "'unclosed", &fake("random"));
    assert_eq!(game.code, Some(2));
    let game = referee(
        &["--stderr", "/nowhere/file"],
        &fake("random"),
        &fake("random"),
    );
    assert_eq!(game.code, Some(1));
    assert!(
        game.commentary.contains("/nowhere/file: No such file"),
        "{}",
        game.commentary
    );
}

#[test]
fn the_set_up_can_be_given() {
    let options = [
        "--set-up", "a1e5", "b2d4", "--cards", "Pan", "Atlas", "--show",
    ];
    let game = referee(&options, &fake("random"), &fake("random --seed 2"));
    assert_eq!(game.code, Some(0));
    let start = "{\"players\":[{\"card\":\"Pan\",\"tokens\":[[1,1],[5,5]]},\
{\"card\":\"Atlas\",\"tokens\":[[2,2],[4,4]]}]";
    assert!(game.boards[0].starts_with(start), "{}", game.boards[0]);
    assert!(game.commentary.contains("+------+"), "boards are drawn");
}

#[test]
fn a_closed_output_ends_the_game() {
    // The output is closed from the start: the game may be over in milliseconds.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut child = command(&[], &fake("random"), &fake("random --seed 2"))
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut commentary = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut commentary)
        .unwrap();
    // It has reported what was played, and exits quietly.
    assert!(!commentary.contains("Win by "), "{commentary}");
    assert!(!commentary.contains("standard output"), "{commentary}");
    assert_eq!(child.wait().unwrap().code(), Some(141));
}

#[test]
fn a_late_or_unfinished_answer_is_a_time_out() {
    loses(
        &["--time", "0.3"],
        &fake("late --seconds 0.35"),
        "Error: Ada answered too late: after ",
    );
    loses(
        &["--time", "2"],
        &fake("partial"),
        "Error: Ada sent only part of its answer within 2 s",
    );
}

/// A game whose referee is stopped for this long while Ada is thinking.
fn stopped_referee(seconds: f64, first: &str, second: &str) -> Game {
    use nix::sys::signal::{Signal, kill};
    let program = Program::start(command(&["--time", "1"], first, second));
    let id = program.id();
    wait_until("a player", || !players_of(id).is_empty());
    let send = |signal| kill(nix::unistd::Pid::from_raw(id as i32), signal).unwrap();
    send(Signal::SIGSTOP);
    std::thread::sleep(Duration::from_secs_f64(seconds));
    send(Signal::SIGCONT);
    finish(program)
}

#[test]
fn time_does_not_count_while_the_referee_is_stopped() {
    let game = stopped_referee(2.5, &fake("late --seconds 0.3"), &fake("crash --after 1"));
    let words = "Error: Bob exited without an answer";
    assert!(game.commentary.contains(words), "{}", game.commentary);
}

#[test]
fn a_late_player_loses_though_the_referee_was_stopped() {
    let game = stopped_referee(0.5, &fake("never"), &fake("random"));
    let words = "Error: Ada sent no answer in ";
    assert!(game.commentary.contains(words), "{}", game.commentary);
}

#[test]
fn the_first_answer_may_have_more_time() {
    let slow = format!("sh -c 'sleep 3; exec {SANTORINI} fake-player random'");
    let late = referee(&["--time", "1"], &slow, &fake("random"));
    assert!(
        late.commentary.contains("starting counts, too"),
        "{}",
        late.commentary
    );
    let options = ["--time", "1", "--start-time", "60"];
    let game = referee(&options, &slow, &fake("random"));
    assert!(!game.commentary.contains("Error"), "{}", game.commentary);
}

#[test]
fn invalid_json_is_named() {
    let not_json = "Error: the answer of Ada is not JSON: ";
    loses(&[], &fake("garbage"), not_json);
    loses(
        &[],
        &fake("garbage"),
        "it wrote         \"I move to the left and build to the right\"",
    );
    loses(&[], &fake("flood"), not_json);
    loses(&[], &fake("huge"), not_json);
}

#[test]
fn unasked_output_is_shown_with_the_last_question() {
    let random = fake("random");
    for (first, second, said) in [
        (
            &*fake("extra"),
            &*random,
            [
                "Ada is not JSON: it wrote more than its answer",
                "it was asked     []\n",
                "]]]\\nMy best turn yet!\"",
            ],
        ),
        // While the first player is thinking.
        (
            &fake("late --seconds 0.5"),
            "sh -c 'echo hello; sleep 100'",
            [
                "Bob is not JSON: it wrote output before the first question",
                "it was asked     nothing yet\n",
                "it wrote         \"hello\"",
            ],
        ),
    ] {
        let game = referee(&[], first, second);
        for said in said {
            assert!(
                game.commentary.contains(said),
                "{said}: {}",
                game.commentary
            );
        }
        assert_eq!(game.code, Some(0));
    }
}

#[test]
fn illegal_turns_lose() {
    loses(&[], &fake("illegal --after 1"), "Bad move by Ada: ");
    let won_by_c3 = "{\"players\":[[[2,3],[5,5]],[[1,1],[1,2]]],\"spaces\":[[0,0,0,0,0],\
[0,0,2,0,0],[0,0,3,0,0],[0,0,0,0,0],[0,0,0,0,0]],\"turn\":8}";
    loses(
        &["--start", won_by_c3],
        &fake("build-after-win"),
        "Bad move by Ada: ",
    );
    let game = referee(
        &["--start", won_by_c3],
        &fake("random --wins"),
        &fake("random"),
    );
    assert_eq!(game.last_line(), "Win by Ada");
    assert_eq!(game.boards.len(), 2);
}

#[test]
fn illegal_placements_lose() {
    for (answer, words) in [
        ("[]", "no workers are placed"),
        ("[[[1,1],[1,1]]]", "two workers stand on space a1 (1,1)"),
        ("[[[1,1],[1,6]]]", "each from 1 to 5"),
        ("{}", "a set-up array"),
        (
            "[{\"card\":\"Pan\"},{\"card\":\"Atlas\",\"tokens\":[[1,1],[2,2]]}]",
            "none",
        ),
    ] {
        let command = format!("sh -c 'read x; echo '\"'\"'{answer}'\"'\"'; sleep 100'");
        let game = referee(&[], &command, &fake("random"));
        assert!(
            game.commentary.contains("the placement is wrong: ") && game.commentary.contains(words),
            "{answer}: {}",
            game.commentary
        );
    }
}

use super::*;

fn start(command: &str) -> Process {
    let time = TimeLimit::unannounced(Duration::from_secs(600));
    let log = StderrLog::new("A", None);
    let stop = AtomicBool::new(false);
    Process::start("A", &command.parse().unwrap(), time, log, &stop).unwrap()
}

fn ask(
    process: &mut Process,
    question: &Value,
    milliseconds: u64,
) -> Result<TimedAnswer, Termination> {
    process.time = TimeLimit {
        announced: None,
        start: None,
        limit: Duration::from_millis(milliseconds),
        grace: Duration::from_millis(milliseconds / 4),
    };
    process.ask(question, &AtomicBool::new(false))
}

/// A value longer than a pipe holds.
fn long_value() -> Value {
    vec![7; 300_000].into()
}

#[test]
fn a_question_longer_than_the_pipe_does_not_deadlock() {
    let mut cat = start("cat");
    for _ in 0..3 {
        let answer = ask(&mut cat, &long_value(), 60_000).unwrap();
        assert_eq!(answer.value, long_value());
    }
    assert!(cat.is_fit());
}

#[test]
fn an_unread_question_does_not_block_the_referee() {
    let mut deaf = start("sleep 1000");
    let ending = ask(&mut deaf, &long_value(), 200).unwrap_err();
    assert_eq!(ending.kind(), crate::record::Ending::Stalled);
    assert!(!deaf.is_fit());
}

#[test]
fn time_runs_from_question_to_complete_answer() {
    let mut slow = start("sh -c 'sleep 0.1; read x; sleep 0.2; echo [; sleep 0.2; echo ]'");
    let answer = ask(&mut slow, &Value::Null, 60_000).unwrap();
    assert!(answer.time >= Duration::from_millis(400), "{answer:?}");
}

#[test]
fn an_answer_counts_even_if_the_process_then_exits() {
    for _ in 0..20 {
        let mut brief = start("sh -c 'read x; echo []'");
        assert!(ask(&mut brief, &Value::Null, 60_000).is_ok());
        let ending = ask(&mut brief, &Value::Null, 60_000).unwrap_err();
        let exit = Exit::Code(0);
        let hint = Some(output_hint::KEEP_READING);
        assert_eq!(ending, Termination::Crashed { exit, hint });
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_dead_leader_is_collected_after_its_group_is_killed() {
    use nix::sys::signal::kill;
    use nix::unistd::Pid;

    let mut script = start("sh -c 'read x; sleep 1000 & exit 3'");
    let leader = Pid::from_raw(script.child.id() as i32);
    let ending = ask(&mut script, &Value::Null, 60_000).unwrap_err();
    let exit = Exit::Code(3);
    assert_eq!(ending, Termination::Crashed { exit, hint: None });
    // The status can be read again, and the process is still listed.
    assert_eq!(script.exit(), Some(exit));
    assert_eq!(kill(leader, None), Ok(()));
    drop(script);
    assert_eq!(kill(leader, None), Err(nix::errno::Errno::ESRCH));
    let mut killed = start("sh -c 'kill -9 $$'");
    let ending = ask(&mut killed, &Value::Null, 60_000).unwrap_err();
    let (signal, running) = (9, Vec::new());
    assert_eq!(ending, Termination::Killed { signal, running });
}

#[test]
fn a_process_with_unread_output_is_not_reused() {
    let mut neat = start("sh -c 'read x; echo []; read x'");
    ask(&mut neat, &Value::Null, 60_000).unwrap();
    assert!(neat.is_fit());
    let mut chatty = start("sh -c 'read x; printf [][; read x'");
    ask(&mut chatty, &Value::Null, 60_000).unwrap();
    assert!(!chatty.is_fit());
}

#[test]
fn an_answer_sent_again_is_no_illegal_answer() {
    let illegal = |process: &mut Process| process.illegal("why".into());
    let not_json = |reason: &str, hint| Termination::NotJson {
        reason: reason.into(),
        hint: Some(hint),
    };
    // Before and after the next question.
    let mut twice = start("sh -c 'read x; echo [1][1]; read x'");
    ask(&mut twice, &Value::Null, 60_000).unwrap();
    let again = not_json(REPEATED, output_hint::ONE_ANSWER);
    assert_eq!(ask(&mut twice, &Value::Null, 60_000), Err(again.clone()));
    let mut late = start("sh -c 'read x; echo [1]; read x; echo [1]; read x'");
    ask(&mut late, &Value::Null, 60_000).unwrap();
    ask(&mut late, &Value::Null, 60_000).unwrap();
    assert_eq!(illegal(&mut late), again);
    // Output before the answer, with the answer and soon after.
    for remark in ["echo [3][1]", "echo [3]; sleep 0.02; echo [1]"] {
        let mut chatty = start(&format!("sh -c 'read x; {remark}; read x'"));
        ask(&mut chatty, &Value::Null, 60_000).unwrap();
        let two = not_json("it wrote more than one value", output_hint::REMARKS);
        assert_eq!(illegal(&mut chatty), two);
    }
    let mut wrong = start("sh -c 'read x; echo [1]; read x'");
    ask(&mut wrong, &Value::Null, 60_000).unwrap();
    let reason = "why".into();
    assert_eq!(illegal(&mut wrong), Termination::IllegalBoard { reason });
}

#[test]
fn evidence_does_not_begin_with_the_end_of_the_previous_answer() {
    let mut player = start("sh -c 'read x; printf [1]; read x; echo; echo hello; read x'");
    ask(&mut player, &Value::Null, 60_000).unwrap();
    ask(&mut player, &Value::Null, 60_000).unwrap_err();
    assert_eq!(player.evidence().output, "hello\n");
}

#[test]
fn a_closed_input_is_named() {
    let mut deaf = start("sh -c 'read x; echo []; exec <&-; sleep 1000'");
    ask(&mut deaf, &Value::Null, 60_000).unwrap();
    let ending = ask(&mut deaf, &Value::Null, 2000).unwrap_err();
    let message = ending.message("A");
    assert!(
        message.ends_with("it closed its standard input"),
        "{message}"
    );
}

#[test]
fn the_folder_is_named_only_for_relative_paths() {
    for line in [
        "cat: book.txt: No such file or directory",
        "FileNotFoundError: [Errno 2] No such file or directory: 'book.json'",
        "Error: ENOENT: no such file or directory, open './book.json'",
    ] {
        assert!(misses_file_of_folder(line), "{line}");
    }
    for line in [
        "/usr/bin/env: \u{2018}python9\u{2019}: No such file or directory",
        "env: 'python3\\r': No such file or directory",
        "python3: can't open file '/home/ada/player.py': [Errno 2] No such file or directory",
        "NameError: no such thing",
    ] {
        assert!(!misses_file_of_folder(line), "{line}");
    }
}

#[test]
fn stop_ends_a_question_at_once() {
    let mut silent = start("sleep 1000");
    let stop = AtomicBool::new(true);
    let ending = silent.ask(&Value::Null, &stop).unwrap_err();
    assert_eq!(ending, Termination::Interrupted);
}

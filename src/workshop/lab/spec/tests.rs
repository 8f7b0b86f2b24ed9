//! Tests of agents as text.

use super::*;

#[test]
fn agents_parse_back() {
    for text in [
        "random",
        "beginner:attention=0.5",
        "minimax:depth=2",
        "alphabeta:depth=4,setup=3",
        "alphabeta:depth=3,eval=tuned",
        "alphabeta:depth=1,height=50,win=-3",
        "mc:episodes=500",
        "mc:episodes=20,pick=share",
        "qlearning:episodes=10000",
        "qlearning:episodes=0,alpha=0.1,epsilon=1,gamma=0,rule=printed,save=a.q",
        "qlearning:load=a.q",
        "engine:time=0.1",
        "engine:nodes=1000",
        "engine:time=2,eval=tuned",
        "engine:nodes=5,eval=paper",
        "level:number=3",
        "level:number=10,nodes=5000,attention=0.5",
        "program:./mine --name 'a, b'",
    ] {
        let spec: AgentSpec = text.parse().expect(text);
        assert_eq!(spec.to_string(), text);
    }
}

#[test]
fn defaults_match_the_help_text() {
    for (short, long) in [
        ("minimax", "minimax:depth=2,setup=2,eval=paper"),
        (
            "alphabeta",
            "alphabeta:height=100,centre=10,mobility=20,distance=70,win=200",
        ),
        ("mc", "mc:episodes=500,pick=wins"),
        (
            "qlearning",
            "qlearning:episodes=10000,alpha=0.5,epsilon=0.1,gamma=0.9,rule=standard",
        ),
        ("engine", "engine:time=0.1,eval=network"),
        ("level", "level:number=1"),
        ("beginner", "beginner:attention=1"),
    ] {
        assert_eq!(short.parse::<AgentSpec>(), long.parse(), "{short}");
    }
}

#[test]
fn invalid_agents_are_refused_with_a_hint() {
    for (text, said) in [
        ("", "no agent is called \"\""),
        ("chess", "the agents are random, beginner, minimax"),
        (
            "random:depth=1",
            "random has no parameter \"depth\"; it has none",
        ),
        (
            "mc:games=5",
            "mc has no parameter \"games\"; it has episodes, pick",
        ),
        (
            "mc:episodes",
            "\"episodes\" is not of the form parameter=value",
        ),
        ("mc:", "is not of the form parameter=value"),
        (
            "mc:episodes=0",
            "mc: episodes=0 must be a number from 1 to 100000000",
        ),
        ("mc:episodes=1e3", "must be a number"),
        ("mc:episodes=99999999999999999999", "must be a number"),
        ("mc:episodes=1,episodes=2", "episodes is given twice"),
        ("mc:pick=best", "pick=best must be wins or share"),
        ("minimax:depth=0", "depth=0 must be a number from 1 to 20"),
        ("alphabeta:eval=nnue", "eval=nnue must be paper or tuned"),
        ("alphabeta:win=1000001", "from -1000000 to 1000000"),
        (
            "qlearning:alpha=1.5",
            "alpha=1.5 must be a number from 0 to 1",
        ),
        ("qlearning:gamma=nan", "gamma=nan must be"),
        (
            "qlearning:load=a,save=b",
            "save and load cannot be combined",
        ),
        (
            "qlearning:load=a,episodes=5",
            "load and learning parameters cannot be combined",
        ),
        (
            "engine:time=0",
            "time=0 must be a number from 0.001 to 3600",
        ),
        ("engine:time=1,nodes=5", "time and nodes cannot be combined"),
        ("level:number=100", "number=100 must be a number from 1 to "),
        (
            "level:attention=2",
            "attention=2 must be a number from 0 to 1",
        ),
        ("program", "the command of a player is empty"),
        ("program:./a 'b", "has an unclosed quote"),
    ] {
        let error = text.parse::<AgentSpec>().unwrap_err().to_string();
        assert!(error.contains(said), "{text}: {error}");
        assert!(!error.contains('\n'));
    }
}

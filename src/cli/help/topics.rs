//! The guides that `santorini help` prints. Each is next to the code it describes.

/// A guide.
pub(super) struct Topic {
    pub name: &'static str,
    /// A description in one line.
    pub about: &'static str,
    pub text: &'static str,
}

/// All guides, in the order of the list in the help.
pub(super) const ALL: [Topic; 10] = [
    Topic {
        name: "rules",
        about: "Write a player: the rules, the JSON with examples, the god cards",
        text: concat!(
            include_str!("../../games/protocol/RULES.txt"),
            include_str!("../../engine/rules/CARDS.txt")
        ),
    },
    Topic {
        name: "protocol",
        about: "Write a bot: the protocol of the TCP server, with a whole game",
        text: include_str!("../../games/protocol/TCP.txt"),
    },
    Topic {
        name: "page",
        about: "The web page of `play --web`: its protocol and access rules",
        text: include_str!("../../people/page/PROTOCOL.txt"),
    },
    Topic {
        name: "uci",
        about: "Analyse positions from another program: commands, examples",
        text: include_str!("../../people/uci/GUIDE.txt"),
    },
    Topic {
        name: "tournaments",
        about: "Which player is stronger: openings, sequential tests, Slurm",
        text: include_str!("../../contest/tournament/GUIDE.txt"),
    },
    Topic {
        name: "cards",
        about: "The god cards: what each does, who wins with which",
        text: concat!(
            include_str!("../../engine/rules/CARDS.txt"),
            include_str!("../../contest/tournament/CARD_GAMES.txt")
        ),
    },
    Topic {
        name: "training",
        about: "Make the engine stronger: networks, search parameters, books",
        text: include_str!("../../workshop/train/GUIDE.txt"),
    },
    Topic {
        name: "lab",
        about: "The study of agents: its findings, and the results here",
        text: include_str!("../../workshop/lab/STUDY.txt"),
    },
    Topic {
        name: "openings",
        about: "The opening of 5x5: every placement, by long searches and games",
        text: include_str!("../../games/openings/OPENINGS.txt"),
    },
    Topic {
        name: "solved",
        about: "Small boards solved, proved positions, perft: tables",
        text: include_str!("../../workshop/solve/SOLVED.txt"),
    },
];

/// The guide with this name.
pub(super) fn find(name: &str) -> Option<&'static Topic> {
    ALL.iter().find(|topic| topic.name == name)
}

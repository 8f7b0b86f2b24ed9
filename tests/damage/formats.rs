//! The file formats: how to make a good file, and the commands that use it.

/// A file format.
pub struct Format {
    pub name: &'static str,
    /// The file that is damaged.
    pub file: &'static str,
    pub is_text: bool,
    /// The commands that make the file and its companions.
    pub made_by: &'static [&'static str],
    /// Changes the file before it is damaged.
    pub changed: Option<fn(Vec<u8>) -> Vec<u8>>,
    /// The commands that use it.
    pub used_by: &'static [&'static str],
    /// Their results: files, or an empty name for standard output.
    pub results: &'static [&'static str],
}

const DATA: &str = "datagen --records 800 --nodes 10 --leaves 0 --eval tuned --threads 1 data";
const SHARE: &str =
    "datagen --records 800 --nodes 10 --leaves 0 --eval tuned --threads 1 --shard 1/2 data";
const OTHER_SHARE: &str =
    "datagen --records 800 --nodes 10 --leaves 0 --eval tuned --threads 1 --shard 2/2 other";
const TRAIN: &str = "train --epochs 1 --hidden 32 --threads 1 --out net --force data";
const TOURNAMENT: &str = "tournament --rounds 1 --openings 2 --seed 3 --time 60 --resume \
    --output games 'a=SANTORINI fake-player random --wins' 'b=SANTORINI fake-player random --seed 2'";
const DUEL: &str = "duel --nodes 5 --pairs 2 --jobs 1 --output kept 'a=--eval tuned --hash 1' 'b=--eval paper --hash 1'";
const TUNE: &str = "tune --out params --nodes 10 --eval tuned --pairs 2 --threads 1";
const SOLVE: &str = "solve --board 2x3 --workers 1 --threads 1 solved";
const WINNERS: &str = "solve --winners --board 2x3 --workers 1 --threads 1 winners";

/// Two even openings.
const BOOK: &str = "# two\n11000/00010/00000/00000/00000 c2c3 b1b3 3\n\
    00000/00010/00000/00000/00000 b3d3 c2c4 1\n";

/// The file as a killed program leaves it.
fn begun(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() * 2 / 3);
    bytes
}

pub const FORMATS: &[Format] = &[
    Format {
        name: "training data, resumed",
        file: "data",
        is_text: false,
        made_by: &[DATA],
        changed: None,
        used_by: &[DATA],
        results: &["data"],
    },
    Format {
        name: "training data, learned from",
        file: "data",
        is_text: false,
        made_by: &[DATA],
        changed: None,
        used_by: &[TRAIN],
        results: &["net"],
    },
    Format {
        name: "a share of training data",
        file: "data",
        is_text: false,
        made_by: &[SHARE, OTHER_SHARE],
        changed: None,
        used_by: &["datagen merge --force --out merged data other"],
        results: &["merged"],
    },
    Format {
        name: "network",
        file: "net",
        is_text: false,
        made_by: &[DATA, TRAIN],
        changed: None,
        used_by: &[
            "datagen --force --records 1 --nodes 5 --leaves 0 --threads 1 --eval net new",
            "train --epochs 1 --threads 1 --start net --out new --force data",
        ],
        results: &["new"],
    },
    Format {
        name: "Q-table",
        file: "table",
        is_text: false,
        made_by: &["lab play --games 1 --first qlearning:episodes=3,save=table --second random"],
        changed: None,
        used_by: &["lab play --games 20 --jobs 1 --first qlearning:load=table --second random"],
        results: &[""],
    },
    Format {
        name: "solved game",
        file: "solved",
        is_text: false,
        made_by: &[SOLVE],
        changed: None,
        used_by: &[SOLVE],
        results: &["solved"],
    },
    Format {
        name: "solved game, probed",
        file: "solved",
        is_text: false,
        made_by: &[SOLVE],
        changed: None,
        used_by: &[
            "solve probe --threads 1 solved",
            "solve probe --threads 1 solved '010/000 a1 c2'",
            "solve verify --threads 1 --states 5 solved",
        ],
        results: &[""],
    },
    Format {
        name: "solved game, not finished",
        file: "solved",
        is_text: false,
        made_by: &[SOLVE],
        changed: Some(begun),
        used_by: &[SOLVE],
        results: &["solved"],
    },
    Format {
        name: "winners",
        file: "winners",
        is_text: false,
        made_by: &[WINNERS],
        changed: None,
        used_by: &[WINNERS],
        results: &["winners"],
    },
    Format {
        name: "winners, probed",
        file: "winners",
        is_text: false,
        made_by: &[WINNERS],
        changed: None,
        used_by: &[
            "solve probe --threads 1 winners",
            "solve probe --threads 1 winners '010/000 a1 c2'",
            "solve verify --threads 1 winners",
        ],
        results: &[""],
    },
    Format {
        name: "winners, not finished",
        file: "winners",
        is_text: false,
        made_by: &[WINNERS],
        changed: Some(begun),
        used_by: &[WINNERS],
        results: &["winners"],
    },
    Format {
        name: "records of games",
        file: "games",
        is_text: true,
        made_by: &[TOURNAMENT],
        changed: None,
        used_by: &[TOURNAMENT, "tournament merge games", "draw games"],
        results: &[""],
    },
    Format {
        name: "outcome of a duel",
        file: "kept",
        is_text: true,
        made_by: &[DUEL],
        changed: None,
        used_by: &[DUEL],
        results: &[""],
    },
    Format {
        name: "parameters",
        file: "params",
        is_text: true,
        made_by: &[TUNE],
        changed: None,
        used_by: &[
            TUNE,
            "duel --nodes 5 --pairs 1 --jobs 1 'a=--params params --hash 1' 'b=--hash 1'",
        ],
        results: &[""],
    },
    Format {
        name: "book of openings",
        file: "book",
        is_text: true,
        made_by: &[],
        changed: Some(|_| BOOK.into()),
        used_by: &[
            "duel --nodes 5 --pairs 2 --jobs 1 --openings book 'a=--eval tuned --hash 1' 'b=--eval paper --hash 1'",
        ],
        results: &[""],
    },
    Format {
        name: "proved positions",
        file: "proofs",
        is_text: true,
        made_by: &["solve proofs --positions 2 --pairs 0 --threads 1 proofs"],
        changed: None,
        used_by: &["solve prove --threads 1 proofs"],
        results: &[""],
    },
];

//! Networks and training data.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use santorini::eval::Evaluator;
use santorini::eval::network::features::FeatureSet;
use santorini::eval::network::{Network, NetworkEvaluator, NetworkWeights, Rows};
use santorini::rules::Card;
use santorini::train::data::{DataHeader, DataReader, DataWriter, Record};
use santorini::train::samples::{self, ScoredPosition};
use santorini::train::targets::targets;

use super::{CARDS, START, START_6X6, random_game};

/// Networks with few and with many hidden units, with small weights and with weights that
/// saturate all hidden units.
pub(super) fn networks() -> Vec<Vec<u8>> {
    fn network<const N: usize>(
        features: FeatureSet,
        hidden: usize,
        weight: fn(usize) -> i16,
    ) -> Vec<u8> {
        let rows = |count: usize| {
            let weights: Vec<i16> = (0..count * hidden).map(weight).collect();
            Rows::of(hidden, weights.into_iter())
        };
        let weights = NetworkWeights {
            features,
            rows: rows(features.rows::<N>()),
            changes: Cow::default(),
            output: rows(2 * features.output_layers()),
            output_bias: vec![7; features.output_layers()],
        };
        Network::<N>::new(weights).to_bytes()
    }
    let small = |index: usize| (index % 17) as i16 - 8;
    vec![
        network::<5>(FeatureSet::Base, 32, small),
        network::<5>(FeatureSet::Cards, 32, small),
        with_pairs(&network::<5>(FeatureSet::Cards, 32, small)),
        network::<6>(FeatureSet::Base, 32, small),
        network::<5>(FeatureSet::Base, 288, |_| 127),
    ]
}

/// The same network with weights for the card pair of [`CARDS`].
fn with_pairs(bytes: &[u8]) -> Vec<u8> {
    let pair = [Card::Pan, Card::Apollo];
    let network = Network::<5>::from_bytes(bytes).unwrap();
    let mut weights = network.weights().clone();
    weights.rows = weights.rows.chosen((0..weights.rows.count()).rev());
    let other = Network::<5>::new(weights).of_pair(pair);
    let network = network.with_pair(pair, &other);
    assert!(network.weights().changes.iter().any(|&change| change != 0));
    network.to_bytes()
}

pub(super) fn use_network<const N: usize>(bytes: &[u8], start: &str) -> bool {
    let Ok(network) = Network::<N>::from_bytes(bytes) else {
        return false;
    };
    let (turns, positions) = random_game::<N>(start);
    let mut evaluator = NetworkEvaluator::new(&network, positions[0].cards());
    evaluator.reset(&positions[0]);
    assert!(positions.len() > 4);
    for (turn, position) in turns.iter().zip(&positions[1..]).take(4) {
        evaluator.push(*turn, position);
        assert_eq!(evaluator.evaluate(position), network.evaluate(position));
    }
    assert_eq!(network.to_bytes(), bytes);
    true
}

pub(super) fn training_data(folder: &Path) -> Vec<Vec<u8>> {
    fn data<const N: usize>(path: &Path, starts: &[&str]) -> Vec<u8> {
        let settings = "--nodes 500".into();
        let header = DataHeader { size: N, settings };
        let mut writer = DataWriter::overwrite(path, &header).unwrap();
        for start in starts {
            let (_, positions) = random_game::<N>(start);
            let records = positions.iter().enumerate().map(|(index, position)| {
                let left = positions.len() - index;
                Record::new(position, 30).with_result(left.is_multiple_of(2), left)
            });
            writer.write(&records.take(5).collect::<Vec<_>>()).unwrap();
        }
        writer.end().unwrap();
        drop(writer);
        let bytes = fs::read(path).unwrap();
        fs::remove_file(path).unwrap();
        bytes
    }
    let path = folder.join("made");
    vec![
        data::<5>(&path, &[START, CARDS]),
        data::<6>(&path, &[START_6X6]),
    ]
}

pub(super) fn use_training_data<const N: usize>(path: &Path) -> bool {
    let Ok(mut reader) = DataReader::open(path) else {
        return false;
    };
    while let Ok(Some(block)) = reader.block() {
        let _ = block.iter().map(ScoredPosition::<N>::of).count();
    }
    // Resuming may truncate the file.
    let settings = "--nodes 500".into();
    let header = DataHeader { size: N, settings };
    let _ = DataWriter::resume(path, &header);
    let samples = DataReader::open(path).and_then(|mut reader| samples::read::<N>(&mut reader));
    let Ok(samples) = samples else {
        return false;
    };
    let symmetries = samples::symmetries::<N>();
    for (sample, target) in samples.iter().zip(targets(&samples, 0.7)) {
        assert!((0.0..=1.0).contains(&target), "{target}");
        sample.sample(sample.features(), &symmetries[3], target);
    }
    true
}

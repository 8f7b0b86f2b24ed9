//! Random choice among scored items.

use rand::Rng;
use rand::seq::IndexedRandom;

use crate::search::is_proved;

/// Chooses one of the scored items at random: an item that scores `temperature` less is e
/// times less likely (a Boltzmann distribution). If the temperature is 0 or the best score
/// is a proved win or loss, the first item with the best score is chosen. `None` without
/// items.
pub fn choose<T: Copy>(scored: &[(i32, T)], temperature: f64, rng: &mut impl Rng) -> Option<T> {
    let (best, first) = scored
        .iter()
        .copied()
        .reduce(|best, other| if other.0 > best.0 { other } else { best })?;
    if temperature <= 0.0 || is_proved(best) {
        return Some(first);
    }
    let weight = |&(score, _): &(i32, T)| (f64::from(score - best) / temperature).exp();
    let chosen = scored.choose_weighted(rng, weight);
    Some(chosen.map_or(first, |&(_, item)| item))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{loss_in, win_in};
    use crate::seeds::seeded;

    fn counts(scores: [i32; 3], temperature: f64) -> [u32; 3] {
        let mut rng = seeded(1);
        let scored = [0, 1, 2].map(|index| (scores[index], index));
        let mut counts = [0; 3];
        for _ in 0..10_000 {
            counts[choose(&scored, temperature, &mut rng).unwrap()] += 1;
        }
        counts
    }

    #[test]
    fn a_score_lower_by_the_temperature_is_e_times_rarer() {
        let [a, b, c] = counts([0, 50, -50], 50.0).map(f64::from);
        assert!((b / a).ln() > 0.95 && (b / a).ln() < 1.05, "{b} {a}");
        assert!((a / c).ln() > 0.93 && (a / c).ln() < 1.07, "{a} {c}");
    }

    #[test]
    fn the_best_is_chosen_at_temperature_0_or_if_proved() {
        assert_eq!(counts([5, 7, 7], 0.0), [0, 10_000, 0]);
        assert_eq!(counts([5, win_in(3), win_in(1)], 900.0), [0, 0, 10_000]);
        let lost = [loss_in(2), loss_in(8), loss_in(4)];
        assert_eq!(counts(lost, 900.0), [0, 10_000, 0]);
        let mut rng = seeded(1);
        assert_eq!(choose::<u8>(&[], 1.0, &mut rng), None);
    }

    #[test]
    fn a_proved_loss_is_not_chosen_beside_an_unproved_score() {
        assert_eq!(counts([loss_in(2), 0, loss_in(4)], 200.0), [0, 10_000, 0]);
    }
}

//! Connection slots shared between client addresses. When all are taken, the
//! address with the most of them loses its oldest one to a newcomer.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// A number of places.
#[derive(Debug, Clone)]
pub struct Places {
    most: usize,
    most_of_one: usize,
    taken: Arc<Mutex<Taken>>,
}

/// For each network its guests by their number. Dropping the sender tells a
/// guest that its place is lost.
#[derive(Debug, Default)]
struct Taken {
    guests: HashMap<IpAddr, BTreeMap<u64, oneshot::Sender<()>>>,
    /// The number of the next guest.
    next: u64,
}

/// A slot that is taken as long as the value lives, or until it is lost.
#[derive(Debug)]
pub struct Slot {
    places: Places,
    network: IpAddr,
    number: u64,
    lost: oneshot::Receiver<()>,
}

impl Places {
    /// `most` slots, of which one network can have `most_of_one`.
    pub fn new(most: usize, most_of_one: usize) -> Self {
        Self {
            most,
            most_of_one,
            taken: Arc::default(),
        }
    }

    /// A place for somebody at this address. If all are taken, whoever came
    /// first from the network with the most of them loses its place, provided
    /// that this network has more than the newcomer's; else there is none.
    pub fn take(&self, address: IpAddr) -> Option<Slot> {
        let network = network(address);
        let mut taken = self.taken();
        let own = taken.guests.get(&network).map_or(0, BTreeMap::len);
        if own >= self.most_of_one {
            return None;
        }
        let all: usize = taken.guests.values().map(BTreeMap::len).sum();
        if all >= self.most {
            let crowd = taken.guests.iter().max_by_key(|(_, guests)| {
                let first = guests.keys().next().copied();
                (guests.len(), Reverse(first))
            });
            let (&crowd, guests) = crowd.filter(|(_, guests)| guests.len() > own)?;
            let first = *guests.keys().next()?;
            taken.remove(crowd, first);
        }
        let number = taken.next;
        taken.next += 1;
        let (keep, lost) = oneshot::channel();
        taken
            .guests
            .entry(network)
            .or_default()
            .insert(number, keep);
        Some(Slot {
            places: self.clone(),
            network,
            number,
            lost,
        })
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    fn remove(&mut self, network: IpAddr, number: u64) {
        if let Some(guests) = self.guests.get_mut(&network) {
            guests.remove(&number);
            if guests.is_empty() {
                self.guests.remove(&network);
            }
        }
    }
}

impl Slot {
    /// Waits until the place is lost to somebody else. To be awaited to its
    /// end once at most.
    pub async fn lost(&mut self) {
        // Nothing is ever sent: the sender is dropped.
        let _ = (&mut self.lost).await;
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.places.taken().remove(self.network, self.number);
    }
}

/// What counts as one network: an IPv4 address, or the 64 bits of an IPv6
/// address that one household gets.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let prefix = u128::from(address) >> 64 << 64;
            IpAddr::V6(Ipv6Addr::from(prefix))
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot::error::TryRecvError;

    use super::*;

    /// The address with this last number.
    fn address(last: u8) -> IpAddr {
        [10, 0, 0, last].into()
    }

    fn is_lost(place: &mut Slot) -> bool {
        place.lost.try_recv() == Err(TryRecvError::Closed)
    }

    /// Which of the places are lost.
    fn lost(places: &mut [Slot]) -> Vec<usize> {
        let places = places.iter_mut().enumerate();
        let lost = places.filter_map(|(index, place)| is_lost(place).then_some(index));
        lost.collect()
    }

    #[test]
    fn there_are_so_many_places_and_one_network_has_no_more_than_its_part() {
        let places = Places::new(5, 3);
        let mut here: Vec<Slot> = (0..3).map(|_| places.take(address(1)).unwrap()).collect();
        assert!(places.take(address(1)).is_none());
        let _there: Vec<Slot> = (0..2).map(|_| places.take(address(2)).unwrap()).collect();
        assert_eq!(lost(&mut here), [0; 0]);
        here.pop();
        assert!(places.take(address(1)).is_some());
    }

    #[test]
    fn a_crowd_gives_way_until_all_have_as_many() {
        let places = Places::new(6, 6);
        let mut crowd: Vec<Slot> = (0..6).map(|_| places.take(address(1)).unwrap()).collect();
        let mut others: Vec<Slot> = (0..3).map(|_| places.take(address(2)).unwrap()).collect();
        assert_eq!(lost(&mut crowd), [0, 1, 2]);
        // Both have three now, and neither takes from the other.
        assert!(places.take(address(2)).is_none());
        assert!(places.take(address(1)).is_none());
        // A third network takes from whoever has been there longest.
        let _third = places.take(address(3)).unwrap();
        assert_eq!(lost(&mut crowd), [0, 1, 2, 3]);
        assert_eq!(lost(&mut others), [0; 0]);
        // A place that was lost is not given back a second time: all are still
        // taken, and now the second network has the most.
        crowd.drain(..4);
        let _more = places.take(address(1)).unwrap();
        assert_eq!(lost(&mut others), [0]);
    }

    #[test]
    fn where_each_has_one_the_first_gives_way() {
        let places = Places::new(3, 2);
        let mut all: Vec<Slot> = (1..4).map(|i| places.take(address(i)).unwrap()).collect();
        let _newcomer = places.take(address(4)).unwrap();
        assert_eq!(lost(&mut all), [0]);
    }

    #[test]
    fn nothing_is_kept_of_those_who_have_left() {
        let places = Places::new(3, 2);
        for last in 0..=255 {
            assert!(places.take(address(last)).is_some());
        }
        assert!(places.taken().guests.is_empty());
    }

    #[test]
    fn addresses_of_one_household_are_one_network() {
        let network = |text: &str| network(text.parse().unwrap());
        assert_eq!(network("2001:db8::1:2:3:4"), network("2001:db8::ffff"));
        assert_ne!(network("2001:db8::1"), network("2001:db8:0:1::1"));
        assert_eq!(network("::ffff:10.0.0.1"), address(1));
    }
}

//! Connection slots, shared between the networks of clients. When all are taken, a newcomer
//! gets one that another connection loses:
//!
//! - if its network has fewer slots than the one with the most, the oldest slot of that one;
//! - otherwise the oldest unproved slot, one of a client that has not yet shown its right to it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::oneshot;

use crate::mutex::MutexExt as _;

/// A limited number of connection slots.
#[derive(Debug, Clone)]
pub struct ConnectionSlots {
    most: usize,
    most_of_one: usize,
    taken: Arc<Mutex<Taken>>,
}

/// The slots of each network by number. Dropping a sender tells the connection that its
/// slot is lost.
#[derive(Debug, Default)]
struct Taken {
    slots: HashMap<IpAddr, BTreeMap<u64, oneshot::Sender<()>>>,
    /// The networks of the slots that any newcomer may get, by number.
    unproved: BTreeMap<u64, IpAddr>,
    /// The number of the next slot.
    next: u64,
}

/// A slot, held until this value is dropped or the slot is lost.
#[derive(Debug)]
pub struct Slot {
    all: ConnectionSlots,
    network: IpAddr,
    number: u64,
    lost: oneshot::Receiver<()>,
}

impl ConnectionSlots {
    /// `most` slots in total; one network can hold at most `most_of_one`.
    pub fn new(most: usize, most_of_one: usize) -> Self {
        Self {
            most,
            most_of_one,
            taken: Arc::default(),
        }
    }

    /// Takes a slot for a client at this address. If all are taken, the network with the
    /// most slots loses its oldest one, provided that it holds more than the client's
    /// network; otherwise the oldest unproved slot is lost. A network that holds its maximum
    /// loses its own oldest unproved slot. `None` if there is no slot to lose.
    pub fn take(&self, address: IpAddr) -> Option<Slot> {
        let network = network(address);
        let mut taken = self.taken();
        let own = taken.slots.get(&network).map_or(0, BTreeMap::len);
        let all: usize = taken.slots.values().map(BTreeMap::len).sum();
        if own >= self.most_of_one {
            let number = taken.oldest_unproved(|it| it == network)?;
            taken.remove(network, number);
        } else if all >= self.most {
            let (owner, number) = taken.oldest_of_largest_network(own).or_else(|| {
                let number = taken.oldest_unproved(|_| true)?;
                Some((taken.unproved[&number], number))
            })?;
            taken.remove(owner, number);
        }
        let number = taken.next;
        taken.next += 1;
        let (keep, lost) = oneshot::channel();
        taken.slots.entry(network).or_default().insert(number, keep);
        Some(Slot {
            all: self.clone(),
            network,
            number,
            lost,
        })
    }

    /// Like [`Self::take`], but the slot is unproved until the function of [`Slot::proof`] is
    /// called.
    pub fn take_unproved(&self, address: IpAddr) -> Option<Slot> {
        let slot = self.take(address)?;
        self.taken().unproved.insert(slot.number, slot.network);
        Some(slot)
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.locked()
    }
}

impl Taken {
    /// The oldest slot of the network with the most, if it has more than `own`.
    fn oldest_of_largest_network(&self, own: usize) -> Option<(IpAddr, u64)> {
        let largest = self.slots.iter().max_by_key(|(_, slots)| {
            let first = slots.keys().next().copied();
            (slots.len(), Reverse(first))
        });
        let (&largest, slots) = largest.filter(|(_, slots)| slots.len() > own)?;
        Some((largest, *slots.keys().next()?))
    }

    /// The oldest slot without a proof in one of these networks.
    fn oldest_unproved(&self, is_of: impl Fn(IpAddr) -> bool) -> Option<u64> {
        let mut unproved = self.unproved.iter();
        unproved.find_map(|(&number, &network)| is_of(network).then_some(number))
    }

    fn remove(&mut self, network: IpAddr, number: u64) {
        self.unproved.remove(&number);
        if let Some(slots) = self.slots.get_mut(&network) {
            slots.remove(&number);
            if slots.is_empty() {
                self.slots.remove(&network);
            }
        }
    }
}

impl Slot {
    /// A function to call once the client has proved that it may hold the slot.
    pub fn proof(&self) -> impl Fn() + Clone + Send + Sync + 'static {
        let (all, number) = (self.all.clone(), self.number);
        move || {
            all.taken().unproved.remove(&number);
        }
    }

    /// Waits until the slot is lost to another client. Must not be awaited again after
    /// that.
    pub async fn lost(&mut self) {
        // Nothing is ever sent: the sender is dropped.
        let _ = (&mut self.lost).await;
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.all.taken().remove(self.network, self.number);
    }
}

/// The network of an address: an IPv4 address itself, or the first 64 bits of an IPv6
/// address, which one household shares.
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

    /// The address 10.0.0.`last`.
    fn address(last: u8) -> IpAddr {
        [10, 0, 0, last].into()
    }

    fn is_lost(slot: &mut Slot) -> bool {
        slot.lost.try_recv() == Err(TryRecvError::Closed)
    }

    /// The indices of the lost slots.
    fn lost(slots: &mut [Slot]) -> Vec<usize> {
        let slots = slots.iter_mut().enumerate();
        let lost = slots.filter_map(|(index, slot)| is_lost(slot).then_some(index));
        lost.collect()
    }

    #[test]
    fn slots_are_limited_in_all_and_per_network() {
        let slots = ConnectionSlots::new(5, 3);
        let mut here: Vec<Slot> = (0..3).map(|_| slots.take(address(1)).unwrap()).collect();
        assert!(slots.take(address(1)).is_none());
        let _there: Vec<Slot> = (0..2).map(|_| slots.take(address(2)).unwrap()).collect();
        assert_eq!(lost(&mut here), [0; 0]);
        here.pop();
        assert!(slots.take(address(1)).is_some());
    }

    #[test]
    fn the_largest_network_loses_slots_until_all_are_equal() {
        let slots = ConnectionSlots::new(6, 6);
        let mut first: Vec<Slot> = (0..6).map(|_| slots.take(address(1)).unwrap()).collect();
        let mut second: Vec<Slot> = (0..3).map(|_| slots.take(address(2)).unwrap()).collect();
        assert_eq!(lost(&mut first), [0, 1, 2]);
        // Both have three now, and neither takes from the other.
        assert!(slots.take(address(2)).is_none());
        assert!(slots.take(address(1)).is_none());
        // A third network takes the oldest slot.
        let _third = slots.take(address(3)).unwrap();
        assert_eq!(lost(&mut first), [0, 1, 2, 3]);
        assert_eq!(lost(&mut second), [0; 0]);
        // Dropping a lost slot frees nothing: all are still taken, and now the second
        // network has the most.
        first.drain(..4);
        let _more = slots.take(address(1)).unwrap();
        assert_eq!(lost(&mut second), [0]);
    }

    #[test]
    fn among_equals_the_oldest_slot_is_lost() {
        let slots = ConnectionSlots::new(3, 2);
        let mut all: Vec<Slot> = (1..4).map(|i| slots.take(address(i)).unwrap()).collect();
        let _newcomer = slots.take(address(4)).unwrap();
        assert_eq!(lost(&mut all), [0]);
    }

    #[test]
    fn unproved_slots_are_lost_when_no_other_is_free() {
        let slots = ConnectionSlots::new(4, 3);
        let mut here: Vec<Slot> = (0..3)
            .map(|_| slots.take_unproved(address(1)).unwrap())
            .collect();
        here[0].proof()();
        here.push(slots.take(address(1)).unwrap());
        assert_eq!(lost(&mut here), [1]);
        here.remove(1);
        here[1].proof()();
        assert!(slots.take_unproved(address(1)).is_none());
        assert_eq!(lost(&mut here), [0; 0]);
        // No network has more slots than another.
        let slots = ConnectionSlots::new(2, 2);
        let mut unproved = [slots.take_unproved(address(1)).unwrap()];
        let _other = slots.take(address(2)).unwrap();
        assert!(slots.take(address(2)).is_some());
        assert_eq!(lost(&mut unproved), [0]);
    }

    #[test]
    fn dropped_slots_leave_nothing_behind() {
        let slots = ConnectionSlots::new(3, 2);
        for last in 0..=255 {
            assert!(slots.take_unproved(address(last)).is_some());
        }
        let taken = slots.taken();
        assert!(taken.slots.is_empty() && taken.unproved.is_empty());
    }

    #[test]
    fn addresses_of_one_household_are_one_network() {
        let network = |text: &str| network(text.parse().unwrap());
        assert_eq!(network("2001:db8::1:2:3:4"), network("2001:db8::ffff"));
        assert_ne!(network("2001:db8::1"), network("2001:db8:0:1::1"));
        assert_eq!(network("::ffff:10.0.0.1"), address(1));
    }
}

//! How many watches each caller has open. All watches together are counted in `play`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use play::Refusal;
use wire::v1::ErrorReason;

use crate::payer::Payer;

/// When a caller with too many watches may try again.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// The open watches of every caller; cheap to clone.
#[derive(Clone)]
pub(crate) struct WatchPlaces {
    most: usize,
    open: Arc<Mutex<HashMap<Payer, usize>>>,
}

/// One caller's place for one watch, free again when it is dropped.
pub(crate) struct WatchPlace {
    places: WatchPlaces,
    holder: Option<Payer>,
}

impl WatchPlaces {
    /// So many for each.
    pub(crate) fn new(most: usize) -> Self {
        Self { most, open: Arc::default() }
    }

    /// A place for one more.
    pub(crate) fn take(&self, payer: Payer) -> Result<WatchPlace, Refusal> {
        let holder = match payer {
            Payer::Here => return Ok(WatchPlace { places: self.clone(), holder: None }),
            Payer::Key(_) => payer,
            // Whatever token: in an open service anybody can have as many as they like.
            Payer::Address(origin, _) => Payer::Address(origin, None),
        };
        let mut open = self.lock();
        let count = open.entry(holder).or_insert(0);
        if *count >= self.most {
            let message =
                format!("this caller has {} watches open, as many as it may; close one first", self.most);
            return Err(Refusal::new(ErrorReason::TooManyStreams, message).retry_after(RETRY_AFTER));
        }
        *count += 1;
        Ok(WatchPlace { places: self.clone(), holder: Some(holder) })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Payer, usize>> {
        // A count is whole at any time, whoever panicked.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for WatchPlace {
    fn drop(&mut self) {
        let Some(holder) = self.holder else { return };
        let mut open = self.places.lock();
        match open.get_mut(&holder) {
            Some(count) if *count > 1 => *count -= 1,
            // Who has none open is forgotten.
            _ => drop(open.remove(&holder)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::origin::Origin;

    #[test]
    fn each_has_so_many_and_gets_them_back() {
        let places = WatchPlaces::new(2);
        let address = |token| Payer::Address(Origin::Address([192, 0, 2, 1].into()), token);
        let first = places.take(address(None)).unwrap();
        let _second = places.take(address(Some(7))).unwrap();
        let refusal = places.take(address(Some(8))).err().unwrap();
        assert_eq!(refusal.reason, ErrorReason::TooManyStreams);
        let key = places.take(Payer::Key(7)).unwrap();
        let here: Vec<_> = (0..10).map(|_| places.take(Payer::Here).unwrap()).collect();
        drop(first);
        drop(here);
        let _third = places.take(address(None)).unwrap();
        assert!(places.take(address(None)).is_err());
        drop(key);
        assert_eq!(places.lock().len(), 1, "who has none open is forgotten");
    }
}

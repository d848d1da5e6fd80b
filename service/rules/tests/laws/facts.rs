//! Law: the facts of a move bring every viewer's view up to date.

use rules::{Game, Viewer};

use crate::subject::Subject;
use crate::walk::{VIEWERS, every_position};

pub(crate) fn facts_update_every_view<S: Subject>() {
    every_position::<S>(|walk, _| {
        let (Some(before), Some((mover, mv))) = (&walk.before, walk.history.last()) else { return };
        for viewer in VIEWERS {
            let mut view = S::Game::view(before, viewer);
            let own = (viewer == Viewer::Seat(*mover)).then_some(mv);
            S::follow(&mut view, own, &walk.now.redacted_facts(viewer));
            assert_eq!(view, S::Game::view(&walk.now.state, viewer), "{viewer:?} after {mv:?}");
        }
    });
}

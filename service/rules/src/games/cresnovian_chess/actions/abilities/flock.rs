//! Duality's elite ability, Flock Together (CC-43): the destinations of all members at once.

use alloc::vec::Vec;

use crate::games::cresnovian_chess::actions::abilities::{Scene, duality};
use crate::games::cresnovian_chess::actions::answers::{Answers, square_choice};
use crate::games::cresnovian_chess::field::square::{Square, SquareSet, WORLD};
use crate::games::cresnovian_chess::field::umbration::Umbration;
use crate::games::cresnovian_chess::moves::Flock;
use crate::games::cresnovian_chess::violation::{Violation, require};

/// The squares to which members may move.
struct Destinations {
    own_kingdom: SquareSet,
    /// Squares of the own kingdom that are blank or hold a member.
    room: SquareSet,
    /// Squares of the World that are blank or hold a member.
    world: SquareSet,
}

impl Destinations {
    fn of(scene: Scene<'_>, members: impl Iterator<Item = Umbration>) -> Self {
        let held: SquareSet = members.map(|piece| scene.field().piece(piece).square).collect();
        let free = scene.field().blanks().union(held);
        let own_kingdom = scene.own_kingdom();
        Self { own_kingdom, room: free.and(own_kingdom), world: free.and(WORLD) }
    }
}

pub(crate) fn check(scene: Scene<'_>, flock: &Flock) -> Result<(), Violation> {
    let members = duality::flock(scene);
    let named = flock.members();
    let is_whole = named.iter().map(|&(piece, _)| piece).eq(members.iter());
    require(is_whole, "CC-43", "name each piece with the performer's Q exactly once, and no other piece")?;
    let taken: SquareSet = named.iter().map(|&(_, to)| to).collect();
    require(taken.len() == members.len(), "CC-43", "each member needs a destination of its own")?;
    let destinations = Destinations::of(scene, members.iter());
    for &(piece, to) in named {
        let stays_outside = to == scene.field().piece(piece).square && !destinations.own_kingdom.contains(to);
        let fits = destinations.room.contains(to) || destinations.world.contains(to) || stays_outside;
        require(
            fits,
            "CC-43",
            "a member must go to a square of your kingdom or the World that is blank or left by a member",
        )?;
    }
    let homed = taken.and(destinations.room).len();
    let expected = members.len().min(destinations.room.len());
    require(homed == expected, "CC-43", "as many members as there is room for must go to your kingdom")
}

/// Asks for each member's destination in turn; offers only squares after which the remaining members can
/// still be placed.
pub(crate) fn ask<A: Answers>(scene: Scene<'_>, answers: &mut A) -> Result<Flock, A::Stop> {
    let members = duality::flock(scene);
    let destinations = Destinations::of(scene, members.iter());
    let mut rest = members.iter();
    let mut left_over = members.len() - members.len().min(destinations.room.len());
    let mut taken = SquareSet::EMPTY;
    let mut placed: Vec<(Umbration, Square)> = Vec::new();
    while let Some(piece) = rest.next() {
        let stands = scene.field().piece(piece).square;
        let mut outside = destinations.world;
        if !destinations.own_kingdom.contains(stands) {
            outside = outside.with(stands);
        }
        let is_fine = |to: Square| {
            let is_left_over = outside.contains(to);
            let still_left_over = left_over.checked_sub(u32::from(is_left_over));
            let can_go_on = still_left_over
                .is_some_and(|count| has_place(scene, &destinations, taken.with(to), rest.clone(), count));
            !taken.contains(to) && can_go_on
        };
        let squares = destinations.room.union(outside).iter().filter(|&to| is_fine(to));
        let prompt = PROMPTS[piece.index()];
        let to = answers.pick(prompt, squares, square_choice)?;
        left_over -= u32::from(outside.contains(to));
        taken = taken.with(to);
        placed.push((piece, to));
    }
    Ok(Flock::new(placed))
}

/// Returns whether this many of the remaining members can be left over. There are enough of them, and room
/// for the rest, since no more are left over than the room lacks. Members in the opposite kingdom can stay,
/// because nobody else may go there; the others share the World.
fn has_place(
    scene: Scene<'_>,
    destinations: &Destinations,
    taken: SquareSet,
    rest: impl Iterator<Item = Umbration>,
    left_over: u32,
) -> bool {
    let stand: SquareSet = rest.map(|piece| scene.field().piece(piece).square).collect();
    let can_stay = stand.and(scene.opposite_kingdom());
    let world = destinations.world.and(taken.complement());
    left_over <= can_stay.len() + world.len()
}

const PROMPTS: [&str; 9] = [
    "Where does Essence go?",
    "Where does Duality go?",
    "Where does Cosmos go?",
    "Where does Velocity go?",
    "Where does Radiance go?",
    "Where does Corporeality go?",
    "Where does Innervation go?",
    "Where does Caprice go?",
    "Where does Cognizance go?",
];

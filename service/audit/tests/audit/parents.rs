//! Forks, compared with the files of their parents.

use audit::{LogFile, ParentProblem, Verification};
use event::{MatchId, Seat, Seq};
use prost::Message;
use replay::{MoveHistory, Position, ProposalKind, StartingPosition};
use rules::{Dice, GameId, Games, Seed, Viewer};
use uuid::Uuid;
use wire::log::v1 as log;

use crate::exported::{export, pinned};
use crate::sample::{Log, random_match};

/// Exports a finished match and a fork of it.
fn parent_and_fork(game: GameId) -> (LogFile, LogFile) {
    let (parent, mut fork) = forked(game);
    fork.grow(|decision| decision.resign(Seat::ALL[0]).unwrap());
    (export(&parent, Viewer::Spectator), export(&fork, Viewer::Spectator))
}

/// Plays a match and starts a fork of it.
fn forked(game: GameId) -> (Log, Log) {
    let parent = random_match(game, 9);
    let (mut position, first) =
        Position::start(Games::built_in(), parent.position.match_id(), &parent.events[0]).unwrap();
    let mut moves = MoveHistory::default();
    moves.record(&position, &first);
    let mut forkable = None;
    for event in &parent.events[1..] {
        let applied = position.apply(event).unwrap();
        moves.record(&position, &applied);
        if forkable.is_none() && moves.count() > 3 {
            forkable = position.forked(moves.clone());
        }
    }
    let fork = Log::create_from(StartingPosition::Fork(forkable.unwrap()), None).claimed();
    (parent, fork)
}

/// Changes the first event of a fork. The result does not verify on its own, which `check_parent` does not
/// require.
fn with(fork: &LogFile, change: impl FnOnce(&mut log::MatchForked)) -> LogFile {
    let mut changed = fork.clone();
    let mut forked = log::MatchForked::decode(changed.events[0].public.clone()).unwrap();
    change(&mut forked);
    changed.events[0].public = forked.encode_to_vec().into();
    changed
}

#[test]
fn a_fork_of_each_game_fits_its_parent() {
    for game in GameId::ALL {
        let (parent, fork) = parent_and_fork(game);
        assert_eq!(fork.parent(), Some(parent.header.match_id));
        assert_eq!(fork.check_parent(&parent, Games::built_in()), Ok(()), "{game:?}");
    }
}

#[test]
fn a_fork_with_a_takeback_is_verified() {
    let (_, mut fork) = forked(GameId::LudusMagus);
    let (mover, _) = fork.submit_random(&mut Dice::new(&Seed::new([5; 32])));
    let other = fork.position.seats().find(|seat| *seat != mover).unwrap();
    fork.grow(|decision| decision.propose(mover, ProposalKind::Takeback).unwrap());
    fork.grow(|decision| decision.accept(other, ProposalKind::Takeback).unwrap());
    fork.grow(|decision| decision.resign(mover).unwrap());
    let report = export(&fork, Viewer::Spectator).verify(&pinned());
    assert_eq!((report.verdict, report.failure), (Verification::Verified, None));
}

#[test]
fn each_difference_from_the_parent_is_named() {
    let (parent, fork) = parent_and_fork(GameId::AceExorcist);
    assert_eq!(
        (parent.parent(), parent.check_parent(&fork, Games::built_in())),
        (None, Err(ParentProblem::NotAFork))
    );
    let mut other = parent.clone();
    other.header.match_id = MatchId(Uuid::from_u128(5));
    let named = parent.header.match_id;
    assert_eq!(fork.check_parent(&other, Games::built_in()), Err(ParentProblem::OtherMatch(named)));

    let seq = log::MatchForked::decode(fork.events[0].public.clone()).unwrap().parent_seq;
    let at = Seq(seq);
    let mut short = parent.clone();
    short.events.truncate(seq as usize - 1);
    assert_eq!(fork.check_parent(&short, Games::built_in()), Err(ParentProblem::NotReached(at)));
    let hash = with(&fork, |forked| forked.parent_hash[7] ^= 1);
    assert_eq!(hash.check_parent(&parent, Games::built_in()), Err(ParentProblem::OtherHash(at)));
    for (what, changed) in [
        ("rules", with(&fork, |forked| terms(forked).rules_version += 1)),
        ("options", with(&fork, |forked| terms(forked).options = vec![0x78, 1])),
        ("cards", with(&fork, |forked| forked.setup_seed[0] ^= 1)),
        ("moves", with(&fork, |forked| drop(forked.moves.pop()))),
        ("moves", with(&fork, |forked| forked.moves.swap(0, 1))),
    ] {
        assert_eq!(changed.check_parent(&parent, Games::built_in()), Err(ParentProblem::Differs(what)));
    }
}

fn terms(forked: &mut log::MatchForked) -> &mut log::MatchTerms {
    forked.terms.as_mut().unwrap()
}

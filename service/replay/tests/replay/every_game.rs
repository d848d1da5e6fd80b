//! Properties that the logs of all games share.

use event::Seat;
use replay::AppliedEvent;
use rules::{GameId, Reason, Viewer};
use wire::{
    AceExorcistReason, AngelsAndDemonsReason, CresnovianChessReason, EndReason, GameKind, LudusMagusReason,
    ServiceReason,
};

use crate::sample::{random_match, replay};

const VIEWERS: [Viewer<Seat>; 4] =
    [Viewer::Seat(Seat::ALL[0]), Viewer::Seat(Seat::ALL[1]), Viewer::Spectator, Viewer::Open];

#[test]
fn replaying_a_match_shows_every_viewer_the_same() {
    for game in GameId::ALL {
        for seed in 0..3 {
            let log = random_match(game, seed);
            let (position, applied) = replay(&log.events).unwrap();
            assert_eq!(position.match_shown(), log.position.match_shown());
            assert!(position.result().is_some());
            assert_eq!(position.seat_count(), 2);
            for viewer in VIEWERS {
                assert_eq!(position.shown(viewer), log.position.shown(viewer), "{game}");
                let shown = |applied: &[AppliedEvent]| {
                    applied.iter().map(|applied| applied.shown(viewer)).collect::<Vec<_>>()
                };
                assert_eq!(shown(&applied), shown(&log.applied), "{game}");
            }
        }
    }
}

#[test]
fn the_same_seed_bytes_and_moves_give_the_same_log() {
    for game in GameId::ALL {
        assert_eq!(random_match(game, 7).events, random_match(game, 7).events, "{game}");
    }
}

#[test]
fn reasons_have_the_same_names_in_rules_and_wire() {
    for game in GameId::ALL {
        let in_rules: Vec<&str> = Reason::all_of(game).into_iter().map(Reason::as_str).collect();
        let kind = GameKind::parse(game.as_str()).unwrap_or_else(|| panic!("wire has no {game}"));
        let in_wire: Vec<&str> = match kind {
            GameKind::AngelsAndDemons => AngelsAndDemonsReason::ALL.map(AngelsAndDemonsReason::as_str).into(),
            GameKind::AceExorcist => AceExorcistReason::ALL.map(AceExorcistReason::as_str).into(),
            GameKind::CresnovianChess => CresnovianChessReason::ALL.map(CresnovianChessReason::as_str).into(),
            GameKind::LudusMagus => LudusMagusReason::ALL.map(LudusMagusReason::as_str).into(),
        };
        assert_eq!(in_rules, in_wire, "{game}");
        for name in in_rules {
            let reason = EndReason::parse(Some(kind), name).unwrap_or_else(|| panic!("{game} has no {name}"));
            assert!(!matches!(reason, EndReason::Service(_)), "{game} uses a reason of the service: {name}");
            assert_eq!(reason.as_str(), name);
            assert_eq!(EndReason::parse(None, name), None, "{name} needs its game");
        }
    }
    assert_eq!(GameKind::ALL.len(), GameId::ALL.len());
    for reason in ServiceReason::ALL {
        assert_eq!(EndReason::parse(None, reason.as_str()), Some(EndReason::Service(reason)));
    }
}

//! Reports on honest files.

use audit::{CheckOutcome, LogCheck, Receipt, Remark, Trust, Verification};
use event::{Seat, Seq};
use rules::{GameId, Options, Viewer};

use crate::exported::{export, finished, half_a_turn, pinned, public_key, signer};
use crate::sample::Log;
use crate::second_verifier::taken_back;

#[test]
fn a_finished_match_of_every_game_is_verified_in_full() {
    for log in finished() {
        let report = export(&log, Viewer::Spectator).verify(&pinned());
        assert_eq!(report.failure, None);
        assert_eq!(report.verdict, Verification::Verified, "{}", report.game);
        assert_eq!(report.head_hash, Some(log.position.head_hash()));
        assert_eq!(report.signed_by, Some(public_key()));
        assert_eq!(report.result, log.position.result());
        for check in
            [LogCheck::Seed, LogCheck::Moves, LogCheck::Digests, LogCheck::Result, LogCheck::Signature]
        {
            assert!(matches!(report.outcome(check), CheckOutcome::Ok(1..)), "{check:?}");
        }
        assert!(report.remarks.is_empty());
    }
}

#[test]
fn without_a_trusted_key_the_verdict_is_key_unknown() {
    let file = export(&finished()[0], Viewer::Spectator);
    let report = file.verify(&Trust::default());
    assert_eq!((report.verdict, report.failure), (Verification::KeyUnknown, None));
    assert_eq!(report.signed_by, Some(public_key()));
}

#[test]
fn any_of_several_trusted_keys_verifies() {
    let keys = vec![signer(2).public_key(), public_key()];
    let report = export(&finished()[1], Viewer::Spectator).verify(&Trust { keys, ..Trust::default() });
    assert_eq!(report.verdict, Verification::Verified);
}

/// A running match without chance replays, but its digests can't be checked before the seed is open.
#[test]
fn a_running_match_lists_the_checks_that_are_not_possible() {
    for viewer in [Viewer::Spectator, Viewer::Seat(Seat::ALL[1]), Viewer::Seat(Seat::ALL[0])] {
        let report = export(&half_a_turn(), viewer).verify(&pinned());
        assert_eq!((report.verdict, &report.failure), (Verification::Incomplete, &None));
        assert_eq!(report.outcome(LogCheck::Moves), CheckOutcome::Ok(3));
        for check in [LogCheck::Seed, LogCheck::Digests, LogCheck::Result] {
            assert!(matches!(report.outcome(check), CheckOutcome::NotCheckable(_)), "{check:?}");
        }
        let own = viewer == Viewer::Seat(Seat::ALL[0]);
        let sealed = if own { vec![] } else { vec![Remark::ChoiceSealed { seq: Seq(8) }] };
        assert_eq!(report.remarks, sealed);
    }
}

#[test]
fn the_moves_of_a_running_match_with_chance_are_not_checked() {
    let mut log = Log::create_of(Options::default_of(GameId::AceExorcist)).claimed();
    let state = log.position.running_state().unwrap();
    let mv = state.legal(Seat::ALL[0]).moves.pop().unwrap();
    log.submit(Seat::ALL[0], &mv);
    let report = export(&log, Viewer::Seat(Seat::ALL[0])).verify(&pinned());
    assert_eq!((report.verdict, &report.failure), (Verification::Incomplete, &None));
    for check in [LogCheck::Seed, LogCheck::Moves, LogCheck::Digests] {
        assert!(matches!(report.outcome(check), CheckOutcome::NotCheckable(_)), "{check:?}");
    }
    assert!(matches!(report.outcome(LogCheck::Chain), CheckOutcome::Ok(5)));
}

/// A choice stays sealed if its turn is never revealed, even in its own seat's file (AD-5).
#[test]
fn an_unrevealed_choice_is_never_opened() {
    let mut log = half_a_turn();
    log.grow(|decision| decision.resign(Seat::ALL[1]).unwrap());
    for viewer in [Viewer::Spectator, Viewer::Seat(Seat::ALL[0]), Viewer::Open] {
        let file = export(&log, viewer);
        assert!(file.events[7].sealed.as_ref().unwrap().opened.is_none());
        let report = file.verify(&pinned());
        assert_eq!((report.verdict, &report.failure), (Verification::Verified, &None));
        assert_eq!(report.remarks, [Remark::ChoiceSealed { seq: Seq(8) }]);
        assert!(matches!(report.outcome(LogCheck::Digests), CheckOutcome::Ok(2)));
    }
}

/// Players, the choices of revealed turns, a seat's own choice, and at the end the seed.
#[test]
fn a_report_counts_what_the_file_opens() {
    let opened = |log: &Log, viewer| export(log, viewer).verify(&pinned()).outcome(LogCheck::Commitments);
    let nothing = opened(&Log::create(4, 4, 1), Viewer::Spectator);
    assert_eq!(nothing, CheckOutcome::NotNeeded("the file opens nothing"));
    let mut log = half_a_turn();
    assert_eq!(opened(&log, Viewer::Spectator), CheckOutcome::Ok(4));
    assert_eq!(opened(&log, Viewer::Seat(Seat::ALL[0])), CheckOutcome::Ok(5));
    log.grow(|decision| decision.resign(Seat::ALL[1]).unwrap());
    assert_eq!(opened(&log, Viewer::Spectator), CheckOutcome::Ok(5));
}

/// Seven moves, the three takebacks among them, and the end.
#[test]
fn a_report_counts_every_digest() {
    let report = export(&taken_back(), Viewer::Spectator).verify(&pinned());
    assert_eq!(report.outcome(LogCheck::Digests), CheckOutcome::Ok(11));
    assert_eq!(report.outcome(LogCheck::Moves), CheckOutcome::Ok(7));
}

#[test]
fn a_file_may_withhold_a_name() {
    let mut file = export(&finished()[2], Viewer::Spectator);
    file.events[1].sealed.as_mut().unwrap().opened = None;
    let report = file.verify(&pinned());
    assert_eq!(report.verdict, Verification::Verified);
    assert_eq!(report.remarks, [Remark::PlayerWithheld { seq: Seq(2) }]);
}

#[test]
fn receipts_are_compared_with_the_log() {
    let log = &finished()[3];
    let file = export(log, Viewer::Spectator);
    let verdict = |receipt: &str| {
        let receipts = vec![receipt.parse::<Receipt>().unwrap()];
        file.verify(&Trust { receipts, ..pinned() }).verdict
    };
    let hex: String = log.events[5].hash.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(verdict(&format!("{hex}@6")), Verification::Verified);
    let base64 = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, log.events[5].hash);
    assert_eq!(verdict(&format!("{base64}@6")), Verification::Verified);
    assert_eq!(verdict(&format!("{hex}@7")), Verification::Refused);
    assert_eq!(verdict(&format!("{hex}@99999")), Verification::Refused);
    assert_eq!(verdict(&file.note), Verification::Verified);
    assert!("nonsense".parse::<Receipt>().is_err());
}

/// A note on another match, or by another key, is no receipt for this log.
#[test]
fn a_signed_receipt_needs_the_services_signature() {
    let logs = finished();
    let file = export(&logs[3], Viewer::Spectator);
    for note in
        [audit::sign_head(&logs[3].position, &signer(9)).note, export(&logs[2], Viewer::Spectator).note]
    {
        let receipts = vec![note.parse::<Receipt>().unwrap()];
        assert_eq!(file.verify(&Trust { receipts, ..pinned() }).verdict, Verification::Refused);
    }
}

//! Other encodings of the same messages. A hash covers every byte, so an encoding that readers would accept
//! beside the canonical one could carry what nobody sees.

use audit::LogCheck;
use event::Seat;
use prost::Message as _;
use wire::log::v1 as log;

use super::ends::counted;
use super::entries::{DRAW, proposal, rotation};
use super::{Forger, Sample, illegal, refused};
use crate::exported::half_a_turn;

/// Bytes that follow an encoded message.
const APPENDED: [(&str, &[u8]); 7] = [
    ("an-unknown-field", &[0x78, 1]),
    ("a-field-of-number-1000", &[0xc2, 0x3e, 0]),
    ("a-group", &[0x7b, 0x7c]),
    ("a-fixed-number", &[0x7d, 1, 2, 3, 4]),
    ("a-truncated-field", &[0x78]),
    ("an-endless-varint", &[0x78, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
    ("field-number-0", &[0, 1]),
];

pub(super) fn samples() -> Vec<Sample> {
    let (log, running) = (counted(), half_a_turn());
    let case = |name: String, forger, seq| refused(name, forger, seq, LogCheck::Structure);
    let mut samples = Vec::new();
    for (name, extra) in APPENDED {
        let public = Forger::of(&log).change_bytes(6, |bytes| bytes.extend(extra));
        samples.push(case(format!("reveal-with-{name}"), public, 7));
        let player = log::Player { display_name: "Ada".to_owned() }.encode_to_vec();
        let sealed = Forger::of(&log).seal(1, &[&player, extra].concat());
        samples.push(case(format!("player-with-{name}"), sealed, 2));
        let nested = Forger::of(&log).change_bytes(0, |bytes| {
            // The terms are the only field, with a length of one byte.
            bytes.extend(extra);
            bytes[1] += u8::try_from(extra.len()).unwrap();
        });
        samples.push(case(format!("terms-with-{name}"), nested, 1));
    }
    // A rotation is 08 SEAT 10 GENERATION.
    let written = |bytes: &'static [u8]| {
        Forger::of(&running).append(&rotation(1, 2)).change_bytes(8, |public| *public = bytes.to_vec())
    };
    let spellings: [(&str, &[u8]); 7] = [
        ("a-long-varint", &[0x08, 0x81, 0, 0x10, 2]),
        ("a-long-tag", &[0x88, 0, 1, 0x10, 2]),
        ("more-than-32-bits", &[0x08, 0x81, 0x80, 0x80, 0x80, 0x10, 0x10, 2]),
        ("more-than-64-bits", &[0x08, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2, 0x10, 2]),
        ("a-field-twice", &[0x08, 0, 0x08, 1, 0x10, 2]),
        ("fields-in-another-order", &[0x10, 2, 0x08, 1]),
        ("a-field-of-another-type", &[0x0a, 1, 1, 0x10, 2]),
    ];
    for (name, bytes) in spellings {
        samples.push(case(format!("rotation-with-{name}"), written(bytes), 9));
    }
    let of = |entry, bytes: &'static [u8]| {
        Forger::of(&running).append(&entry).change_bytes(8, |public| *public = bytes.to_vec())
    };
    samples.push(case("default-written".to_owned(), of(proposal(0, DRAW), &[0x08, 0, 0x10, 0]), 9));
    samples.push(case(
        "start-with-a-field".to_owned(),
        Forger::of(&log).change_bytes(3, |bytes| bytes.push(8)),
        4,
    ));
    samples.push(case("name-that-is-no-text".to_owned(), Forger::of(&log).seal(1, &[0x0a, 1, 0xff]), 2));
    samples.extend(booleans());
    samples.extend(moves());
    samples
}

/// A boolean is written as 1, or not at all.
fn booleans() -> Vec<Sample> {
    let mut offered = half_a_turn();
    offered.grow(|decision| decision.propose(Seat::ALL[0], replay::ProposalKind::Draw).unwrap());
    let answer = super::entries::decline(1, DRAW);
    let written = |bytes: &'static [u8]| {
        Forger::of(&offered).append(&answer).change_bytes(9, |public| *public = bytes.to_vec())
    };
    vec![
        refused("false-written", written(&[0x08, 1, 0x10, 1, 0x18, 0]), 10, LogCheck::Structure),
        refused("true-as-2", written(&[0x08, 1, 0x10, 1, 0x18, 2]), 10, LogCheck::Structure),
    ]
}

/// Options and moves are messages of the games, which a verifier without the rules does not read.
fn moves() -> Vec<Sample> {
    let log = counted();
    let options = Forger::of(&log).change(0, |entry| {
        let replay::Entry::MatchCreated(created) = entry else { panic!("event 1 creates") };
        created.terms.as_mut().unwrap().options.extend([0x78, 1]);
    });
    vec![illegal("options-with-an-unknown-field", options, 1, LogCheck::Moves)]
}

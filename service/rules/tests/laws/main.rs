//! The laws that every game obeys, tested by seeded random play. A game joins with a [`subject::Subject`] and
//! a test here.

mod ace_exorcist;
mod angels_and_demons;
mod canonical;
mod choices;
mod cresnovian_chess;
mod ending;
mod facts;
mod legality;
mod ludus_magus;
mod murmur;
mod notation;
mod refusals;
mod replaying;
mod secrecy;
mod subject;
mod walk;

use subject::Subject;

#[test]
fn angels_and_demons_keeps_the_laws() {
    keep_the_laws::<angels_and_demons::UnderTest>();
}

#[test]
fn ace_exorcist_keeps_the_laws() {
    keep_the_laws::<ace_exorcist::UnderTest>();
}

#[test]
fn cresnovian_chess_keeps_the_laws() {
    keep_the_laws::<cresnovian_chess::UnderTest>();
}

#[test]
fn ludus_magus_keeps_the_laws() {
    keep_the_laws::<ludus_magus::UnderTest>();
}

#[test]
fn murmur_keeps_the_laws() {
    keep_the_laws::<murmur::UnderTest>();
}

fn keep_the_laws<S: Subject>() {
    for (name, law) in laws::<S>() {
        // Shown only if the law is broken.
        println!("law: {name}");
        law();
    }
}

fn laws<S: Subject>() -> [(&'static str, fn()); 18] {
    [
        ("the same moves give the same match", replaying::the_same_moves_give_the_same_match::<S>),
        ("canonical bytes are bounded", canonical::canonical_bytes_are_bounded::<S>),
        (
            "different positions have different canonical bytes",
            canonical::different_positions_have_different_canonical_bytes::<S>,
        ),
        ("only seats to act have moves", legality::only_seats_to_act_have_moves::<S>),
        ("the order of moves is fixed", legality::the_order_of_moves_is_fixed_and_moves_are_unique::<S>),
        ("play accepts exactly the legal moves", legality::play_accepts_exactly_the_legal_moves::<S>),
        ("a refused move changes nothing", refusals::a_refused_move_changes_nothing::<S>),
        ("the first failing test is reported", refusals::the_first_failing_test_is_reported::<S>),
        ("a refusal names its paragraph", refusals::every_refusal_names_a_paragraph_of_the_rules_page::<S>),
        ("every move round-trips", notation::every_move_round_trips::<S>),
        ("different moves have different notations", notation::different_moves_have_different_notations::<S>),
        ("no move has a second notation", notation::no_move_has_a_second_notation::<S>),
        (
            "a path for every move, no dead end",
            choices::every_move_has_one_path_and_no_path_is_a_dead_end::<S>,
        ),
        ("every match ends", ending::every_match_ends_within_its_bound::<S>),
        ("over when nobody is to act", ending::a_match_is_over_exactly_when_nobody_is_to_act::<S>),
        ("reasons are words of the rules page", ending::reasons_have_words_of_the_rules_page::<S>),
        ("hidden parts make no difference", secrecy::hidden_parts_make_no_difference::<S>),
        ("facts update every view", facts::facts_update_every_view::<S>),
    ]
}

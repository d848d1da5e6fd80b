//! Sticky Cresnovian Chess: conversions of views and facts to protobuf. Nothing reads them back.

use rules::games::cresnovian_chess::{
    Ability, Condition, Cost, Deed, Fact, FieldView, Phase, Piece, Poem, PoemChange, Square, Status,
    Umbration, Undo, View, Word,
};
use rules::{BySide, Side};
use wire::games::cresnovian_chess::v1 as proto;

use super::{kingdom_to_wire, placement, square, text, umbration};

/// Number of words that a view shows from the end of a poem: those of 20 documents.
const LAST_WORDS: usize = 180;

pub(in super::super) fn view_to_wire(view: &View) -> proto::View {
    let phase = match view.phase {
        Phase::Placing => proto::Phase::Placing,
        Phase::Choosing => proto::Phase::Choosing,
        Phase::Playing => proto::Phase::Playing,
    };
    proto::View {
        phase: phase.into(),
        player_two_kingdom: view.kingdoms.map(|kingdoms| kingdom_to_wire(kingdoms[Side::One]).into()),
        field: Some(field(&view.field)),
        poem: Some(poem(&view.field.poem)),
        turns_taken: view.turns_taken,
        max_turns: view.max_turns,
        player_one_q: view.totals.map(|totals| totals[Side::Zero]),
        player_two_q: view.totals.map(|totals| totals[Side::One]),
        locked: view.locked.map(umbration),
        forbidden: view.forbidden.map(deed),
        undo: view.undo.as_ref().map(|before| undo(before, &view.field.poem)),
    }
}

fn undo(undo: &Undo, now: &Poem) -> proto::Undo {
    proto::Undo {
        deed: Some(deed(undo.deed)),
        field: Some(field(&undo.field)),
        poem: (undo.field.poem.hash() != now.hash()).then(|| poem(&undo.field.poem)),
    }
}

fn field(field: &FieldView) -> proto::Field {
    proto::Field {
        pieces: field.pieces.iter().map(piece).collect(),
        monuments: field.monuments.iter().map(|(at, kind)| placement(*kind, *at)).collect(),
        word: field.word.as_ref().map(|(at, word)| field_word(*at, word)),
    }
}

fn piece(piece: &Piece) -> proto::Piece {
    proto::Piece {
        umbration: umbration(piece.umbration),
        square: Some(square(piece.square)),
        home: Some(square(piece.home)),
        condition: Some(condition(piece.condition)),
    }
}

fn condition(condition: Condition) -> proto::Condition {
    let status = match condition.status {
        Status::Whole => proto::Status::Whole,
        Status::Broken => proto::Status::Broken,
        Status::Eternal => proto::Status::Eternal,
    };
    proto::Condition { q: condition.q, status: status.into() }
}

fn field_word(at: Square, word: &Word) -> proto::FieldWord {
    proto::FieldWord { square: Some(square(at)), word: text(word) }
}

fn poem(poem: &Poem) -> proto::Poem {
    proto::Poem {
        last_words: poem.last(LAST_WORDS).map(text).collect(),
        word_count: u32::try_from(poem.len()).expect("a match has at most 18 000 words (CC-71)"),
        hash: poem.hash().to_vec(),
    }
}

fn deed(deed: Deed) -> proto::Deed {
    use proto::deed::Deed as Kind;
    let kind = match deed {
        Deed::Travel(piece) => Kind::Travel(umbration(piece)),
        Deed::Perform(piece) => Kind::Perform(umbration(piece)),
        Deed::Document => Kind::Document(proto::WordsWritten {}),
        Deed::Pass => Kind::PassTurn(proto::Pass {}),
    };
    proto::Deed { deed: Some(kind) }
}

pub(in super::super) fn fact_to_wire(fact: &Fact) -> proto::Fact {
    use proto::fact::Fact as Kind;
    let kind = match fact {
        Fact::Placed { piece, square } => {
            Kind::Placed(proto::Placed { placement: Some(placement(*piece, *square)) })
        }
        Fact::KingdomChosen { kingdom } => {
            Kind::KingdomChosen(proto::KingdomChosen { kingdom: kingdom_to_wire(*kingdom).into() })
        }
        Fact::Traveled { seat, piece, from, to } => Kind::Traveled(proto::Traveled {
            player: player(*seat),
            piece: umbration(*piece),
            origin: Some(square(*from)),
            to: Some(square(*to)),
        }),
        Fact::Performed { seat, performer, ability, danced, cost } => {
            Kind::Performed(performed(*seat, *performer, *ability, *danced, *cost))
        }
        Fact::Repaired { seat, piece, cost } => Kind::Repaired(proto::Repaired {
            player: player(*seat),
            piece: umbration(*piece),
            cost: cost_to_wire(*cost),
        }),
        Fact::Documented { seat } => Kind::Documented(proto::Documented { player: player(*seat) }),
        Fact::Passed { seat } => Kind::Passed(proto::Passed { player: player(*seat) }),
        Fact::Rewound { deed: undone } => Kind::Rewound(proto::Rewound { deed: Some(deed(*undone)) }),
        Fact::PieceMoved { piece, from, to } => Kind::PieceMoved(proto::PieceMoved {
            piece: umbration(*piece),
            origin: Some(square(*from)),
            to: Some(square(*to)),
        }),
        Fact::PieceChanged { piece, from, to } => Kind::PieceChanged(proto::PieceChanged {
            piece: umbration(*piece),
            before: Some(condition(*from)),
            after: Some(condition(*to)),
        }),
        Fact::MonumentBuilt { square, umbration } => Kind::MonumentBuilt(placement(*umbration, *square)),
        Fact::MonumentDestroyed { square, umbration } => {
            Kind::MonumentDestroyed(placement(*umbration, *square))
        }
        Fact::MonumentMoved { umbration: kind, from, to } => Kind::MonumentMoved(proto::MonumentMoved {
            umbration: umbration(*kind),
            origin: Some(square(*from)),
            to: Some(square(*to)),
        }),
        Fact::WordLifted { square, word } => Kind::WordLifted(field_word(*square, word)),
        Fact::WordLaid { square, word } => Kind::WordLaid(field_word(*square, word)),
        Fact::PoemChanged(change) => Kind::PoemChanged(poem_changed(change)),
        Fact::TurnTaken { turn, deed: done, totals, locked, forbidden } => {
            Kind::TurnTaken(turn_taken(*turn, *done, *totals, *locked, *forbidden))
        }
    };
    proto::Fact { fact: Some(kind) }
}

fn performed(
    seat: Side,
    performer: Umbration,
    ability: Ability,
    danced: Option<Ability>,
    cost: Cost,
) -> proto::Performed {
    proto::Performed {
        player: player(seat),
        performer: umbration(performer),
        ability: ability_to_wire(ability),
        danced: danced.map(ability_to_wire),
        cost: cost_to_wire(cost),
    }
}

fn poem_changed(change: &PoemChange) -> proto::PoemChanged {
    proto::PoemChanged {
        index: change.index,
        removed: change.removed.iter().map(text).collect(),
        inserted: change.inserted.iter().map(text).collect(),
    }
}

fn turn_taken(
    turn: u32,
    done: Deed,
    totals: BySide<u32>,
    locked: Option<Umbration>,
    forbidden: Option<Deed>,
) -> proto::TurnTaken {
    proto::TurnTaken {
        turn,
        deed: Some(deed(done)),
        player_one_q: totals[Side::Zero],
        player_two_q: totals[Side::One],
        locked: locked.map(umbration),
        forbidden: forbidden.map(deed),
    }
}

fn player(seat: Side) -> i32 {
    let player = match seat {
        Side::Zero => proto::Player::One,
        Side::One => proto::Player::Two,
    };
    player.into()
}

fn cost_to_wire(cost: Cost) -> i32 {
    let cost = match cost {
        Cost::One => proto::Cost::One,
        Cost::Exempt => proto::Cost::Exempt,
    };
    cost.into()
}

fn ability_to_wire(ability: Ability) -> i32 {
    let ability = match ability {
        Ability::ReturnHome => proto::Ability::ReturnHome,
        Ability::PerfectEternal => proto::Ability::PerfectEternal,
        Ability::Cut => proto::Ability::Cut,
        Ability::FlockTogether => proto::Ability::FlockTogether,
        Ability::Breakdown => proto::Ability::Breakdown,
        Ability::Redefinition => proto::Ability::Redefinition,
        Ability::CriticalRewind => proto::Ability::CriticalRewind,
        Ability::Teleport => proto::Ability::Teleport,
        Ability::Spectacle => proto::Ability::Spectacle,
        Ability::UltraviolentRay => proto::Ability::UltraviolentRay,
        Ability::BuildMonument => proto::Ability::BuildMonument,
        Ability::TectonicFailure => proto::Ability::TectonicFailure,
        Ability::Energize => proto::Ability::Energize,
        Ability::SelectTheFit => proto::Ability::SelectTheFit,
        Ability::InterpretativeDance => proto::Ability::InterpretativeDance,
        Ability::GoBerserk => proto::Ability::GoBerserk,
        Ability::Propaganda => proto::Ability::Propaganda,
        Ability::SumOfAllKnowledge => proto::Ability::SumOfAllKnowledge,
    };
    ability.into()
}

//! Ludus Magus: conversions of options, moves, views and facts. Input that names an unknown piece or place
//! becomes an option or a move that the rules reject.

use rules::games::ludus_magus::{Fact, Kind, Move, Options, Piece, Place, Plane, View};
use rules::{BySide, Side};
use wire::games::ludus_magus::v1 as proto;

pub(super) fn options_from_wire(options: &proto::Options) -> Options {
    let default = Options::default();
    let pieces: Vec<_> = options.pieces.iter().map(piece_from_wire).collect();
    Options {
        pieces: if pieces.is_empty() { default.pieces } else { pieces },
        mana: options.mana.map_or(default.mana, |mana| BySide::new(mana.white, mana.black)),
        first_seat: options.first_seat.unwrap_or(default.first_seat),
        max_turns: options.max_turns.unwrap_or(default.max_turns),
    }
}

pub(super) fn options_to_wire(options: &Options) -> proto::Options {
    // An unknown piece keeps its index until setup rejects it.
    let pieces = options.pieces.iter().map(|piece| piece.map(piece_to_wire).unwrap_or_default());
    proto::Options {
        pieces: pieces.collect(),
        mana: Some(mana_to_wire(options.mana)),
        first_seat: Some(options.first_seat),
        max_turns: Some(options.max_turns),
    }
}

pub(super) fn move_from_wire(mv: &proto::Move) -> Move {
    mv.action.as_ref().and_then(action_from_wire).unwrap_or(Move::Malformed)
}

fn action_from_wire(action: &proto::r#move::Action) -> Option<Move> {
    use proto::r#move::Action;
    Some(match action {
        Action::Go(go) => {
            Move::Go { from: place_from_wire(go.origin.as_ref())?, to: place_from_wire(go.to.as_ref())? }
        }
        Action::Terra(terra) => Move::Terra {
            from: place_from_wire(terra.origin.as_ref())?,
            victim: place_from_wire(terra.victim.as_ref())?,
            to: place_from_wire(terra.to.as_ref())?,
        },
        Action::Swap(proto::Swap {}) => Move::Swap,
        Action::Conjure(conjure) => {
            Move::Conjure { kind: kind_from_wire(conjure.kind)?, to: place_from_wire(conjure.to.as_ref())? }
        }
        Action::Summon(summon) => Move::Summon {
            from: place_from_wire(summon.origin.as_ref())?,
            to: place_from_wire(summon.to.as_ref())?,
        },
    })
}

pub(super) fn move_to_wire(mv: &Move) -> proto::Move {
    use proto::r#move::Action;
    let wire = |place| Some(place_to_wire(place));
    let action = match *mv {
        Move::Go { from, to } => Some(Action::Go(proto::Go { origin: wire(from), to: wire(to) })),
        Move::Terra { from, victim, to } => {
            Some(Action::Terra(proto::Terra { origin: wire(from), victim: wire(victim), to: wire(to) }))
        }
        Move::Swap => Some(Action::Swap(proto::Swap {})),
        Move::Conjure { kind, to } => {
            Some(Action::Conjure(proto::Conjure { kind: kind_to_wire(kind).into(), to: wire(to) }))
        }
        Move::Summon { from, to } => Some(Action::Summon(proto::Summon { origin: wire(from), to: wire(to) })),
        Move::Malformed => None,
    };
    proto::Move { action }
}

pub(super) fn view_to_wire(view: &View) -> proto::View {
    proto::View {
        pieces: view.pieces.iter().copied().map(piece_to_wire).collect(),
        mana: Some(mana_to_wire(view.mana)),
        turns_taken: view.turns_taken,
        max_turns: view.max_turns,
        quiet_turns: view.quiet_turns,
        occurrences: view.occurrences,
    }
}

pub(super) fn fact_to_wire(fact: &Fact) -> proto::Fact {
    use proto::fact::Fact as Kind;
    let wire = |place| Some(place_to_wire(place));
    let kind = match *fact {
        Fact::Captured { piece } => Kind::Captured(proto::Captured { piece: Some(piece_to_wire(piece)) }),
        Fact::Moved { piece, over, to } => Kind::Moved(proto::Moved {
            piece: Some(piece_to_wire(piece)),
            over: over.map(place_to_wire),
            to: wire(to),
        }),
        Fact::Swapped { seat, magus, famulus } => Kind::Swapped(proto::Swapped {
            side: side_to_wire(seat).into(),
            magus: wire(magus),
            famulus: wire(famulus),
        }),
        Fact::Conjured { piece } => Kind::Conjured(proto::Conjured { piece: Some(piece_to_wire(piece)) }),
        Fact::Summoned { piece, to } => {
            Kind::Summoned(proto::Summoned { piece: Some(piece_to_wire(piece)), to: wire(to) })
        }
        Fact::ManaChanged { seat, mana } => {
            Kind::ManaChanged(proto::ManaChanged { side: side_to_wire(seat).into(), mana })
        }
        Fact::Bound { magus } => Kind::Bound(proto::Bound { magus: Some(piece_to_wire(magus)) }),
        Fact::TurnTaken { turn, quiet_turns, occurrences } => {
            Kind::TurnTaken(proto::TurnTaken { turn, quiet_turns, occurrences })
        }
    };
    proto::Fact { fact: Some(kind) }
}

fn piece_from_wire(piece: &proto::Piece) -> Option<Piece> {
    let seat = match proto::Side::try_from(piece.side).ok()? {
        proto::Side::Unspecified => return None,
        proto::Side::White => Side::Zero,
        proto::Side::Black => Side::One,
    };
    Some(Piece { seat, kind: kind_from_wire(piece.kind)?, place: place_from_wire(piece.place.as_ref())? })
}

fn piece_to_wire(piece: Piece) -> proto::Piece {
    proto::Piece {
        side: side_to_wire(piece.seat).into(),
        kind: kind_to_wire(piece.kind).into(),
        place: Some(place_to_wire(piece.place)),
    }
}

fn place_from_wire(place: Option<&proto::Place>) -> Option<Place> {
    match place?.place.as_ref()? {
        proto::place::Place::Cell(cell) => Place::cell(cell.x, cell.y),
        proto::place::Place::Point(point) => Place::point(point.i, point.j),
    }
}

fn place_to_wire(place: Place) -> proto::Place {
    let (col, row) = (place.col(), place.row());
    let place = match place.plane() {
        Plane::Corporeal => proto::place::Place::Cell(proto::Cell { x: col, y: row }),
        Plane::Astral => proto::place::Place::Point(proto::Point { i: col, j: row }),
    };
    proto::Place { place: Some(place) }
}

fn mana_to_wire(mana: BySide<u32>) -> proto::Mana {
    proto::Mana { white: mana[Side::Zero], black: mana[Side::One] }
}

fn side_to_wire(seat: Side) -> proto::Side {
    match seat {
        Side::Zero => proto::Side::White,
        Side::One => proto::Side::Black,
    }
}

fn kind_from_wire(kind: i32) -> Option<Kind> {
    match proto::Kind::try_from(kind).ok()? {
        proto::Kind::Unspecified => None,
        proto::Kind::Aer => Some(Kind::Aer),
        proto::Kind::Aqua => Some(Kind::Aqua),
        proto::Kind::Ignis => Some(Kind::Ignis),
        proto::Kind::Terra => Some(Kind::Terra),
        proto::Kind::Aether => Some(Kind::Aether),
        proto::Kind::Codex => Some(Kind::Codex),
        proto::Kind::Famulus => Some(Kind::Famulus),
        proto::Kind::Magus => Some(Kind::Magus),
    }
}

fn kind_to_wire(kind: Kind) -> proto::Kind {
    match kind {
        Kind::Aer => proto::Kind::Aer,
        Kind::Aqua => proto::Kind::Aqua,
        Kind::Ignis => proto::Kind::Ignis,
        Kind::Terra => proto::Kind::Terra,
        Kind::Aether => proto::Kind::Aether,
        Kind::Codex => proto::Kind::Codex,
        Kind::Famulus => proto::Kind::Famulus,
        Kind::Magus => proto::Kind::Magus,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_survive_the_round_trip() {
        let places = || Place::all().step_by(7);
        for from in places() {
            for to in places() {
                let moves = [
                    Move::Go { from, to },
                    Move::Terra { from, victim: to, to: from },
                    Move::Conjure { kind: Kind::ALL[to.col() as usize % 8], to },
                    Move::Summon { from, to },
                ];
                for mv in moves {
                    assert_eq!(move_from_wire(&move_to_wire(&mv)), mv);
                }
            }
        }
        for mv in [Move::Swap, Move::Malformed] {
            assert_eq!(move_from_wire(&move_to_wire(&mv)), mv);
        }
    }

    #[test]
    fn unknown_places_and_kinds_make_a_move_malformed() {
        use proto::r#move::Action;
        let cell = |x, y| Some(proto::Place { place: Some(proto::place::Place::Cell(proto::Cell { x, y })) });
        let point =
            |i, j| Some(proto::Place { place: Some(proto::place::Place::Point(proto::Point { i, j })) });
        let actions = [
            None,
            Some(Action::Go(proto::Go { origin: cell(0, 0), to: None })),
            Some(Action::Go(proto::Go { origin: cell(0, 0), to: Some(proto::Place { place: None }) })),
            Some(Action::Go(proto::Go { origin: cell(8, 0), to: cell(0, 0) })),
            Some(Action::Terra(proto::Terra { origin: cell(0, 0), victim: point(0, 9), to: cell(0, 0) })),
            Some(Action::Summon(proto::Summon { origin: point(u32::MAX, 0), to: cell(0, 0) })),
            Some(Action::Conjure(proto::Conjure { kind: 0, to: cell(0, 0) })),
            Some(Action::Conjure(proto::Conjure { kind: 9, to: cell(0, 0) })),
            Some(Action::Conjure(proto::Conjure { kind: -1, to: cell(0, 0) })),
        ];
        for action in actions {
            assert_eq!(move_from_wire(&proto::Move { action }), Move::Malformed, "{action:?}");
        }
    }

    #[test]
    fn options_survive_the_round_trip_and_defaults_are_filled_in() {
        let default = Options::default();
        assert_eq!(options_from_wire(&proto::Options::default()), default);
        assert_eq!(options_from_wire(&options_to_wire(&default)), default);
        let mut odd = Options { mana: BySide::new(7, 1001), first_seat: 9, max_turns: 0, ..default };
        odd.pieces.push(None);
        assert_eq!(options_from_wire(&options_to_wire(&odd)), odd);
    }
}

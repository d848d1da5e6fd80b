//! Angels and Demons: conversions of options, moves, views and facts.

use rules::games::angels_and_demons::{Cover, Fact, Move, Options, Space, View};
use rules::{Side, Sides};
use wire::games::angels_and_demons::v1 as proto;

pub(super) fn options_from_wire(options: &proto::Options) -> Options {
    let default = Options::default();
    Options {
        rows: options.rows.unwrap_or(default.rows),
        cols: options.cols.unwrap_or(default.cols),
        turns: options.turns.unwrap_or(default.turns),
    }
}

pub(super) fn options_to_wire(options: &Options) -> proto::Options {
    proto::Options { rows: Some(options.rows), cols: Some(options.cols), turns: Some(options.turns) }
}

pub(super) fn move_from_wire(mv: &proto::Move) -> Move {
    Move::Choose(Space { row: mv.row, col: mv.col })
}

pub(super) fn move_to_wire(mv: &Move) -> proto::Move {
    let Move::Choose(Space { row, col }) = *mv;
    proto::Move { row, col }
}

pub(super) fn view_to_wire(view: &View) -> proto::View {
    let columns = usize::try_from(view.cols).expect("at most 26 columns (AD-1)");
    let rows = view
        .covers
        .chunks(columns)
        .map(|row| proto::Row { spaces: row.iter().map(|cover| cover_to_wire(*cover).into()).collect() });
    proto::View {
        rows: rows.collect(),
        turn: view.turn,
        turns: view.turns,
        angels: view.counts[Side::Zero],
        demons: view.counts[Side::One],
        chosen: sides_to_wire(view.chosen),
        own_choice: view.own_choice.map(space_to_wire),
    }
}

pub(super) fn fact_to_wire(fact: &Fact) -> proto::Fact {
    use proto::fact::Fact as Kind;
    let kind = match *fact {
        Fact::Chosen { seat } => Kind::Chosen(proto::Chosen { side: side_to_wire(seat).into() }),
        Fact::Revealed { seat, space } => Kind::Revealed(proto::Revealed {
            side: side_to_wire(seat).into(),
            space: Some(space_to_wire(space)),
        }),
        Fact::Changed { space, from, to } => Kind::Changed(proto::Changed {
            space: Some(space_to_wire(space)),
            before: cover_to_wire(from).into(),
            after: cover_to_wire(to).into(),
        }),
        Fact::TurnResolved { turn, counts } => Kind::TurnResolved(proto::TurnResolved {
            turn,
            angels: counts[Side::Zero],
            demons: counts[Side::One],
        }),
    };
    proto::Fact { fact: Some(kind) }
}

fn space_to_wire(space: Space) -> proto::Space {
    proto::Space { row: space.row, col: space.col }
}

fn sides_to_wire(seats: Sides) -> Vec<i32> {
    seats.iter().map(|seat| side_to_wire(seat).into()).collect()
}

fn side_to_wire(seat: Side) -> proto::Side {
    match seat {
        Side::Zero => proto::Side::Angels,
        Side::One => proto::Side::Demons,
    }
}

fn cover_to_wire(cover: Cover) -> proto::Cover {
    match cover {
        Cover::Empty => proto::Cover::Empty,
        Cover::Angel => proto::Cover::Angel,
        Cover::Demon => proto::Cover::Demon,
    }
}

//! Sticky Cresnovian Chess: conversions of options and moves; `views_and_facts` has the rest. Input that
//! names no move becomes a malformed move, which the rules reject in their order (G-2).

#[cfg(test)]
mod tests;
mod views_and_facts;

use rules::games::cresnovian_chess::{
    Basic, Direction, Elite, Flaw, Flock, Kingdom, Move, Options, Performance, PieceSet, Square, SquareSet,
    TectonicStep, Umbration, Word,
};
use wire::games::cresnovian_chess::v1 as proto;

pub(super) use views_and_facts::{fact_to_wire, view_to_wire};

pub(super) fn options_from_wire(options: &proto::Options) -> Options {
    Options { max_turns: options.max_turns.unwrap_or(Options::default().max_turns) }
}

pub(super) fn options_to_wire(options: &Options) -> proto::Options {
    proto::Options { max_turns: Some(options.max_turns) }
}

pub(super) fn move_from_wire(mv: &proto::Move) -> Move {
    read_move(mv).unwrap_or_else(Move::Malformed)
}

fn read_move(mv: &proto::Move) -> Result<Move, Flaw> {
    use proto::r#move::Kind;
    Ok(match mv.kind.as_ref().ok_or(Flaw::Kind)? {
        Kind::Place(place) => Move::Place(read_placements(&place.placements)?),
        Kind::Choose(choose) => Move::Choose(match choose.kingdom() {
            proto::Kingdom::Left => Kingdom::Left,
            proto::Kingdom::Right => Kingdom::Right,
            proto::Kingdom::Unspecified => return Err(Flaw::Place),
        }),
        Kind::Travel(travel) => {
            Move::Travel { piece: read_piece(travel.piece)?, to: read_square(travel.to.as_ref())? }
        }
        Kind::Perform(perform) => Move::Perform(read_performance(perform)?),
        Kind::Document(document) => {
            Move::Document(document.words.iter().map(|word| Word::new(word)).collect())
        }
        Kind::PassTurn(proto::Pass {}) => Move::Pass,
    })
}

/// Reads the squares of all pieces. Each piece must occur exactly once.
fn read_placements(placements: &[proto::Placement]) -> Result<[Square; 9], Flaw> {
    let mut pairs = placements.iter().map(read_placement).collect::<Result<Vec<_>, _>>()?;
    pairs.sort_unstable();
    if !pairs.iter().map(|&(piece, _)| piece).eq(Umbration::ALL) {
        return Err(Flaw::Parts);
    }
    let squares: Vec<Square> = pairs.into_iter().map(|(_, square)| square).collect();
    squares.try_into().map_err(|_| Flaw::Parts)
}

fn read_performance(perform: &proto::Perform) -> Result<Performance, Flaw> {
    use proto::perform::Performance as Kind;
    Ok(match perform.performance.as_ref().ok_or(Flaw::Kind)? {
        Kind::Basic(basic) => Performance::Basic(read_basic(basic)?),
        Kind::Elite(elite) => Performance::Elite(read_elite(elite)?),
        Kind::Dance(basic) => Performance::Dance(read_basic(basic)?),
        Kind::Repair(piece) => Performance::Repair(read_piece(*piece)?),
    })
}

fn read_basic(basic: &proto::Basic) -> Result<Basic, Flaw> {
    use proto::basic::Ability;
    Ok(match basic.ability.as_ref().ok_or(Flaw::Kind)? {
        Ability::ReturnHome(piece) => Basic::ReturnHome(read_piece(*piece)?),
        Ability::Cut(piece) => Basic::Cut(read_piece(*piece)?),
        Ability::Breakdown(piece) => Basic::Breakdown(read_piece(*piece)?),
        Ability::CriticalRewind(proto::CriticalRewind {}) => Basic::CriticalRewind,
        Ability::Spectacle(at) => {
            read_placement(at).map(|(piece, square)| Basic::Spectacle(piece, square))?
        }
        Ability::BuildMonument(at) => {
            read_placement(at).map(|(umbration, square)| Basic::BuildMonument(umbration, square))?
        }
        Ability::DestroyMonuments(destroy) => {
            let read = destroy.squares.iter().map(|square| read_square(Some(square)));
            let squares = read.collect::<Result<SquareSet, _>>()?;
            check_distinct(squares.len(), destroy.squares.len())?;
            Basic::DestroyMonuments(squares)
        }
        Ability::Energize(energize) => Basic::Energize(read_piece(energize.piece)?, energize.amount),
        Ability::Propaganda(propaganda) => {
            let pieces =
                propaganda.pieces.iter().map(|piece| read_piece(*piece)).collect::<Result<PieceSet, _>>()?;
            check_distinct(pieces.len(), propaganda.pieces.len())?;
            Basic::Propaganda(pieces)
        }
    })
}

/// Checks that a list of a set's members has no duplicates.
fn check_distinct(members: u32, listed: usize) -> Result<(), Flaw> {
    if usize::try_from(members).is_ok_and(|members| members == listed) { Ok(()) } else { Err(Flaw::Parts) }
}

fn read_elite(elite: &proto::Elite) -> Result<Elite, Flaw> {
    use proto::elite::Ability;
    Ok(match elite.ability.as_ref().ok_or(Flaw::Kind)? {
        Ability::PerfectEternal(piece) => Elite::PerfectEternal(read_piece(*piece)?),
        Ability::FlockTogether(flock) => {
            let members = flock.members.iter().map(read_placement).collect::<Result<Vec<_>, _>>()?;
            Elite::FlockTogether(Flock::new(members))
        }
        Ability::Redefinition(redefinition) => Elite::Redefinition {
            take: redefinition.take_index,
            put_back: redefinition.put_back_index,
            square: read_square(redefinition.square.as_ref())?,
        },
        Ability::Teleport(teleport) => Elite::Teleport {
            from: read_square(teleport.origin.as_ref())?,
            to: read_square(teleport.to.as_ref())?,
        },
        Ability::UltraviolentRay(proto::UltraviolentRay {}) => Elite::UltraviolentRay,
        Ability::TectonicFailure(failure) => {
            Elite::TectonicFailure(failure.steps.iter().map(read_step).collect::<Result<_, _>>()?)
        }
        Ability::SelectTheFit(proto::SelectTheFit {}) => Elite::SelectTheFit,
        Ability::GoBerserk(at) => {
            read_placement(at).map(|(piece, square)| Elite::GoBerserk(piece, square))?
        }
        Ability::SumOfAllKnowledge(proto::SumOfAllKnowledge {}) => Elite::SumOfAllKnowledge,
    })
}

fn read_step(step: &proto::Step) -> Result<TectonicStep, Flaw> {
    let direction = match step.direction() {
        proto::Direction::Unspecified => return Err(Flaw::Place),
        proto::Direction::Up => Direction::Up,
        proto::Direction::UpRight => Direction::UpRight,
        proto::Direction::Right => Direction::Right,
        proto::Direction::DownRight => Direction::DownRight,
        proto::Direction::Down => Direction::Down,
        proto::Direction::DownLeft => Direction::DownLeft,
        proto::Direction::Left => Direction::Left,
        proto::Direction::UpLeft => Direction::UpLeft,
    };
    Ok(TectonicStep { from: read_square(step.origin.as_ref())?, direction })
}

fn read_placement(placement: &proto::Placement) -> Result<(Umbration, Square), Flaw> {
    Ok((read_piece(placement.umbration)?, read_square(placement.square.as_ref())?))
}

fn read_square(square: Option<&proto::Square>) -> Result<Square, Flaw> {
    let square = square.ok_or(Flaw::Parts)?;
    Square::new(square.row, square.col).ok_or(Flaw::Square)
}

fn read_piece(piece: i32) -> Result<Umbration, Flaw> {
    Ok(match proto::Umbration::try_from(piece).map_err(|_| Flaw::Piece)? {
        proto::Umbration::Unspecified => return Err(Flaw::Piece),
        proto::Umbration::Essence => Umbration::Essence,
        proto::Umbration::Duality => Umbration::Duality,
        proto::Umbration::Cosmos => Umbration::Cosmos,
        proto::Umbration::Velocity => Umbration::Velocity,
        proto::Umbration::Radiance => Umbration::Radiance,
        proto::Umbration::Corporeality => Umbration::Corporeality,
        proto::Umbration::Innervation => Umbration::Innervation,
        proto::Umbration::Caprice => Umbration::Caprice,
        proto::Umbration::Cognizance => Umbration::Cognizance,
    })
}

pub(super) fn move_to_wire(mv: &Move) -> proto::Move {
    use proto::r#move::Kind;
    let kind = match mv {
        Move::Place(squares) => {
            let pairs = Umbration::ALL.into_iter().zip(squares);
            let placements = pairs.map(|(piece, square)| placement(piece, *square)).collect();
            Kind::Place(proto::Place { placements })
        }
        Move::Choose(kingdom) => Kind::Choose(proto::Choose { kingdom: kingdom_to_wire(*kingdom).into() }),
        Move::Travel { piece, to } => {
            Kind::Travel(proto::Travel { piece: umbration(*piece), to: Some(square(*to)) })
        }
        Move::Perform(performance) => Kind::Perform(performance_to_wire(performance)),
        Move::Document(words) => Kind::Document(proto::Document { words: words.iter().map(text).collect() }),
        Move::Pass => Kind::PassTurn(proto::Pass {}),
        // Never stored or listed, so nobody reads this.
        Move::Malformed(_) => return proto::Move { kind: None },
    };
    proto::Move { kind: Some(kind) }
}

fn performance_to_wire(performance: &Performance) -> proto::Perform {
    use proto::perform::Performance as Kind;
    let kind = match performance {
        Performance::Basic(basic) => Kind::Basic(basic_to_wire(basic)),
        Performance::Elite(elite) => Kind::Elite(elite_to_wire(elite)),
        Performance::Dance(basic) => Kind::Dance(basic_to_wire(basic)),
        Performance::Repair(piece) => Kind::Repair(umbration(*piece)),
    };
    proto::Perform { performance: Some(kind) }
}

fn basic_to_wire(basic: &Basic) -> proto::Basic {
    use proto::basic::Ability;
    let ability = match *basic {
        Basic::ReturnHome(piece) => Ability::ReturnHome(umbration(piece)),
        Basic::Cut(piece) => Ability::Cut(umbration(piece)),
        Basic::Breakdown(piece) => Ability::Breakdown(umbration(piece)),
        Basic::CriticalRewind => Ability::CriticalRewind(proto::CriticalRewind {}),
        Basic::Spectacle(piece, at) => Ability::Spectacle(placement(piece, at)),
        Basic::BuildMonument(kind, at) => Ability::BuildMonument(placement(kind, at)),
        Basic::DestroyMonuments(squares) => Ability::DestroyMonuments(proto::DestroyMonuments {
            squares: squares.iter().map(square).collect(),
        }),
        Basic::Energize(piece, amount) => {
            Ability::Energize(proto::Energize { piece: umbration(piece), amount })
        }
        Basic::Propaganda(pieces) => {
            Ability::Propaganda(proto::Propaganda { pieces: pieces.iter().map(umbration).collect() })
        }
    };
    proto::Basic { ability: Some(ability) }
}

fn elite_to_wire(elite: &Elite) -> proto::Elite {
    use proto::elite::Ability;
    let ability = match elite {
        Elite::PerfectEternal(piece) => Ability::PerfectEternal(umbration(*piece)),
        Elite::FlockTogether(flock) => {
            let members = flock.members().iter().map(|(piece, to)| placement(*piece, *to)).collect();
            Ability::FlockTogether(proto::FlockTogether { members })
        }
        Elite::Redefinition { take, put_back, square: at } => Ability::Redefinition(proto::Redefinition {
            take_index: *take,
            put_back_index: *put_back,
            square: Some(square(*at)),
        }),
        Elite::Teleport { from, to } => {
            Ability::Teleport(proto::Teleport { origin: Some(square(*from)), to: Some(square(*to)) })
        }
        Elite::UltraviolentRay => Ability::UltraviolentRay(proto::UltraviolentRay {}),
        Elite::TectonicFailure(steps) => Ability::TectonicFailure(proto::TectonicFailure {
            steps: steps.iter().map(step_to_wire).collect(),
        }),
        Elite::SelectTheFit => Ability::SelectTheFit(proto::SelectTheFit {}),
        Elite::GoBerserk(piece, at) => Ability::GoBerserk(placement(*piece, *at)),
        Elite::SumOfAllKnowledge => Ability::SumOfAllKnowledge(proto::SumOfAllKnowledge {}),
    };
    proto::Elite { ability: Some(ability) }
}

fn step_to_wire(step: &TectonicStep) -> proto::Step {
    let direction = match step.direction {
        Direction::Up => proto::Direction::Up,
        Direction::UpRight => proto::Direction::UpRight,
        Direction::Right => proto::Direction::Right,
        Direction::DownRight => proto::Direction::DownRight,
        Direction::Down => proto::Direction::Down,
        Direction::DownLeft => proto::Direction::DownLeft,
        Direction::Left => proto::Direction::Left,
        Direction::UpLeft => proto::Direction::UpLeft,
    };
    proto::Step { origin: Some(square(step.from)), direction: direction.into() }
}

fn placement(piece: Umbration, at: Square) -> proto::Placement {
    proto::Placement { umbration: umbration(piece), square: Some(square(at)) }
}

fn square(square: Square) -> proto::Square {
    proto::Square { row: square.row(), col: square.col() }
}

fn text(word: &Word) -> String {
    word.as_str().to_owned()
}

fn kingdom_to_wire(kingdom: Kingdom) -> proto::Kingdom {
    match kingdom {
        Kingdom::Left => proto::Kingdom::Left,
        Kingdom::Right => proto::Kingdom::Right,
    }
}

fn umbration(umbration: Umbration) -> i32 {
    let umbration = match umbration {
        Umbration::Essence => proto::Umbration::Essence,
        Umbration::Duality => proto::Umbration::Duality,
        Umbration::Cosmos => proto::Umbration::Cosmos,
        Umbration::Velocity => proto::Umbration::Velocity,
        Umbration::Radiance => proto::Umbration::Radiance,
        Umbration::Corporeality => proto::Umbration::Corporeality,
        Umbration::Innervation => proto::Umbration::Innervation,
        Umbration::Caprice => proto::Umbration::Caprice,
        Umbration::Cognizance => proto::Umbration::Cognizance,
    };
    umbration.into()
}

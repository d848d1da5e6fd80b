//! The order in which kinds of events may follow each other in any game: all that can be checked of a log
//! whose moves can't be replayed.

use event::{MAX_SEATS, RedactedEvent, Seat, Seats};
use replay::{
    Entry, Fault, MAX_ENTROPY_BYTES, MAX_ROTATIONS, ProposalKind, Proposals, RecentMoves, check_first_event,
};
use rules::GameId;
use wire::Period;
use wire::log::v1 as log;
use wire::log::v1::EventKind;

/// Size of a state digest.
const DIGEST_BYTES: usize = 32;

/// The progress of a match, as far as the kinds of its events tell.
#[derive(Default)]
pub(super) struct Outline {
    /// The seats of the match.
    pub(super) seats: Seats,
    /// The seats that are claimed.
    pub(super) claimed: Seats,
    /// The generation of each claimed seat's newest token.
    generations: [u32; MAX_SEATS],
    /// The seats with a choice in the current turn.
    chosen: Seats,
    pub(super) proposals: Proposals,
    /// The moves that can be taken back; `None` if none can.
    recent_moves: Option<RecentMoves<()>>,
    pub(super) has_started: bool,
    /// Whether a seat has made a move or a choice.
    pub(super) has_moved: bool,
    /// Whether the last event is a move or a reveal.
    pub(super) has_just_moved: bool,
    pub(super) has_clocks: bool,
    pub(super) has_chance: bool,
    pub(super) stage: Stage,
}

/// The stage of a match's life.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stage {
    /// No event yet.
    #[default]
    Empty,
    Open,
    Running,
    Over,
}

impl Stage {
    fn is_in(self, period: Period) -> bool {
        match period {
            Period::Creation => self == Self::Empty,
            Period::BeforeStart => self == Self::Open,
            Period::InPlay => self == Self::Running,
            Period::BeforeEnd => matches!(self, Self::Open | Self::Running),
        }
    }
}

impl Outline {
    /// Checks the next event.
    pub(super) fn check(&mut self, entry: &Entry, event: &RedactedEvent) -> Result<(), Fault> {
        if entry.sealed_content().is_some() != event.sealed.is_some() {
            return Err(Fault::Undecodable);
        }
        let fits = self.stage.is_in(entry.period())
            && self.due().is_none_or(|due| due == entry.kind())
            && match entry {
                Entry::MatchCreated(created) => self.open(entry, created.terms.as_ref(), &[])?,
                Entry::MatchForked(forked) => self.open(entry, forked.terms.as_ref(), &forked.moves)?,
                Entry::SeatClaimed(claim) => {
                    if claim.entropy.len() > MAX_ENTROPY_BYTES {
                        return Err(Fault::Undecodable);
                    }
                    let seat = self.acting_seat(entry)?;
                    self.generations[seat.index()] = 1;
                    self.claimed.insert(seat)
                }
                Entry::SeatTokenRotated(rotated) => {
                    self.rotate(self.acting_seat(entry)?, rotated.generation)?
                }
                Entry::MatchStarted(_) => {
                    (self.stage, self.has_started) = (Stage::Running, true);
                    self.claimed == self.seats
                }
                Entry::MoveSealed(_) => self.chosen.insert(self.acting_seat(entry)?),
                Entry::TurnRevealed(turn) => {
                    turn.choices.iter().try_for_each(|choice| self.seat(choice.seat).map(drop))?;
                    std::mem::take(&mut self.chosen) == self.seats
                }
                Entry::MatchEnded(ended) => {
                    self.check_end(ended)?;
                    self.stage = Stage::Over;
                    true
                }
                // Any other event is an act of a seat, which must be claimed.
                _ => self.claimed.contains(self.acting_seat(entry)?),
            };
        if !fits {
            return Err(Fault::OutOfPlace);
        }
        check_digest(entry, self.has_started)?;
        let asked = self.proposals.open(ProposalKind::Takeback);
        self.proposals.apply(entry)?;
        self.has_moved |= matches!(entry, Entry::MoveMade(_) | Entry::MoveSealed(_));
        self.has_just_moved = matches!(entry, Entry::MoveMade(_) | Entry::TurnRevealed(_));
        if self.follow_moves(entry, asked)? { Ok(()) } else { Err(Fault::OutOfPlace) }
    }

    /// Returns the kind of the only event that can be next: the start after the last claim, or the reveal
    /// after a turn's last choice. `None` if there are several.
    fn due(&self) -> Option<EventKind> {
        match self.stage {
            Stage::Open if self.claimed == self.seats => Some(EventKind::MatchStarted),
            Stage::Running if self.chosen == self.seats => Some(EventKind::TurnRevealed),
            _ => None,
        }
    }

    /// Follows which moves are in effect. Returns whether a takeback is possible here, if the entry is about
    /// one. `asked` is the seat that had proposed a takeback.
    fn follow_moves(&mut self, entry: &Entry, asked: Option<Seat>) -> Result<bool, Fault> {
        match entry {
            Entry::MatchCreated(created) => self.recent_moves = recent_moves(created.terms.as_ref()),
            Entry::MatchForked(forked) => self.recent_moves = recent_moves(forked.terms.as_ref()),
            Entry::MoveMade(_) => {
                let seat = self.acting_seat(entry)?;
                if let Some(recent) = &mut self.recent_moves {
                    recent.record(seat, ());
                }
            }
            Entry::ProposalMade(made)
                if ProposalKind::from_log(made.kind) == Some(ProposalKind::Takeback) =>
            {
                let seat = self.acting_seat(entry)?;
                return Ok(self.recent_moves.as_ref().is_some_and(|recent| recent.check(seat).is_ok()));
            }
            Entry::ProposalAnswered(answered) if answered.is_takeback() => {
                let taken = self.recent_moves.as_mut().and_then(|recent| recent.take_back(asked?));
                return Ok(taken.is_some());
            }
            _ => {}
        }
        Ok(true)
    }

    /// Records the next token of a seat. Returns whether the seat is claimed and the generation is the next.
    fn rotate(&mut self, seat: Seat, generation: u32) -> Result<bool, Fault> {
        let newest = &mut self.generations[seat.index()];
        if *newest > MAX_ROTATIONS {
            return Err(Fault::TooManyRotations);
        }
        *newest += 1;
        Ok(self.claimed.contains(seat) && *newest == generation)
    }

    fn open(
        &mut self,
        entry: &Entry,
        terms: Option<&log::MatchTerms>,
        moves: &[log::ForkedMove],
    ) -> Result<bool, Fault> {
        let terms = terms.ok_or(Fault::Undecodable)?;
        self.seats = seats_of(terms)?;
        check_first_event(entry)?;
        self.has_clocks = terms.time_control.is_some();
        self.has_chance = GameId::parse(&terms.game_id).is_some_and(|game| game.info().chance);
        self.stage = Stage::Open;
        moves.iter().try_for_each(|mv| self.seat(mv.seat).map(drop))?;
        Ok(true)
    }

    /// Checks that an end names seats of the match, all of them in its standings if there are any, and that
    /// the match can end so.
    fn check_end(&self, ended: &log::MatchEnded) -> Result<(), Fault> {
        if ended.seat.is_some() {
            self.seat(ended.seat)?;
        }
        let result = ended.result.as_ref().ok_or(Fault::Undecodable)?;
        let ranked = result.standings.iter().map(|standing| self.seat(standing.seat));
        let ranked = ranked.collect::<Result<Vec<_>, _>>()?;
        let expected = if result.outcome() == log::Outcome::None { Seats::NONE } else { self.seats };
        let fits = expected.iter().eq(ranked) && self.may_end(ended, result);
        if fits { Ok(()) } else { Err(Fault::WrongResult) }
    }

    fn acting_seat(&self, entry: &Entry) -> Result<Seat, Fault> {
        self.seat(entry.seat_number())
    }

    fn seat(&self, number: Option<u32>) -> Result<Seat, Fault> {
        let seat = number.and_then(Seat::from_number).filter(|seat| self.seats.contains(*seat));
        seat.ok_or(Fault::UnknownSeat)
    }
}

/// Checks that an event has a digest exactly if it settles a position. Only the rules can rebuild it.
fn check_digest(entry: &Entry, has_started: bool) -> Result<(), Fault> {
    let (digest, expected) = match entry {
        Entry::MoveMade(made) => (&made.state_digest, DIGEST_BYTES),
        Entry::TurnRevealed(turn) => (&turn.state_digest, DIGEST_BYTES),
        Entry::MatchEnded(ended) => (&ended.state_digest, if has_started { DIGEST_BYTES } else { 0 }),
        _ => return Ok(()),
    };
    if digest.len() == expected { Ok(()) } else { Err(Fault::Undecodable) }
}

/// Returns an empty list of moves that can be taken back, or `None` if the match cannot have any.
fn recent_moves(terms: Option<&log::MatchTerms>) -> Option<RecentMoves<()>> {
    let terms = terms?;
    match GameId::parse(&terms.game_id) {
        Some(game) => RecentMoves::of_match(game.info(), terms.forbid_takebacks),
        // A game that this build does not know may allow takebacks.
        None => (!terms.forbid_takebacks).then(RecentMoves::default),
    }
}

/// Returns the seats of a match, which must have as many as its game is played by, if the game is known here.
fn seats_of(terms: &log::MatchTerms) -> Result<Seats, Fault> {
    let wrong = || Fault::WrongSeats { game: terms.game_id.clone(), seats: terms.seats };
    let count = usize::try_from(terms.seats).map_err(|_| wrong())?;
    let possible = GameId::parse(&terms.game_id).map_or(1..=MAX_SEATS, |game| game.info().seats());
    if possible.contains(&count) { Ok(Seat::ALL.into_iter().take(count).collect()) } else { Err(wrong()) }
}

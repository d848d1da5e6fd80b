//! What a bot's seat may know when it is to move, as the service tells it: the
//! events so far, or its view and its legal moves. And what the bot makes of it.

use rand_chacha::ChaCha8Rng;
use replay::{Rehearsal, seat_from_wire};
use wire::v1::{Event, GetViewRequest, ListEventsRequest, ListLegalMovesRequest, Move, Seat};

use crate::bots::{Known, Standing, choose, standing};
use crate::connection::Service;
use crate::failure::Failure;

/// The most events of a page, and the most moves of a list, that the service gives.
const PAGE: u32 = 500;
const MOST_MOVES: u32 = 10_000;

/// A seat's memory of one match.
#[derive(Default)]
pub(crate) enum Sight {
    /// Nothing was looked at yet.
    #[default]
    New,
    /// Events tell everything: the position after the last one seen.
    Whole(Box<Rehearsal>),
    /// Events leave something out: only the present view counts.
    Partial,
}

/// What a bot makes of a position.
pub(crate) enum Thought {
    /// This move is best, at the position of this seq.
    Best { made: Move, seq: u32 },
    /// It is not the seat's turn.
    NotToAct,
    /// No move could be judged.
    Unsure,
}

impl Sight {
    /// Looks at the newest position and chooses a move.
    pub(crate) async fn think(
        &mut self,
        service: &Service,
        match_id: &str,
        seat: Seat,
        lots: &mut ChaCha8Rng,
    ) -> Result<Thought, Failure> {
        self.catch_up(service, match_id).await?;
        match self {
            Self::Whole(rehearsal) => Ok(judged(rehearsal, seat, lots)),
            Self::New | Self::Partial => judged_in_part(service, match_id, seat, lots).await,
        }
    }

    /// How the seat stands at the newest position; none if it can't tell.
    pub(crate) async fn standing(
        &mut self,
        service: &Service,
        match_id: &str,
        seat: Seat,
    ) -> Result<Option<Standing>, Failure> {
        self.catch_up(service, match_id).await?;
        let Some(seat) = seat_from_wire(seat.into()) else { return Ok(None) };
        if let Self::Whole(rehearsal) = self {
            return Ok(standing(&Known::Everything(rehearsal.state()), seat));
        }
        let newest = GetViewRequest { match_id: match_id.to_owned(), ..GetViewRequest::default() };
        let view = service.get_view(newest).await?.view.and_then(|view| view.game);
        Ok(view.and_then(|view| standing(&Known::Own { view: &view, moves: &[] }, seat)))
    }

    async fn catch_up(&mut self, service: &Service, match_id: &str) -> Result<(), Failure> {
        loop {
            let after_seq = match self {
                Self::New => 0,
                Self::Whole(rehearsal) => rehearsal.seq(),
                Self::Partial => return Ok(()),
            };
            let page = service.list_events(ListEventsRequest {
                match_id: match_id.to_owned(),
                after_seq,
                page_size: Some(PAGE),
                ..ListEventsRequest::default()
            });
            let page = page.await?;
            page.events.iter().for_each(|event| self.take_in(event));
            if page.events.last().is_none_or(|last| last.seq >= page.head_seq) {
                return Ok(());
            }
        }
    }

    fn take_in(&mut self, event: &Event) {
        *self = match std::mem::replace(self, Self::Partial) {
            Self::New => Rehearsal::begin(event).map_or(Self::Partial, |begun| Self::Whole(Box::new(begun))),
            // A bot that is lost still plays, at random.
            Self::Whole(mut rehearsal) => match rehearsal.follow(event) {
                Ok(()) => Self::Whole(rehearsal),
                Err(_) => Self::Partial,
            },
            Self::Partial => Self::Partial,
        };
    }
}

fn judged(rehearsal: &Rehearsal, seat: Seat, lots: &mut ChaCha8Rng) -> Thought {
    let state = rehearsal.state();
    let Some(seat) = seat_from_wire(seat.into()).filter(|seat| state.to_act().contains(*seat)) else {
        return Thought::NotToAct;
    };
    let made = choose(&Known::Everything(state), seat, lots);
    made.map_or(Thought::Unsure, |made| Thought::Best { made, seq: rehearsal.seq() })
}

async fn judged_in_part(
    service: &Service,
    match_id: &str,
    seat: Seat,
    lots: &mut ChaCha8Rng,
) -> Result<Thought, Failure> {
    let listed = service.list_legal_moves(ListLegalMovesRequest {
        match_id: match_id.to_owned(),
        limit: Some(MOST_MOVES),
        ..ListLegalMovesRequest::default()
    });
    let listed = listed.await?;
    let moves: Vec<Move> = listed.moves.into_iter().filter_map(|listed| listed.r#move).collect();
    if moves.is_empty() {
        return Ok(if listed.unlisted_families.is_empty() { Thought::NotToAct } else { Thought::Unsure });
    }
    // The position that the moves belong to, also if more has happened since.
    let view = service.get_view(GetViewRequest {
        match_id: match_id.to_owned(),
        at_seq: Some(listed.seq),
        ..GetViewRequest::default()
    });
    let view = view.await?.view.and_then(|view| view.game);
    let made = view
        .zip(seat_from_wire(seat.into()))
        .and_then(|(view, seat)| choose(&Known::Own { view: &view, moves: &moves }, seat, lots));
    Ok(made.map_or(Thought::Unsure, |made| Thought::Best { made, seq: listed.seq }))
}

//! Builds logs as a service with other rules would have written them: with real states, moves and seeds, and
//! with the chain and the digests of `docs/audit.md`. A test replaces the state to model a change of rules.

use event::{Event, MatchId, Part as _, RecordTime, Sealed, Seat, Seats, Seq};
use hmac::{Hmac, KeyInit, Mac};
use journal::{
    Append, DeadlineChange, Journal, Labels, MatchRow, MatchStatus, NewEvent, PlayerRow, SeatRow, Visibility,
};
use replay::{Decision, Entry, GivenTerms, NewMatch, StartingPosition, decode_entry};
use rules::{Dice, Ending, Games, Move, Options, Reason, Seed, Side, State};
use sha2::{Digest, Sha256};
use uuid::Uuid;
use wire::log::v1 as log;
use wire::v1;

const START: i64 = 1_790_000_000_000_000;
const SEED_BYTES: [u8; 32] = [2; 32];

/// The log of a match under construction.
pub(crate) struct LogBuilder {
    pub(crate) match_id: Uuid,
    /// The state by the simulated rules.
    pub(crate) state: State,
    options: Options,
    events: Vec<Event>,
    digest_key: [u8; 32],
    dice: Dice,
}

impl LogBuilder {
    /// Starts a match with both seats claimed; up to there all rules agree.
    pub(crate) fn start(options: Options) -> Self {
        let match_id = Uuid::now_v7();
        let new = NewMatch {
            games: Games::built_in(),
            match_id: MatchId(match_id),
            start: StartingPosition::Opening {
                options: options.clone(),
                rules_version: options.game().info().rules_version,
                given: GivenTerms::default(),
                rematch_of: None,
            },
            visibility: v1::Visibility::Public,
            clock_settings: None,
            salt: [1; 32],
            seed_bytes: SEED_BYTES,
        };
        let created = Decision::create(&new, RecordTime(START)).unwrap().finish();
        let mut decision = Decision::on(&created.position, RecordTime(START + 1));
        decision.claim(Seat::ALL[0], "Ada", Vec::new(), [3; 32]).unwrap();
        decision.claim(Seat::ALL[1], "Bob", Vec::new(), [4; 32]).unwrap();
        let claimed = decision.finish();
        let seed = Sha256::new().chain_update(b"matchbook.seed.v1\0").chain_update(match_id.as_bytes());
        let seed: [u8; 32] = seed.chain_update(SEED_BYTES).chain_update([0, 0]).finalize().into();
        let key = Sha256::new().chain_update(b"matchbook.digest.v1\0").chain_update(seed);
        Self {
            match_id,
            state: State::setup(&options, &Seed::new(seed)).unwrap(),
            options,
            events: [created.events, claimed.events].concat(),
            digest_key: key.chain_update(match_id.as_bytes()).finalize().into(),
            dice: Dice::new(&Seed::new([5; 32])),
        }
    }

    /// Returns the seq of the last event.
    pub(crate) fn head_seq(&self) -> u32 {
        self.events.last().unwrap().seq.0
    }

    /// Returns a random legal move of a seat.
    pub(crate) fn any_move(&mut self, side: Side) -> Move {
        self.state.sample(side, &mut self.dice).unwrap()
    }

    /// Plays random moves for this many turns, or to the end.
    pub(crate) fn play_turns(&mut self, turns: usize) {
        for _ in 0..turns {
            let seats: Vec<_> = self.state.to_act().iter().collect();
            match seats[..] {
                [] => return,
                [seat] => {
                    let chosen = self.any_move(seat);
                    self.play_move(seat, &chosen);
                }
                _ => {
                    let choices = Side::ALL.map(|side| self.any_move(side));
                    self.turn(&choices);
                }
            }
        }
    }

    /// Appends an open move and applies it by the current rules.
    pub(crate) fn play_move(&mut self, side: Side, chosen: &Move) {
        let after = self.state.play(side, chosen).unwrap().state;
        self.play_move_to(side, chosen, after);
    }

    /// Appends an open move that leads to the given state by the simulated rules.
    pub(crate) fn play_move_to(&mut self, side: Side, chosen: &Move, after: State) {
        self.state = after;
        let entry = log::MoveMade {
            seat: Some(number(side)),
            r#move: replay::move_to_log(chosen),
            state_digest: self.digest(),
        };
        self.push(&Entry::MoveMade(entry), None);
    }

    /// Appends both choices of a turn and their reveal.
    pub(crate) fn turn(&mut self, choices: &[Move; 2]) {
        let choices = Side::ALL.map(|side| {
            let chosen = &choices[side.index()];
            self.state = self.state.play(side, chosen).unwrap().state;
            let opened = self.seal_choice(side, chosen).as_bytes().to_vec();
            log::OpenedChoice { seat: Some(number(side)), opened }
        });
        self.state = self.state.reveal().unwrap().state;
        let entry = log::TurnRevealed { choices: choices.to_vec(), state_digest: self.digest() };
        self.push(&Entry::TurnRevealed(entry), None);
    }

    /// Appends a sealed choice without applying it to the state.
    pub(crate) fn seal_choice(&mut self, side: Side, chosen: &Move) -> Sealed {
        let sealed = Sealed::new([6; 32], &replay::move_to_log(chosen));
        let entry = log::MoveSealed { seat: Some(number(side)) };
        self.push(&Entry::MoveSealed(entry), Some(sealed.clone()));
        sealed
    }

    /// Appends the end of the match with this result.
    pub(crate) fn end(&mut self, ending: &Ending<Reason>) {
        let winner = ending.winner.into_iter().map(replay::seat_of_side).collect();
        let entry = log::MatchEnded {
            result: Some(replay::result_to_log(2, winner, ending.reason.as_str())),
            ended_by: log::EndedBy::Rules.into(),
            seat: None,
            opened_seed: [[1; 32], SEED_BYTES].concat(),
            state_digest: self.digest(),
        };
        self.push(&Entry::MatchEnded(entry), None);
    }

    /// Rewrites the log with another rules version, as a newer or older build would have written it.
    pub(crate) fn set_rules_version(&mut self, rules_version: u32) {
        let events = std::mem::take(&mut self.events);
        for event in events {
            let mut entry = decode_entry(event.kind, event.public.clone()).unwrap();
            if let Entry::MatchCreated(created) = &mut entry {
                created.terms.as_mut().unwrap().rules_version = rules_version;
            }
            self.push(&entry, event.sealed);
        }
    }

    /// Returns the digest of the state for the next event.
    fn digest(&self) -> Vec<u8> {
        let mac = Hmac::<Sha256>::new_from_slice(&self.digest_key).unwrap();
        let mac = mac.chain_update((self.head_seq() + 1).to_be_bytes()).chain_update(self.state.canonical());
        mac.finalize().into_bytes().to_vec()
    }

    fn push(&mut self, entry: &Entry, sealed: Option<Sealed>) {
        let (seq, previous) = self.events.last().map_or((1, [0; 32]), |last| (last.seq.0 + 1, last.hash));
        let (kind, public) = (entry.kind().number(), entry.public_bytes());
        let record_time = START + i64::from(seq) * 1_000;
        let hash = Sha256::new()
            .chain_update(b"matchbook.event.v1\0")
            .chain_update(previous)
            .chain_update(self.match_id.as_bytes())
            .chain_update(seq.to_be_bytes())
            .chain_update(kind.to_be_bytes())
            .chain_update(record_time.to_be_bytes())
            .chain_update(Sha256::digest(&public))
            .chain_update(sealed.as_ref().map_or([0; 32], Sealed::commitment));
        let hash = hash.finalize().into();
        self.events.push(Event {
            seq: Seq(seq),
            record_time: RecordTime(record_time),
            kind,
            public,
            sealed,
            hash,
        });
    }

    /// Stores the log and returns the match's id.
    pub(crate) async fn store(self, journal: &Journal) -> Uuid {
        let append = Append {
            match_id: MatchId(self.match_id),
            events: self.events.iter().map(new_event).collect(),
            after: None,
            match_row: Some(self.row()),
            deadline: DeadlineChange::Keep,
            labels: Labels::default(),
            to_act: Seats::NONE,
        };
        journal.append(append).await.unwrap();
        self.match_id
    }

    fn row(&self) -> MatchRow {
        let seat = |name: &str| {
            let player = PlayerRow { salt: [8; 32], display_name: name.to_owned(), player_id: None };
            Some(SeatRow { token_hash: [9; 32], generation: 1, player: Some(player) })
        };
        MatchRow {
            game: self.options.game().as_str().to_owned(),
            status: MatchStatus::Running,
            visibility: Visibility::Public,
            create_time: RecordTime(START),
            start_time: Some(RecordTime(START + 1)),
            seats: vec![seat("Ada"), seat("Bob")],
            ..MatchRow::new(MatchId(self.match_id))
        }
    }
}

fn number(side: Side) -> u32 {
    replay::seat_to_wire(replay::seat_of_side(side))
}

fn new_event(event: &Event) -> NewEvent {
    NewEvent { event: event.to_part(), request_hash: None }
}

//! Positions as a viewer may see them.

use event::{Seat, Seats};
use rules::Viewer;
use wire::v1 as proto;

use crate::applied::Openness;
use crate::convert::{self, seat_to_wire, timestamp_to_wire, viewer_to_wire};
use crate::{MatchPhase, Position, ProposalKind};

impl Position {
    /// Returns the position as a viewer may see it.
    pub fn shown(&self, viewer: Viewer<Seat>) -> proto::View {
        let state = match &self.phase {
            MatchPhase::Open => None,
            MatchPhase::Running(playing) => Some(&playing.state),
            MatchPhase::Over(finished) => finished.state.as_ref(),
        };
        let effective = Openness::of(self).effective(viewer);
        proto::View {
            match_id: self.match_id.to_string(),
            seq: self.seq.0,
            status: self.status_shown().into(),
            viewer: Some(viewer_to_wire(viewer)),
            seats: self.seats_shown(),
            to_act: seats_to_wire(self.to_act()),
            sealed: seats_to_wire(self.sealed()),
            game_view: state.map(|state| convert::view_to_wire(&state.view(effective))),
            result: self.result(),
            clocks: self.clocks_shown(),
            proposals: self.proposals_shown(),
            forked_from: self.forked_from_shown(),
            open_information: self.has_open_information(),
        }
    }

    /// Returns what the log says of the match without its position; the same for every viewer.
    #[allow(clippy::needless_update, reason = "what the log does not hold is left to the caller")]
    pub fn match_shown(&self) -> proto::Match {
        let (created, started, ended) = self.times();
        proto::Match {
            match_id: self.match_id.to_string(),
            game_id: self.game().as_str().to_owned(),
            rules_version: Some(self.rules_version()),
            options: Some(convert::options_to_wire(&self.created.options)),
            status: self.status_shown().into(),
            visibility: self.created.visibility.into(),
            seats: self.seats_shown(),
            create_time: Some(timestamp_to_wire(created)),
            start_time: started.map(timestamp_to_wire),
            end_time: ended.map(timestamp_to_wire),
            head_seq: Some(self.seq.0),
            head_hash: Some(self.head_hash.to_vec()),
            seed_commitment: Some(self.seed_commitment().to_vec()),
            result: self.result(),
            time_control: self.clock_settings().map(|settings| settings.control.to_wire()),
            forked_from: self.forked_from_shown(),
            rematch_of: self.rematch_of().map(|id| id.to_string()),
            open_information: Some(self.has_open_information()),
            forbid_takebacks: Some(self.given_terms().forbid_takebacks),
            ..proto::Match::default()
        }
    }

    fn clocks_shown(&self) -> Option<proto::Clocks> {
        Some(self.playing_now()?.clocks.as_ref()?.shown(self.record_time))
    }

    fn proposals_shown(&self) -> Vec<proto::Proposal> {
        let open = |kind: ProposalKind| {
            let seat = seat_to_wire(self.proposed_by(kind)?);
            Some(proto::Proposal { kind: kind.to_wire().into(), seat: Some(seat) })
        };
        ProposalKind::ALL.into_iter().filter_map(open).collect()
    }

    fn forked_from_shown(&self) -> Option<proto::ForkedFrom> {
        let parent = self.parent()?;
        Some(proto::ForkedFrom { match_id: parent.match_id.to_string(), seq: parent.seq.0 })
    }

    fn status_shown(&self) -> proto::MatchStatus {
        match self.phase {
            MatchPhase::Open => proto::MatchStatus::Open,
            MatchPhase::Running(_) => proto::MatchStatus::Running,
            MatchPhase::Over(_) => proto::MatchStatus::Over,
        }
    }

    fn seats_shown(&self) -> Vec<proto::SeatStatus> {
        let titles = self.game().info().seat_names.iter();
        let shown = self.seats.iter().zip(titles).map(|((seat, seating), (_, title))| {
            let seating = seating.as_ref();
            proto::SeatStatus {
                seat: Some(seat_to_wire(seat)),
                title: (*title).to_owned(),
                claimed: seating.is_some(),
                player: seating.and_then(|seating| seating.display_name.clone()).map(proto::Player::named),
            }
        });
        shown.collect()
    }
}

fn seats_to_wire(seats: Seats) -> Vec<u32> {
    seats.iter().map(seat_to_wire).collect()
}

//! The report as JSON, for programs and for the page.

use serde_json::{Map, Value, json};

use super::{CheckOutcome, Remark, Report};
use crate::hex::hex;

impl Report {
    /// Returns the whole report as one object.
    pub fn to_json(&self) -> Value {
        let checks: Map<String, Value> = self
            .checks
            .iter()
            .map(|(check, outcome)| {
                (check.as_str().to_owned(), outcome_as_json(outcome, self.last_checked()))
            })
            .collect();
        let remarks = self.remarks.iter().map(|remark| match remark {
            Remark::PlayerWithheld { seq } => json!({ "remark": "player_withheld", "seq": seq.0 }),
            Remark::ChoiceSealed { seq } => json!({ "remark": "choice_sealed", "seq": seq.0 }),
        });
        let failure = self.failure.as_ref().map(|failure| {
            let (check, problem) = (failure.check.as_str(), failure.problem.to_string());
            json!({ "seq": failure.seq.map(|seq| seq.0), "check": check, "problem": problem })
        });
        let result = self.result.as_ref();
        json!({
            "verdict": self.verdict.as_str(),
            "matchId": self.match_id.to_string(),
            "game": self.game,
            "rulesVersion": self.rules_version,
            "rulesVersionStatus": self.version_status.as_str(),
            "events": self.events,
            "moves": self.moves,
            "headHash": self.head_hash.map(|hash| hex(&hash)),
            "result": result.map(|result| json!({ "winner": result.winner(), "reason": result.reason })),
            "signedBy": self.signed_by.as_ref().map(ToString::to_string),
            "checks": checks,
            "remarks": remarks.collect::<Vec<_>>(),
            "failure": failure,
        })
    }

    /// Returns the seq of the event before the wrong one, if an event is wrong.
    pub fn last_checked(&self) -> Option<u32> {
        self.failure.as_ref().and_then(|failure| failure.seq).map(|seq| seq.0.saturating_sub(1))
    }
}

fn outcome_as_json(outcome: &CheckOutcome, last_checked: Option<u32>) -> Value {
    match outcome {
        CheckOutcome::Ok(count) => json!({ "outcome": "ok", "count": count }),
        CheckOutcome::NotNeeded(why) => json!({ "outcome": "not_needed", "why": why }),
        CheckOutcome::NotCheckable(why) => json!({ "outcome": "not_checkable", "why": why }),
        CheckOutcome::Failed => json!({ "outcome": "failed" }),
        CheckOutcome::NotReached => json!({ "outcome": "not_reached", "afterSeq": last_checked }),
    }
}

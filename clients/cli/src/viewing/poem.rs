//! The whole poem of a match of Sticky Cresnovian Chess. Views have only its end, so it is rebuilt from the
//! events.

use replay::{Diverged, LocalPosition};
use rules::{Games, View, Viewer};
use wire::v1::Event;

use crate::failure::Failure;

/// Returns the words of the poem after event `at`, or after the last event.
pub(crate) fn whole_poem(events: &[Event], at: Option<u32>) -> Result<Vec<String>, Failure> {
    let last = at.unwrap_or(u32::MAX);
    let mut position: Option<LocalPosition> = None;
    for event in events.iter().take_while(|event| event.seq <= last) {
        match &mut position {
            None => position = Some(LocalPosition::start(Games::built_in(), event).map_err(cannot)?),
            Some(position) => position.apply(event).map_err(cannot)?,
        }
    }
    let seq = position.as_ref().map_or(0, |position| position.seq().0);
    if at.is_some_and(|at| at != seq) {
        return Err(Failure::Usage(format!("the match has no event {last}; its last is {seq}")));
    }
    match position.map(|position| position.state().view(Viewer::Spectator)) {
        Some(View::CresnovianChess(view)) => {
            Ok(view.field.poem.iter().map(|word| word.as_str().to_owned()).collect())
        }
        Some(View::AceExorcist(_) | View::AngelsAndDemons(_) | View::LudusMagus(_)) | None => Err(no_poem()),
    }
}

fn cannot(diverged: Diverged) -> Failure {
    match diverged {
        Diverged::HiddenInformation => no_poem(),
        Diverged::NotTheBeginning
        | Diverged::UnknownRules
        | Diverged::UnknownKind(_)
        | Diverged::Event(_) => Failure::Usage(format!("cannot rebuild the poem: {diverged}")),
    }
}

fn no_poem() -> Failure {
    Failure::Usage("only a match of Sticky Cresnovian Chess has a poem".to_owned())
}

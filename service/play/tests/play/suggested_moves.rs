//! Moves that the service suggests: sensible, repeatable, and from what the seat may see alone.

use play::{Caller, Play, Refusal};
use wire::v1::{self as proto, ErrorReason, Prospects, Strategy};

use crate::fixture::{self, Fixture};

const GAMES: [&str; 4] = ["ace-exorcist", "angels-and-demons", "cresnovian-chess", "ludus-magus"];

async fn start(play: &Play, game: &str) -> Fixture {
    let create = proto::CreateMatchRequest { game_id: game.to_owned(), ..Default::default() };
    Fixture::start_with(play, create).await
}

async fn suggest(
    play: &Play,
    fixture: &Fixture,
    caller: &Caller,
    strategy: Strategy,
    seed: Option<u64>,
) -> Result<proto::SuggestMoveResponse, Refusal> {
    let match_id = fixture.match_id.clone();
    play.suggest_move(caller, proto::SuggestMoveRequest { match_id, strategy: strategy.into(), seed }).await
}

/// Returns the seat to act first, by asking both.
async fn first_to_act(play: &Play, fixture: &Fixture) -> Caller {
    match suggest(play, fixture, &fixture.angels, Strategy::Random, Some(1)).await {
        Ok(_) => fixture.angels.clone(),
        Err(_) => fixture.demons.clone(),
    }
}

#[tokio::test]
async fn equal_questions_get_equal_moves_which_are_accepted() {
    let play = fixture::in_memory().await;
    for game in GAMES {
        let fixture = start(&play, game).await;
        let seat = first_to_act(&play, &fixture).await;
        let ask = |seed| suggest(&play, &fixture, &seat, Strategy::Greedy, Some(seed));
        let suggested = ask(7).await.unwrap();
        assert_eq!(suggested, ask(7).await.unwrap(), "{game}");
        assert_ne!(suggested.prospects(), Prospects::Unspecified, "{game}");
        let mut notations = Vec::new();
        for seed in 0..20 {
            notations.push(ask(seed).await.unwrap().notation);
        }
        notations.sort();
        notations.dedup();
        // The best move of a hand of cards may have no equal.
        assert!(notations.len() > 1 || game == "ace-exorcist", "{game}: ties are broken by the seed");
        fixture.submit(&play, &seat, &suggested.notation).await.unwrap();
    }
}

#[tokio::test]
async fn a_greedy_suggestion_tells_who_is_ahead_and_a_random_one_does_not() {
    let play = fixture::in_memory().await;
    let fixture = Fixture::start(&play, 3).await;
    // The Angels gain two spaces; the Demons' two are contested.
    fixture.submit(&play, &fixture.angels, "2,2").await.unwrap();
    fixture.submit(&play, &fixture.demons, "1,1").await.unwrap();
    let prospects =
        async |caller, strategy| suggest(&play, &fixture, caller, strategy, None).await.unwrap().prospects();
    assert_eq!(prospects(&fixture.angels, Strategy::Greedy).await, Prospects::Better);
    assert_eq!(prospects(&fixture.demons, Strategy::Greedy).await, Prospects::Worse);
    assert_eq!(prospects(&fixture.demons, Strategy::Random).await, Prospects::Unspecified);
}

#[tokio::test]
async fn the_choice_that_the_opponent_has_sealed_has_no_influence() {
    let play = fixture::in_memory().await;
    let mut suggestions = Vec::new();
    for sealed in ["1,1", "4,4"] {
        let fixture = Fixture::start(&play, 3).await;
        fixture.submit(&play, &fixture.angels, sealed).await.unwrap();
        let mut of_match = Vec::new();
        for seed in 0..10 {
            let suggested = suggest(&play, &fixture, &fixture.demons, Strategy::Greedy, Some(seed)).await;
            of_match.push(suggested.unwrap());
        }
        suggestions.push(of_match);
    }
    assert_eq!(suggestions[0], suggestions[1]);
}

#[tokio::test]
async fn only_a_seat_to_act_gets_a_suggestion() {
    let play = fixture::in_memory().await;
    let fixture = start(&play, "ludus-magus").await;
    for strategy in [Strategy::Random, Strategy::Greedy] {
        let reason = async |caller| {
            suggest(&play, &fixture, &caller, strategy, None).await.map_err(|refusal| refusal.reason)
        };
        assert_eq!(reason(Caller::anonymous()).await.err(), Some(ErrorReason::MissingToken));
        let (angels, demons) = (reason(fixture.angels.clone()).await, reason(fixture.demons.clone()).await);
        let refused = [angels, demons].into_iter().filter_map(Result::err).collect::<Vec<_>>();
        assert_eq!(refused, [ErrorReason::NotYourTurn], "{strategy:?}");
    }
}

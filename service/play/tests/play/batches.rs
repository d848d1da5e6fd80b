//! `BatchGetMatches`: whom it shows which matches, and that it shows all or none.

use play::{Caller, Play, Refusal};
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason, Visibility};

use crate::fixture;
use crate::keyed::Keyed;

async fn batch(play: &Play, caller: &Caller, ids: &[&str]) -> Result<Vec<proto::Match>, Refusal> {
    let match_ids = ids.iter().map(|&id| id.to_owned()).collect();
    let answer = play.batch_get_matches(caller, proto::BatchGetMatchesRequest { match_ids }).await;
    answer.map(|answer| answer.matches)
}

#[tokio::test]
async fn matches_come_in_the_order_of_the_request_as_they_are_listed() {
    let keyed = Keyed::start().await;
    let play = &keyed.play;
    let mut ids = Vec::new();
    for visibility in [Visibility::Public, Visibility::Unlisted, Visibility::Private] {
        ids.push(keyed.create(visibility).await);
    }
    keyed.claim(&keyed.app, &ids[0], 1).await.unwrap();
    let labels = [("stage".to_owned(), "final".to_owned())].into();
    let relabel = proto::UpdateMatchLabelsRequest { match_id: ids[0].clone(), labels, update_mask: None };
    play.update_match_labels(&keyed.app, relabel).await.unwrap();
    let order: Vec<&str> = [1, 0, 2, 0].map(|n| ids[n].as_str()).to_vec();
    for caller in [&keyed.app, &keyed.audit, &keyed.admin] {
        let found = batch(play, caller, &order).await.unwrap();
        assert_eq!(found.iter().map(|found| found.match_id.as_str()).collect::<Vec<_>>(), order);
        let listed = play.list_matches(caller, proto::ListMatchesRequest::default()).await.unwrap().matches;
        for found in found {
            assert_eq!(listed.iter().find(|listed| listed.match_id == found.match_id), Some(&found));
        }
    }
    // Others get no notes.
    let found = batch(play, &keyed.other_app, &order[..2]).await.unwrap();
    assert!(found.iter().all(|found| found.labels.is_empty()) && found[1].seats[1].claimed, "{found:?}");
}

#[tokio::test]
async fn one_match_that_the_caller_may_not_know_of_refuses_the_batch() {
    let keyed = Keyed::start().await;
    let play = &keyed.play;
    let [public, private, other] = [
        keyed.create(Visibility::Public).await,
        keyed.create(Visibility::Private).await,
        keyed.create(Visibility::Private).await,
    ];
    let seat = keyed.claim(&keyed.app, &private, 0).await.unwrap();
    let missing = Uuid::now_v7().to_string();
    for (caller, id, known) in [
        (&Caller::anonymous(), &private, false),
        (&keyed.other_app, &private, false),
        (&keyed.app, &private, true),
        (&keyed.audit, &private, true),
        (&seat, &private, true),
        // A seat's token is for one match.
        (&seat, &other, false),
        (&keyed.admin, &missing, false),
    ] {
        let answer = batch(play, caller, &[&public, id, &public]).await;
        match answer {
            Ok(found) => assert!(known && found.len() == 3, "{caller:?}"),
            Err(refusal) => {
                assert!(!known, "{caller:?}: {refusal:?}");
                assert_eq!(refusal.reason, ErrorReason::UnknownMatch);
                assert_eq!(&refusal.metadata["match_id"], id);
            }
        }
    }
    // What is refused looks the same whether the match exists or not.
    let of = async |id: &str| batch(play, &keyed.other_app, &[id]).await.unwrap_err();
    let (hidden, absent) = (of(&private).await, of(&missing).await);
    assert_eq!(hidden.message, absent.message);
    assert_eq!(hidden.metadata.keys().collect::<Vec<_>>(), absent.metadata.keys().collect::<Vec<_>>());
    let unknown_key = fixture::app("mbk_unknown");
    assert_eq!(batch(play, &unknown_key, &[&public]).await.unwrap_err().reason, ErrorReason::BadToken);
}

#[tokio::test]
async fn a_batch_has_1_to_100_ids() {
    let play = fixture::in_memory().await;
    let anonymous = Caller::anonymous();
    let id = play.create_match(&anonymous, fixture::create(3)).await.unwrap().r#match.unwrap().match_id;
    assert_eq!(batch(&play, &anonymous, &[&*id; 100]).await.unwrap().len(), 100);
    for (ids, field) in
        [(vec![], "match_ids"), (vec![&*id; 101], "match_ids"), (vec![&*id, "nonsense"], "match_ids[1]")]
    {
        let refusal = batch(&play, &anonymous, &ids).await.unwrap_err();
        assert_eq!((refusal.reason, &*refusal.fields[0].field), (ErrorReason::InvalidArgument, field));
    }
}

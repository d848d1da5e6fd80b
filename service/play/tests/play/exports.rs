//! `ExportMatches`: whose logs it exports to whom, and that it goes on where it stopped.

use audit::{FileForm, FileWriter, LogFile, Trust};
use futures_util::StreamExt;
use play::{Caller, Play, Refusal};
use wire::v1::export_log_response::Record;
use wire::v1::export_matches_response::Frame;
use wire::v1::{self as proto, ErrorReason, Visibility};

use crate::fixture;
use crate::keyed::Keyed;

fn all() -> proto::ExportMatchesRequest {
    proto::ExportMatchesRequest::default()
}

async fn frames(
    play: &Play,
    caller: &Caller,
    request: proto::ExportMatchesRequest,
) -> Result<Vec<proto::ExportMatchesResponse>, Refusal> {
    let stream = play.export_matches(caller, request).await?;
    stream.map(Result::unwrap).collect::<Vec<_>>().await.into_iter().map(Ok).collect()
}

/// Returns the ids of the exported matches, each of whose files verifies, and the end.
fn files(frames: &[proto::ExportMatchesResponse]) -> (Vec<String>, Option<proto::ExportEnd>) {
    let (mut ids, mut end) = (Vec::new(), None);
    let (mut writer, mut bytes) = (FileWriter::new(FileForm::Json), Vec::new());
    for frame in frames.iter().filter_map(|response| response.frame.clone()) {
        assert!(end.is_none(), "the end is the last frame");
        let record = match frame {
            Frame::Header(header) => {
                (writer, bytes) = (FileWriter::new(FileForm::Json), Vec::new());
                ids.push(header.match_id.clone());
                Record::Header(header)
            }
            Frame::Event(event) => Record::Event(event),
            Frame::Head(head) => Record::Head(head),
            Frame::Skipped(skipped) => panic!("{skipped:?}"),
            Frame::End(counts) => {
                end = Some(counts);
                continue;
            }
        };
        let is_head = matches!(record, Record::Head(_));
        bytes.extend(writer.record(&proto::ExportLogResponse { record: Some(record) }));
        if is_head {
            let (file, _) = LogFile::read(&bytes).unwrap();
            assert_eq!(file.verify(&Trust::default()).failure, None);
        }
    }
    (ids, end)
}

#[tokio::test]
async fn an_app_exports_its_own_matches_and_an_auditor_all() {
    let keyed = Keyed::start().await;
    let play = &keyed.play;
    let mut ids = Vec::new();
    for visibility in [Visibility::Public, Visibility::Private] {
        ids.insert(0, keyed.create(visibility).await);
    }
    let other = play.create_match(&keyed.other_app, fixture::create(3)).await.unwrap();
    let other = other.r#match.unwrap().match_id;
    let seat = keyed.claim(&keyed.app, &ids[0], 0).await.unwrap();
    let everything = [std::slice::from_ref(&other), &ids[..]].concat();
    for (caller, expected) in [
        (&keyed.app, &ids),
        (&keyed.other_app, &vec![other]),
        (&keyed.audit, &everything),
        (&keyed.admin, &everything),
    ] {
        let (exported, end) = files(&frames(play, caller, all()).await.unwrap());
        assert_eq!(&exported, expected, "{caller:?}");
        let counts = proto::ExportEnd { exported: expected.len() as u64, skipped: 0 };
        assert_eq!(end, Some(counts));
    }
    for caller in [&Caller::anonymous(), &seat] {
        let refusal = frames(play, caller, all()).await.unwrap_err();
        assert_eq!(refusal.reason, ErrorReason::MissingKey, "{caller:?}");
    }
    let mine = proto::ExportMatchesRequest { mine: true, ..all() };
    assert_eq!(frames(play, &keyed.audit, mine).await.unwrap_err().reason, ErrorReason::NotAllowed);
    let labels = proto::ExportMatchesRequest { labels: vec!["a=b".to_owned()], ..all() };
    assert_eq!(files(&frames(play, &keyed.app, labels).await.unwrap()).0, [""; 0]);
}

#[tokio::test]
async fn an_open_service_exports_public_matches_to_everyone() {
    let play = fixture::in_memory().await;
    let anonymous = Caller::anonymous();
    let mut ids = Vec::new();
    for visibility in [Visibility::Public, Visibility::Unlisted, Visibility::Public] {
        let create = proto::CreateMatchRequest { visibility: Some(visibility.into()), ..fixture::create(3) };
        ids.push(play.create_match(&anonymous, create).await.unwrap().r#match.unwrap().match_id);
    }
    assert_eq!(files(&frames(&play, &anonymous, all()).await.unwrap()).0, [&*ids[2], &*ids[0]]);
}

#[tokio::test]
async fn an_export_goes_on_after_any_match() {
    let keyed = Keyed::start().await;
    let mut ids = Vec::new();
    // More than are found at a time.
    for _ in 0..60 {
        ids.insert(0, keyed.create(Visibility::Private).await);
    }
    let whole = frames(&keyed.play, &keyed.app, all()).await.unwrap();
    assert_eq!(files(&whole).0, ids);
    let mut complete = 0;
    for response in &whole {
        complete += usize::from(matches!(response.frame, Some(Frame::Head(_))));
        if response.next_page_token.is_empty() || ![1, 30, 50, 51, 60].contains(&complete) {
            continue;
        }
        let request = proto::ExportMatchesRequest { page_token: response.next_page_token.clone(), ..all() };
        let rest = frames(&keyed.play, &keyed.app, request.clone()).await.unwrap();
        assert_eq!(files(&rest).0, ids[complete..]);
        let other = proto::ExportMatchesRequest { mine: true, ..request };
        let refusal = frames(&keyed.play, &keyed.app, other).await.unwrap_err();
        assert_eq!(refusal.fields[0].field, "page_token");
    }
}

#[tokio::test]
async fn an_export_holds_a_place_for_streams_until_it_ends() {
    let play = fixture::in_memory().await;
    let anonymous = Caller::anonymous();
    let open = play.export_matches(&anonymous, all()).await.unwrap();
    assert_eq!(play.open_streams(play::StreamKind::Export), 1);
    drop(open);
    assert_eq!(play.open_streams(play::StreamKind::Export), 0);
}

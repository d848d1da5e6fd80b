//! Reflection (v1 and v1alpha) is complete, and health follows the life of the service.

use std::collections::BTreeSet;
use std::time::Duration;

use prost::Message;
use prost_reflect::DescriptorPool;
use prost_reflect::prost_types::FileDescriptorProto;
use tokio_stream::StreamExt;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::{v1, v1alpha};

use crate::rate_limits::behind_a_proxy;
use crate::stage::{Backend, Stage, Storage, refused, run};

const SERVICES: [&str; 7] = [
    "grpc.health.v1.Health",
    "grpc.reflection.v1.ServerReflection",
    "grpc.reflection.v1alpha.ServerReflection",
    "matchbook.v1.GameService",
    "matchbook.v1.LogService",
    "matchbook.v1.MatchService",
    "matchbook.v1.WebhookService",
];

#[tokio::test]
async fn v1_lists_and_describes_every_service() {
    use v1::server_reflection_request::MessageRequest as Query;
    use v1::server_reflection_response::MessageResponse as Reply;
    let stage = Stage::on(Backend::Memory).await;
    let call = async |query: Query| {
        let request = v1::ServerReflectionRequest { host: String::new(), message_request: Some(query) };
        let mut client = v1::server_reflection_client::ServerReflectionClient::new(stage.connect().await);
        let mut replies =
            client.server_reflection_info(tokio_stream::once(request)).await.unwrap().into_inner();
        replies.next().await.unwrap().unwrap().message_response.unwrap()
    };
    let Reply::ListServicesResponse(list) = call(Query::ListServices(String::new())).await else { panic!() };
    let names: BTreeSet<String> = list.service.into_iter().map(|service| service.name).collect();
    assert_eq!(names, SERVICES.map(str::to_owned).into());

    // Every service and the error details, with all their dependencies.
    let mut files: Vec<FileDescriptorProto> = Vec::new();
    let mut pending: Vec<Query> =
        SERVICES.map(|name| Query::FileContainingSymbol(name.to_owned())).into_iter().collect();
    pending.push(Query::FileContainingSymbol("google.rpc.ErrorInfo".to_owned()));
    while let Some(query) = pending.pop() {
        let Reply::FileDescriptorResponse(response) = call(query.clone()).await else { panic!("{query:?}") };
        for bytes in response.file_descriptor_proto {
            let file = FileDescriptorProto::decode(bytes.as_slice()).unwrap();
            if !files.iter().any(|known| known.name == file.name) {
                pending.extend(file.dependency.iter().cloned().map(Query::FileByFilename));
                files.push(file);
            }
        }
    }
    let mut pool = DescriptorPool::new();
    pool.add_file_descriptor_protos(files).unwrap();
    assert_eq!(pool.services().count(), SERVICES.len());
    let submit = pool.get_service_by_name("matchbook.v1.MatchService").unwrap();
    assert!(submit.parent_file().file_descriptor_proto().source_code_info.is_some(), "comments are included");
    stage.close().await;
}

#[tokio::test]
async fn v1alpha_lists_the_same_services() {
    use v1alpha::server_reflection_request::MessageRequest as Query;
    use v1alpha::server_reflection_response::MessageResponse as Reply;
    let stage = Stage::on(Backend::Memory).await;
    let request = v1alpha::ServerReflectionRequest {
        host: String::new(),
        message_request: Some(Query::ListServices(String::new())),
    };
    let channel = stage.connect().await;
    let mut client = v1alpha::server_reflection_client::ServerReflectionClient::new(channel);
    let mut replies = client.server_reflection_info(tokio_stream::once(request)).await.unwrap().into_inner();
    let Some(Reply::ListServicesResponse(list)) = replies.next().await.unwrap().unwrap().message_response
    else {
        panic!("no list")
    };
    let names: BTreeSet<String> = list.service.into_iter().map(|service| service.name).collect();
    assert_eq!(names, SERVICES.map(str::to_owned).into());
    stage.close().await;
}

#[tokio::test]
async fn health_follows_start_and_shutdown() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    // If a health watch delayed the shutdown, this test would not end.
    config.limits.shutdown_grace = Duration::from_secs(3600);
    let stage = Stage::with(config).await;
    let mut client = HealthClient::new(stage.connect().await);
    let mut watches = Vec::new();
    for service in ["", "matchbook.v1.GameService", "matchbook.v1.LogService", "matchbook.v1.MatchService"] {
        let request = HealthCheckRequest { service: service.to_owned() };
        let response = client.check(request.clone()).await.unwrap().into_inner();
        assert_eq!(response.status(), ServingStatus::Serving);
        let mut watch = client.watch(request).await.unwrap().into_inner();
        assert_eq!(watch.next().await.unwrap().unwrap().status(), ServingStatus::Serving);
        watches.push(watch);
    }
    assert_eq!(healthcheck(&stage.address).await, 0);
    let address = stage.address.clone();
    stage.close().await;
    for mut watch in watches {
        assert_eq!(watch.next().await.unwrap().unwrap().status(), ServingStatus::NotServing);
        watch.next().await.unwrap().unwrap_err();
    }
    assert_eq!(healthcheck(&address).await, 7);
}

/// Runs `matchbookd healthcheck` without blocking the server of this process, and returns its exit code.
async fn healthcheck(address: &str) -> i32 {
    let address = address.to_owned();
    tokio::task::spawn_blocking(move || run(&["healthcheck", "--listen", &address]).0).await.unwrap()
}

#[tokio::test]
async fn unknown_methods_and_malformed_messages_get_plain_grpc_statuses() {
    let stage = Stage::on(Backend::Memory).await;
    let mut grpc = tonic::client::Grpc::new(stage.connect().await);
    let codec = || tonic_prost::ProstCodec::<HealthCheckRequest, HealthCheckRequest>::default();
    for (path, code) in [
        ("/matchbook.v1.MatchService/Nothing", tonic::Code::Unimplemented),
        ("/matchbook.v9.Nobody/Nothing", tonic::Code::Unimplemented),
        // Field 1 is a string in both messages, so this request decodes; the one below does not.
        ("/matchbook.v1.GameService/GetGame", tonic::Code::NotFound),
    ] {
        grpc.ready().await.unwrap();
        let request = tonic::Request::new(HealthCheckRequest { service: "x".to_owned() });
        let status = grpc.unary(request, path.parse().unwrap(), codec()).await.unwrap_err();
        assert_eq!(status.code(), code, "{path}");
    }
    grpc.ready().await.unwrap();
    let numbers = tonic_prost::ProstCodec::<wire::v1::GetViewResponse, HealthCheckRequest>::default();
    let request = tonic::Request::new(wire::v1::GetViewResponse { head_seq: 7, ..Default::default() });
    // Field 2 of SubmitMoveRequest is a message, not a number.
    let path = "/matchbook.v1.MatchService/SubmitMove".parse().unwrap();
    let status = grpc.unary(request, path, numbers).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::Internal);
    assert!(!status.message().contains('/') && !status.message().contains(".rs"), "{status:?}");
    stage.close().await;
}

/// A stream of questions is one call, each of which costs as much as a call.
#[tokio::test]
async fn each_question_on_a_stream_counts_for_the_rate_limit() {
    use v1::server_reflection_request::MessageRequest as Query;
    const QUESTIONS: usize = 200;
    let storage = Storage::here(Backend::Memory).await;
    let mut config = behind_a_proxy(&storage).await;
    config.limits.calls_per_second_per_address = 1;
    config.limits.call_burst_per_address = 5;
    let stage = Stage::with(config).await;
    let ask = async |address: Option<&str>| {
        let question = v1::ServerReflectionRequest {
            host: String::new(),
            message_request: Some(Query::ListServices(String::new())),
        };
        let mut request = tonic::Request::new(tokio_stream::iter(vec![question; QUESTIONS]));
        if let Some(address) = address {
            request.metadata_mut().insert("x-forwarded-for", address.parse().unwrap());
        }
        let mut client = v1::server_reflection_client::ServerReflectionClient::new(stage.connect().await);
        let replies = client.server_reflection_info(request).await.unwrap().into_inner();
        replies.collect::<Vec<_>>().await
    };
    let mut replies = ask(Some("192.0.2.7")).await;
    let refusal = refused(replies.pop().unwrap());
    assert!(refusal.retry_after.is_some());
    refusal.is("RATE_LIMITED", tonic::Code::ResourceExhausted, "this address");
    assert!(replies.len() < QUESTIONS / 2 && replies.iter().all(Result::is_ok), "{}", replies.len());
    // This machine itself is exempt.
    let replies = ask(None).await;
    assert!(replies.len() == QUESTIONS && replies.iter().all(Result::is_ok));
    stage.close().await;
}

//! Who may call what about a webhook.

use tonic::Status;
use wire::v1::webhook_service_client::WebhookServiceClient;
use wire::v1::{self, Visibility};

use super::outcome_word;
use super::scenario::{CALLERS, Caller, KeyedService, Scenario};
use crate::api_page::table;
use crate::stage::sent_with;

/// A name that nobody can have.
const URL: &str = "https://shop.invalid/hook";

type Client = WebhookServiceClient<tonic::transport::Channel>;

async fn call(grpc: &mut Client, rpc: &str, webhook_id: &str, credentials: &[&str]) -> Result<(), Status> {
    let webhook_id = webhook_id.to_owned();
    let create = v1::CreateWebhookRequest { url: URL.to_owned(), ..Default::default() };
    match rpc {
        "CreateWebhook" => grpc.create_webhook(sent_with(create, credentials)).await.map(drop),
        "ListWebhooks" => {
            let request = v1::ListWebhooksRequest::default();
            grpc.list_webhooks(sent_with(request, credentials)).await.map(drop)
        }
        "GetWebhook" => {
            let request = v1::GetWebhookRequest { webhook_id };
            grpc.get_webhook(sent_with(request, credentials)).await.map(drop)
        }
        "UpdateWebhook" => {
            let request = v1::UpdateWebhookRequest { webhook_id, ..Default::default() };
            grpc.update_webhook(sent_with(request, credentials)).await.map(drop)
        }
        "DeleteWebhook" => {
            let request = v1::DeleteWebhookRequest { webhook_id };
            grpc.delete_webhook(sent_with(request, credentials)).await.map(drop)
        }
        "RotateWebhookSecret" => {
            let request = v1::RotateWebhookSecretRequest { webhook_id, current_generation: 1 };
            grpc.rotate_webhook_secret(sent_with(request, credentials)).await.map(drop)
        }
        "PingWebhook" => {
            let request = v1::PingWebhookRequest { webhook_id };
            grpc.ping_webhook(sent_with(request, credentials)).await.map(drop)
        }
        "ListDeadLetters" => {
            let request = v1::ListDeadLettersRequest { webhook_id, ..Default::default() };
            grpc.list_dead_letters(sent_with(request, credentials)).await.map(drop)
        }
        "RetryDeadLetters" => {
            let request = v1::RetryDeadLettersRequest { webhook_id, ..Default::default() };
            grpc.retry_dead_letters(sent_with(request, credentials)).await.map(drop)
        }
        _ => panic!("not about webhooks: {rpc}"),
    }
}

#[tokio::test]
async fn calls_on_webhooks_agree_with_their_table() {
    let service = KeyedService::open().await;
    let scenario = Scenario::of(&service, "GetMatch", Visibility::Public).await;
    let mut grpc = WebhookServiceClient::new(service.stage.connect().await);
    let mut mismatches = Vec::new();
    let mut rpcs = 0;
    for row in table("webhook") {
        for rpc in row[0].split(", ") {
            rpcs += 1;
            for (caller, cell) in CALLERS.into_iter().zip(&row[1..]) {
                let create = v1::CreateWebhookRequest { url: URL.to_owned(), ..Default::default() };
                let owner = service.credentials(&scenario, Caller::Owner);
                let created = grpc.create_webhook(sent_with(create, &owner)).await.unwrap().into_inner();
                let id = created.webhook.unwrap().webhook_id;
                let outcome = call(&mut grpc, rpc, &id, &service.credentials(&scenario, caller)).await;
                let actual = outcome_word(outcome.map(|()| None));
                if &actual != cell {
                    mismatches.push(format!("{rpc}, {caller:?}: page `{cell}`, service `{actual}`"));
                }
                for owner in [Caller::Owner, Caller::OtherApp, Caller::Admin] {
                    clear(&mut grpc, &service.credentials(&scenario, owner)).await;
                }
            }
        }
    }
    assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
    let service_rpcs = wire::DESCRIPTORS.get_service_by_name("matchbook.v1.WebhookService").unwrap();
    assert_eq!(rpcs, service_rpcs.methods().len());
    service.close().await;
}

/// Deletes all webhooks of a key, so that it can have more.
async fn clear(grpc: &mut Client, credentials: &[&str]) {
    let list = v1::ListWebhooksRequest::default();
    let listed = grpc.list_webhooks(sent_with(list, credentials)).await.unwrap().into_inner();
    for webhook in listed.webhooks {
        call(grpc, "DeleteWebhook", &webhook.webhook_id, credentials).await.unwrap();
    }
}

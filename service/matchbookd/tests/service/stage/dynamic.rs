//! gRPC calls with JSON messages, as grpcurl makes them.

use prost::Message;
use prost_reflect::{DynamicMessage, MessageDescriptor, SerializeOptions};
use serde_json::Value;
use tonic::Status;
use tonic::client::Grpc;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::transport::Channel;

use super::client::sent;

/// Calls `SERVICE/RPC` and returns its response, or the array of all responses of a stream.
pub(crate) async fn grpc_json(
    channel: Channel,
    rpc: &str,
    request: &Value,
    token: Option<&str>,
) -> Result<Value, Status> {
    let (service, name) = rpc.split_once('/').unwrap();
    let service = wire::DESCRIPTORS.get_service_by_name(&format!("matchbook.v1.{service}")).unwrap();
    let method = service.methods().find(|method| method.name() == name).unwrap();
    let message = DynamicMessage::deserialize(method.input(), request.clone()).unwrap();
    let path = format!("/{}/{name}", service.full_name()).parse().unwrap();
    let mut grpc = Grpc::new(channel);
    grpc.ready().await.unwrap();
    let codec = Dynamic(method.output());
    let mut stream = grpc.server_streaming(sent(message, token), path, codec).await?.into_inner();
    let mut responses = Vec::new();
    while let Some(response) = stream.message().await? {
        responses.push(to_json(&response));
    }
    Ok(if method.is_server_streaming() { responses.into() } else { responses.remove(0) })
}

fn to_json(message: &DynamicMessage) -> Value {
    let options = SerializeOptions::new().skip_default_fields(false);
    message.serialize_with_options(serde_json::value::Serializer, &options).unwrap()
}

struct Dynamic(MessageDescriptor);

impl Codec for Dynamic {
    type Encode = DynamicMessage;
    type Decode = DynamicMessage;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self(self.0.clone())
    }

    fn decoder(&mut self) -> Self {
        Self(self.0.clone())
    }
}

impl Encoder for Dynamic {
    type Item = DynamicMessage;
    type Error = Status;

    fn encode(&mut self, message: DynamicMessage, bytes: &mut EncodeBuf<'_>) -> Result<(), Status> {
        message.encode(bytes).map_err(|error| Status::internal(error.to_string()))
    }
}

impl Decoder for Dynamic {
    type Item = DynamicMessage;
    type Error = Status;

    fn decode(&mut self, bytes: &mut DecodeBuf<'_>) -> Result<Option<DynamicMessage>, Status> {
        let message = DynamicMessage::decode(self.0.clone(), bytes);
        message.map(Some).map_err(|error| Status::internal(error.to_string()))
    }
}

//! The gRPC codec of messages that are known by their descriptors alone.

use prost::Message;
use prost_reflect::{DynamicMessage, MessageDescriptor};
use tonic::Status;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};

/// Encodes whatever comes and decodes one kind of message.
#[derive(Clone)]
pub(crate) struct DynamicCodec {
    answer: MessageDescriptor,
}

impl DynamicCodec {
    /// For an RPC that answers with such messages.
    pub(crate) fn answering(answer: MessageDescriptor) -> Self {
        Self { answer }
    }
}

impl Codec for DynamicCodec {
    type Encode = DynamicMessage;
    type Decode = DynamicMessage;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        self.clone()
    }

    fn decoder(&mut self) -> Self {
        self.clone()
    }
}

impl Encoder for DynamicCodec {
    type Item = DynamicMessage;
    type Error = Status;

    fn encode(&mut self, message: DynamicMessage, bytes: &mut EncodeBuf<'_>) -> Result<(), Status> {
        message.encode(bytes).map_err(|error| Status::internal(error.to_string()))
    }
}

impl Decoder for DynamicCodec {
    type Item = DynamicMessage;
    type Error = Status;

    fn decode(&mut self, bytes: &mut DecodeBuf<'_>) -> Result<Option<DynamicMessage>, Status> {
        let message = DynamicMessage::decode(self.answer.clone(), bytes);
        message.map(Some).map_err(|error| Status::internal(error.to_string()))
    }
}

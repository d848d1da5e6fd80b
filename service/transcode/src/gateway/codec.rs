//! A gRPC codec for messages that are known only by their descriptors.

use prost::Message;
use prost_reflect::{DynamicMessage, MessageDescriptor};
use tonic::Status;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};

/// Encodes any message and decodes messages of one type.
#[derive(Clone)]
pub(crate) struct DynamicCodec {
    response: MessageDescriptor,
}

impl DynamicCodec {
    /// Creates the codec for an RPC with this response type.
    pub(crate) fn new(response: MessageDescriptor) -> Self {
        Self { response }
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
        let message = DynamicMessage::decode(self.response.clone(), bytes);
        message.map(Some).map_err(|error| Status::internal(error.to_string()))
    }
}

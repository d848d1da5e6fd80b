//! How messages become the bytes of a gRPC call and come back. The bytes are prost's own; only the way into the buffer
//! is shorter than with tonic's own codec.

use std::marker::PhantomData;

use prost::Message;
use prost::bytes::BufMut;
use tonic::Status;
use tonic::codec::{BufferSettings, Codec, EncodeBuf, Encoder};
use tonic_prost::{ProstCodec, ProstDecoder};

/// Room that each call takes at once for its request, and for its answer. Most fit; for others the buffer grows.
const BUFFER_BYTES: usize = 1024;
/// How much is gathered of a stream of small messages before it is sent.
const YIELD_BYTES: usize = 32 * 1024;

/// The codec of all services of `proto/`.
#[derive(Debug, Clone)]
pub(crate) struct MessageCodec<T, U>(PhantomData<(T, U)>);

impl<T, U> Default for MessageCodec<T, U> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T, U> Codec for MessageCodec<T, U>
where
    T: Message + Send + 'static,
    U: Message + Default + Send + 'static,
{
    type Encode = T;
    type Decode = U;
    type Encoder = MessageEncoder<T>;
    type Decoder = ProstDecoder<U>;

    fn encoder(&mut self) -> Self::Encoder {
        MessageEncoder(PhantomData)
    }

    fn decoder(&mut self) -> Self::Decoder {
        ProstCodec::<T, U>::raw_decoder(buffers())
    }
}

/// Writes messages.
#[derive(Debug, Clone)]
pub(crate) struct MessageEncoder<T>(PhantomData<T>);

impl<T: Message> Encoder for MessageEncoder<T> {
    type Item = T;
    type Error = Status;

    fn encode(&mut self, item: T, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        // Messages are written byte by byte, which costs little in a vector and much in the buffer of a call.
        buffer.put_slice(&item.encode_to_vec());
        Ok(())
    }

    fn buffer_settings(&self) -> BufferSettings {
        buffers()
    }
}

fn buffers() -> BufferSettings {
    BufferSettings::new(BUFFER_BYTES, YIELD_BYTES)
}

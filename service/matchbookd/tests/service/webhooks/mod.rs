//! Webhooks: managing them, and what their receivers get, from the real server.

mod addresses;
mod delivering;
mod erasing;
mod failing;
mod hostile;
mod managing;
mod replicas;
mod secrecy;
mod shop;
mod tls;

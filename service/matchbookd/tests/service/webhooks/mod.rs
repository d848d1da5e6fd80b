//! Webhooks: managing them, and what their receivers get, from the real server.

mod addresses;
mod delivering;
mod failing;
mod hostile;
mod managing;
mod replicas;
mod secrecy;
mod shop;

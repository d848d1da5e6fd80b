//! The configuration file and the effective configuration, both derived from the flags of `serve`.

mod file;
mod print;
#[cfg(test)]
mod reference;
mod setting;
mod source;

pub(crate) use file::{ConfigFile, GivenSettings};
pub(crate) use print::{PrintFormat, effective};
pub(crate) use source::SettingPlaces;

//! An invalid value of a setting. The program names the place that the value came from.

/// Why a setting's value cannot be used.
#[derive(Debug)]
pub(crate) struct InvalidSetting {
    /// The setting, as its flag without the dashes.
    pub(crate) setting: &'static str,
    /// What is wrong, without the setting's name.
    pub(crate) text: String,
}

impl InvalidSetting {
    /// Combines a setting with an error's message.
    pub(crate) fn new(setting: &'static str, error: impl ToString) -> Self {
        Self { setting, text: error.to_string() }
    }
}

//! Whether a refused call is worth a retry, as the option of its reason says.

use crate::DESCRIPTORS;
use crate::v1::{ErrorReason, Retry};

/// Returns whether a call that was refused for this reason may succeed later.
pub fn retry(reason: ErrorReason) -> Retry {
    let option = DESCRIPTORS.get_extension_by_name("matchbook.v1.retry").expect("error.proto declares it");
    let reasons = DESCRIPTORS.get_enum_by_name("matchbook.v1.ErrorReason").expect("error.proto declares it");
    let value = reasons.get_value(reason.into()).expect("the Rust type is generated from it");
    let number = value.options().get_extension(&option).as_enum_number();
    number.and_then(|number| Retry::try_from(number).ok()).unwrap_or_default()
}

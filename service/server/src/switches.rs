//! Switches of the configuration: flags without a value, whose variables have one.

/// Parses the value of a switch's variable. A variable that is set to nothing is off.
pub fn parse_switch(text: &str) -> Result<bool, &'static str> {
    match text.to_lowercase().as_str() {
        "true" | "yes" | "on" | "1" | "t" | "y" => Ok(true),
        "false" | "no" | "off" | "0" | "f" | "n" | "" => Ok(false),
        _ => Err("must be true or false"),
    }
}

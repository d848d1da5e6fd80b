//! An option of a game, as the catalog describes it.

use rules::{OptionSpec, OptionType, OptionValue};
use wire::v1 as proto;
use wire::v1::option_spec::Type;

/// Converts the description of an option.
pub(super) fn option_spec(spec: &OptionSpec) -> proto::OptionSpec {
    let option_type = match spec.option_type {
        OptionType::Integer { default, min, max } => Type::Integer(proto::IntegerOption {
            min_value: min.into(),
            max_value: max.into(),
            default_value: default.into(),
        }),
        OptionType::Boolean { default } => Type::Boolean(proto::BooleanOption { default_value: default }),
        OptionType::Enumeration { values, default } => Type::Enumeration(proto::EnumOption {
            values: values.iter().map(enum_value).collect(),
            default_value: default.to_owned(),
        }),
        OptionType::Text { default, max_chars } => {
            Type::Text(proto::TextOption { max_chars, default_value: default.to_owned() })
        }
        OptionType::Structured { default, message, list } => Type::Structured(proto::StructuredOption {
            message_name: message.to_owned(),
            is_list: list,
            default_value: default.to_owned(),
        }),
    };
    proto::OptionSpec {
        name: spec.name.to_owned(),
        title: spec.title.to_owned(),
        description: spec.text.to_owned(),
        r#type: Some(option_type),
    }
}

fn enum_value(value: &OptionValue) -> proto::EnumOptionValue {
    proto::EnumOptionValue { name: value.name.to_owned(), description: value.text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_that_no_built_in_game_has_are_described_too() {
        let described = |option_type| {
            let spec = OptionSpec { name: "wind", title: "Wind", text: "Where it blows.", option_type };
            let spec = option_spec(&spec);
            assert_eq!((&*spec.name, &*spec.title, &*spec.description), ("wind", "Wind", "Where it blows."));
            spec.r#type.unwrap()
        };
        let boolean = described(OptionType::Boolean { default: true });
        assert_eq!(boolean, Type::Boolean(proto::BooleanOption { default_value: true }));
        let text = described(OptionType::Text { default: "north", max_chars: 9 });
        let expected = proto::TextOption { max_chars: 9, default_value: "north".to_owned() };
        assert_eq!(text, Type::Text(expected));
        let values = &[OptionValue { name: "WIND_NORTH", text: "Cold." }];
        let Type::Enumeration(named) = described(OptionType::Enumeration { values, default: "WIND_NORTH" })
        else {
            panic!("not an enumeration");
        };
        assert_eq!(named.default_value, "WIND_NORTH");
        assert_eq!(named.values.len(), 1);
        assert_eq!((&*named.values[0].name, &*named.values[0].description), ("WIND_NORTH", "Cold."));
    }
}

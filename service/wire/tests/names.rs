//! Names and imports of the protos: no name is a keyword in code generated from them, and stored messages
//! need nothing of the API.

use std::collections::BTreeSet;

use prost_reflect::{EnumDescriptor, FileDescriptor, MessageDescriptor};
use wire::DESCRIPTORS;

/// The languages and their keywords, reserved literals included. Words that are keywords only in some places
/// (C#'s `from`, Swift's `left`) count only where generated code has such places.
const KEYWORDS: [(&str, &str); 7] = [
    (
        "C#",
        "abstract as base bool break byte case catch char checked class const continue decimal default \
         delegate do double else enum event explicit extern false finally fixed float for foreach goto \
         if implicit in int interface internal is lock long namespace new null object operator out \
         override params private protected public readonly ref return sbyte sealed short sizeof \
         stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe \
         ushort using virtual void volatile while",
    ),
    (
        "Java",
        "abstract assert boolean break byte case catch char class const continue default do double else \
         enum extends false final finally float for goto if implements import instanceof int interface \
         long native new null package private protected public return short static strictfp super switch \
         synchronized this throw throws transient true try void volatile while",
    ),
    (
        "Kotlin",
        "as break class continue do else false for fun if in interface is null object package return \
         super this throw true try typealias typeof val var when while",
    ),
    (
        "Swift",
        "associatedtype class deinit enum extension fileprivate func import init inout internal let open \
         operator private precedencegroup protocol public rethrows static struct subscript typealias var \
         break case catch continue default defer do else fallthrough for guard if in repeat return throw \
         switch where while Any as await false is nil self Self super throws true try Type Protocol",
    ),
    (
        "Python",
        "False None True and as assert async await break class continue def del elif else except finally \
         for from global if import in is lambda match nonlocal not or pass raise return try type while \
         with yield",
    ),
    (
        "TypeScript",
        "await break case catch class const continue debugger default delete do else enum export extends \
         false finally for function if implements import in instanceof interface let new null package \
         private protected public return static super switch this throw true try typeof var void while \
         with yield",
    ),
    (
        "Go",
        "break case chan const continue default defer else fallthrough for func go goto if import \
         interface map package range return select struct switch type var",
    ),
];

const CAPITALIZED: &str = "fields are properties with a capital there";
const QUOTED: &str = "swift-protobuf quotes the names of enum cases, and `.open` needs no quotes";
const GETTER: &str = "fields are methods such as `getBoolean` there";
const SOFT: &str = "a keyword only where a statement begins";

/// Names that stay: the name, the language, and why it does no harm or what it costs.
const EXCEPTIONS: [(&str, &str, &str); 12] = [
    ("event", "C#", CAPITALIZED),
    ("sealed", "C#", CAPITALIZED),
    ("boolean", "Java", GETTER),
    ("go", "Go", CAPITALIZED),
    ("type", "Go", CAPITALIZED),
    ("match", "Python", SOFT),
    ("type", "Python", SOFT),
    ("guard", "Swift", QUOTED),
    ("internal", "Swift", QUOTED),
    ("open", "Swift", QUOTED),
    ("private", "Swift", QUOTED),
    ("public", "Swift", QUOTED),
];

/// Members that generated messages have anyway, as a field's name would spell them. Java's `getField` is
/// not among them: it takes an argument.
const MEMBERS: [(&str, &str); 6] = [
    (
        "C#",
        "parser descriptor clone equals get_hash_code get_type to_string write_to calculate_size \
         merge_from finalize memberwise_clone",
    ),
    (
        "Java, Kotlin",
        "class all_fields cached_size default_instance default_instance_for_type descriptor \
         descriptor_for_type initialization_error_string initialized parser parser_for_type \
         serialized_size unknown_fields",
    ),
    (
        "Swift",
        "debug_description decode_message description hash_value init is_equal_to is_initialized merge \
         serialized_bytes serialized_data text_format_string traverse unknown_fields",
    ),
    ("Python", "descriptor extensions"),
    ("TypeScript", "constructor has_own_property prototype to_json to_string value_of proto"),
    ("Go", "descriptor marshal proto_message proto_reflect reset string unmarshal"),
];

/// Fields with such a name that stay, and why.
const SUFFIXED: [(&str, &str, &str); 1] = [(
    "description",
    "Swift",
    "swift-protobuf calls it `description_p`; AIP-148 has the word for every other language",
)];

/// What Java's accessors add to a field's name.
const ACCESSORS: [&str; 6] = ["_list", "_count", "_bytes", "_value", "_map", "_builder"];

const OURS: &str = "matchbook.";

/// Adds the names in a message to `names`, in the forms that generated code gives them.
fn of_message(message: &MessageDescriptor, names: &mut BTreeSet<String>) {
    names.insert(message.name().to_owned());
    for field in message.fields() {
        names.extend([field.name().to_owned(), field.json_name().to_owned()]);
    }
    names.extend(message.oneofs().map(|oneof| oneof.name().to_owned()));
    message.child_messages().for_each(|inner| of_message(&inner, names));
}

/// Returns the values of an enum without the prefix that all share and in small letters, as Swift has them.
/// Other languages keep their capitals.
fn swift_cases(kind: &EnumDescriptor) -> Vec<String> {
    let values: Vec<String> = kind.values().map(|value| value.name().to_owned()).collect();
    let prefix = values[0].trim_end_matches("UNSPECIFIED");
    values.iter().map(|value| value.trim_start_matches(prefix).to_lowercase()).collect()
}

/// Returns the names of everything but the values of enums.
fn names() -> BTreeSet<String> {
    let mut names: BTreeSet<String> = enums().map(|kind| kind.name().to_owned()).collect();
    for file in DESCRIPTORS.files().filter(|file| file.package_name().starts_with(OURS)) {
        names.extend(file.package_name().split('.').map(str::to_owned));
        file.messages().for_each(|message| of_message(&message, &mut names));
        for service in file.services() {
            names.insert(service.name().to_owned());
            for rpc in service.methods() {
                let (first, rest) = rpc.name().split_at(1);
                names.insert(first.to_lowercase() + rest);
            }
        }
    }
    names
}

/// Returns every message of ours, inner ones too.
fn messages() -> impl Iterator<Item = MessageDescriptor> {
    DESCRIPTORS.all_messages().filter(|message| message.package_name().starts_with(OURS))
}

fn enums() -> impl Iterator<Item = EnumDescriptor> {
    DESCRIPTORS.all_enums().filter(|kind| kind.package_name().starts_with(OURS))
}

#[test]
fn no_name_is_a_keyword_where_it_is_generated() {
    let names = names();
    assert!(["matchId", "getView", "Visibility"].iter().all(|name| names.contains(*name)));
    let cases: BTreeSet<String> = enums().flat_map(|kind| swift_cases(&kind)).collect();
    assert!(cases.contains("unlisted") && cases.contains("unspecified"));
    let mut found = BTreeSet::new();
    for (language, keywords) in KEYWORDS {
        let is_name = |word: &&str| names.contains(*word) || (language == "Swift" && cases.contains(*word));
        found.extend(keywords.split_whitespace().filter(is_name).map(|word| (word, language)));
    }
    let excepted: BTreeSet<(&str, &str)> =
        EXCEPTIONS.iter().map(|(word, language, _)| (*word, *language)).collect();
    assert_eq!(found, excepted, "rename the new ones, or say why they do no harm");
}

#[test]
fn no_field_is_called_like_a_member_that_every_message_has() {
    let mut fields: BTreeSet<String> = BTreeSet::new();
    for message in messages() {
        fields.extend(message.fields().map(|field| field.name().to_owned()));
        fields.extend(message.oneofs().map(|oneof| oneof.name().to_owned()));
    }
    assert!(["match_id", "kind"].iter().all(|name| fields.contains(*name)));
    let mut found = BTreeSet::new();
    for (language, members) in MEMBERS {
        let is_field = |member: &&str| fields.contains(*member);
        found.extend(members.split_whitespace().filter(is_field).map(|member| (member, language)));
    }
    let suffixed: BTreeSet<(&str, &str)> =
        SUFFIXED.iter().map(|(member, language, _)| (*member, *language)).collect();
    assert_eq!(found, suffixed, "rename the new ones, or say why they do no harm");
}

#[test]
fn no_two_accessors_of_a_message_have_one_name() {
    let mut seen = 0;
    for message in messages() {
        let names: BTreeSet<String> = message.fields().map(|field| field.name().to_owned()).collect();
        let of_type = message.name().to_lowercase();
        for name in &names {
            let place = format!("{}.{name}", message.full_name());
            seen += 1;
            // C# allows no member with the name of its class.
            assert_ne!(name.replace('_', ""), of_type, "{place} is called like its message");
            let getter = name.strip_prefix("get_").or_else(|| name.strip_prefix("has_"));
            assert!(getter.is_none_or(|of| !names.contains(of)), "{place} is a getter's name in Java and Go");
            let of = ACCESSORS.iter().find_map(|suffix| name.strip_suffix(suffix));
            assert!(of.is_none_or(|of| !names.contains(of)), "{place} is an accessor's name in Java");
        }
    }
    assert!(seen > 500, "only {seen} fields");
}

#[test]
fn stored_messages_import_nothing_of_the_api() {
    let stored: Vec<FileDescriptor> =
        DESCRIPTORS.files().filter(|file| file.package_name() == "matchbook.log.v1").collect();
    assert!(!stored.is_empty());
    let mut waiting = stored;
    let mut seen = BTreeSet::new();
    while let Some(file) = waiting.pop() {
        assert_ne!(file.package_name(), "matchbook.v1", "stored messages need {}", file.name());
        if seen.insert(file.name().to_owned()) {
            waiting.extend(file.dependencies());
        }
    }
}

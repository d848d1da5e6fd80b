//! The catalog's description of each option, compared with what CreateMatch accepts, over both doors. The
//! values to try are made from the description alone, as a form would make them.

use prost_reflect::{FieldDescriptor, Kind};
use serde_json::{Map, Value, json};

use crate::stage::{Backend, Http, Stage, grpc_json, refused};

/// A game of the catalog, and where its options are in a request.
struct Entry {
    game_id: String,
    options: Vec<Value>,
    /// The game's field of GameOptions, as JSON spells it.
    json_name: String,
    fields: Vec<FieldDescriptor>,
}

impl Entry {
    fn of(game: &Value) -> Self {
        let game_id = game["gameId"].as_str().unwrap().to_owned();
        let envelope = wire::DESCRIPTORS.get_message_by_name("matchbook.v1.GameOptions").unwrap();
        let field = envelope.get_field_by_name(&game_id.replace('-', "_")).unwrap();
        let options = game["options"].as_array().unwrap().clone();
        let fields = field.kind().as_message().unwrap().fields().collect();
        Self { game_id, options, json_name: field.json_name().to_owned(), fields }
    }

    fn field(&self, option: &Value) -> &FieldDescriptor {
        self.fields.iter().find(|field| option["name"] == field.name()).expect("an option has a field")
    }

    /// Returns a CreateMatchRequest with these options.
    fn request(&self, options: impl IntoIterator<Item = (Value, Value)>) -> Value {
        let options = options.into_iter();
        let set: Map<String, Value> =
            options.map(|(option, value)| (self.field(&option).json_name().to_owned(), value)).collect();
        json!({"gameId": self.game_id, "options": {&self.json_name: set}})
    }

    /// Returns a request with a value for each option that has one.
    fn with_each(&self, value: fn(&Value) -> Option<Value>) -> Value {
        let options = self.options.iter();
        self.request(options.filter_map(|option| Some((option.clone(), value(option)?))))
    }
}

fn number(text: &Value) -> i64 {
    text.as_str().unwrap().parse().unwrap()
}

/// Returns the smallest value that an option allows.
fn least(option: &Value) -> Option<Value> {
    extreme(option, "minValue", 0)
}

/// Returns the largest value that an option allows.
fn most(option: &Value) -> Option<Value> {
    extreme(option, "maxValue", usize::MAX)
}

fn extreme(option: &Value, integer: &str, index: usize) -> Option<Value> {
    match type_of(option) {
        "integer" => Some(number(&option["integer"][integer]).into()),
        "boolean" => Some((index != 0).into()),
        "enumeration" => {
            let values = option["enumeration"]["values"].as_array().unwrap();
            Some(values[index.min(values.len() - 1)]["name"].clone())
        }
        "text" => Some("A".repeat(index.min(max_chars(option))).into()),
        _ => None,
    }
}

/// Returns the default value, unless the description has it in words only.
fn default(option: &Value) -> Option<Value> {
    match type_of(option) {
        "integer" => Some(number(&option["integer"]["defaultValue"]).into()),
        "structured" => None,
        other => Some(option[other]["defaultValue"].clone()),
    }
}

/// Returns values just beyond those that an option allows.
fn beyond(option: &Value) -> Vec<Value> {
    match type_of(option) {
        "integer" => {
            let below = number(&option["integer"]["minValue"]) - 1;
            let above = number(&option["integer"]["maxValue"]) + 1;
            [below, above].into_iter().filter(|value| *value >= 0).map(Value::from).collect()
        }
        "text" => vec!["A".repeat(max_chars(option) + 1).into()],
        // The decoder rejects other values of a boolean or an enum.
        _ => Vec::new(),
    }
}

fn max_chars(option: &Value) -> usize {
    usize::try_from(option["text"]["maxChars"].as_u64().unwrap()).unwrap()
}

fn type_of(option: &Value) -> &'static str {
    let types = ["integer", "boolean", "enumeration", "text", "structured"];
    types.into_iter().find(|name| !option[*name].is_null()).expect("an option has a type")
}

fn fits(field: &FieldDescriptor, option: &Value) -> bool {
    let structured = &option["structured"];
    let list = structured["isList"] == true;
    field.is_list() == list
        && match (type_of(option), field.kind()) {
            ("integer", Kind::Uint32) | ("boolean", Kind::Bool) | ("text", Kind::String) => true,
            ("enumeration", Kind::Enum(of)) => {
                let values = option["enumeration"]["values"].as_array().unwrap();
                values.iter().all(|value| of.values().any(|known| value["name"] == known.name()))
            }
            ("structured", Kind::Message(message)) => structured["messageName"] == message.full_name(),
            _ => false,
        }
}

#[tokio::test]
async fn create_match_accepts_what_the_catalog_describes_and_refuses_the_next_value() {
    let stage = Stage::on(Backend::Memory).await;
    let http = Http::of(&stage.address);
    let catalog = http.get("/v1/games", &[]).await.json();
    assert_eq!(
        grpc_json(stage.connect().await, "GameService/ListGames", &json!({}), None).await.unwrap(),
        catalog
    );
    for game in catalog["games"].as_array().unwrap() {
        let entry = Entry::of(game);
        assert_eq!(entry.options.len(), entry.fields.len(), "{}: every option is described", entry.game_id);
        for option in &entry.options {
            assert!(fits(entry.field(option), option), "{option}");
        }
        let plain = made(&stage, &http, &json!({"gameId": entry.game_id})).await;
        let explicit = made(&stage, &http, &entry.with_each(default)).await;
        assert_eq!(plain, explicit, "the defaults of {}", entry.game_id);
        // All together, because rows plus columns must be even.
        for request in [entry.with_each(least), entry.with_each(most)] {
            let set = &request["options"][&entry.json_name];
            let made = made(&stage, &http, &request).await;
            for (name, value) in set.as_object().unwrap() {
                assert_eq!(&made[&entry.json_name][name], value, "{request}");
            }
        }
        for option in &entry.options {
            for value in beyond(option) {
                let field = entry.field(option);
                refuses(&stage, &http, &entry.request([(option.clone(), value)]), &entry, field).await;
            }
        }
    }
    stage.close().await;
}

/// Creates a match over both doors and returns its options.
async fn made(stage: &Stage, http: &Http, request: &Value) -> Value {
    let rest = http.post("/v1/matches", &[], request).await.json();
    let grpc = grpc_json(stage.connect().await, "MatchService/CreateMatch", request, None).await.unwrap();
    assert_eq!(rest["match"]["options"], grpc["match"]["options"], "{request}: {rest}");
    assert!(grpc["match"]["options"].is_object(), "{request}");
    grpc["match"]["options"].clone()
}

async fn refuses(stage: &Stage, http: &Http, request: &Value, entry: &Entry, field: &FieldDescriptor) {
    let error = http.post("/v1/matches", &[], request).await.refused(400, "INVALID_ARGUMENT");
    let path = format!("\"options.{}.{}\"", entry.json_name, field.json_name());
    assert!(error.to_string().contains(&path), "{request}: {error}");
    let answer = grpc_json(stage.connect().await, "MatchService/CreateMatch", request, None).await;
    let path = format!("options.{}.{}", entry.game_id.replace('-', "_"), field.name());
    assert_eq!(refused(answer).fields, [path], "{request}");
}

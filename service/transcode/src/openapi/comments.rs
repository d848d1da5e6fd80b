//! The comments of the protos, looked up by descriptor.

use std::collections::HashMap;

use prost_reflect::{
    EnumDescriptor, EnumValueDescriptor, FieldDescriptor, FileDescriptor, MessageDescriptor,
    MethodDescriptor, ServiceDescriptor,
};

use crate::routes::Routes;

/// The comments of a descriptor pool.
pub(crate) struct Comments {
    /// Comments by file name and source location path, with one line per paragraph.
    texts: HashMap<(String, Vec<i32>), String>,
}

impl Comments {
    /// Reads the comments of the pool that the routes are from.
    pub(crate) fn of(routes: &Routes) -> Self {
        let mut texts = HashMap::new();
        let pool = routes.iter().next().map(|route| route.rpc().parent_pool().clone());
        for file in pool.iter().flat_map(prost_reflect::DescriptorPool::files) {
            let Some(info) = &file.file_descriptor_proto().source_code_info else { continue };
            for location in &info.location {
                if let Some(comment) = &location.leading_comments {
                    texts.insert((file.name().to_owned(), location.path.clone()), paragraphs(comment));
                }
            }
        }
        Self { texts }
    }

    fn at(&self, file: &FileDescriptor, path: &[i32]) -> String {
        self.texts.get(&(file.name().to_owned(), path.to_vec())).cloned().unwrap_or_default()
    }

    pub(crate) fn of_service(&self, service: &ServiceDescriptor) -> String {
        self.at(&service.parent_file(), service.path())
    }

    pub(crate) fn of_rpc(&self, rpc: &MethodDescriptor) -> String {
        self.at(&rpc.parent_service().parent_file(), rpc.path())
    }

    pub(crate) fn of_message(&self, message: &MessageDescriptor) -> String {
        self.at(&message.parent_file(), message.path())
    }

    pub(crate) fn of_field(&self, field: &FieldDescriptor) -> String {
        self.at(&field.parent_file(), field.path())
    }

    pub(crate) fn of_value(&self, value: &EnumValueDescriptor) -> String {
        self.at(&value.parent_enum().parent_file(), value.path())
    }

    /// Returns the comment of an enum, followed by a list of its values with theirs.
    pub(crate) fn of_enum(&self, kind: &EnumDescriptor) -> String {
        let mut text = self.at(&kind.parent_file(), kind.path());
        text.push('\n');
        for value in kind.values() {
            let meaning = self.of_value(&value).replace('\n', " ");
            text.push_str(&format!("\n- `{}`: {meaning}", value.name()));
        }
        text
    }
}

/// Joins the lines of each paragraph.
fn paragraphs(comment: &str) -> String {
    let paragraphs = comment.trim().split("\n\n").map(|paragraph| {
        paragraph.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
    });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// Returns the first sentence without its full stop.
pub(crate) fn summary(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let end = line.find(". ").unwrap_or(line.trim_end_matches('.').len());
    line[..end].to_owned()
}

//! Images: their versions, their users, and the context of their build.

use std::fs;

use crate::files::{all, read, root, rust_sources, value};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const OVERLAYS: [&str; 2] = ["production", "single-node"];

#[test]
fn every_image_has_a_fixed_tag() {
    let mut seen = 0;
    for (path, text) in
        all().into_iter().filter(|(path, _)| path.ends_with("compose.yaml") || path.ends_with("Dockerfile"))
    {
        let images = text.lines().filter_map(|line| {
            let line = line.trim();
            line.strip_prefix("image: ")
                .or_else(|| line.strip_prefix("ARG ")?.split_once('=').map(|(_, image)| image))
        });
        for image in images {
            seen += 1;
            let tag = image.rsplit_once(':').map(|(_, tag)| tag).unwrap_or_default();
            assert!(!tag.is_empty() && tag != "latest", "{}: {image}", path.display());
        }
    }
    assert!(seen >= 6, "only {seen} images were found");
}

#[test]
fn our_image_has_this_version() {
    assert!(
        read("deploy/compose.yaml").contains(&format!("image: matchbook:${{MATCHBOOK_VERSION:-{VERSION}}}"))
    );
    for overlay in OVERLAYS {
        let kustomization = read(&format!("deploy/kubernetes/overlays/{overlay}/kustomization.yaml"));
        assert_eq!(value(&kustomization, "newTag:"), VERSION, "{overlay}");
    }
    let job = read("deploy/kubernetes/overlays/production/migrate.yaml");
    assert_eq!(value(&job, "name: matchbook-migrate-"), VERSION.replace('.', "-"));
}

#[test]
fn the_image_uses_the_repositorys_compiler() {
    let channel = value(&read("rust-toolchain.toml"), "channel = ");
    let dockerfile = read("deploy/Dockerfile");
    assert!(value(&dockerfile, "ARG RUST=rust:").starts_with(&format!("{channel}-")));
    assert!(dockerfile.contains(&format!("RUSTUP_TOOLCHAIN={channel} ")));
}

#[test]
fn no_container_runs_as_root() {
    let dockerfile = read("deploy/Dockerfile");
    let (_, stages) = dockerfile.split_once("\nFROM ").expect("the Dockerfile has stages");
    for stage in stages.split("\nFROM ").skip(1) {
        assert!(stage.contains("\nUSER 65532:65532\n"), "a stage sets no user:\n{stage}");
    }
    for path in
        ["deploy/kubernetes/base/deployment.yaml", "deploy/kubernetes/overlays/production/migrate.yaml"]
    {
        let text = read(path);
        for line in
            ["runAsNonRoot: true", "runAsUser: 65532", "fsGroup: 65532", "readOnlyRootFilesystem: true"]
        {
            assert!(text.contains(line), "{path} lacks {line}");
        }
    }
    assert!(read("deploy/compose.yaml").contains("MATCHBOOK_UID:-65532"));
}

#[test]
fn the_image_checks_itself() {
    let dockerfile = read("deploy/Dockerfile");
    assert!(dockerfile.contains(r#"CMD ["/usr/bin/matchbookd", "healthcheck"]"#));
    assert!(dockerfile.contains(r#"ENTRYPOINT ["/usr/bin/matchbookd"]"#));
}

/// Some sources include texts from outside their package, such as the pages of rules.
#[test]
fn the_build_context_has_every_included_text() {
    let ignored = read(".dockerignore");
    let included_paths: Vec<&str> = ignored.lines().filter_map(|line| line.strip_prefix('!')).collect();
    let mut included = 0;
    for (path, text) in rust_sources(&root().join("service")) {
        for outside in text.split("\"/../../").skip(1).filter_map(|rest| rest.split('"').next()) {
            included += 1;
            let inside = included_paths.iter().any(|folder| outside.starts_with(folder));
            assert!(inside, "{}: {outside} is not in the build context", path.display());
        }
    }
    assert!(included >= 4, "the pages of rules were not found");
}

/// A rotation keeps the old key as `matchbook.key.until-TIME`, beside the new one.
#[test]
fn no_service_key_gets_into_a_commit_or_an_image() {
    for (file, prefix) in [(".gitignore", ""), (".dockerignore", "**/")] {
        let ignored = read(file);
        for key in ["*.key", "*.key.*"] {
            let pattern = format!("{prefix}{key}");
            assert!(ignored.lines().any(|line| line == pattern), "{file} does not have {pattern}");
        }
    }
}

/// `.dockerignore` lists what the build context includes.
#[test]
fn the_build_context_has_every_member_of_the_workspace() {
    let ignored = read(".dockerignore");
    let included_paths: Vec<&str> = ignored.lines().filter_map(|line| line.strip_prefix('!')).collect();
    let manifest = read("Cargo.toml");
    let members = manifest
        .split("members = [")
        .nth(1)
        .and_then(|rest| rest.split(']').next())
        .expect("the workspace has members");
    for member in members.split('"').skip(1).step_by(2) {
        assert!(
            included_paths.iter().any(|folder| member.starts_with(folder)),
            "{member} is not in the build context"
        );
    }
    for needed in ["Cargo.toml", "Cargo.lock", "proto", "migrations"] {
        assert!(included_paths.contains(&needed), "{needed} is not in the build context");
        assert!(fs::exists(root().join(needed)).expect("the root can be read"), "{needed} does not exist");
    }
}

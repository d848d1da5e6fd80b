//! Images: which ones, of which version, and as whom they run.

use std::fs;

use crate::files::{all, read, root, rust_sources, value};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const OVERLAYS: [&str; 2] = ["production", "single-node"];

#[test]
fn every_image_has_a_tag_that_does_not_move() {
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
fn ours_is_of_this_version() {
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
fn the_compiler_is_the_repositorys() {
    let channel = value(&read("rust-toolchain.toml"), "channel = ");
    let dockerfile = read("deploy/Dockerfile");
    assert!(value(&dockerfile, "ARG RUST=rust:").starts_with(&format!("{channel}-")));
    assert!(dockerfile.contains(&format!("RUSTUP_TOOLCHAIN={channel} ")));
}

#[test]
fn nobody_is_root() {
    let dockerfile = read("deploy/Dockerfile");
    let (_, stages) = dockerfile.split_once("\nFROM ").expect("there are stages");
    for stage in stages.split("\nFROM ").skip(1) {
        assert!(stage.contains("\nUSER 65532:65532\n"), "a stage without its user:\n{stage}");
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

/// Sources that take in texts from outside their package, such as the rules' pages.
#[test]
fn the_build_sees_every_text_that_sources_take_in() {
    let ignored = read(".dockerignore");
    let seen: Vec<&str> = ignored.lines().filter_map(|line| line.strip_prefix('!')).collect();
    let mut taken = 0;
    for (path, text) in rust_sources(&root().join("service")) {
        for outside in text.split("\"/../../").skip(1).filter_map(|rest| rest.split('"').next()) {
            taken += 1;
            let inside = seen.iter().any(|folder| outside.starts_with(folder));
            assert!(inside, "{}: {outside} is not in the build's context", path.display());
        }
    }
    assert!(taken >= 4, "the rules' pages were not found");
}

/// The build sees only what .dockerignore lets through; a new member has to be let through as well.
#[test]
fn the_build_sees_every_member_of_the_workspace() {
    let ignored = read(".dockerignore");
    let seen: Vec<&str> = ignored.lines().filter_map(|line| line.strip_prefix('!')).collect();
    let manifest = read("Cargo.toml");
    let members = manifest
        .split("members = [")
        .nth(1)
        .and_then(|rest| rest.split(']').next())
        .expect("there are members");
    for member in members.split('"').skip(1).step_by(2) {
        assert!(
            seen.iter().any(|folder| member.starts_with(folder)),
            "{member} is not in the build's context"
        );
    }
    for needed in ["Cargo.toml", "Cargo.lock", "proto", "migrations"] {
        assert!(seen.contains(&needed), "{needed} is not in the build's context");
        assert!(fs::exists(root().join(needed)).expect("the root can be read"), "there is no {needed}");
    }
}

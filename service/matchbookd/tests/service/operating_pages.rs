//! Runs the commands of `docs/databases.md` and `docs/run.md` exactly as the pages show them, and serves the
//! result.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::stage::{Backend, Client, Cluster, Moves, Process, Storage, Table};
use crate::whole_match::play_to_the_end;

const DATABASES: &str = include_str!("../../../../docs/databases.md");
const RUN: &str = include_str!("../../../../docs/run.md");

/// Returns the commands that follow this sentence of a page.
fn commands(page: &str, after: &str) -> String {
    // The page may break lines between any words.
    let sentence = after.split_whitespace().collect::<Vec<_>>().join(" ");
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = page.match_indices('\n').map(|(at, _)| at).find(|&at| folded(&page[..at]).contains(&sentence));
    let rest = &page[end.unwrap_or_else(|| panic!("the page does not contain `{after}`"))..];
    let lines = rest.lines().skip_while(|line| !line.starts_with("    "));
    let block: Vec<&str> = lines.take_while(|line| line.starts_with("    ")).map(str::trim_start).collect();
    assert!(!block.is_empty(), "no commands after `{after}`");
    block.join("\n")
}

/// Runs the commands that follow a sentence, in this folder and with these environment variables.
fn run_commands(page: &str, after: &str, folder: &Path, variables: &[(&str, &str)]) {
    run_block(&commands(page, after), folder, variables);
}

fn run_block(block: &str, folder: &Path, variables: &[(&str, &str)]) {
    let program = Path::new(env!("CARGO_BIN_EXE_matchbookd")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut bash = Command::new("bash");
    bash.args(["-euo", "pipefail", "-c", block]).current_dir(folder).env("PATH", path);
    let output = bash.envs(variables.iter().copied()).output().unwrap();
    assert!(
        output.status.success(),
        "{block}\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// The roles that the page creates: one owns the tables, the other serves. Neither is a superuser.
struct DocumentedRoles {
    /// The superuser's URL, without a database.
    server: String,
}

impl DocumentedRoles {
    /// Runs the page's commands, which also create the database and its tables.
    fn create(cluster: &Cluster) -> Self {
        let roles = Self { server: cluster.url("") };
        let admin = cluster.url("postgres");
        // The last line would serve until stopped; make it print its help instead.
        let block = commands(DATABASES, "its password is useless for rewriting a match.")
            .replace("matchbookd serve", "matchbookd serve --help #");
        let (owner, service) = (roles.owner("matchbook"), roles.service("matchbook"));
        let variables = [("ADMIN_URL", &*admin), ("OWNER_URL", &owner), ("SERVICE_URL", &service)];
        run_block(&block, Path::new("."), &variables);
        roles
    }

    fn owner(&self, database: &str) -> String {
        self.url("matchbook_owner", database)
    }

    fn service(&self, database: &str) -> String {
        self.url("matchbook_service", database)
    }

    fn url(&self, role: &str, database: &str) -> String {
        let server = self.server.replace("//matchbook@", &format!("//{role}@"));
        assert_ne!(server, self.server);
        format!("{server}{database}")
    }
}

/// Plays moves on a large board until the task is aborted.
fn play_in_background(client: Client) -> tokio::task::JoinHandle<()> {
    tokio::spawn(async move {
        let table = client.table(26, 26, 1000).await;
        for (number, (row, col)) in Moves::new(26, 26, 1).enumerate() {
            let _ = client.submit(&table, number % 2, format!("{row},{col}")).await;
        }
    })
}

/// Asserts that the first match is complete in the copy and can continue, and that the second, created after
/// the copy, is unknown.
async fn check_copy(process: Process, [kept, late]: &[Table; 2]) {
    let client = Client::of(&process.address).await;
    let seqs: Vec<u32> =
        client.events(&kept.match_id, None, 500).await.iter().map(|event| event.seq).collect();
    assert_eq!(seqs, (1..=7).collect::<Vec<_>>());
    client.turn(kept, "1,3", "8,6").await;
    let request = wire::v1::GetMatchRequest { match_id: late.match_id.clone() };
    let unknown = client.matches.clone().get_match(request).await.unwrap_err();
    assert_eq!(unknown.code(), tonic::Code::NotFound);
    play_to_the_end(&client, 1).await;
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restored_postgres_dump_can_be_served() {
    let Some(cluster) = Cluster::start(&[]).await else { return };
    let folder = tempfile::tempdir().unwrap();
    let roles = DocumentedRoles::create(&cluster);
    let storage = Storage::at(&roles.service("matchbook"));
    let process = Process::serve(&storage, &["--migrations", "require"]);
    let client = Client::of(&process.address).await;
    let kept = client.table(8, 8, 20).await;
    client.turn(&kept, "1,1", "8,8").await;
    let playing = play_in_background(client.clone());
    run_commands(
        DATABASES,
        "A dump is a snapshot of the whole database:",
        folder.path(),
        &[("OWNER_URL", &roles.owner("matchbook"))],
    );
    let late = client.table(8, 8, 20).await;
    playing.abort();
    process.kill();
    let (admin, owner) = (cluster.url("postgres"), roles.owner("matchbook_restored"));
    let variables = [("ADMIN_URL", admin.as_str()), ("RESTORED_URL", owner.as_str())];
    run_commands(DATABASES, "Restore it into a new, empty database,", folder.path(), &variables);
    let restored = storage.with_url(&roles.service("matchbook_restored"));
    let process = Process::serve(&restored, &["--migrations", "require"]);
    check_copy(process, &[kept, late]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copied_sqlite_file_can_be_served() {
    let storage = Storage::here(Backend::Sqlite).await;
    let file = storage.url().strip_prefix("sqlite://").unwrap().to_owned();
    let folder = Path::new(&file).parent().unwrap();
    let process = Process::serve(&storage, &[]);
    let client = Client::of(&process.address).await;
    let kept = client.table(8, 8, 20).await;
    client.turn(&kept, "1,1", "8,8").await;
    let playing = play_in_background(client.clone());
    run_commands(DATABASES, "SQLite, while the service runs.", folder, &[]);
    let late = client.table(8, 8, 20).await;
    playing.abort();
    process.kill();
    let copy = format!("sqlite://{}", folder.join("matchbook-copy.db").display());
    check_copy(Process::serve(&storage.with_url(&copy), &[]), &[kept, late]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_documented_role_that_can_only_append_can_serve() {
    let Some(cluster) = Cluster::start(&[]).await else { return };
    let service = DocumentedRoles::create(&cluster).service("matchbook");
    let process = Process::serve(&Storage::at(&service), &["--migrations", "require"]);
    play_to_the_end(&Client::of(&process.address).await, 1).await;
    assert_eq!(process.terminate().0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_can_be_archived_as_a_file() {
    let storage = Storage::here(Backend::Sqlite).await;
    let process = Process::serve(&storage, &[]);
    let client = Client::of(&process.address).await;
    let table = client.table(3, 3, 1).await;
    client.turn(&table, "1,1", "3,3").await;
    let folder = tempfile::tempdir().unwrap();
    let server = format!("http://{}", process.address);
    let variables = [("MATCHBOOK_SERVER", server.as_str()), ("MATCH_ID", table.match_id.as_str())];
    run_commands(RUN, "which can be verified without the service", folder.path(), &variables);
    let file = fs::read_to_string(folder.path().join("match.jsonl")).unwrap();
    // The tests of `matchbook verify` check their contents.
    let lines: Vec<serde_json::Value> =
        file.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 1 + 8 + 1, "a header, the events, the signed head: {file}");
    assert_eq!(process.terminate().0, Some(0));
}

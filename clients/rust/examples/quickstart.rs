//! Imports a folder, searches it, reads a passage, and stores and recalls a memory: `cargo run --release
//! --example quickstart [ADDRESS] [KEY]`.
use ctxdb::{
    v1::{AddMessageRequest, AddResourceRequest, FindRequest, ReadContentRequest, WaitProcessedRequest},
    Ctxdb,
};
use std::{env, error::Error, fs};

const HARBOUR: &str = "# Harbour\n\nThe harbour of Lisbon opens at six in the morning. The pilot boat leaves at seven.\n";
const KITCHEN: &str = "# Kitchen\n\nThe kettle stands beside the stove. Tea is kept in the blue tin.\n";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let address = arguments.next().unwrap_or_else(|| "http://127.0.0.1:1933".to_owned());
    // a separate user, so that memories do not mix with those of others
    let mut builder = Ctxdb::builder(&address).user("quickstart-rust");
    if let Some(key) = arguments.next() {
        builder = builder.key(key);
    }
    let db = builder.connect()?;

    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("harbour.md"), HARBOUR)?;
    fs::write(folder.path().join("kitchen.md"), KITCHEN)?;
    let to = Some("ctx://resources/quickstart-rust".to_owned());
    let added = db.resources().add_path(folder.path(), AddResourceRequest { to, wait: true, ..Default::default() }).await?;
    println!("added       {}", added.root_uri);

    let question = "when does the harbour open?";
    let target_uri = Some(added.root_uri.clone().into());
    let found = db.search().find(FindRequest { query: question.to_owned(), target_uri, limit: Some(1), ..Default::default() }).await?;
    let hit = found.resources.first().ok_or("nothing was found")?;
    println!("asked       {question}");
    println!("found       {} ({:.2})", hit.uri, hit.score);
    let text = db.content().read(ReadContentRequest { uri: hit.uri.clone(), offset: 2, limit: Some(1), ..Default::default() }).await?;
    println!("passage     {}", text.content.trim());

    let session = db.sessions().create(ctxdb::v1::CreateSessionRequest::default()).await?.session_id;
    let content = Some("My name is Ann. I prefer green tea, and our office is in Lisbon.".to_owned());
    let message = AddMessageRequest { session_id: session.clone(), role: "user".to_owned(), content, ..Default::default() };
    db.sessions().add_message(message).await?;
    let committed = db.sessions().commit(&session).await?;
    println!("remembered  {} memories", committed.memories_extracted.unwrap_or(0));

    // also until it is embedded
    db.system().wait(WaitProcessedRequest::default()).await?;
    let recalled = db.search().find("which tea does Ann prefer?").await?;
    let memory = recalled.memories.first().ok_or("nothing was recalled")?;
    println!("recalled    {}", memory.r#match.split_whitespace().collect::<Vec<_>>().join(" "));
    Ok(())
}

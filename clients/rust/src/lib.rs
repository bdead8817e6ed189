//! Client of ctxdb, the context database for AI agents, over gRPC.
//!
//! ```no_run
//! # async fn run() -> Result<(), ctxdb::Error> {
//! let db = ctxdb::Ctxdb::connect("http://127.0.0.1:1933")?;
//! db.resources().add_path("./notes", Default::default()).await?;
//! for hit in db.search().find("when does the harbour open?").await?.resources {
//!     println!("{:.2} {}", hit.score, hit.uri);
//! }
//! # Ok(()) }
//! ```
//!
//! [`Ctxdb`] has one group of operations for each noun. A request is the message of the contract ([`v1`]), or its one required text alone. A call is cancelled by
//! dropping its future.

mod address;
mod ask;
mod call;
mod connect;
mod download;
mod error;
mod folder;
mod groups;
mod options;
mod pages;
mod retry;
mod stubs;
mod upload;

pub use connect::{Builder, Ctxdb};
pub use download::Download;
pub use error::Error;
pub use groups::{
    access::Access,
    admin::Admin,
    changes::Changes,
    content::{Content, Text},
    fs::Fs,
    memories::Memories,
    observer::Observer,
    packs::Packs,
    relations::Relations,
    resources::Resources,
    search::Search,
    sessions::Sessions,
    skills::Skills,
    snapshots::Snapshots,
    system::System,
    tasks::{Progress, Tasks},
    trash::Trash,
    webhooks::Webhooks,
};
pub use stubs::ctxdb::v1;
pub use upload::UploadOptions;

/// The type of JSON-like values in messages: filters, targets, skills, entries of lists.
pub use prost_types;

use crate::{address, call::Wire, error::Error, groups, options::Limits};
use std::{fmt, time::Duration};
use tonic::{
    metadata::{Ascii, MetadataMap, MetadataValue},
    transport::{Certificate, Channel, ClientTlsConfig},
};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const USER_AGENT: &str = concat!("ctxdb-rust/", env!("CARGO_PKG_VERSION"));

/// A connection to a server. Cheap to clone; the clones share the connection, which is closed when the last of them is dropped.
#[derive(Clone, Debug)]
pub struct Ctxdb {
    wire: Wire,
}

/// Address of a server, and the identity to use.
#[derive(Clone)]
pub struct Builder {
    address: String,
    headers: Vec<(&'static str, String)>,
    limits: Limits,
    tls_roots: Option<String>,
}

/// Without the identity: the key must not appear in logs.
impl fmt::Debug for Builder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Builder").field("address", &self.address).field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl Builder {
    /// API key.
    pub fn key(self, key: impl Into<String>) -> Self {
        self.header("x-api-key", key)
    }

    /// The agent whose spaces and memories are used. Default: "default".
    pub fn agent(self, agent: impl Into<String>) -> Self {
        self.header("x-ctx-agent", agent)
    }

    /// Acts in this account; only with the root key, and with servers without keys.
    pub fn account(self, account: impl Into<String>) -> Self {
        self.header("x-ctx-account", account)
    }

    /// Acts as this user; only with the root key, and with servers without keys.
    pub fn user(self, user: impl Into<String>) -> Self {
        self.header("x-ctx-user", user)
    }

    /// Time limit of a call, including retries. Default: 60 s; for transfers and waits 600 s.
    pub fn deadline(self, deadline: Duration) -> Self {
        Self { limits: self.limits.with_deadline(deadline), ..self }
    }

    /// How often a safe call is retried. Default: 3.
    pub fn retries(self, retries: u32) -> Self {
        Self { limits: Limits { retries, ..self.limits }, ..self }
    }

    /// Trusts these certificates (PEM) instead of those that the system trusts.
    pub fn tls_roots(self, pem: impl Into<String>) -> Self {
        Self { tls_roots: Some(pem.into()), ..self }
    }

    /// The connection, which is opened by the first call. Must be called within a tokio runtime. INVALID_ARGUMENT for an address or option that cannot be used.
    pub fn connect(self) -> Result<Ctxdb, Error> {
        let uri = address::parse(&self.address)?;
        let is_secure = uri.scheme_str() == Some("https");
        let mut endpoint = Channel::builder(uri).connect_timeout(CONNECT_TIMEOUT).user_agent(USER_AGENT).expect("plain ASCII");
        if is_secure {
            let tls = ClientTlsConfig::new();
            let tls = match &self.tls_roots {
                Some(pem) if !pem.contains("-----BEGIN CERTIFICATE-----") => return Err(Error::invalid("tls_roots", "holds no certificate in PEM")),
                Some(pem) => tls.ca_certificate(Certificate::from_pem(pem)),
                None => tls.with_native_roots(),
            };
            endpoint = endpoint.tls_config(tls).map_err(|error| Error::invalid("tls_roots", &error.to_string()))?;
        }
        let wire = Wire { channel: endpoint.connect_lazy(), headers: metadata_of(&self.headers)?, limits: self.limits };
        Ok(Ctxdb { wire })
    }

    fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

fn metadata_of(headers: &[(&'static str, String)]) -> Result<MetadataMap, Error> {
    let mut metadata = MetadataMap::new();
    for (name, value) in headers {
        let mut value: MetadataValue<Ascii> = value.parse().map_err(|_| Error::invalid(name, "must be printable ASCII"))?;
        // shown as "Sensitive" by Debug of the connection
        value.set_sensitive(*name == "x-api-key");
        metadata.insert(*name, value);
    }
    Ok(metadata)
}

impl Ctxdb {
    /// A connection with the defaults, to `host:port`, `http://host:port` or `https://host:port`.
    pub fn connect(address: &str) -> Result<Self, Error> {
        Self::builder(address).connect()
    }

    /// A connection with a key, an agent, or other limits.
    pub fn builder(address: &str) -> Builder {
        Builder { address: address.to_owned(), headers: Vec::new(), limits: Limits::default(), tls_roots: None }
    }

    /// The same connection with another deadline for each call, transfers and waits included.
    pub fn with_deadline(&self, deadline: Duration) -> Self {
        let limits = self.wire.limits.with_deadline(deadline);
        Self { wire: Wire { limits, ..self.wire.clone() } }
    }
}

macro_rules! groups {
    ($($(#[$doc:meta])* $name:ident: $group:ident;)*) => {
        impl Ctxdb {
            $($(#[$doc])* pub fn $name(&self) -> groups::$name::$group {
                groups::$name::$group { wire: self.wire.clone() }
            })*
        }
    };
}

groups! {
    /// Imports of files, folders, archives, web pages and repositories.
    resources: Resources;
    /// Skills of agents.
    skills: Skills;
    /// The tree of files and folders.
    fs: Fs;
    /// The three layers of a node.
    content: Content;
    /// Search by meaning, by regular expression and by name.
    search: Search;
    /// Relations: directed links between URIs.
    relations: Relations;
    /// Conversations, from which memories are extracted.
    sessions: Sessions;
    /// Single memories extracted from conversations.
    memories: Memories;
    /// Files and folders in one archive.
    packs: Packs;
    /// Tasks: work that continues after the call that started it.
    tasks: Tasks;
    /// Changes of files and folders.
    changes: Changes;
    /// Webhooks: URLs to which the server sends changes of files and folders.
    trash: Trash;
    webhooks: Webhooks;
    /// Snapshots: named states of folders that can be listed, read, compared and restored.
    snapshots: Snapshots;
    /// Access: grants and groups.
    access: Access;
    /// The server, and waiting for the queues.
    system: System;
    /// State of the server's components.
    observer: Observer;
    /// Accounts, users and keys.
    admin: Admin;
}

#[cfg(test)]
mod tests {
    use super::Ctxdb;

    #[tokio::test]
    async fn an_unusable_option_is_refused_by_name() {
        let error = Ctxdb::builder("localhost:1933").key("two\nlines").connect().unwrap_err();
        assert_eq!((error.code(), error.detail("field")), ("INVALID_ARGUMENT", Some("x-api-key")));
        let error = Ctxdb::builder("https://localhost:1933").tls_roots("no certificate").connect().unwrap_err();
        assert_eq!((error.code(), error.detail("field")), ("INVALID_ARGUMENT", Some("tls_roots")));
    }

    #[tokio::test]
    async fn the_key_is_not_in_debug_output() {
        let builder = Ctxdb::builder("localhost:1933").key("secret-key");
        assert!(!format!("{builder:?}").contains("secret-key"));
        assert!(!format!("{:?}", builder.connect().unwrap()).contains("secret-key"));
    }

    #[tokio::test]
    async fn a_missing_server_is_unavailable() {
        let error = Ctxdb::builder("127.0.0.1:1").retries(0).connect().unwrap().system().status().await.unwrap_err();
        assert_eq!(error.code(), "UNAVAILABLE");
        assert!(error.request_id().is_some());
    }
}

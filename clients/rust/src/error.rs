use crate::v1::ErrorDetail;
use prost::Message;
use prost_types::{value::Kind, Any, Struct, Value};
use std::{error::Error as _, fmt, io, path::Path, time::Duration};
use tonic::{Code, Status};

/// Error of a failed attempt, for the caller and for the retry policy.
#[derive(Clone, Debug)]
pub struct Error {
    code: String,
    message: String,
    details: Option<Struct>,
    request_id: Option<String>,
    retry_after: Option<Duration>,
}

impl Error {
    /// Code of the specification, for example `NOT_FOUND`; the canonical gRPC status, for example `UNAVAILABLE`, where the server sent none.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// What happened, for people.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The subject for programs, for example `{resource, type}` of `NOT_FOUND`.
    pub fn details(&self) -> Option<&Struct> {
        self.details.as_ref()
    }

    /// The text under a key of [`Error::details`].
    pub fn detail(&self, key: &str) -> Option<&str> {
        match self.details.as_ref()?.fields.get(key)?.kind.as_ref()? {
            Kind::StringValue(text) => Some(text),
            _ => None,
        }
    }

    /// Names the call in the server's log; absent where no call was made.
    pub fn request_id(&self) -> Option<&str> {
        self.request_id.as_deref()
    }

    /// Time after which the server asks to retry; absent where it does not say.
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    pub(crate) fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into(), details: None, request_id: None, retry_after: None }
    }

    pub(crate) fn invalid(field: &str, reason: &str) -> Self {
        let fields = [("field", field), ("reason", reason)].map(|(key, text)| (key.to_owned(), Value::from(text)));
        Self { details: Some(Struct { fields: fields.into() }), ..Self::new("INVALID_ARGUMENT", format!("{field}: {reason}")) }
    }

    /// A local file or folder that cannot be read or written: INVALID_ARGUMENT that names it.
    pub(crate) fn of_path(path: &Path, cause: &io::Error) -> Self {
        Self::invalid("path", &format!("{}: {cause}", path.display()))
    }

    pub(crate) fn too_late(operation: &str, seconds: f64) -> Self {
        let fields = [("operation", Value::from(operation)), ("timeout", Value::from(seconds))].map(|(key, value)| (key.to_owned(), value));
        let message = format!("{operation}: not done within {seconds} s");
        Self { details: Some(Struct { fields: fields.into() }), ..Self::new("DEADLINE_EXCEEDED", message) }
    }

    pub(crate) fn of_status(status: &Status, request_id: &str) -> Self {
        let error = match detail_of(status) {
            Some(detail) => Self::of_detail(detail),
            None => Self::new(name_of(status), full_message(status)),
        };
        Self { request_id: Some(request_id.to_owned()), retry_after: retry_after(status), ..error }
    }

    pub(crate) fn of_detail(ErrorDetail { code, message, details }: ErrorDetail) -> Self {
        Self { details, ..Self::new(&code, message) }
    }

    pub(crate) fn with_request_id(self, request_id: &str) -> Self {
        Self { request_id: Some(request_id.to_owned()), ..self }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Error {}

/// The server's Retry-After.
pub(crate) fn retry_after(status: &Status) -> Option<Duration> {
    let seconds: u32 = status.metadata().get("retry-after")?.to_str().ok()?.parse().ok()?;
    Some(Duration::from_secs(seconds.into()))
}

/// `google.rpc.Status`, as it travels in the details of a status.
#[derive(Clone, PartialEq, Message)]
struct RpcStatus {
    #[prost(message, repeated, tag = "3")]
    details: Vec<Any>,
}

fn detail_of(status: &Status) -> Option<ErrorDetail> {
    let details = RpcStatus::decode(status.details()).ok()?.details;
    let ours = details.into_iter().find(|any| any.type_url.ends_with("/ctxdb.v1.ErrorDetail"))?;
    ErrorDetail::decode(ours.value.as_slice()).ok()
}

/// Whether the connection failed or broke: such a status has a cause on this side, one that the server sent has none.
pub(crate) fn is_broken(status: &Status) -> bool {
    status.source().is_some() && !is_late(status)
}

fn is_late(status: &Status) -> bool {
    status.code() == Code::Cancelled && status.message() == "Timeout expired"
}

fn full_message(status: &Status) -> String {
    let mut message = status.message().to_owned();
    let mut cause = status.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !message.contains(&text) {
            message = format!("{message}: {text}");
        }
        cause = error.source();
    }
    message
}

fn name_of(status: &Status) -> &'static str {
    if is_late(status) {
        return "DEADLINE_EXCEEDED";
    }
    if is_broken(status) {
        return "UNAVAILABLE";
    }
    match status.code() {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

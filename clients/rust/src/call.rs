use crate::{
    ask::Ask,
    error::Error,
    options::Limits,
    retry::{repeated, resumed, Failure},
};
use futures_util::stream::{try_unfold, BoxStream, StreamExt};
use std::{future::Future, time::Duration};
use tokio::time::{timeout_at, Instant};
use tonic::{metadata::MetadataMap, transport::Channel, Request, Response, Status, Streaming};

/// Makes calls: with the headers of the connection, a deadline, and repetitions where they are safe.
#[derive(Clone, Debug)]
pub(crate) struct Wire {
    pub channel: Channel,
    pub headers: MetadataMap,
    pub limits: Limits,
}

/// One call, whose attempts share a name and an end.
struct Call {
    operation: &'static str,
    request_id: String,
    seconds: f64,
    ends: Instant,
}

impl Call {
    fn new(operation: &'static str, deadline: Duration) -> Self {
        let request_id = uuid::Uuid::new_v4().simple().to_string();
        Self { operation, request_id, seconds: deadline.as_secs_f64(), ends: Instant::now() + deadline }
    }

    fn request<Q>(&self, headers: &MetadataMap, message: Q, left: Duration) -> Request<Q> {
        let mut request = Request::new(message);
        *request.metadata_mut() = headers.clone();
        request.metadata_mut().insert("x-request-id", self.request_id.parse().expect("hexadecimal digits"));
        request.set_timeout(left);
        request
    }

    fn error(&self, failure: Failure) -> Error {
        match failure {
            Failure::Status(status) => Error::of_status(&status, &self.request_id),
            Failure::Late => Error::too_late(self.operation, self.seconds).with_request_id(&self.request_id),
        }
    }
}

impl Wire {
    /// One message there, one back.
    pub async fn unary<Q, A, R>(&self, operation: &'static str, mut message: Q, send: impl Fn(Channel, Request<Q>) -> R) -> Result<Response<A>, Error>
    where
        Q: Ask,
        R: Future<Output = Result<Response<A>, Status>>,
    {
        let call = Call::new(operation, self.limits.of_call(message.waits()));
        let retries = if message.make_repeatable() { self.limits.retries } else { 0 };
        let attempt = |left| send(self.channel.clone(), call.request(&self.headers, message.clone(), left));
        repeated(call.ends, retries, attempt).await.map_err(|failure| call.error(failure))
    }

    /// Opens a server stream. Waits for the first message, and retries while the server is unreachable.
    pub async fn stream<Q, A, R>(
        &self,
        operation: &'static str,
        message: Q,
        send: impl Fn(Channel, Request<Q>) -> R,
    ) -> Result<BoxStream<'static, Result<A, Error>>, Error>
    where
        Q: Ask,
        A: Send + 'static,
        R: Future<Output = Result<Response<Streaming<A>>, Status>>,
    {
        let call = Call::new(operation, self.limits.long_deadline);
        let attempt = |left| {
            let answer = send(self.channel.clone(), call.request(&self.headers, message.clone(), left));
            async {
                let mut messages = answer.await?.into_inner();
                Ok((messages.message().await?, messages))
            }
        };
        let (first, messages) = repeated(call.ends, self.limits.retries, attempt).await.map_err(|failure| call.error(failure))?;
        let rest = try_unfold((call, messages, first), |(call, mut messages, next)| async move {
            let Some(message) = next else { return Ok(None) };
            let next = match timeout_at(call.ends, messages.message()).await {
                Ok(next) => next.map_err(|status| call.error(Failure::Status(status)))?,
                Err(_) => return Err(call.error(Failure::Late)),
            };
            Ok(Some((message, (call, messages, next))))
        });
        Ok(rest.boxed())
    }

    /// Like `stream`, but opened again where the connection breaks later; for streams that begin with the current state.
    pub async fn resumed<Q, A, R>(
        &self,
        operation: &'static str,
        message: Q,
        send: impl Fn(Channel, Request<Q>) -> R + Clone + Send + Sync + 'static,
    ) -> Result<BoxStream<'static, Result<A, Error>>, Error>
    where
        Q: Ask + Send + Sync + 'static,
        A: Send + 'static,
        R: Future<Output = Result<Response<Streaming<A>>, Status>> + Send,
    {
        let ends = Instant::now() + self.limits.long_deadline;
        let first = self.stream(operation, message.clone(), send.clone()).await?;
        let wire = self.clone();
        Ok(resumed(ends, first, move |left| {
            let (mut wire, message, send) = (wire.clone(), message.clone(), send.clone());
            wire.limits.long_deadline = left;
            async move { wire.stream(operation, message, send).await }
        }))
    }

    /// Makes a client-streaming call. Never retried, because the sent data is not buffered.
    pub async fn send<Q, A, R>(&self, operation: &'static str, messages: Q, send: impl FnOnce(Channel, Request<Q>) -> R) -> Result<A, Error>
    where
        R: Future<Output = Result<Response<A>, Status>>,
    {
        let call = Call::new(operation, self.limits.long_deadline);
        let request = call.request(&self.headers, messages, self.limits.long_deadline);
        match timeout_at(call.ends, send(self.channel.clone(), request)).await {
            Ok(Ok(answer)) => Ok(answer.into_inner()),
            Ok(Err(status)) => Err(call.error(Failure::Status(status))),
            Err(_) => Err(call.error(Failure::Late)),
        }
    }
}

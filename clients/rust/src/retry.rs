use crate::error::{is_broken, retry_after, Error};
use futures_util::stream::{try_unfold, BoxStream, StreamExt, TryStreamExt};
use std::{future::Future, time::Duration};
use tokio::time::{sleep, timeout_at, Instant};
use tonic::{Code, Status};

const FIRST_PAUSE_MS: u64 = 100;
const MAX_PAUSE_MS: u64 = 5_000;

/// Why no attempt succeeded.
pub(crate) enum Failure {
    /// The last attempt's status.
    Status(Status),
    /// There was no time left.
    Late,
}

/// Attempts, each with the time that is left, until one succeeds, fails for another reason than that the server cannot be reached, or there is no time for the next.
pub(crate) async fn repeated<A, R>(ends: Instant, retries: u32, attempt: impl Fn(Duration) -> R) -> Result<A, Failure>
where
    R: Future<Output = Result<A, Status>>,
{
    for count in 0.. {
        let left = ends.saturating_duration_since(Instant::now());
        let status = match timeout_at(ends, attempt(left)).await {
            Ok(Ok(answer)) => return Ok(answer),
            Ok(Err(status)) => status,
            Err(_) => return Err(Failure::Late),
        };
        let pause = pause_before(count, retry_after(&status));
        let is_worth_it = status.code() == Code::Unavailable || is_broken(&status);
        if count >= retries || !is_worth_it || Instant::now() + pause >= ends {
            return Err(Failure::Status(status));
        }
        sleep(pause).await;
    }
    Err(Failure::Late)
}

/// The messages of a stream, and of those that follow it: `open` gets the time that is left and opens the next one where the connection breaks.
pub(crate) fn resumed<A, R>(
    ends: Instant,
    first: BoxStream<'static, Result<A, Error>>,
    open: impl Fn(Duration) -> R + Send + 'static,
) -> BoxStream<'static, Result<A, Error>>
where
    A: Send + 'static,
    R: Future<Output = Result<BoxStream<'static, Result<A, Error>>, Error>> + Send + 'static,
{
    try_unfold((first, open), move |(mut messages, open)| async move {
        loop {
            let broken = match messages.try_next().await {
                Ok(next) => return Ok(next.map(|message| (message, (messages, open)))),
                Err(error) => error,
            };
            let pause = pause_before(0, broken.retry_after());
            if broken.code() != "UNAVAILABLE" || Instant::now() + pause >= ends {
                return Err(broken);
            }
            sleep(pause).await;
            let opened = open(ends.saturating_duration_since(Instant::now()));
            messages = opened.await?;
        }
    })
    .boxed()
}

/// Before the repetition that follows attempt 0, 1, …: growing, with jitter, and not before the server's Retry-After.
fn pause_before(attempt: u32, retry_after: Option<Duration>) -> Duration {
    let grown = FIRST_PAUSE_MS.saturating_mul(1 << attempt.min(16)).min(MAX_PAUSE_MS) as f64;
    Duration::from_millis((grown * (0.5 + fastrand::f64())) as u64).max(retry_after.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{repeated, resumed, Failure};
    use crate::error::Error;
    use futures_util::stream::{iter, BoxStream, StreamExt, TryStreamExt};
    use std::{cell::Cell, time::Duration};
    use tokio::time::Instant;
    use tonic::Status;

    fn in_seconds(seconds: u64) -> Instant {
        Instant::now() + Duration::from_secs(seconds)
    }

    fn unavailable(retry_after: &str) -> Status {
        let mut status = Status::unavailable("full");
        status.metadata_mut().insert("retry-after", retry_after.parse().unwrap());
        status
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_is_repeated_while_the_server_is_unavailable_after_its_retry_after() {
        let (count, began) = (Cell::new(0), Instant::now());
        let answer = repeated(in_seconds(60), 3, |_| {
            count.set(count.get() + 1);
            let is_third = count.get() == 3;
            async move {
                if is_third {
                    Ok("done")
                } else {
                    Err(unavailable("2"))
                }
            }
        });
        assert!(matches!(answer.await, Ok("done")));
        assert!(began.elapsed() >= Duration::from_secs(4));
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_ends_after_its_last_repetition_and_at_any_other_error() {
        for (status, attempts) in [(unavailable("0"), 4), (Status::internal("no"), 1), (Status::not_found("no"), 1)] {
            let count = Cell::new(0);
            let answer = repeated(in_seconds(60), 3, |_| {
                count.set(count.get() + 1);
                let status = status.clone();
                async move { Err::<(), _>(status) }
            });
            assert!(matches!(answer.await, Err(Failure::Status(last)) if last.code() == status.code()));
            assert_eq!(count.get(), attempts);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_takes_no_pause_that_would_outlast_its_deadline() {
        let answer = repeated(in_seconds(1), 3, |_| async { Err::<(), _>(unavailable("30")) });
        assert!(matches!(answer.await, Err(Failure::Status(_))));
    }

    #[tokio::test(start_paused = true)]
    async fn an_attempt_ends_at_the_deadline() {
        let answer = repeated(in_seconds(1), 3, |_| std::future::pending::<Result<(), Status>>());
        assert!(matches!(answer.await, Err(Failure::Late)));
    }

    fn broken(message: u32, code: &'static str) -> BoxStream<'static, Result<u32, Error>> {
        iter([Ok(message), Err(Error::new(code, "gone".to_owned()))]).boxed()
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_goes_on_after_a_broken_connection_until_its_end() {
        let all = resumed(in_seconds(60), broken(1, "UNAVAILABLE"), |left| async move {
            assert!(left < Duration::from_secs(60));
            Ok(iter([Ok(2), Ok(3)]).boxed())
        });
        assert_eq!(all.try_collect::<Vec<_>>().await.unwrap(), [1, 2, 3]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_ends_at_any_other_error_and_at_its_deadline() {
        for (code, seconds) in [("INTERNAL", 60), ("UNAVAILABLE", 0)] {
            let all = resumed(in_seconds(seconds), broken(1, code), |_| async move { Ok(iter([Ok(2)]).boxed()) });
            assert_eq!(all.try_collect::<Vec<_>>().await.unwrap_err().code(), code);
        }
    }
    #[tokio::test(start_paused = true)]
    async fn a_stream_is_not_opened_again_where_the_server_asks_for_a_pause_past_the_deadline() {
        let refused = || iter([Err(Error::of_status(&unavailable("61"), "r1"))]).boxed();
        let all = resumed(in_seconds(60), refused(), |_| async { Ok(iter([Ok(2)]).boxed()) });
        assert_eq!(all.try_collect::<Vec<u32>>().await.unwrap_err().retry_after(), Some(Duration::from_secs(61)));
        let began = Instant::now();
        let all = resumed(in_seconds(62), refused(), |_| async { Ok(iter([Ok(2)]).boxed()) });
        assert_eq!(all.try_collect::<Vec<u32>>().await.unwrap(), [2]);
        assert!(began.elapsed() >= Duration::from_secs(61));
    }
}

use std::time::Duration;

const DEFAULT_DEADLINE: Duration = Duration::from_secs(60);
const DEFAULT_LONG_DEADLINE: Duration = Duration::from_secs(600);
const DEFAULT_RETRIES: u32 = 3;
/// Time that a call may take in addition to the time it asks the server to wait.
const WAIT_MARGIN: Duration = Duration::from_secs(10);
/// The longest that the gRPC header of a deadline is used for.
const MAX_DEADLINE: Duration = Duration::from_secs(86_400);

/// Time limits of calls, and how often they are retried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub deadline: Duration,
    pub long_deadline: Duration,
    pub retries: u32,
    pub is_chosen: bool,
}

/// How long a call lets the server wait.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Waits {
    /// It is answered at once.
    No,
    /// Seconds.
    For(f64),
    /// Until the work is done.
    UntilDone,
}

impl Default for Limits {
    fn default() -> Self {
        Self { deadline: DEFAULT_DEADLINE, long_deadline: DEFAULT_LONG_DEADLINE, retries: DEFAULT_RETRIES, is_chosen: false }
    }
}

impl Limits {
    /// One deadline for all calls, including transfers and waits.
    pub fn with_deadline(self, deadline: Duration) -> Self {
        let deadline = deadline.min(MAX_DEADLINE);
        Self { deadline, long_deadline: deadline, is_chosen: true, ..self }
    }

    pub fn of_call(&self, waits: Waits) -> Duration {
        match waits {
            Waits::No => self.deadline,
            Waits::UntilDone => self.long_deadline,
            Waits::For(_) if self.is_chosen => self.deadline,
            Waits::For(seconds) => {
                let asked = Duration::try_from_secs_f64(seconds).unwrap_or_default().saturating_add(WAIT_MARGIN);
                self.deadline.max(asked).min(MAX_DEADLINE)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Limits, Waits};
    use std::time::Duration;

    #[test]
    fn a_call_that_waits_has_the_time_it_asks_for() {
        let limits = Limits::default();
        assert_eq!(limits.of_call(Waits::No), Duration::from_secs(60));
        assert_eq!(limits.of_call(Waits::For(5.0)), Duration::from_secs(60));
        assert_eq!(limits.of_call(Waits::For(100.0)), Duration::from_secs(110));
        assert_eq!(limits.of_call(Waits::UntilDone), Duration::from_secs(600));
        assert_eq!(limits.of_call(Waits::For(-1.0)), Duration::from_secs(60));
    }

    #[test]
    fn a_chosen_deadline_holds_for_everything() {
        let limits = Limits::default().with_deadline(Duration::from_secs(2));
        assert_eq!(limits.of_call(Waits::For(100.0)), Duration::from_secs(2));
        assert_eq!(limits.of_call(Waits::UntilDone), Duration::from_secs(2));
        assert_eq!(limits.long_deadline, Duration::from_secs(2));
    }
}

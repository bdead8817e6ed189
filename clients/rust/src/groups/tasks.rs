use crate::{
    pages::all_of,
    v1::{task_service_client::TaskServiceClient, *},
    Error,
};
use futures_util::stream::{BoxStream, TryStreamExt};

group! {
    /// Tasks: work that continues after the call that started it.
    Tasks
}

/// Progress of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Current stage, in one word.
    pub stage: String,
    /// Number of completed steps.
    pub done: u32,
    /// Total number of steps; may grow, and is 0 while unknown.
    pub total: u32,
}

operations! { Tasks: TaskServiceClient;
    /// Returns one task.
    get = get_task(GetTaskRequest) -> Task;
    /// Cancels an unfinished task. What it has already written stays.
    cancel = cancel_task(CancelTaskRequest) -> Task;
    /// Returns a page of the caller's tasks, newest first.
    list = list_tasks(ListTasksRequest) -> ListTasksResponse;
}

impl Tasks {
    /// Yields all tasks, page by page.
    pub fn list_all(&self, request: impl Into<ListTasksRequest>) -> BoxStream<'static, Result<Task, Error>> {
        let (tasks, request) = (self.clone(), request.into());
        all_of(request.cursor.clone(), move |cursor| {
            let (tasks, request) = (tasks.clone(), ListTasksRequest { cursor, ..request.clone() });
            async move { tasks.list(request).await.map(|page| (page.tasks, page.next_cursor)) }
        })
    }

    /// Streams the task: its current state, then each change of its stage or progress, until it ends.
    /// Reconnects after a lost connection.
    pub async fn watch(&self, task_id: &str) -> Result<BoxStream<'static, Result<Task, Error>>, Error> {
        let send = |channel, request| async move { TaskServiceClient::new(channel).watch_task(request).await };
        self.wire.resumed("watch", WatchTaskRequest::from(task_id), send).await
    }

    /// The completed task; `on_progress` is called with its first state and every change. If the
    /// task fails or is cancelled, that is the error.
    pub async fn wait(&self, task_id: &str, mut on_progress: impl FnMut(Progress)) -> Result<Task, Error> {
        let mut states = self.watch(task_id).await?;
        let mut last = Task::default();
        while let Some(task) = states.try_next().await? {
            on_progress(progress_of(&task));
            last = task;
        }
        match last.error {
            None if last.status == "completed" => Ok(last),
            Some(detail) => Err(Error::of_detail(detail)),
            None => Err(Error::new("UNKNOWN", format!("task {task_id} has ended as {:?}", last.status))),
        }
    }
}

fn progress_of(task: &Task) -> Progress {
    let TaskProgress { done, total } = task.progress.unwrap_or_default();
    Progress { stage: task.stage.clone(), done, total }
}

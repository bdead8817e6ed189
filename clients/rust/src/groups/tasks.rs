use crate::{
    pages::all_of,
    v1::{task_service_client::TaskServiceClient, *},
    Error,
};
use futures_util::stream::{BoxStream, TryStreamExt};

group! {
    /// Work that goes on after the call that caused it.
    Tasks
}

/// How far a task is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// What it is at, in one word.
    pub stage: String,
    /// Steps done.
    pub done: u32,
    /// Steps in all, as far as known.
    pub total: u32,
}

operations! { Tasks: TaskServiceClient;
    /// One task.
    get = get_task(GetTaskRequest) -> Task;
    /// Ends a task that has not ended; what it has written before stays.
    cancel = cancel_task(CancelTaskRequest) -> Task;
    /// One page of the caller's tasks, newest first.
    list = list_tasks(ListTasksRequest) -> ListTasksResponse;
}

impl Tasks {
    /// All tasks, page after page.
    pub fn list_all(&self, request: impl Into<ListTasksRequest>) -> BoxStream<'static, Result<Task, Error>> {
        let (tasks, request) = (self.clone(), request.into());
        all_of(request.cursor.clone(), move |cursor| {
            let (tasks, request) = (tasks.clone(), ListTasksRequest { cursor, ..request.clone() });
            async move { tasks.list(request).await.map(|page| (page.tasks, page.next_cursor)) }
        })
    }

    /// The task now, and again whenever its stage or progress has changed, until it has ended either way.
    pub async fn watch(&self, task_id: &str) -> Result<BoxStream<'static, Result<Task, Error>>, Error> {
        let send = |channel, request| async move { TaskServiceClient::new(channel).watch_task(request).await };
        self.wire.stream("watch", WatchTaskRequest::from(task_id), send).await
    }

    /// The completed task; `on_progress` hears of its first state and of every change. The error of another end is the error here.
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

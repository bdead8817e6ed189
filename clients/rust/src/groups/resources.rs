use crate::{
    upload::{upload, UploadOptions},
    v1::{resource_service_client::ResourceServiceClient, *},
    Error,
};
use std::path::Path;

group! {
    /// Imports of files, folders, archives, web pages and repositories.
    Resources
}

operations! { Resources: ResourceServiceClient;
    /// Imports what `path` names on the server's side (a path, a URL), or an upload (`temp_path`).
    add = add_resource(AddResourceRequest) -> AddResourceResponse;
    /// Imports a resource again from the source it came from.
    refresh = refresh_resource(RefreshResourceRequest) -> AddResourceResponse;
    /// Imports a resource again at an interval, or changes, pauses or resumes its schedule.
    schedule = schedule_refresh(ScheduleRefreshRequest) -> RefreshSchedule;
    /// Schedules of the resources that the caller may see, ordered by URI.
    schedules = list_refresh_schedules(ListRefreshSchedulesRequest) -> ListRefreshSchedulesResponse;
    /// Makes a scheduled refresh due now; returns before it has run.
    run_schedule = run_refresh_schedule(RunRefreshScheduleRequest) -> RefreshSchedule;
    /// Deletes the schedule of a resource, which stays.
    delete_schedule = delete_refresh_schedule(DeleteRefreshScheduleRequest) -> DeleteRefreshScheduleResponse;
}

impl Resources {
    /// Stores a local file, or a folder as a zip, for one hour; the answer's `temp_path` is for `add`, `skills().add` and `packs().import`.
    /// Of a folder stay out hidden files, symbolic links, what `.gitignore` files name, and folders such as `node_modules`.
    pub async fn upload(&self, path: impl AsRef<Path>) -> Result<UploadFileResponse, Error> {
        self.upload_with(path, UploadOptions::default()).await
    }

    /// Like `upload`, with another name or media type, or with somebody who watches.
    pub async fn upload_with(&self, path: impl AsRef<Path>, options: UploadOptions) -> Result<UploadFileResponse, Error> {
        upload(&self.wire, path.as_ref(), options).await
    }

    /// Uploads a local file or folder and imports it.
    pub async fn add_path(&self, path: impl AsRef<Path>, request: AddResourceRequest) -> Result<AddResourceResponse, Error> {
        let temp_path = Some(self.upload(path).await?.temp_path);
        self.add(AddResourceRequest { temp_path, ..request }).await
    }
}

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
    /// Imports the source named by `path` on the server's side (a path or URL), or an upload
    /// (`temp_path`).
    add = add_resource(AddResourceRequest) -> AddResourceResponse;
    /// Imports a resource again from its source.
    refresh = refresh_resource(RefreshResourceRequest) -> AddResourceResponse;
    /// Sets, changes, pauses or resumes the schedule by which a resource is imported again.
    schedule = schedule_refresh(ScheduleRefreshRequest) -> RefreshSchedule;
    /// Returns the schedules of resources that the caller may see, sorted by URI.
    schedules = list_refresh_schedules(ListRefreshSchedulesRequest) -> ListRefreshSchedulesResponse;
    /// Makes a scheduled refresh due now. Returns before it has run.
    run_schedule = run_refresh_schedule(RunRefreshScheduleRequest) -> RefreshSchedule;
    /// Deletes the schedule of a resource, but not the resource.
    delete_schedule = delete_refresh_schedule(DeleteRefreshScheduleRequest) -> DeleteRefreshScheduleResponse;
}

impl Resources {
    /// Stores a local file, or a folder as a zip, for one hour. Pass the response's `temp_path` to
    /// `add`, `skills().add` and `packs().import`. For a folder, hidden files, symbolic links,
    /// files named in `.gitignore` files, and folders such as `node_modules` are left out.
    pub async fn upload(&self, path: impl AsRef<Path>) -> Result<UploadFileResponse, Error> {
        self.upload_with(path, UploadOptions::default()).await
    }

    /// Like `upload`, with another name or media type, or with a progress callback.
    pub async fn upload_with(&self, path: impl AsRef<Path>, options: UploadOptions) -> Result<UploadFileResponse, Error> {
        upload(&self.wire, path.as_ref(), options).await
    }

    /// Uploads a local file or folder and imports it.
    pub async fn add_path(&self, path: impl AsRef<Path>, request: AddResourceRequest) -> Result<AddResourceResponse, Error> {
        let temp_path = Some(self.upload(path).await?.temp_path);
        self.add(AddResourceRequest { temp_path, ..request }).await
    }
}

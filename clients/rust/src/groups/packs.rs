use crate::{
    upload::{upload, UploadOptions},
    v1::{pack_service_client::PackServiceClient, *},
    Download, Error,
};
use std::path::Path;

group! {
    /// Packs: archives of files and folders with their layers.
    Packs
}

operations! { Packs: PackServiceClient;
    /// Imports an uploaded pack, which is verified completely before anything is written.
    import = import_pack(ImportPackRequest) -> ImportPackResponse;
}

impl Packs {
    /// Exports a file or folder as a pack.
    pub async fn export(&self, request: impl Into<ExportPackRequest>) -> Result<Download, Error> {
        let send = |channel, request| async move { PackServiceClient::new(channel).export_pack(request).await };
        Download::new(self.wire.stream("export", request.into(), send).await?).await
    }

    /// Uploads a pack and imports it.
    pub async fn import_path(&self, path: impl AsRef<Path>, request: ImportPackRequest) -> Result<ImportPackResponse, Error> {
        let temp_path = Some(upload(&self.wire, path.as_ref(), UploadOptions::default()).await?.temp_path);
        self.import(ImportPackRequest { temp_path, ..request }).await
    }
}

use crate::{
    upload::{upload, UploadOptions},
    v1::{skill_service_client::SkillServiceClient, *},
    Error,
};
use std::path::Path;

group! {
    /// Skills of agents: documents with a name, a description and files.
    Skills
}

operations! { Skills: SkillServiceClient;
    /// Stores a skill. Replaces a skill of the same name completely.
    add = add_skill(AddSkillRequest) -> AddSkillResponse;
    /// Returns all skills, sorted by name.
    list = list_skills() -> ListSkillsResponse;
    /// Returns a skill with its document.
    get = get_skill(GetSkillRequest) -> GetSkillResponse;
    /// Deletes a skill with its files.
    delete = delete_skill(DeleteSkillRequest) -> DeleteSkillResponse;
}

impl Skills {
    /// Uploads a skill file, or a folder with a `SKILL.md`, and stores it.
    pub async fn add_path(&self, path: impl AsRef<Path>, request: AddSkillRequest) -> Result<AddSkillResponse, Error> {
        let temp_path = Some(upload(&self.wire, path.as_ref(), UploadOptions::default()).await?.temp_path);
        self.add(AddSkillRequest { temp_path, ..request }).await
    }
}

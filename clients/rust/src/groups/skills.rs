use crate::{
    upload::{upload, UploadOptions},
    v1::{skill_service_client::SkillServiceClient, *},
    Error,
};
use std::path::Path;

group! {
    /// What agents can do: documents with a name, a description and files.
    Skills
}

operations! { Skills: SkillServiceClient;
    /// Stores a skill; one of the same name is replaced whole.
    add = add_skill(AddSkillRequest) -> AddSkillResponse;
    /// All skills, by name.
    list = list_skills() -> ListSkillsResponse;
    /// One skill with its document.
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

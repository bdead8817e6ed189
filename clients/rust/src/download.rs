use crate::{error::Error, stubs::ctxdb::v1::FileChunk};
use futures_util::stream::{BoxStream, StreamExt, TryStreamExt};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};
use tokio::{fs, io::AsyncWriteExt};

/// A stream of bytes from the server. Dropping it cancels the call.
pub struct Download {
    content_type: String,
    bytes: BoxStream<'static, Result<Vec<u8>, Error>>,
}

impl Download {
    pub(crate) async fn new(mut messages: BoxStream<'static, Result<FileChunk, Error>>) -> Result<Self, Error> {
        let first = messages.try_next().await?.unwrap_or_default();
        let start = futures_util::stream::iter([Ok(first.data)]);
        let bytes = start.chain(messages.map_ok(|message| message.data)).boxed();
        Ok(Self { content_type: first.content_type, bytes })
    }

    /// Media type.
    pub fn content_type(&self) -> &str {
        &self.content_type
    }

    /// The next bytes; None at the end.
    pub async fn chunk(&mut self) -> Result<Option<Vec<u8>>, Error> {
        self.bytes.try_next().await
    }

    /// The bytes in order.
    pub fn into_stream(self) -> BoxStream<'static, Result<Vec<u8>, Error>> {
        self.bytes
    }

    /// Reads all bytes.
    pub async fn bytes(mut self) -> Result<Vec<u8>, Error> {
        let mut all = Vec::new();
        while let Some(chunk) = self.chunk().await? {
            all.extend(chunk);
        }
        Ok(all)
    }

    /// Writes the file, completely or not at all. Returns the number of bytes.
    pub async fn save(mut self, path: impl AsRef<Path>) -> Result<u64, Error> {
        let path = path.as_ref();
        let part = beside(path);
        let written = self.write(&part).await;
        let result = match written {
            Ok(size) => fs::rename(&part, path).await.map(|()| size).map_err(|error| Error::of_path(path, &error)),
            Err(error) => Err(error),
        };
        if result.is_err() {
            // ignored: the caller gets the first error, and the partial file may not even exist
            let _ = fs::remove_file(&part).await;
        }
        result
    }

    async fn write(&mut self, path: &Path) -> Result<u64, Error> {
        let failed = |error| Error::of_path(path, &error);
        let mut file = fs::OpenOptions::new().write(true).create_new(true).open(path).await.map_err(failed)?;
        let mut size = 0;
        while let Some(chunk) = self.chunk().await? {
            file.write_all(&chunk).await.map_err(failed)?;
            size += chunk.len() as u64;
        }
        file.flush().await.map_err(failed)?;
        Ok(size)
    }
}

/// The path of a new file, so that neither other files, links nor downloads to the same path are overwritten.
fn beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.part", uuid::Uuid::new_v4().simple()));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::{Download, FileChunk};
    use futures_util::stream::{iter, StreamExt};
    use std::fs;

    #[tokio::test]
    async fn other_files_beside_a_download_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a.zip"), folder.path().join("a.zip.part"));
        fs::write(&other, "mine").unwrap();
        let chunk = FileChunk { data: b"new".to_vec(), ..FileChunk::default() };
        let download = Download::new(iter([Ok(chunk)]).boxed()).await.unwrap();
        assert_eq!(download.save(&path).await.unwrap(), 3);
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read(&other).unwrap(), b"mine");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}

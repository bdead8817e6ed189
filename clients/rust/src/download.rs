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
            // the reason is already known; what is left over may not even exist
            let _ = fs::remove_file(&part).await;
        }
        result
    }

    async fn write(&mut self, path: &Path) -> Result<u64, Error> {
        let failed = |error| Error::of_path(path, &error);
        let mut file = fs::File::create(path).await.map_err(failed)?;
        let mut size = 0;
        while let Some(chunk) = self.chunk().await? {
            file.write_all(&chunk).await.map_err(failed)?;
            size += chunk.len() as u64;
        }
        file.flush().await.map_err(failed)?;
        Ok(size)
    }
}

fn beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".part");
    name.into()
}

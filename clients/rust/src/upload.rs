use crate::{
    call::Wire,
    error::Error,
    folder::zip_folder,
    v1::{resource_service_client::ResourceServiceClient, upload_file_request::Part, UploadFileRequest, UploadFileResponse, UploadHeader},
};
use futures_util::stream::{unfold, Stream, StreamExt};
use std::{
    fs::File,
    future::pending,
    io::{self, Write},
    path::Path,
};
use tokio::{
    sync::{mpsc, oneshot},
    task::spawn_blocking,
};

/// Maximum size of a chunk that the server accepts.
const CHUNK_BYTES: usize = 1024 * 1024;
/// Maximum number of chunks that are read ahead of the upload.
const CHUNKS_AHEAD: usize = 4;

type Piece = Result<Vec<u8>, Error>;

/// Options of an upload.
#[derive(Default)]
pub struct UploadOptions {
    /// Name to use instead of that of the file, or of the folder with `.zip` appended.
    pub name: Option<String>,
    /// Media type; by default determined from name and content.
    pub content_type: Option<String>,
    /// Called with the number of bytes sent so far.
    pub on_sent: Option<Box<dyn FnMut(u64) + Send>>,
}

/// Sends a local file, or a folder as a zip that is created during the upload.
pub(crate) async fn upload(wire: &Wire, path: &Path, options: UploadOptions) -> Result<UploadFileResponse, Error> {
    let name = name_of(path)?;
    let is_folder = path.is_dir();
    let name = options.name.unwrap_or(if is_folder { format!("{name}.zip") } else { name });
    let header = UploadHeader { name, content_type: options.content_type };
    let (sender, pieces) = mpsc::channel(CHUNKS_AHEAD);
    let path = path.to_owned();
    spawn_blocking(move || read(&path, is_folder, sender));
    let (failed, failure) = oneshot::channel();
    let messages = counted(messages_of(header, pieces, failed), options.on_sent);
    let answer = wire.send("upload", messages, |channel, request| async move { ResourceServiceClient::new(channel).upload_file(request).await });
    tokio::select! {
        Ok(error) = failure => Err(error),
        answer = answer => answer,
    }
}

/// The name of a file or folder, also where the path ends in `.` or `..`.
fn name_of(path: &Path) -> Result<String, Error> {
    let full = path.canonicalize().map_err(|error| Error::of_path(path, &error))?;
    let name = path.file_name().or(full.file_name());
    name.map(|name| name.to_string_lossy().into_owned()).ok_or_else(|| Error::invalid("path", "the root of a disk has no name"))
}

/// The header, then the pieces. A local error is sent to `failed`, and the stream stays open, because its end
/// would look like the end of the file.
fn messages_of(header: UploadHeader, pieces: mpsc::Receiver<Piece>, failed: oneshot::Sender<Error>) -> impl Stream<Item = UploadFileRequest> {
    unfold((Some(header), pieces, failed), |(header, mut pieces, failed)| async move {
        if let Some(header) = header {
            return Some((UploadFileRequest { part: Some(Part::Header(header)) }, (None, pieces, failed)));
        }
        match pieces.recv().await? {
            Ok(chunk) => Some((UploadFileRequest { part: Some(Part::Chunk(chunk)) }, (None, pieces, failed))),
            Err(error) => {
                let _ = failed.send(error);
                pending().await
            }
        }
    })
}

fn counted(messages: impl Stream<Item = UploadFileRequest>, on_sent: Option<Box<dyn FnMut(u64) + Send>>) -> impl Stream<Item = UploadFileRequest> {
    let (mut sent, mut on_sent) = (0, on_sent);
    messages.inspect(move |message| {
        if let (Some(Part::Chunk(chunk)), Some(hear)) = (&message.part, on_sent.as_mut()) {
            sent += chunk.len() as u64;
            hear(sent);
        }
    })
}

fn read(path: &Path, is_folder: bool, sender: mpsc::Sender<Piece>) {
    let mut pieces = Pieces { piece: Vec::new(), sender: sender.clone() };
    let result = if is_folder { zip_folder(path, &mut pieces) } else { copy(path, &mut pieces).map_err(|error| Error::of_path(path, &error)) };
    if let Err(error) = result {
        // nobody listens where the call has ended before
        let _ = sender.blocking_send(Err(error));
    }
}

fn copy(path: &Path, pieces: &mut Pieces) -> io::Result<()> {
    io::copy(&mut File::open(path)?, pieces)?;
    pieces.flush()
}

/// Splits the written bytes into pieces; fails once the receiver is dropped.
struct Pieces {
    piece: Vec<u8>,
    sender: mpsc::Sender<Piece>,
}

impl Pieces {
    fn send(&mut self) -> io::Result<()> {
        let piece = std::mem::take(&mut self.piece);
        self.sender.blocking_send(Ok(piece)).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(CHUNK_BYTES - self.piece.len());
        self.piece.extend_from_slice(&bytes[..taken]);
        if self.piece.len() == CHUNK_BYTES {
            self.send()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.piece.is_empty() {
            Ok(())
        } else {
            self.send()
        }
    }
}

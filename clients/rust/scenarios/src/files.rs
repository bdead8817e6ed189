use serde_json::{Map, Value};
use std::{fs, io, path::Path};

const PATTERN: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXY";

/// Writes the local files of the list: texts, links, and numbers of bytes.
pub fn write(folder: &Path, files: &Map<String, Value>) -> io::Result<()> {
    for (name, what) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        match (what.as_str(), what["link"].as_str(), what["bytes"].as_u64()) {
            (Some(text), ..) => fs::write(path, text)?,
            (_, Some(target), _) => std::os::unix::fs::symlink(target, path)?,
            (_, _, bytes) => fs::write(path, PATTERN.iter().copied().cycle().take(bytes.unwrap_or(0) as usize).collect::<Vec<_>>())?,
        }
    }
    Ok(())
}

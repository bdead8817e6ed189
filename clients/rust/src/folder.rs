use crate::error::Error;
use ignore::{DirEntry, WalkBuilder};
use std::{
    fs::File,
    io::{self, Write},
    path::Path,
};
use zip::{write::SimpleFileOptions, CompressionMethod, ZipWriter};

/// Folders that the server would skip.
const SKIPPED: [&str; 8] = ["node_modules", "bower_components", "vendor", "venv", "site-packages", "__pycache__", "target", "CVS"];
/// Files from here on need the long form of a zip's records.
const LARGE_FILE_BYTES: u64 = u32::MAX as u64 / 2;

/// Writes the files of a folder as a zip: without hidden files, symbolic links, files named in
/// `.gitignore` files, and files that the server would skip.
pub(crate) fn zip_folder(folder: &Path, to: impl Write) -> Result<(), Error> {
    let mut zip = ZipWriter::new_stream(to);
    for entry in files_of(folder) {
        let entry = entry.map_err(|error| Error::invalid("path", &error.to_string()))?;
        if entry.file_type().is_some_and(|kind| kind.is_file()) {
            add(&mut zip, folder, entry.path()).map_err(|error| Error::of_path(entry.path(), &error))?;
        }
    }
    let mut rest = zip.finish().map_err(|error| Error::of_path(folder, &error.into()))?;
    rest.flush().map_err(|error| Error::of_path(folder, &error))
}

fn files_of(folder: &Path) -> ignore::Walk {
    let mut walk = WalkBuilder::new(folder);
    walk.hidden(true).parents(false).ignore(false).git_global(false).git_exclude(false).git_ignore(true).require_git(false);
    walk.follow_links(false).sort_by_file_name(Ord::cmp).filter_entry(|entry| entry.depth() == 0 || !is_skipped(entry));
    walk.build()
}

fn is_skipped(entry: &DirEntry) -> bool {
    let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
    is_folder && entry.file_name().to_str().is_some_and(|name| SKIPPED.contains(&name))
}

fn add<W: Write + io::Seek>(zip: &mut ZipWriter<W>, folder: &Path, path: &Path) -> io::Result<()> {
    let mut file = File::open(path)?;
    let is_large = file.metadata()?.len() > LARGE_FILE_BYTES;
    let names = path.strip_prefix(folder).unwrap_or(path).components();
    let name = names.map(|name| name.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated).large_file(is_large);
    zip.start_file(name, options)?;
    io::copy(&mut file, zip)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::zip_folder;
    use std::{collections::BTreeSet, fs, io::Cursor};

    fn names_in(folder: &std::path::Path) -> BTreeSet<String> {
        let mut bytes = Vec::new();
        zip_folder(folder, &mut bytes).unwrap();
        let zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        zip.file_names().map(|name| name.unwrap().into_owned()).collect()
    }

    #[test]
    fn a_folder_upload_takes_the_files_of_an_import() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["a.md", "日本.md", "in/b.md", "in/c.log", ".hidden", ".git/config", "node_modules/x.js", "in/target/y", "secret.txt", "in/z.tmp"] {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        fs::write(folder.path().join(".gitignore"), "*.log\n/secret.txt\n").unwrap();
        fs::write(folder.path().join("in/.gitignore"), "*.tmp\n").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc/hostname", folder.path().join("link")).unwrap();
        assert_eq!(names_in(folder.path()), ["a.md", "in/b.md", "日本.md"].map(String::from).into());
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_upload_follows_a_link_to_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("real")).unwrap();
        fs::write(folder.path().join("real/a.md"), "a").unwrap();
        std::os::unix::fs::symlink("real", folder.path().join("link")).unwrap();
        assert_eq!(names_in(&folder.path().join("link")), ["a.md".to_owned()].into());
    }

    #[test]
    fn a_missing_folder_is_named() {
        let error = zip_folder("/no/such/folder".as_ref(), Vec::new()).unwrap_err();
        assert_eq!(error.code(), "INVALID_ARGUMENT");
        assert!(error.message().contains("/no/such/folder"));
    }
}

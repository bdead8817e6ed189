"""What of a folder travels."""

import io
import random
import zipfile
from pathlib import Path

import pytest

from ctxdb._sources import CHUNK_BYTES, open_source, zip_folder


def write(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name, encoding="utf-8")


def names_of(root: Path) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(b"".join(zip_folder(root)))) as archive:
        assert archive.testzip() is None
        return archive.namelist()


def test_a_folder_upload_leaves_out_hidden_files_dependencies_and_links(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "b/c.md", ".env", ".git/config", "node_modules/x/index.js", "b/__pycache__/c.pyc", "größe/水.md")
    (tmp_path / "link.md").symlink_to(tmp_path / "a.md")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert names_of(tmp_path) == ["a.md", "b/c.md", "größe/水.md"]


def test_a_folder_upload_follows_ignore_files_the_nearest_first(tmp_path: Path) -> None:
    write(tmp_path, "keep.md", "drop.log", "logs/keep.log", "logs/old/a.txt", "out/a.md", "docs/out.md", "docs/deep/secret.md")
    (tmp_path / ".gitignore").write_text("*.log\n/out/\nsecret.md\n")
    (tmp_path / "logs/.gitignore").write_text("!keep.log\nold/\n")
    assert names_of(tmp_path) == ["keep.md", "docs/out.md", "logs/keep.log"]


def test_a_folder_is_uploaded_in_small_pieces(tmp_path: Path) -> None:
    (tmp_path / "big.bin").write_bytes(random.Random(1).randbytes(5 * CHUNK_BYTES))
    pieces = list(zip_folder(tmp_path))
    assert len(pieces) > 5
    assert max(map(len, pieces)) <= CHUNK_BYTES


def test_an_upload_has_the_name_of_its_file_or_folder_and_bytes_need_one(tmp_path: Path) -> None:
    write(tmp_path, "docs.v1/a.md")
    assert open_source(tmp_path / "docs.v1", None)[0] == "docs.v1.zip"
    assert open_source(tmp_path / "docs.v1/a.md", None)[0] == "a.md"
    with pytest.raises(FileNotFoundError):
        open_source(tmp_path / "missing", None)
    with pytest.raises(ValueError, match="needs a name"):
        open_source(b"abc", None)

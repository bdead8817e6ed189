package ctxdb

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func writeFile(t *testing.T, root, name, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
	must(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
}

func zippedNames(t *testing.T, root string) []string {
	t.Helper()
	var out bytes.Buffer
	must(t, zipFolder(&out, root))
	archive, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	must(t, err)
	var names []string
	for _, file := range archive.File {
		names = append(names, file.Name)
	}
	return names
}

func TestAFolderUploadLeavesOutHiddenFilesDependenciesAndLinks(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a.md", "b/c.md", ".env", ".git/config", "node_modules/x/index.js", "b/__pycache__/c.pyc", "größe/水.md"} {
		writeFile(t, root, name, name)
	}
	must(t, os.Symlink(filepath.Join(root, "a.md"), filepath.Join(root, "link.md")))
	must(t, os.Symlink(root, filepath.Join(root, "loop")))
	if names := zippedNames(t, root); !slices.Equal(names, []string{"a.md", "b/c.md", "größe/水.md"}) {
		t.Errorf("got %v", names)
	}
}

func TestAFolderUploadFollowsIgnoreFilesTheNearestFirst(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"keep.md", "drop.log", "logs/keep.log", "logs/old/a.txt", "out/a.md", "docs/out.md", "docs/deep/secret.md", "a{b}.md"} {
		writeFile(t, root, name, name)
	}
	writeFile(t, root, ".gitignore", "# what is made\r\n*.log\n/out/\nsecret.md\na{b}.md\n")
	writeFile(t, root, "logs/.gitignore", "!keep.log\nold/\n")
	if names := zippedNames(t, root); !slices.Equal(names, []string{"docs/out.md", "keep.md", "logs/keep.log"}) {
		t.Errorf("got %v", names)
	}
}

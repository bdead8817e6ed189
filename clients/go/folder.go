package ctxdb

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

const ignoreFile = ".gitignore"

// skipped are folders that an import skips; hidden ones are always skipped.
var skipped = map[string]bool{
	"node_modules": true, "bower_components": true, "vendor": true, "venv": true,
	"site-packages": true, "__pycache__": true, "target": true, "CVS": true,
}

// zipFolder writes the folder as a zip while reading it. Like an import, it leaves out hidden files, symbolic
// links and files that an ignore file names.
func zipFolder(w io.Writer, root string) error {
	archive := zip.NewWriter(w)
	rules := map[string][]ignoreRule{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if name != "." && !isTaken(name, entry, rules) {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if entry.IsDir() {
			rules[name], err = readIgnoreFile(filepath.Join(path, ignoreFile))
			return err
		}
		return addFile(archive, path, name)
	})
	if err != nil {
		return err
	}
	return archive.Close()
}

func addFile(archive *zip.Writer, path, name string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	out, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: info.ModTime()})
	if err != nil {
		return err
	}
	_, err = io.Copy(out, file)
	return err
}

// isTaken checks the ignore files of the parent folders, the nearest first.
func isTaken(name string, entry fs.DirEntry, rules map[string][]ignoreRule) bool {
	if strings.HasPrefix(entry.Name(), ".") || (entry.IsDir() && skipped[entry.Name()]) || !(entry.IsDir() || entry.Type().IsRegular()) {
		return false
	}
	for folder, below := filepath.ToSlash(filepath.Dir(name)), entry.Name(); ; {
		for i := len(rules[folder]) - 1; i >= 0; i-- {
			if rule := rules[folder][i]; rule.matches(below, entry.IsDir()) {
				return rule.negated
			}
		}
		if folder == "." {
			return true
		}
		below = filepath.Base(folder) + "/" + below
		folder = filepath.ToSlash(filepath.Dir(folder))
	}
}

// ignoreRule is a line of an ignore file, with git's semantics.
type ignoreRule struct {
	glob                     string
	negated, directoriesOnly bool
}

func (r ignoreRule) matches(name string, isDirectory bool) bool {
	hit, err := doublestar.Match(r.glob, name)
	return err == nil && hit && (isDirectory || !r.directoriesOnly)
}

// readIgnoreFile returns the rules of a file in order, or none if the file does not exist.
func readIgnoreFile(path string) ([]ignoreRule, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var rules []ignoreRule
	for line := range strings.Lines(string(text)) {
		if rule, ok := parseIgnoreLine(strings.TrimRight(line, "\r\n")); ok {
			rules = append(rules, rule)
		}
	}
	return rules, nil
}

// parseIgnoreLine parses a line: a slash at the end restricts the pattern to folders, any other slash anchors it
// to the folder of the file.
func parseIgnoreLine(line string) (ignoreRule, bool) {
	trimmed := strings.TrimRight(line, " \t")
	if strings.HasSuffix(trimmed, `\`) && len(trimmed) < len(line) {
		trimmed += " "
	}
	if trimmed == "" || strings.HasPrefix(trimmed, "#") {
		return ignoreRule{}, false
	}
	glob, negated := strings.CutPrefix(trimmed, "!")
	glob, directoriesOnly := strings.CutSuffix(glob, "/")
	if strings.Contains(glob, "/") {
		glob = strings.TrimPrefix(glob, "/")
	} else {
		glob = "**/" + glob
	}
	glob = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(glob)
	return ignoreRule{glob: glob, negated: negated, directoriesOnly: directoriesOnly}, true
}

package ctxdb

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// Each function takes the message of its method, so a function can set all fields.
func TestEveryMethodCanBeReached(t *testing.T) {
	files, err := filepath.Glob("*.go")
	must(t, err)
	var layer strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		layer.Write(text)
	}
	count := 0
	protoregistry.GlobalFiles.RangeFilesByPackage("ctxdb.v1", func(file protoreflect.FileDescriptor) bool {
		for i := range file.Services().Len() {
			methods := file.Services().Get(i).Methods()
			for j := range methods.Len() {
				count++
				if !regexp.MustCompile(`\.(?:stub|backups)\.` + string(methods.Get(j).Name()) + `\b`).MatchString(layer.String()) {
					t.Errorf("no function calls %s", methods.Get(j).FullName())
				}
			}
		}
		return true
	})
	if count == 0 {
		t.Error("no methods were found")
	}
}

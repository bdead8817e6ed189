package ctxdb

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/protobuf/proto"
)

// liveAddress starts the server of this repository, or the command in CTXDB_SERVER (which prints ctxdb's ready
// line).
func liveAddress(t *testing.T, settings ...string) string {
	t.Helper()
	command := os.Getenv("CTXDB_SERVER")
	if command == "" {
		command = "node ../../dist/src/main.js"
	}
	words := strings.Fields(command)
	server := exec.Command(words[0], words[1:]...)
	inherited := slices.DeleteFunc(os.Environ(), func(setting string) bool { return strings.HasPrefix(setting, "CTXDB_") })
	server.Env = append(append(inherited, "CTXDB_PORT=0", "CTXDB_HOST=127.0.0.1", "CTXDB_DATA_DIR="+t.TempDir()), settings...)
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait()
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var line struct {
			Msg  string
			Port int
		}
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "listening" {
			go func() {
				for lines.Scan() {
				}
			}()
			return fmt.Sprintf("127.0.0.1:%d", line.Port)
		}
	}
	t.Fatal("the server ended before its ready line")
	return ""
}

func connected(t *testing.T, address string, options ...Option) *Client {
	t.Helper()
	client, err := Connect(address, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func TestLive(t *testing.T) {
	client, ctx := connected(t, liveAddress(t)), context.Background()

	t.Run("an added file is found, read and listed", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "tea.md")
		must(t, os.WriteFile(path, []byte("# Tea\n\nGreen tea is brewed at 80 degrees.\n"), 0o644))
		_, err := client.Resources.AddPath(ctx, path, &pb.AddResourceRequest{To: proto.String("ctx://resources/live"), Wait: true})
		must(t, err)
		found, err := client.Search.Find(ctx, &pb.FindRequest{Query: "how is tea brewed?", TargetUri: URIs("ctx://resources/live")})
		must(t, err)
		text, err := client.Content.Read(ctx, &pb.ReadContentRequest{Uri: found.Resources[0].Uri})
		must(t, err)
		if !strings.Contains(text.Content, "80 degrees") {
			t.Errorf("read %q", text.Content)
		}
	})

	t.Run("errors name their subject", func(t *testing.T) {
		_, err := client.FS.Stat(ctx, "ctx://resources/none")
		var failed *Error
		if !errors.As(err, &failed) || failed.Code != NotFound || failed.RequestID == "" || failed.Details["resource"] != "ctx://resources/none" {
			t.Errorf("got %+v", err)
		}
	})

	t.Run("lists go through all pages", func(t *testing.T) {
		for n := range 5 {
			uri := fmt.Sprintf("ctx://resources/pages/%d.md", n)
			_, err := client.Content.Write(ctx, &pb.WriteContentRequest{Uri: uri, Content: proto.String("x"), Mode: proto.String("create")})
			must(t, err)
		}
		var names []string
		for entry, err := range client.FS.LsAll(ctx, &pb.ListEntriesRequest{Uri: "ctx://resources/pages", NodeLimit: proto.Uint32(2)}) {
			must(t, err)
			names = append(names, entry.Name)
		}
		if !slices.Equal(names, []string{"0.md", "1.md", "2.md", "3.md", "4.md"}) {
			t.Errorf("got %v", names)
		}
	})

	t.Run("a download is whole or not there", func(t *testing.T) {
		folder := t.TempDir()
		size := 5 << 20
		must(t, os.WriteFile(filepath.Join(folder, "big.bin"), make([]byte, size), 0o644))
		_, err := client.Resources.AddPath(ctx, filepath.Join(folder, "big.bin"), &pb.AddResourceRequest{To: proto.String("ctx://resources/big"), Wait: true})
		must(t, err)
		saved, err := client.Content.DownloadTo(ctx, "ctx://resources/big/big.bin", filepath.Join(folder, "copy.bin"))
		must(t, err)
		if saved != int64(size) {
			t.Errorf("saved %d bytes", saved)
		}
		if _, err := client.Content.DownloadTo(ctx, "ctx://resources/none.bin", filepath.Join(folder, "none.bin")); CodeOf(err) != NotFound {
			t.Errorf("got %v", err)
		}
		if left, _ := filepath.Glob(filepath.Join(folder, "*none*")); left != nil {
			t.Errorf("left %v", left)
		}
	})

	t.Run("waiting for a task reports progress", func(t *testing.T) {
		session, err := client.Sessions.Create(ctx, &pb.CreateSessionRequest{})
		must(t, err)
		_, err = client.Sessions.AddMessage(ctx, &pb.AddMessageRequest{SessionId: session.SessionId, Role: "user", Content: proto.String("I like tea.")})
		must(t, err)
		committed, err := client.Sessions.Commit(ctx, &pb.CommitSessionRequest{SessionId: session.SessionId, Wait: proto.Bool(false)})
		must(t, err)
		steps := 0
		task, err := client.Tasks.Wait(ctx, committed.GetTaskId(), func(Progress) { steps++ })
		must(t, err)
		if task.Status != "completed" || steps == 0 {
			t.Errorf("got %v after %d steps", task, steps)
		}
	})
}

func TestAMissingServerIsUnavailable(t *testing.T) {
	_, err := connected(t, "127.0.0.1:1", WithRetries(0)).System.Status(context.Background())
	if CodeOf(err) != Unavailable {
		t.Errorf("got %v", err)
	}
}

func TestAnEndedContextEndsACallWithItsCode(t *testing.T) {
	client := connected(t, "127.0.0.1:1")
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := client.System.Status(cancelled); CodeOf(err) != Cancelled || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	late, cancel := context.WithDeadline(context.Background(), time.Now())
	defer cancel()
	if _, err := client.System.Status(late); CodeOf(err) != DeadlineExceeded || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestAnAddressMayLackSchemeAndPort(t *testing.T) {
	for address, wanted := range map[string]string{"": "127.0.0.1:1933", "127.0.0.1:1": "127.0.0.1:1", "http://db/": "db:1933", "https://[::1]": "[::1]:443", "db": "db:1933"} {
		if _, target, err := parseAddress(address); err != nil || target != wanted {
			t.Errorf("%q: got %q, %v", address, target, err)
		}
	}
	for _, wrong := range []string{"ftp://db", "http://db/path", "http://u@db", "db:port"} {
		if _, _, err := parseAddress(wrong); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

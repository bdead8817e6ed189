// The main job against a server: go run ./examples/quickstart [ADDRESS] [KEY]
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	ctxdb "github.com/ctxdb/ctxdb/clients/go"
	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/protobuf/proto"
)

const root = "ctx://resources/quickstart"

var notes = map[string]string{
	"tea.md":           "# Tea\n\nGreen tea is brewed at 80 degrees for two minutes. Water that boils makes it bitter.\n",
	"travel/lisbon.md": "# Lisbon\n\nTram 28 climbs from Martim Moniz to the castle. The pastries of Belém are best while they are warm.\n",
}

func main() {
	arguments := append(os.Args[1:], "", "")
	if err := run(context.Background(), arguments[0], arguments[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, address, key string) error {
	// a separate user, so that memories do not mix with those of others
	options := []ctxdb.Option{ctxdb.WithUser("quickstart-go")}
	if key != "" {
		options = append(options, ctxdb.WithKey(key))
	}
	client, err := ctxdb.Connect(address, options...)
	if err != nil {
		return err
	}
	defer client.Close()
	if err := add(ctx, client); err != nil {
		return err
	}
	if err := ask(ctx, client); err != nil {
		return err
	}
	return remember(ctx, client)
}

func add(ctx context.Context, client *ctxdb.Client) error {
	folder, err := os.MkdirTemp("", "quickstart")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	for name, text := range notes {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	added, err := client.Resources.AddPath(ctx, folder, &pb.AddResourceRequest{To: proto.String(root), Wait: true})
	if err != nil {
		return err
	}
	var names []string
	for entry, err := range client.FS.LsAll(ctx, &pb.ListEntriesRequest{Uri: root}) {
		if err != nil {
			return err
		}
		names = append(names, entry.Name)
	}
	fmt.Printf("added %s: %s\n", added.RootUri, strings.Join(names, ", "))
	return nil
}

func ask(ctx context.Context, client *ctxdb.Client) error {
	question := &pb.FindRequest{Query: "how hot should the water for green tea be?", TargetUri: ctxdb.URIs(root), Limit: proto.Uint32(1)}
	found, err := client.Search.Find(ctx, question)
	if err != nil {
		return err
	}
	for _, hit := range found.Resources {
		text, err := client.Content.Read(ctx, &pb.ReadContentRequest{Uri: hit.Uri, Limit: proto.Int32(1)})
		if err != nil {
			return err
		}
		fmt.Printf("found %s\n      %s\nread  %s", hit.Uri, flat(hit.Match), text.Content)
	}
	return nil
}

func remember(ctx context.Context, client *ctxdb.Client) error {
	session, err := client.Sessions.Create(ctx, &pb.CreateSessionRequest{})
	if err != nil {
		return err
	}
	said := proto.String("My name is Ann. I prefer green tea, and our office is in Lisbon.")
	if _, err := client.Sessions.AddMessage(ctx, &pb.AddMessageRequest{SessionId: session.SessionId, Role: "user", Content: said}); err != nil {
		return err
	}
	committed, err := client.Sessions.Commit(ctx, &pb.CommitSessionRequest{SessionId: session.SessionId})
	if err != nil {
		return err
	}
	fmt.Printf("remembered %d memories\n", committed.GetMemoriesExtracted())
	// also until it is embedded
	if _, err := client.System.Wait(ctx, &pb.WaitProcessedRequest{}); err != nil {
		return err
	}
	question := &pb.SearchRequest{Query: "which tea does Ann prefer?", TargetUri: ctxdb.URIs("ctx://user"), Limit: proto.Uint32(1)}
	found, err := client.Search.Search(ctx, question)
	if err != nil {
		return err
	}
	for _, memory := range found.Memories {
		fmt.Printf("recalled %s\n", flat(memory.Match))
	}
	return nil
}

func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

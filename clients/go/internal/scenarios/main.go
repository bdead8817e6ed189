// Runs clients/scenarios.json through this client: CTXDB_ADDRESS, CTXDB_ROOT_KEY, CTXDB_SCENARIOS.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	ctxdb "github.com/ctxdb/ctxdb/clients/go"
)

func main() {
	failed, err := run()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if err != nil || failed > 0 {
		os.Exit(1)
	}
}

// run executes the steps in order, prints a line for each and the totals, and returns the number of failures.
func run() (int, error) {
	list, err := readList(os.Getenv("CTXDB_SCENARIOS"))
	if err != nil {
		return 0, err
	}
	folder, err := os.MkdirTemp("", "ctxdb-scenarios-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	if err := list.writeFiles(folder); err != nil {
		return 0, err
	}
	suffix := randomName()
	r := &runner{list: list, folder: folder, clients: map[string]*ctxdb.Client{}, values: object{
		"root_key": os.Getenv("CTXDB_ROOT_KEY"), "random": suffix, "root": "ctx://resources/run-" + suffix,
	}}
	failed := 0
	for _, step := range list.Steps {
		why := r.outcome(step)
		if why != "" {
			failed++
		}
		line, err := json.Marshal(report{Step: step.ID, OK: why == "", Message: why})
		if err != nil {
			return failed, err
		}
		fmt.Println(string(line))
	}
	for _, client := range r.clients {
		client.Close()
	}
	fmt.Printf("%d passed, %d failed\n", len(list.Steps)-failed, failed)
	return failed, nil
}

// report prints the line of a step.
type report struct {
	Step    string `json:"step"`
	OK      bool   `json:"ok"`
	Message string `json:"message,omitempty"`
}

func randomName() string {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	name := make([]byte, 8)
	for i := range name {
		name[i] = letters[rand.IntN(len(letters))]
	}
	return string(name)
}

type runner struct {
	list    *scenarioList
	folder  string
	clients map[string]*ctxdb.Client
	values  object
}

// client connects a caller when a step first uses it.
func (r *runner) client(name string) (*ctxdb.Client, error) {
	if made := r.clients[name]; made != nil {
		return made, nil
	}
	caller, err := filled(r.list.Callers[name], r.values)
	if err != nil {
		return nil, err
	}
	address, options := os.Getenv("CTXDB_ADDRESS"), []ctxdb.Option{}
	for key, value := range caller.(object) {
		switch key {
		case "key":
			options = append(options, ctxdb.WithKey(value.(string)))
		case "agent":
			options = append(options, ctxdb.WithAgent(value.(string)))
		case "account":
			options = append(options, ctxdb.WithAccount(value.(string)))
		case "user":
			options = append(options, ctxdb.WithUser(value.(string)))
		case "retries":
			options = append(options, ctxdb.WithRetries(int(value.(float64))))
		case "address":
			address = value.(string)
		}
	}
	made, err := ctxdb.Connect(address, options...)
	r.clients[name] = made
	return made, err
}

// outcome returns why a step failed, or "" if it passed.
func (r *runner) outcome(s step) string {
	expect, err := filled(s.Expect, r.values)
	if err != nil {
		return err.Error()
	}
	wanted := expect.(object)
	result, err := r.call(s)
	if err != nil {
		var failed *ctxdb.Error
		if !errors.As(err, &failed) || wanted["error"] == nil {
			return "failed: " + err.Error()
		}
		return mismatch(wanted, told(failed), "error")
	}
	if wanted["error"] != nil {
		return "no error, but " + show(result)
	}
	for name, path := range s.Save {
		r.values[name] = valueAt(result, path)
	}
	if wanted["result"] == nil {
		return ""
	}
	return mismatch(wanted["result"], result, "result")
}

func (r *runner) call(s step) (any, error) {
	run, known := ops[s.Op]
	if !known {
		return nil, fmt.Errorf("no op is called %s", s.Op)
	}
	client, err := r.client(s.As)
	if err != nil {
		return nil, err
	}
	args, err := filled(s.Args, r.values)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if s.Deadline > 0 {
		var end context.CancelFunc
		ctx, end = context.WithTimeout(ctx, time.Duration(s.Deadline*float64(time.Second)))
		defer end()
	}
	return run(call{ctx: ctx, cancel: cancel, client: client, args: args.(object), folder: r.folder, cancelAfter: s.CancelAfterBytes})
}

func told(failed *ctxdb.Error) object {
	found := object{"error": string(failed.Code), "message": failed.Message, "details": object(failed.Details)}
	if failed.RequestID != "" {
		found["request_id"] = failed.RequestID
	}
	return found
}

package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"iter"
	"os"
	"path/filepath"

	ctxdb "github.com/ctxdb/ctxdb/clients/go"
	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// call is a call in a step. Local files are in the folder; the caller cancels after this many bytes, 0 = never.
type call struct {
	ctx         context.Context
	cancel      context.CancelFunc
	client      *ctxdb.Client
	args        object
	folder      string
	cancelAfter int64
}

// op returns the JSON of a result.
type op func(call) (any, error)

// request reads the arguments by their names in proto.
func request[Q any, P interface {
	*Q
	proto.Message
}](c call) (P, error) {
	made := P(new(Q))
	text, err := json.Marshal(c.args)
	if err != nil {
		return made, err
	}
	return made, protojson.Unmarshal(text, made)
}

func jsonOf(message proto.Message) (any, error) {
	text, err := protojson.MarshalOptions{UseProtoNames: true, EmitUnpopulated: false, EmitDefaultValues: true}.Marshal(message)
	if err != nil {
		return nil, err
	}
	var value any
	return value, json.Unmarshal(text, &value)
}

// with builds an op from a function that takes the request message.
func with[Q any, R proto.Message, P interface {
	*Q
	proto.Message
}](function func(*ctxdb.Client) func(context.Context, P) (R, error)) op {
	return func(c call) (any, error) {
		made, err := request[Q, P](c)
		if err != nil {
			return nil, err
		}
		answer, err := function(c.client)(c.ctx, made)
		if err != nil {
			return nil, err
		}
		return jsonOf(answer)
	}
}

// answer returns the JSON of a function's result.
func answer[R proto.Message](message R, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return jsonOf(message)
}

func bare[T any](name string, value T, err error) (any, error) { return object{name: value}, err }

// text returns an argument, or "" if it is missing.
func (c call) text(name string) string {
	value, _ := c.args[name].(string)
	return value
}

// take removes an argument that is not a field of the request.
func (c call) take(name string) string {
	value := c.text(name)
	delete(c.args, name)
	return value
}

// all builds an op from a function that returns an iterator.
func all[Q, T any, P interface {
	*Q
	proto.Message
}](function func(*ctxdb.Client) func(context.Context, P) iter.Seq2[T, error]) op {
	return func(c call) (any, error) {
		made, err := request[Q, P](c)
		if err != nil {
			return nil, err
		}
		items := []any{}
		for item, err := range function(c.client)(c.ctx, made) {
			if err != nil {
				return nil, err
			}
			var one any = item
			switch item := any(item).(type) {
			case proto.Message:
				one, err = jsonOf(item)
			case ctxdb.Entry:
				one = object{"uri": item.URI, "name": item.Name, "rel_path": item.RelPath, "isDir": item.IsDir, "size": float64(item.Size)}
			}
			if err != nil {
				return nil, err
			}
			items = append(items, one)
		}
		return object{"items": items}, nil
	}
}

// counted passes bytes on and cancels after the given number.
type counted struct {
	io.Reader
	call call
	size int64
}

func (r *counted) Read(buffer []byte) (int, error) {
	size, err := r.Reader.Read(buffer)
	r.count(size)
	return size, err
}

func (r *counted) count(size int) {
	r.size += int64(size)
	if r.call.cancelAfter > 0 && r.size >= r.call.cancelAfter {
		r.call.cancel()
	}
}

func upload(c call) (any, error) {
	path := filepath.Join(c.folder, c.text("path"))
	if c.cancelAfter == 0 {
		return answer(c.client.Resources.UploadPath(c.ctx, path))
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return answer(c.client.Resources.Upload(c.ctx, &pb.UploadHeader{Name: filepath.Base(path)}, &counted{Reader: file, call: c}))
}

// keep writes the bytes to the file named by `to`, if any, and returns their size and hash.
func keep(c call, open func(call) (*ctxdb.Download, error)) (any, error) {
	name := c.take("to")
	download, err := open(c)
	if err != nil {
		return nil, err
	}
	digest, out := sha256.New(), io.Discard
	if name != "" {
		file, err := os.Create(filepath.Join(c.folder, name))
		if err != nil {
			return nil, err
		}
		defer file.Close()
		out = file
	}
	passed := &counted{call: c}
	for piece, err := range download.Pieces() {
		if err != nil {
			return nil, err
		}
		passed.count(len(piece))
		digest.Write(piece)
		if _, err := out.Write(piece); err != nil {
			return nil, err
		}
	}
	sum := hex.EncodeToString(digest.Sum(nil))
	return object{"content_type": download.ContentType, "size": float64(passed.size), "sha256": sum}, nil
}

func waitForTask(c call) (any, error) {
	progress := []any{}
	task, err := c.client.Tasks.Wait(c.ctx, c.text("task_id"), func(at ctxdb.Progress) {
		progress = append(progress, object{"stage": at.Stage, "done": float64(at.Done), "total": float64(at.Total)})
	})
	if err != nil {
		return nil, err
	}
	value, err := jsonOf(task)
	return object{"task": value, "progress": progress}, err
}

func readContent(c call) (any, error) {
	made, err := request[pb.ReadContentRequest](c)
	if err != nil {
		return nil, err
	}
	text, err := c.client.Content.Read(c.ctx, made)
	if err != nil {
		return nil, err
	}
	return object{"content": text.Content, "etag": text.ETag}, nil
}

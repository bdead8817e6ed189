package ctxdb

import (
	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health/grpc_health_v1"
)

// Client calls one server with one identity. Many goroutines may use it at the same time.
type Client struct {
	Resources *Resources
	Skills    *Skills
	FS        *FS
	Content   *Content
	Search    *Search
	Relations *Relations
	Sessions  *Sessions
	Memories  *Memories
	Packs     *Packs
	Tasks     *Tasks
	Changes   *Changes
	Trash     *Trash
	Snapshots *Snapshots
	Webhooks  *Webhooks
	Access    *Access
	System    *System
	Observer  *Observer
	Admin     *Admin

	connection *grpc.ClientConn
}

// Connect creates a client for the server at an address: http://host:port, https://host:port (TLS) or host:port;
// "" is http://127.0.0.1:1933. Nothing is sent before the first call. Returns an error for an invalid address.
func Connect(address string, options ...Option) (*Client, error) {
	made, err := newSettings(address, options)
	if err != nil {
		return nil, err
	}
	connection, err := grpc.NewClient(made.target, made.dialOptions()...)
	if err != nil {
		return nil, err
	}
	c := &caller{settings: made}
	resources := &Resources{caller: c, stub: pb.NewResourceServiceClient(connection)}
	return &Client{
		Resources:  resources,
		Skills:     &Skills{caller: c, stub: pb.NewSkillServiceClient(connection), resources: resources},
		FS:         &FS{caller: c, stub: pb.NewFilesystemServiceClient(connection)},
		Content:    &Content{caller: c, stub: pb.NewContentServiceClient(connection)},
		Search:     &Search{caller: c, stub: pb.NewSearchServiceClient(connection)},
		Relations:  &Relations{caller: c, stub: pb.NewRelationServiceClient(connection)},
		Sessions:   &Sessions{caller: c, stub: pb.NewSessionServiceClient(connection)},
		Memories:   &Memories{caller: c, stub: pb.NewMemoryServiceClient(connection)},
		Packs:      &Packs{caller: c, stub: pb.NewPackServiceClient(connection), resources: resources},
		Tasks:      &Tasks{caller: c, stub: pb.NewTaskServiceClient(connection)},
		Changes:    &Changes{caller: c, stub: pb.NewChangeServiceClient(connection)},
		Trash:      &Trash{caller: c, stub: pb.NewTrashServiceClient(connection)},
		Snapshots:  &Snapshots{caller: c, stub: pb.NewSnapshotServiceClient(connection)},
		Webhooks:   &Webhooks{caller: c, stub: pb.NewWebhookServiceClient(connection)},
		Access:     &Access{caller: c, stub: pb.NewAccessServiceClient(connection)},
		System:     &System{caller: c, stub: pb.NewSystemServiceClient(connection), health: grpc_health_v1.NewHealthClient(connection)},
		Observer:   &Observer{caller: c, stub: pb.NewObserverServiceClient(connection)},
		Admin:      &Admin{caller: c, stub: pb.NewAccountServiceClient(connection), backups: pb.NewBackupServiceClient(connection)},
		connection: connection,
	}, nil
}

// Close closes the connection. Running calls end with CANCELLED.
func (c *Client) Close() error { return c.connection.Close() }

package main

import (
	"context"
	"iter"
	"path/filepath"

	ctxdb "github.com/ctxdb/ctxdb/clients/go"
	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
)

type client = *ctxdb.Client

// one builds a call with a request message and a response message.
type one[Q, R any] = func(context.Context, Q) (R, error)

var ops = map[string]op{
	"admin.create_account": func(c call) (any, error) {
		return answer(c.client.Admin.CreateAccount(c.ctx, c.text("account_id"), c.text("admin_user_id")))
	},
	"admin.list_accounts": func(c call) (any, error) { return answer(c.client.Admin.ListAccounts(c.ctx)) },
	"admin.delete_account": func(c call) (any, error) {
		return answer(c.client.Admin.DeleteAccount(c.ctx, c.text("account_id")))
	},
	"admin.register_user": with(func(c client) one[*pb.RegisterUserRequest, *pb.RegisterUserResponse] { return c.Admin.RegisterUser }),
	"admin.list_users":    func(c call) (any, error) { return answer(c.client.Admin.ListUsers(c.ctx, c.text("account_id"))) },
	"admin.remove_user": func(c call) (any, error) {
		return answer(c.client.Admin.RemoveUser(c.ctx, c.text("account_id"), c.text("user_id")))
	},
	"admin.set_user_role": func(c call) (any, error) {
		return answer(c.client.Admin.SetUserRole(c.ctx, c.text("account_id"), c.text("user_id"), c.text("role")))
	},
	"admin.set_quotas": with(func(c client) one[*pb.SetQuotasRequest, *pb.SetQuotasResponse] { return c.Admin.SetQuotas }),
	"admin.regenerate_user_key": func(c call) (any, error) {
		return answer(c.client.Admin.RegenerateUserKey(c.ctx, c.text("account_id"), c.text("user_id")))
	},
	"admin.create_key": with(func(c client) one[*pb.CreateKeyRequest, *pb.CreateKeyResponse] { return c.Admin.CreateKey }),
	"admin.list_keys": func(c call) (any, error) {
		return answer(c.client.Admin.ListKeys(c.ctx, c.text("account_id"), c.text("user_id")))
	},
	"admin.revoke_key": func(c call) (any, error) {
		return answer(c.client.Admin.RevokeKey(c.ctx, c.text("account_id"), c.text("user_id"), c.text("name")))
	},
	"admin.create_backup": with(func(c client) one[*pb.CreateBackupRequest, *pb.CreateBackupResponse] { return c.Admin.CreateBackup }),
	"admin.list_backups":  with(func(c client) one[*pb.ListBackupsRequest, *pb.ListBackupsResponse] { return c.Admin.ListBackups }),
	"admin.verify_backup": with(func(c client) one[*pb.VerifyBackupRequest, *pb.VerifyBackupResponse] { return c.Admin.VerifyBackup }),
	"admin.delete_backup": with(func(c client) one[*pb.DeleteBackupRequest, *pb.DeleteBackupResponse] { return c.Admin.DeleteBackup }),

	"content.read": readContent,
	"content.abstract": func(c call) (any, error) {
		text, err := c.client.Content.Abstract(c.ctx, c.text("uri"))
		return bare("abstract", text, err)
	},
	"content.overview": func(c call) (any, error) {
		text, err := c.client.Content.Overview(c.ctx, c.text("uri"))
		return bare("overview", text, err)
	},
	"content.chunks":  with(func(c client) one[*pb.ListChunksRequest, *pb.ListChunksResponse] { return c.Content.Chunks }),
	"content.history": with(func(c client) one[*pb.ListVersionsRequest, *pb.ListVersionsResponse] { return c.Content.History }),
	"content.diff":    with(func(c client) one[*pb.DiffVersionsRequest, *pb.DiffVersionsResponse] { return c.Content.Diff }),
	"content.restore": with(func(c client) one[*pb.RestoreVersionRequest, *pb.RestoreVersionResponse] { return c.Content.Restore }),
	"content.write_many": with(func(c client) one[*pb.WriteFilesRequest, *pb.WriteFilesResponse] {
		return c.Content.WriteMany
	}),
	"content.write": with(func(c client) one[*pb.WriteContentRequest, *pb.WriteContentResponse] { return c.Content.Write }),
	"content.download": func(c call) (any, error) {
		return keep(c, func(c call) (*ctxdb.Download, error) { return c.client.Content.Download(c.ctx, c.text("uri")) })
	},

	"fs.ls": with(func(c client) one[*pb.ListEntriesRequest, *pb.ListEntriesResponse] { return c.FS.Ls }),
	"fs.ls_all": all(func(c client) func(context.Context, *pb.ListEntriesRequest) iter.Seq2[ctxdb.Entry, error] {
		return c.FS.LsAll
	}),
	"fs.tree": with(func(c client) one[*pb.ListTreeRequest, *pb.ListTreeResponse] { return c.FS.Tree }),
	"fs.tree_all": all(func(c client) func(context.Context, *pb.ListTreeRequest) iter.Seq2[ctxdb.Entry, error] {
		return c.FS.TreeAll
	}),
	"fs.stat":  func(c call) (any, error) { return answer(c.client.FS.Stat(c.ctx, c.text("uri"))) },
	"fs.mkdir": with(func(c client) one[*pb.MakeDirectoryRequest, *pb.MakeDirectoryResponse] { return c.FS.Mkdir }),
	"fs.mv":    func(c call) (any, error) { return answer(c.client.FS.Mv(c.ctx, c.text("from_uri"), c.text("to_uri"))) },
	"fs.cp":    with(func(c client) one[*pb.CopyNodeRequest, *pb.CopyNodeResponse] { return c.FS.Cp }),
	"fs.tag":   with(func(c client) one[*pb.TagNodeRequest, *pb.TagNodeResponse] { return c.FS.Tag }),
	"fs.rm_many": with(func(c client) one[*pb.RemoveNodesRequest, *pb.RemoveNodesResponse] {
		return c.FS.RmMany
	}),
	"fs.rm": with(func(c client) one[*pb.RemoveNodeRequest, *pb.RemoveNodeResponse] { return c.FS.Rm }),

	"observer.queue":        func(c call) (any, error) { return answer(c.client.Observer.Queue(c.ctx)) },
	"observer.vectordb":     func(c call) (any, error) { return answer(c.client.Observer.Vectordb(c.ctx)) },
	"observer.vlm":          func(c call) (any, error) { return answer(c.client.Observer.Vlm(c.ctx)) },
	"observer.system":       func(c call) (any, error) { return answer(c.client.Observer.System(c.ctx)) },
	"observer.metrics":      with(func(c client) one[*pb.ListMetricsRequest, *pb.ListMetricsResponse] { return c.Observer.Metrics }),
	"observer.members":      func(c call) (any, error) { return answer(c.client.Observer.Members(c.ctx)) },
	"observer.drain_member": with(func(c client) one[*pb.DrainMemberRequest, *pb.DrainMemberResponse] { return c.Observer.DrainMember }),
	"observer.move_account": with(func(c client) one[*pb.MoveAccountRequest, *pb.MoveAccountResponse] { return c.Observer.MoveAccount }),
	"observer.dead_letters": with(func(c client) one[*pb.ListDeadLettersRequest, *pb.ListDeadLettersResponse] {
		return c.Observer.DeadLetters
	}),
	"observer.retry_dead_letter": func(c call) (any, error) { return answer(c.client.Observer.RetryDeadLetter(c.ctx, c.text("id"))) },
	"observer.audit":             with(func(c client) one[*pb.ListAuditRequest, *pb.ListAuditResponse] { return c.Observer.Audit }),
	"observer.health": func(c call) (any, error) {
		healthy, err := c.client.Observer.Health(c.ctx)
		return bare("healthy", healthy, err)
	},

	"packs.export": func(c call) (any, error) {
		return keep(c, func(c call) (*ctxdb.Download, error) {
			made, err := request[pb.ExportPackRequest](c)
			if err != nil {
				return nil, err
			}
			return c.client.Packs.Export(c.ctx, made)
		})
	},
	"packs.import": with(func(c client) one[*pb.ImportPackRequest, *pb.ImportPackResponse] { return c.Packs.Import }),

	"relations.link": func(c call) (any, error) {
		made, err := request[pb.LinkNodesRequest](c)
		if err != nil {
			return nil, err
		}
		return object{}, c.client.Relations.Link(c.ctx, made)
	},
	"relations.unlink": func(c call) (any, error) {
		return object{}, c.client.Relations.Unlink(c.ctx, c.text("from_uri"), c.text("to_uri"))
	},
	"relations.list": with(func(c client) one[*pb.ListRelationsRequest, *pb.ListRelationsResponse] { return c.Relations.List }),

	"resources.add": with(func(c client) one[*pb.AddResourceRequest, *pb.AddResourceResponse] { return c.Resources.Add }),
	"resources.add_path": func(c call) (any, error) {
		path := filepath.Join(c.folder, c.take("path"))
		made, err := request[pb.AddResourceRequest](c)
		if err != nil {
			return nil, err
		}
		return answer(c.client.Resources.AddPath(c.ctx, path, made))
	},
	"resources.upload":   upload,
	"resources.refresh":  with(func(c client) one[*pb.RefreshResourceRequest, *pb.AddResourceResponse] { return c.Resources.Refresh }),
	"resources.schedule": with(func(c client) one[*pb.ScheduleRefreshRequest, *pb.RefreshSchedule] { return c.Resources.Schedule }),
	"resources.schedules": with(func(c client) one[*pb.ListRefreshSchedulesRequest, *pb.ListRefreshSchedulesResponse] {
		return c.Resources.Schedules
	}),
	"resources.run_schedule":    func(c call) (any, error) { return answer(c.client.Resources.RunSchedule(c.ctx, c.text("uri"))) },
	"resources.delete_schedule": func(c call) (any, error) { return answer(c.client.Resources.DeleteSchedule(c.ctx, c.text("uri"))) },

	"search.find":   with(func(c client) one[*pb.FindRequest, *pb.FindResponse] { return c.Search.Find }),
	"search.recall": with(func(c client) one[*pb.RecallRequest, *pb.RecallResponse] { return c.Search.Recall }),
	"search.search": with(func(c client) one[*pb.SearchRequest, *pb.SearchResponse] { return c.Search.Search }),
	"search.grep":   with(func(c client) one[*pb.GrepRequest, *pb.GrepResponse] { return c.Search.Grep }),
	"search.grep_all": all(func(c client) func(context.Context, *pb.GrepRequest) iter.Seq2[*pb.GrepMatch, error] {
		return c.Search.GrepAll
	}),
	"search.glob": with(func(c client) one[*pb.GlobRequest, *pb.GlobResponse] { return c.Search.Glob }),
	"search.glob_all": all(func(c client) func(context.Context, *pb.GlobRequest) iter.Seq2[string, error] {
		return c.Search.GlobAll
	}),

	"memories.create": with(func(c client) one[*pb.CreateMemoryRequest, *pb.CreateMemoryResponse] { return c.Memories.Create }),
	"memories.list":   with(func(c client) one[*pb.ListMemoriesRequest, *pb.ListMemoriesResponse] { return c.Memories.List }),
	"memories.list_all": all(func(c client) func(context.Context, *pb.ListMemoriesRequest) iter.Seq2[*pb.Memory, error] {
		return c.Memories.ListAll
	}),
	"memories.get":     func(c call) (any, error) { return answer(c.client.Memories.Get(c.ctx, c.text("memory_id"))) },
	"memories.update":  with(func(c client) one[*pb.UpdateMemoryRequest, *pb.UpdateMemoryResponse] { return c.Memories.Update }),
	"memories.delete":  func(c call) (any, error) { return answer(c.client.Memories.Delete(c.ctx, c.text("memory_id"))) },
	"memories.forget":  with(func(c client) one[*pb.ForgetRequest, *pb.ForgetResponse] { return c.Memories.Forget }),
	"memories.history": func(c call) (any, error) { return answer(c.client.Memories.History(c.ctx, c.text("memory_id"))) },

	"sessions.create": with(func(c client) one[*pb.CreateSessionRequest, *pb.CreateSessionResponse] { return c.Sessions.Create }),
	"sessions.list":   with(func(c client) one[*pb.ListSessionsRequest, *pb.ListSessionsResponse] { return c.Sessions.List }),
	"sessions.list_all": all(func(c client) func(context.Context, *pb.ListSessionsRequest) iter.Seq2[*pb.SessionSummary, error] {
		return c.Sessions.ListAll
	}),
	"sessions.get":         func(c call) (any, error) { return answer(c.client.Sessions.Get(c.ctx, c.text("session_id"))) },
	"sessions.delete":      func(c call) (any, error) { return answer(c.client.Sessions.Delete(c.ctx, c.text("session_id"))) },
	"sessions.add_message": with(func(c client) one[*pb.AddMessageRequest, *pb.AddMessageResponse] { return c.Sessions.AddMessage }),
	"sessions.add_messages": with(func(c client) one[*pb.AddMessagesRequest, *pb.AddMessagesResponse] {
		return c.Sessions.AddMessages
	}),
	"sessions.used":   with(func(c client) one[*pb.RecordUsageRequest, *pb.RecordUsageResponse] { return c.Sessions.Used }),
	"sessions.commit": with(func(c client) one[*pb.CommitSessionRequest, *pb.CommitSessionResponse] { return c.Sessions.Commit }),
	"sessions.context": with(func(c client) one[*pb.GetSessionContextRequest, *pb.GetSessionContextResponse] {
		return c.Sessions.Context
	}),

	"skills.add":    with(func(c client) one[*pb.AddSkillRequest, *pb.AddSkillResponse] { return c.Skills.Add }),
	"skills.list":   func(c call) (any, error) { return answer(c.client.Skills.List(c.ctx)) },
	"skills.get":    func(c call) (any, error) { return answer(c.client.Skills.Get(c.ctx, c.text("name"))) },
	"skills.delete": func(c call) (any, error) { return answer(c.client.Skills.Delete(c.ctx, c.text("name"))) },

	"system.status": func(c call) (any, error) { return answer(c.client.System.Status(c.ctx)) },
	"system.usage":  with(func(c client) one[*pb.GetUsageRequest, *pb.GetUsageResponse] { return c.System.Usage }),
	"system.wait":   with(func(c client) one[*pb.WaitProcessedRequest, *pb.WaitProcessedResponse] { return c.System.Wait }),
	"system.health": func(c call) (any, error) {
		healthy, err := c.client.System.Health(c.ctx)
		return bare("healthy", healthy, err)
	},

	"changes.list": with(func(c client) one[*pb.ListChangesRequest, *pb.ListChangesResponse] { return c.Changes.List }),
	"snapshots.create": with(func(c client) one[*pb.CreateSnapshotRequest, *pb.Snapshot] {
		return c.Snapshots.Create
	}),
	"snapshots.list": with(func(c client) one[*pb.ListSnapshotsRequest, *pb.ListSnapshotsResponse] {
		return c.Snapshots.List
	}),
	"snapshots.get": func(c call) (any, error) { return answer(c.client.Snapshots.Get(c.ctx, c.text("name"))) },
	"snapshots.entries": with(func(c client) one[*pb.ListSnapshotEntriesRequest, *pb.ListSnapshotEntriesResponse] {
		return c.Snapshots.Entries
	}),
	"snapshots.diff": with(func(c client) one[*pb.DiffSnapshotsRequest, *pb.DiffSnapshotsResponse] {
		return c.Snapshots.Diff
	}),
	"snapshots.restore": with(func(c client) one[*pb.RestoreSnapshotRequest, *pb.RestoreSnapshotResponse] {
		return c.Snapshots.Restore
	}),
	"snapshots.delete": func(c call) (any, error) { return answer(c.client.Snapshots.Delete(c.ctx, c.text("name"))) },

	"trash.list":    with(func(c client) one[*pb.ListTrashRequest, *pb.ListTrashResponse] { return c.Trash.List }),
	"trash.restore": with(func(c client) one[*pb.RestoreTrashRequest, *pb.RestoreTrashResponse] { return c.Trash.Restore }),
	"trash.delete":  func(c call) (any, error) { return answer(c.client.Trash.Delete(c.ctx, c.text("trash_id"))) },
	"trash.empty":   with(func(c client) one[*pb.EmptyTrashRequest, *pb.EmptyTrashResponse] { return c.Trash.Empty }),

	"webhooks.create": with(func(c client) one[*pb.CreateWebhookRequest, *pb.CreateWebhookResponse] { return c.Webhooks.Create }),
	"webhooks.list":   func(c call) (any, error) { return answer(c.client.Webhooks.List(c.ctx)) },
	"webhooks.get":    func(c call) (any, error) { return answer(c.client.Webhooks.Get(c.ctx, c.text("webhook_id"))) },
	"webhooks.update": with(func(c client) one[*pb.UpdateWebhookRequest, *pb.Webhook] { return c.Webhooks.Update }),
	"webhooks.delete": func(c call) (any, error) { return answer(c.client.Webhooks.Delete(c.ctx, c.text("webhook_id"))) },
	"webhooks.rotate_secret": with(func(c client) one[*pb.RotateWebhookSecretRequest, *pb.RotateWebhookSecretResponse] {
		return c.Webhooks.RotateSecret
	}),
	"webhooks.test":       func(c call) (any, error) { return answer(c.client.Webhooks.Test(c.ctx, c.text("webhook_id"))) },
	"webhooks.deliveries": func(c call) (any, error) { return answer(c.client.Webhooks.Deliveries(c.ctx, c.text("webhook_id"))) },

	"access.who_am_i": func(c call) (any, error) { return answer(c.client.Access.WhoAmI(c.ctx)) },
	"access.explain":  with(func(c client) one[*pb.ExplainAccessRequest, *pb.ExplainAccessResponse] { return c.Access.Explain }),
	"access.grant":    with(func(c client) one[*pb.GrantAccessRequest, *pb.GrantAccessResponse] { return c.Access.Grant }),
	"access.revoke":   with(func(c client) one[*pb.RevokeAccessRequest, *pb.RevokeAccessResponse] { return c.Access.Revoke }),
	"access.grants":   with(func(c client) one[*pb.ListGrantsRequest, *pb.ListGrantsResponse] { return c.Access.Grants }),
	"access.create_group": func(c call) (any, error) {
		return answer(c.client.Access.CreateGroup(c.ctx, c.text("account_id"), c.text("group_id")))
	},
	"access.list_groups": func(c call) (any, error) { return answer(c.client.Access.ListGroups(c.ctx, c.text("account_id"))) },
	"access.delete_group": func(c call) (any, error) {
		return answer(c.client.Access.DeleteGroup(c.ctx, c.text("account_id"), c.text("group_id")))
	},
	"access.add_member": func(c call) (any, error) {
		return answer(c.client.Access.AddMember(c.ctx, c.text("account_id"), c.text("group_id"), c.text("user_id")))
	},
	"access.remove_member": func(c call) (any, error) {
		return answer(c.client.Access.RemoveMember(c.ctx, c.text("account_id"), c.text("group_id"), c.text("user_id")))
	},

	"tasks.get": func(c call) (any, error) { return answer(c.client.Tasks.Get(c.ctx, c.text("task_id"))) },
	"tasks.cancel": func(c call) (any, error) {
		return answer(c.client.Tasks.Cancel(c.ctx, c.text("task_id")))
	},
	"tasks.list": with(func(c client) one[*pb.ListTasksRequest, *pb.ListTasksResponse] { return c.Tasks.List }),
	"tasks.list_all": all(func(c client) func(context.Context, *pb.ListTasksRequest) iter.Seq2[*pb.Task, error] {
		return c.Tasks.ListAll
	}),
	"tasks.wait": waitForTask,
}

import type { CommandEntry } from "./command-entry.ts";

const WATCH = "Watch and administer";

/** Commands for observation and administration, in help order. */
export const WATCH_COMMANDS: readonly CommandEntry[] = [
  {
    group: WATCH,
    name: "watch",
    summary: "print changes as they happen",
    example: "ctxdb watch resources/docs --kinds added,changed",
    load: () => import("./commands/browse/watch.ts"),
  },
  {
    group: WATCH,
    name: "webhook",
    summary: "send changes to a URL: ls, create, show, pause, resume, move, rotate, test, deliveries, rm",
    example: "ctxdb webhook create https://example.com/hook --uri resources/docs",
    load: () => import("./commands/browse/webhook.ts"),
  },
  {
    group: WATCH,
    name: "schedule",
    summary: "import resources again at an interval: ls, set, pause, resume, run, rm",
    example: "ctxdb schedule set resources/docs --every 6h",
    load: () => import("./commands/content/schedule.ts"),
  },
  {
    group: WATCH,
    name: "status",
    summary: "show the server, your account, user and role",
    example: "ctxdb status",
    load: () => import("./commands/server/status.ts"),
  },
  {
    group: WATCH,
    name: "whoami",
    summary: "show your account, user, role, groups and key",
    example: "ctxdb whoami",
    load: () => import("./commands/access/whoami.ts"),
  },
  {
    group: WATCH,
    name: "key",
    summary: "manage additional API keys of a user: ls, add, rm",
    example: "ctxdb key add laptop --read-only --days 90",
    load: () => import("./commands/access/key.ts"),
  },
  {
    group: WATCH,
    name: "usage",
    summary: "show what your account uses, and the limits; set: set the quotas of an account",
    example: "ctxdb usage",
    load: () => import("./commands/server/usage.ts"),
  },
  {
    group: WATCH,
    name: "wait",
    summary: "wait until all background work is done",
    example: "ctxdb wait --timeout 60",
    load: () => import("./commands/server/wait.ts"),
  },
  {
    group: WATCH,
    name: "tasks",
    summary: "follow and cancel background tasks: list, show, wait, cancel",
    example: "ctxdb tasks",
    load: () => import("./commands/server/tasks.ts"),
  },
  {
    group: WATCH,
    name: "observer",
    summary: "show the state of queues, vectors and models",
    example: "ctxdb observer queue",
    load: () => import("./commands/server/observer.ts"),
  },
  {
    group: WATCH,
    name: "admin",
    summary: "manage accounts, users, roles and keys",
    example: "ctxdb admin users add acme bob",
    load: () => import("./commands/server/admin.ts"),
  },
  {
    group: WATCH,
    name: "group",
    summary: "manage groups of users: ls, create, add, remove, rm",
    example: "ctxdb group create writers ann bob",
    load: () => import("./commands/access/group.ts"),
  },
  {
    group: WATCH,
    name: "backup",
    summary: "back up the running server: create, list, verify, rm",
    example: "ctxdb backup create",
    load: () => import("./commands/server/backup.ts"),
  },
  {
    group: WATCH,
    name: "cluster",
    summary: "show the servers of a store, and hand accounts over: ls, drain, move",
    example: "ctxdb cluster drain 2",
    load: () => import("./commands/server/cluster.ts"),
  },
];

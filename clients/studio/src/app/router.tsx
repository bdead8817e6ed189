import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { Shell } from "../shell/shell.tsx";
import { Failure, Loading } from "../ui/states.tsx";
import { NotFound } from "./not-found.tsx";

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** Every screen is loaded when it is first opened. */
const home = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  component: lazyRouteComponent(() => import("../screens/home/home.tsx"), "Home"),
});

const explorer = createRoute({
  getParentRoute: () => rootRoute,
  path: "/explorer",
  validateSearch: (search): { uri?: string; view?: string } => ({
    uri: text(search.uri),
    view: text(search.view),
  }),
  component: lazyRouteComponent(() => import("../screens/explorer/explorer.tsx"), "Explorer"),
});

const search = createRoute({
  getParentRoute: () => rootRoute,
  path: "/search",
  validateSearch: (given): { q?: string; target?: string } => ({
    q: text(given.q),
    target: text(given.target),
  }),
  component: lazyRouteComponent(() => import("../screens/search/search.tsx"), "Search"),
});

const evaluation = createRoute({
  getParentRoute: () => rootRoute,
  path: "/evaluation",
  component: lazyRouteComponent(() => import("../screens/evaluation/evaluation.tsx"), "Evaluation"),
});

const sessions = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sessions",
  validateSearch: (given): { id?: string; archive?: number; message?: string } => ({
    id: text(given.id),
    archive: typeof given.archive === "number" ? given.archive : undefined,
    message: text(given.message),
  }),
  component: lazyRouteComponent(() => import("../screens/sessions/sessions.tsx"), "Sessions"),
});

const memories = createRoute({
  getParentRoute: () => rootRoute,
  path: "/memories",
  validateSearch: (given): { uri?: string } => ({ uri: text(given.uri) }),
  component: lazyRouteComponent(() => import("../screens/memories/memories.tsx"), "Memories"),
});

const skills = createRoute({
  getParentRoute: () => rootRoute,
  path: "/skills",
  validateSearch: (given): { name?: string } => ({ name: text(given.name) }),
  component: lazyRouteComponent(() => import("../screens/skills/skills.tsx"), "Skills"),
});

const tasks = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks",
  validateSearch: (given): { view?: string } => ({ view: text(given.view) }),
  component: lazyRouteComponent(() => import("../screens/tasks/tasks.tsx"), "Tasks"),
});

const trash = createRoute({
  getParentRoute: () => rootRoute,
  path: "/trash",
  component: lazyRouteComponent(() => import("../screens/trash/trash.tsx"), "Trash"),
});

const snapshots = createRoute({
  getParentRoute: () => rootRoute,
  path: "/snapshots",
  component: lazyRouteComponent(() => import("../screens/snapshots/snapshots.tsx"), "Snapshots"),
});

const webhooks = createRoute({
  getParentRoute: () => rootRoute,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("../screens/webhooks/webhooks.tsx"), "Webhooks"),
});

const account = createRoute({
  getParentRoute: () => rootRoute,
  path: "/account",
  component: lazyRouteComponent(() => import("../screens/account/account.tsx"), "Account"),
});

const administration = createRoute({
  getParentRoute: () => rootRoute,
  path: "/administration",
  validateSearch: (given): { account?: string; user?: string } => ({
    account: text(given.account),
    user: text(given.user),
  }),
  component: lazyRouteComponent(
    () => import("../screens/administration/administration.tsx"),
    "Administration",
  ),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    home,
    explorer,
    search,
    evaluation,
    sessions,
    memories,
    skills,
    tasks,
    trash,
    snapshots,
    webhooks,
    account,
    administration,
  ]),
  basepath: "/studio",
  defaultPendingComponent: () => (
    <div className="p-6">
      <Loading />
    </div>
  ),
  defaultErrorComponent: ({ error, reset }) => (
    <div className="p-6">
      <Failure error={error} onRetry={reset} />
    </div>
  ),
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { Shell } from "../shell/shell.tsx";
import { Failure, Loading } from "../ui/states.tsx";
import { NotFound } from "./not-found.tsx";

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

const home = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/explorer" });
  },
});

/** Every screen is loaded when it is opened first. */
const explorer = createRoute({
  getParentRoute: () => rootRoute,
  path: "/explorer",
  validateSearch: (search): { uri?: string; view?: string } => ({ uri: text(search.uri), view: text(search.view) }),
  component: lazyRouteComponent(() => import("../screens/explorer/explorer.tsx"), "Explorer"),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([home, explorer]),
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

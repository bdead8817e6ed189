import { describe, expect, it } from "vitest";
import { SystemService } from "../../../gen/ctxdb/v1/system_pb.ts";
import { unary } from "../../../src/transport/operation.ts";
import { pathValues, type Route, RouteTable, routesOf } from "../../../src/transport/rest/routes.ts";
import { missingMethods, unimplemented } from "../../../src/transport/rpc/unimplemented.ts";
import { SERVICES } from "../../../src/transport/services.ts";

const operations = unimplemented(SERVICES, []);
const table = new RouteTable(routesOf(operations));

function find(verb: string, path: string): { name: string; values: Record<string, string> } | undefined {
  const match = table.find(path);
  const route = match?.verbs.get(verb);
  return route && match
    ? { name: route.operation.name, values: pathValues(route as Route, match.values) }
    : undefined;
}

describe("the route table", () => {
  it.each([
    ["GET", "/api/v1/fs/stat", "FilesystemService.StatNode", {}],
    ["GET", "/api/v1/fs/stat/", "FilesystemService.StatNode", {}],
    ["DELETE", "/api/v1/fs", "FilesystemService.RemoveNode", {}],
    ["POST", "/api/v1/sessions", "SessionService.CreateSession", {}],
    ["GET", "/api/v1/sessions/a%2Fb", "SessionService.GetSession", { session_id: "a/b" }],
    ["POST", "/api/v1/sessions/s+1/extract", "SessionService.CommitSession", { session_id: "s+1" }],
    ["DELETE", "/api/v1/relations/link", "RelationService.UnlinkNodes", {}],
    ["POST", "/api/v1/relations/link", "RelationService.LinkNodes", {}],
    ["GET", "/api/v1/observer/vikingdb", "ObserverService.GetVectordb", {}],
    [
      "PUT",
      "/api/v1/admin/accounts/acme/users/ann/role",
      "AccountService.SetUserRole",
      { account_id: "acme", user_id: "ann" },
    ],
  ])("the route table resolves %s %s to %s", (verb, path, name, values) => {
    expect(find(verb, path)).toEqual({ name, values });
  });

  it.each([
    "/",
    "",
    "/api/v1",
    "/api/v1/fs/stat//",
    "/api/v1/nothing",
    "/api/v1/sessions//messages",
    "/api/v2/fs/ls",
    "/API/v1/fs/ls",
  ])("the path %j is not a route", (path) => {
    expect(table.find(path)).toBeUndefined();
  });

  it("the route table knows the methods of a path", () => {
    expect([...(table.find("/api/v1/relations/link")?.verbs.keys() ?? [])].sort()).toEqual([
      "DELETE",
      "POST",
    ]);
  });

  it("the route table refuses two operations on one route", () => {
    const routes = routesOf(operations);
    expect(() => new RouteTable([...routes, routes[0]!])).toThrow(/two operations answer/);
  });
});

describe("operations without a route", () => {
  it("every operation without a table entry is reported as missing", () => {
    const all = SERVICES.flatMap((service) => service.methods).length;
    const served = [unary(SystemService.method.getStatus, () => ({}))];
    expect(missingMethods(SERVICES, served)).toHaveLength(all - served.length);
    expect(missingMethods(SERVICES, [...served, ...unimplemented(SERVICES, served)])).toEqual([]);
  });
});

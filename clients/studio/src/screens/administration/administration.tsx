import { getRouteApi } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import { useRole, useStatus } from "../../api/system.ts";
import { useIdentity } from "../../identity/identity.ts";
import { KeysCard } from "../../keys-and-usage/keys-card.tsx";
import { UsageCard } from "../../keys-and-usage/usage-card.tsx";
import { Page } from "../../ui/layout.tsx";
import { Empty } from "../../ui/states.tsx";
import { Audit } from "./audit.tsx";
import { Groups } from "./groups.tsx";
import { Users } from "./users.tsx";
import { Workspaces } from "./workspaces.tsx";

const route = getRouteApi("/administration");

/** Workspaces for ROOT; the users of a workspace for its administrators. */
export function Administration() {
  const { account, user } = route.useSearch();
  const navigate = route.useNavigate();
  const role = useRole();
  const own = useStatus().data?.account ?? "default";
  const { key } = useIdentity();
  if (key === undefined) {
    return (
      <Page title="Administration">
        <Empty icon={KeyRound} title="This server has no keys">
          <p>
            Everybody who reaches it may do everything. Set <code>CTXDB_ROOT_API_KEY</code> and start it again
            to have workspaces, users and keys of their own.
          </p>
        </Empty>
        <Audit showsPeers />
      </Page>
    );
  }
  if (role === "user") {
    return (
      <Page title="Administration">
        <Empty icon={KeyRound} title="Your role cannot administer this workspace" />
      </Page>
    );
  }
  const shown = role === "root" ? account : own;
  return (
    <Page
      title="Administration"
      about="Who may use this server, and in which workspace. Workspaces are isolated from each other."
    >
      {role === "root" && (
        <Workspaces selected={shown} onSelect={(next) => void navigate({ search: { account: next } })} />
      )}
      {shown !== undefined && (
        <UsageCard
          key={`usage of ${shown}`}
          account={shown}
          isForeign={shown !== own}
          mayEdit={role === "root"}
        />
      )}
      {shown !== undefined && (
        <Users
          key={shown}
          account={shown}
          mayChangeRoles={role === "root"}
          selected={user}
          onSelect={(next) => void navigate({ search: { account, user: next } })}
        />
      )}
      {shown !== undefined && user !== undefined && (
        <KeysCard key={`keys of ${shown}/${user}`} owner={{ accountId: shown, userId: user }} />
      )}
      {shown !== undefined && <Groups key={`groups of ${shown}`} account={shown} />}
      <Audit showsPeers={role === "root"} />
    </Page>
  );
}

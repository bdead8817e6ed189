import { useStatus } from "../../api/system.ts";
import { useIdentity } from "../../identity/identity.ts";
import { KeysCard } from "../../keys-and-usage/keys-card.tsx";
import { UsageCard } from "../../keys-and-usage/usage-card.tsx";
import { Page } from "../../ui/layout.tsx";
import { Failure, Loading } from "../../ui/states.tsx";

/** Usage of the workspace, and the caller's own keys. */
export function Account() {
  const { data, error, refetch } = useStatus();
  const { key } = useIdentity();
  const isUser = key !== undefined && data !== undefined && data.role !== "root";
  return (
    <Page
      title="Account"
      about={isUser ? "What your workspace uses, and your keys." : "What the workspace uses."}
    >
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && <UsageCard key={data.account} account={data.account} />}
      {isUser && <KeysCard owner={{ accountId: data.account, userId: data.user }} />}
    </Page>
  );
}

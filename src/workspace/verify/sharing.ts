import { GRANTS, GROUPS, grantOf } from "../access/records.ts";
import { granteeOfKey } from "../keys.ts";
import type { Audit } from "./findings.ts";

/** Verifies groups and grants: their nodes and groups exist, and the table in memory agrees. */
export async function verifySharing(audit: Audit): Promise<void> {
  const { keys, kv, sharing } = audit.workspace;
  let groups = 0;
  for await (const [key, value] of audit.records(keys.group(""))) {
    const name = key.slice(keys.group("").length);
    const known = sharing.groups.get(name);
    if (JSON.stringify(known) !== JSON.stringify(GROUPS.decode(value, key)))
      audit.report("table", `group ${name}`, "the table in memory has another group");
    groups++;
  }
  if (groups !== sharing.groups.size)
    audit.report("table", "groups", `${groups} are stored, ${sharing.groups.size} are in memory`);
  let grants = 0;
  for await (const [key, value] of audit.records(keys.allGrants())) {
    const [node, grantee] = granteeOfKey(keys, key);
    const grant = grantOf(grantee, GRANTS.decode(value, key));
    // grants on removed folders remain if a snapshot needs them
    if (audit.placeOf(node) === "lost" && kv.get(keys.keptNode(node)) === undefined)
      audit.report("grant", node, `its grant to ${grantee} is on no node`);
    if (grant.to.kind === "group" && !sharing.groups.has(grant.to.name))
      audit.report("grant", node, `it is granted to the group ${grant.to.name}, which does not exist`);
    if (!sharing.on(node).some((one) => JSON.stringify(one.to) === JSON.stringify(grant.to)))
      audit.report("table", node, `the table in memory lacks its grant to ${grantee}`);
    grants++;
  }
  if (grants !== sharing.grantCount)
    audit.report("table", "grants", `${grants} are stored, ${sharing.grantCount} are in memory`);
}

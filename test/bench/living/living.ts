import type { Bench } from "../harness/figure.ts";
import { backup } from "./backup.ts";
import { sharing } from "./sharing.ts";
import { states } from "./states.ts";
import { stream } from "./stream.ts";

export const living: Bench = {
  name: "living",
  title:
    "snapshots, versions, backups while the server serves, grants and the stream of changes, each beside its limit",
  async run({ quick }) {
    return [
      ...(await states(quick)),
      ...(await sharing(quick)),
      ...(await stream(quick)),
      ...(await backup(quick)),
    ];
  },
};

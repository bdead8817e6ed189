import { Api } from "./harness/api.ts";
import { type Bench, type Figure, ms } from "./harness/figure.ts";
import { startServer } from "./harness/server.ts";
import { warmTime } from "./harness/timed.ts";

const LINKS = 20_000;
const PER_CALL = 1000;
const FROM = "ctx://resources/hub.md";

export const links: Bench = {
  name: "links",
  title: "many relations of one node",
  async run({ quick }) {
    const count = quick ? 2 * PER_CALL : LINKS;
    const server = await startServer();
    try {
      const api = await Api.open(server.port);
      await api.post("/api/v1/content/write", {
        uri: FROM,
        content: "hub of all",
        mode: "create",
        wait: true,
      });
      const bare = await warmTime(() => api.get(`/api/v1/fs/stat?uri=${FROM}`));
      const began = performance.now();
      for (let first = 0; first < count; first += PER_CALL) {
        const to_uris = Array.from({ length: PER_CALL }, (_, i) => `ctx://resources/spokes/${first + i}.md`);
        await api.post("/api/v1/relations/link", { from_uri: FROM, to_uris, reason: "spoke" });
      }
      const linked = performance.now() - began;
      const listed = await warmTime(() => api.get(`/api/v1/relations?uri=${FROM}`));
      const found = await warmTime(() => api.post("/api/v1/search/find", { query: "hub of all" }));
      const moved = await warmTime(async () => {
        await api.post("/api/v1/fs/mv", { from_uri: FROM, to_uri: `${FROM}.moved` });
        await api.post("/api/v1/fs/mv", { from_uri: `${FROM}.moved`, to_uri: FROM });
      });
      api.close();
      const many = count.toLocaleString("en-US");
      const figures: Figure[] = [
        { what: `${many} links from one node, ${PER_CALL} a call`, measured: ms(linked) },
        {
          what: `list of ${many} relations`,
          measured: ms(listed),
          beside: `stat of the node before: ${ms(bare)}`,
        },
        { what: `find that shows the node`, measured: ms(found) },
        { what: `mv of the node and back`, measured: ms(moved) },
      ];
      return figures;
    } finally {
      await server.stop();
    }
  },
};

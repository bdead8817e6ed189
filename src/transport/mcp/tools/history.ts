import { z } from "zod";
import { ContentService } from "../../../../gen/ctxdb/v1/content_pb.ts";
import { fitting, maxTokens, shortened } from "../answer-budget.ts";
import { dataTool, type Tool } from "../tool.ts";
import { uriArgument } from "./arguments.ts";

const HISTORY_TOKENS = 2000;

const history = dataTool({
  name: "history",
  title: "Versions of a file",
  description:
    "Lists the versions of a file that are kept, newest first: number, time, size, kind of change, user. " +
    "With compare it returns a diff from that version to the current one instead. To read the text of a version, use read.",
  effect: "reads",
  input: {
    uri: uriArgument("URI of the file"),
    limit: z.int().min(1).max(100).default(20).describe("Maximum number of versions."),
    compare: z
      .int()
      .min(1)
      .max(2 ** 32 - 1)
      .optional()
      .describe("Number of a version to compare with the current one."),
    max_tokens: maxTokens(HISTORY_TOKENS),
  },
  output: {
    versions: z.array(
      z.object({
        version: z.int(),
        modified: z.string(),
        size: z.number().describe("Bytes."),
        change: z.string().optional(),
        user: z.string().optional(),
      }),
    ),
    total: z
      .int()
      .describe("Number of the versions that are kept; with compare, the number of the current one."),
    diff: z.string().optional().describe("With compare: what changed since then."),
  },
  run: async (asker, { uri, limit, compare, max_tokens }) => {
    if (compare !== undefined) {
      const { diff, toVersion } = await asker.ask(ContentService.method.diffVersions, {
        uri,
        fromVersion: compare,
      });
      const changed = shortened(diff, max_tokens);
      return {
        text: changed || `[versions ${compare} and ${toVersion} are equal]`,
        data: { versions: [], total: toVersion, diff: changed },
      };
    }
    const { versions, total } = await asker.ask(ContentService.method.listVersions, { uri, limit });
    const lines = versions.map(
      ({ version, modified, size, change, user }) =>
        `${version}\t${modified}\t${size} bytes\t${change ?? "-"}\t${user ?? "-"}`,
    );
    const more = versions.length < total ? `\n[${versions.length} of ${total} versions]` : "";
    const shown = versions
      .slice(0, fitting(lines, max_tokens))
      .map(({ version, modified, size, change, user }) => ({ version, modified, size, change, user }));
    return { text: shortened(`${lines.join("\n")}${more}`, max_tokens), data: { versions: shown, total } };
  },
});

export const historyTools: readonly Tool[] = [history];

import { runHookProcess } from "./agents/hook-process.ts";
import { bridgeMcp } from "./mcp/bridge.ts";
import { targetOf } from "./target.ts";

// Program of the plugins, bundled without dependencies (scripts/build-plugins.ts): `hook AGENT EVENT` and
// `mcp AGENT`. Settings such as CTXDB_ADDRESS=… may precede them, because not every agent can set variables.
const SETTING = /^(CTXDB_[A-Z_]{1,40})=(.*)$/s;
const given = process.argv.slice(2);
const settings = given.slice(
  0,
  given.findIndex((one) => !SETTING.test(one)),
);
for (const setting of settings) {
  const [, name = "", value] = SETTING.exec(setting) ?? [];
  process.env[name] = value;
}
const [command, ...args] = given.slice(settings.length);
if (command === "hook") await runHookProcess(args, process, settings);
else if (command === "mcp") {
  const { env, stdin, stdout, stderr } = process;
  const target = await targetOf({}, env);
  const [agent] = args;
  await bridgeMcp(
    { ...target, ...(agent !== undefined && target.agent === undefined && { agent }) },
    { in: stdin, out: stdout, note: (line) => stderr.write(`${line}\n`) },
  );
}

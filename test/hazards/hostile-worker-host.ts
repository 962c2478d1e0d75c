/** A host whose worker was taken over: says how the run ended, and its own size in megabytes. */
import { fileURLToPath } from "node:url";
import { createSandbox } from "../../sandbox/index.ts";

const worker = fileURLToPath(new URL("./hostile-worker.ts", import.meta.url));
// Without compilers it would get less memory than a plain Node needs.
const sandbox = createSandbox({ jitless: false, wrap: [process.execPath, worker, process.argv[2] ?? ""] });
const run = {
  code: "async function __nami__() {}",
  filename: "snippet.ts",
  tools: new Map(),
  limits: { wallMs: 4000 },
};
const outcome = await sandbox
  .run({ ...run, call: async () => ({ kind: "value" }) })
  .then((ended) => (ended.kind === "stopped" ? ended.reason : ended.kind), String);
const megabytes = process.memoryUsage().rss / 1e6;
await sandbox.close();
process.send?.({ outcome, megabytes });

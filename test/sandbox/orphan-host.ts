/** A host to be killed: starts the snippet that it is given, under bubblewrap if told so, and says when it runs. */
import { createSandbox } from "../../sandbox/index.ts";
import { ENGINE } from "./engine-differences.ts";

const sandbox = createSandbox({ engine: ENGINE, ...(process.argv[3] === "bwrap" && { wrap: "bwrap" }) });
await sandbox.run({
  code: `async function __nami__() { await host.running(); ${process.argv[2]} }`,
  filename: "snippet.ts",
  tools: new Map([["host", ["running"]]]),
  call: async () => {
    setTimeout(() => process.send?.("running"), 50);
    return { kind: "value" };
  },
});

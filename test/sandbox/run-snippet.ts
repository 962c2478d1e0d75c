import {
  createSandbox,
  type HostCall,
  type Limits,
  type Outcome,
  type SandboxOptions,
  type SandboxRun,
} from "../../sandbox/index.ts";
import { ENGINE } from "./engine-differences.ts";

/** The tools that snippets in these tests see. */
export const TOOLS: SandboxRun["tools"] = new Map([["notes", ["read", "write", "list-all"]]]);

/** Answers every call with its own arguments. */
export const echo: HostCall = async ({ args }) => ({ kind: "value", json: JSON.stringify(args) });

export type SnippetOptions = Partial<Omit<SandboxRun, "code" | "limits">> & { limits?: Partial<Limits> };

/** A sandbox whose snippets are the body of `__nami__`, on one line with its head, so that line 1 is the body's first. */
export function openSandbox(processes = 1, options: SandboxOptions = {}) {
  const sandbox = createSandbox({ processes, engine: ENGINE, ...options });
  const run = (body: string, options: SnippetOptions = {}): Promise<Outcome> =>
    sandbox.run({
      code: `async function __nami__() {${body}\n}`,
      filename: "snippet.ts",
      tools: TOOLS,
      call: echo,
      ...options,
    });
  return {
    sandbox,
    run,
    /** Runs a snippet that must return, and gives its value. */
    value: async (body: string, options?: SnippetOptions): Promise<unknown> => {
      const outcome = await run(body, options);
      if (outcome.kind !== "returned") throw new Error(`The snippet did not return: ${JSON.stringify(outcome)}`);
      return outcome.json === undefined ? undefined : JSON.parse(outcome.json);
    },
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}

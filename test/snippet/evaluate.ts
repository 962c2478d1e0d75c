import { createContext, runInContext } from "node:vm";
import type { Compiled } from "../../src/snippet/compile.ts";

/** What a compiled snippet returned and printed. */
export interface Evaluated {
  readonly value: unknown;
  readonly logs: readonly string[];
}

/**
 * Runs a compiled snippet in `node:vm` with a fake SDK whose tools answer with their own name and arguments. Values come
 * back as JSON, like from the real sandbox.
 */
export async function evaluate(program: Extract<Compiled, { kind: "program" }>): Promise<Evaluated> {
  const logs: string[] = [];
  const fake = (server: string) =>
    new Proxy(
      {},
      { get: (_, tool) => (args: unknown) => Promise.resolve({ call: `${server}.${String(tool)}`, args }) },
    );
  const servers = {
    github: fake("github"),
    slack: fake("slack"),
    linear: fake("linear"),
    everything: fake("everything"),
  };
  const log = (...values: unknown[]): void => {
    logs.push(values.map(String).join(" "));
  };
  const context = createContext({ ...servers, nami: servers, console: { log, info: log, error: log, warn: log } });
  const value: unknown = await runInContext(`${program.code}\n__nami__()`, context);
  const json = JSON.stringify(value);
  return { value: json === undefined ? undefined : JSON.parse(json), logs };
}

/** The program that a compilation gave; throws the message for the model when there is none. */
export function programOf(compiled: Compiled): Extract<Compiled, { kind: "program" }> {
  if (compiled.kind === "rejected") throw new Error(compiled.text);
  return compiled;
}

/** The message for the model; throws when the snippet was accepted. */
export function rejectionOf(compiled: Compiled): string {
  if (compiled.kind === "program") throw new Error(`accepted: ${compiled.code}`);
  return compiled.text;
}

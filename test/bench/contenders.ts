import { createContext, runInContext } from "node:vm";
import type * as Sandbox from "../../sandbox/index.ts";

/** Something that runs a snippet, the body of an asynchronous function. */
export interface Contender {
  run(body: string): Promise<unknown>;
  /** How a snippet names a tool; it takes one object. */
  readonly tool: (name: ToolName) => string;
  close?(): Promise<void>;
}

export type ToolName = "small" | "slow" | "slower";

/** What the tools answer, at once or after 5 or 300 ms. */
const ANSWER = { id: 12_345, title: "An issue title of a usual length", url: "https://example.test/i/12345", ok: true };
const WAITS: Readonly<Record<ToolName, number>> = { small: 0, slow: 5, slower: 300 };

async function answer(name: string): Promise<unknown> {
  const ms = WAITS[name as ToolName] ?? 0;
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  return ANSWER;
}

/** A file of a rival's. They are in no lock file of ours, so their types are what each contender says. */
const load = async (file: string): Promise<unknown> =>
  import(new URL(`./rivals/node_modules/${file}`, import.meta.url).href);

/** As built: that is what is shipped, and needs no types stripped. */
const loadSandbox = (): Promise<typeof Sandbox> => import(new URL("../../dist/sandbox/index.js", import.meta.url).href);

async function nami(options: Sandbox.SandboxOptions): Promise<Contender> {
  const { createSandbox } = await loadSandbox();
  const sandbox = createSandbox(options);
  const tools = new Map([["tools", Object.keys(WAITS)]]);
  return {
    tool: (name) => `tools.${name}`,
    run: async (body) => {
      const outcome = await sandbox.run({
        code: `async function __nami__() {${body}\n}`,
        filename: "snippet.ts",
        tools,
        // More than a run may make by default: the rivals count none.
        limits: { calls: 20_000 },
        call: async ({ member }) => ({ kind: "value", json: JSON.stringify(await answer(member)) }),
      });
      if (outcome.kind !== "returned") throw new Error(JSON.stringify(outcome));
      return outcome.json === undefined ? undefined : JSON.parse(outcome.json);
    },
    close: () => sandbox.close(),
  };
}

async function utcp(): Promise<Contender> {
  interface Tool {
    readonly name: string;
    readonly [key: string]: unknown;
  }
  const { CodeModeUtcpClient } = (await load("@utcp/code-mode/dist/index.js")) as {
    CodeModeUtcpClient: { create(folder: string): Promise<Client> };
  };
  interface Client {
    getTools: () => Promise<readonly Tool[]>;
    callTool: (name: string) => Promise<unknown>;
    callToolChain(code: string, timeoutMs: number, memoryMb: number): Promise<{ result: unknown; logs: string[] }>;
  }
  const client = await CodeModeUtcpClient.create(process.cwd());
  const schema = { type: "object", properties: { i: { type: "number" } } };
  const list = Object.keys(WAITS).map((name) => ({
    name: `tools.${name}`,
    description: "a tool",
    inputs: schema,
    outputs: schema,
    tags: [],
  }));
  client.getTools = async () => list;
  client.callTool = async (name) => answer(name.split(".")[1] ?? "");
  return {
    tool: (name) => `tools.${name}`,
    run: async (body) => {
      const { result, logs } = await client.callToolChain(body, 60_000, 128);
      if (result === null) throw new Error(logs.join("\n"));
      return result;
    },
  };
}

async function tanstack(): Promise<Contender> {
  interface Context {
    execute(code: string): Promise<{ success: boolean; value: unknown; error?: { message: string } }>;
    dispose(): Promise<void>;
  }
  const { createNodeIsolateDriver } = (await load("@tanstack/ai-isolate-node/dist/esm/index.js")) as {
    createNodeIsolateDriver(options: object): { createContext(options: object): Promise<Context> };
  };
  const driver = createNodeIsolateDriver({ memoryLimit: 128, timeout: 60_000, skipProbe: true });
  const names = Object.keys(WAITS);
  const bindings = Object.fromEntries(names.map((name) => [name, { name, execute: () => answer(name) }]));
  return {
    tool: (name) => name,
    run: async (body) => {
      const context = await driver.createContext({ bindings });
      const { success, value, error } = await context.execute(body);
      await context.dispose();
      if (!success) throw new Error(error?.message);
      return value;
    },
  };
}

async function quickJs(): Promise<Contender> {
  interface Handle {
    dispose(): void;
  }
  type Result = { readonly error?: Handle };
  interface Vm {
    readonly global: Handle;
    newFunction(name: string, f: (...args: Handle[]) => Handle): Handle;
    newPromise(): { handle: Handle; resolve(value: Handle): void; settled: Promise<void> };
    newString(text: string): Handle;
    getString(handle: Handle): string;
    setProp(object: Handle, name: string, value: Handle): void;
    evalCode(code: string): Result;
    unwrapResult(result: Result): Handle;
    resolvePromise(handle: Handle): Promise<Result>;
    dispose(): void;
  }
  interface Runtime {
    setMemoryLimit(bytes: number): void;
    newContext(): Vm;
    executePendingJobs(): void;
    dispose(): void;
  }
  const { getQuickJS } = (await load("quickjs-emscripten/dist/index.mjs")) as {
    getQuickJS(): Promise<{ newRuntime(): Runtime }>;
  };
  const quickjs = await getQuickJS();
  return {
    tool: (name) => `((args) => call("${name}", args))`,
    run: async (body) => {
      const runtime = quickjs.newRuntime();
      runtime.setMemoryLimit(128 * 2 ** 20);
      const vm = runtime.newContext();
      const send = vm.newFunction("send", (name) => {
        const promise = vm.newPromise();
        void answer(name === undefined ? "" : vm.getString(name)).then((value) => {
          const text = vm.newString(JSON.stringify(value));
          promise.resolve(text);
          text.dispose();
        });
        void promise.settled.then(() => runtime.executePendingJobs());
        return promise.handle;
      });
      vm.setProp(vm.global, "send", send);
      send.dispose();
      const head = "const call = async (name, args) => JSON.parse(await send(name, JSON.stringify(args ?? {})));";
      const code = `${head}(async () => JSON.stringify({ value: await (async () => {${body}\n})() }))()`;
      const promise = vm.unwrapResult(vm.evalCode(code));
      const settled = vm.resolvePromise(promise);
      promise.dispose();
      runtime.executePendingJobs();
      const result = vm.unwrapResult(await settled);
      const text = vm.getString(result);
      result.dispose();
      // What settles last lets go of its handle a turn later.
      await new Promise((resolve) => setImmediate(resolve));
      vm.dispose();
      runtime.dispose();
      return (JSON.parse(text) as { value: unknown }).value;
    },
  };
}

async function nodeVm(): Promise<Contender> {
  return {
    tool: (name) => `((args) => call("${name}", args))`,
    run: async (body) => {
      const context = createContext({ call: answer });
      const code = `(async () => JSON.stringify({ value: await (async () => {${body}\n})() }))()`;
      // The code above gives a promise of a text.
      const text = (await runInContext(code, context, { timeout: 60_000 })) as string;
      return (JSON.parse(text) as { value: unknown }).value;
    },
  };
}

/** All, ours first. A rival that is not installed rejects. */
export const CONTENDERS: Readonly<Record<string, () => Promise<Contender>>> = {
  nami: () => nami({ engine: "isolated-vm" }),
  "nami on quickjs": () => nami({ engine: "quickjs" }),
  "@utcp/code-mode": utcp,
  "@tanstack/ai-isolate-node": tanstack,
  "quickjs-emscripten": quickJs,
  "node:vm (no isolation)": nodeVm,
};

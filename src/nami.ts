import { buildCatalog, type Catalog } from "./catalog/catalog.ts";
import { createSearch } from "./catalog/search.ts";
import type { Tool } from "./catalog/tool.ts";
import type { Config, SandboxSettings } from "./config/config.ts";
import { loadConfig } from "./config/load.ts";
import { parseConfig, type ServerEntry } from "./config/parse.ts";
import { auditFile, configFile, dayCountsFolder, type Environment, learnedFolder, namiHome } from "./config/paths.ts";
import { writeRule } from "./config/rule-writer.ts";
import type { RuleEntry } from "./config/rules.ts";
import { objectSource } from "./config/source.ts";
import { NamiError } from "./errors.ts";
import { type Ask, oneAtATime } from "./gate/ask.ts";
import { type AuditCaller, openAudit } from "./gate/audit.ts";
import { createGrants } from "./gate/grants.ts";
import { planMark } from "./gate/plan.ts";
import { openDayCounts } from "./gate/rules/day-counts.ts";
import { createRules } from "./gate/rules.ts";
import { type Connections, connectAll, type FailedServer } from "./mcp/connect-all.ts";
import { maskServer } from "./output/mask-server.ts";
import { createRedactor, createSecretMask } from "./output/redact.ts";
import { renderSearch } from "./output/render-search.ts";
import { type RunEvent, undisturbed } from "./run/events.ts";
import { readLimits } from "./run/limit-settings.ts";
import { createRuns } from "./run/open-runs.ts";
import type { RunResult } from "./run/result.ts";
import { runSnippet } from "./run/run.ts";
import { createSandbox, type Limits } from "./run/sandbox.ts";
import { createStore } from "./run/store.ts";
import { createArgumentValidator } from "./sdk/arguments/validate.ts";
import { type LearnedTypes, openLearned } from "./sdk/learned/learned.ts";
import { observedSchema } from "./sdk/learned/observed-schema.ts";
import { createLivingSdk } from "./sdk/living-sdk.ts";
import { loadTokenCounter } from "./sdk/manifest.ts";
import { placeholderOf } from "./sdk/placeholder.ts";
import { resultSchema } from "./sdk/result-schema.ts";
import { buildSdk, type Sdk } from "./sdk/sdk.ts";
import { createViews } from "./sdk/view/views.ts";
import { createCompiler } from "./snippet/compile.ts";

/** What a program gives to have its own nami. */
export interface NamiOptions {
  /** Servers by name, in the shape of the configuration file. */
  readonly servers?: Readonly<Record<string, ServerEntry>>;
  /** Rules beside `servers`, in the shape of the configuration file. */
  readonly rules?: readonly RuleEntry[];
  /** A configuration file; without `servers` and `config` it is `~/.nami-agent/mcp.json` (or under `NAMI_HOME`). */
  readonly config?: string;
  /** Asks a person about a call that no rule allows. Without it such calls are refused. */
  readonly ask?: Ask;
  /** Refs (`server.tool`) that may run without asking, beside `safe_tools`. */
  readonly allow?: readonly string[];
  /** The audit file; default `state/audit.jsonl` in nami's home. */
  readonly audit?: string;
  /** Who makes the calls, for the audit; default `library`. */
  readonly caller?: AuditCaller;
  /**
   * The folder that keeps what results of tools without an output schema looked like: names of fields and types, no values.
   * Default `state/learned` in nami's home; `false` learns nothing and uses nothing learned.
   */
  readonly learned?: string | false;
  /** Limits of each run, beside those of the configuration; see `Limits` for units and defaults. */
  readonly limits?: Partial<Limits>;
  /** How the sandbox runs, beside what the configuration says. */
  readonly sandbox?: SandboxSettings;
  /** Plan mode for every run that does not say otherwise: see `ExecuteOptions`. */
  readonly plan?: boolean;
  /** Tokens of the text that a run gives a model; default 4,000. */
  readonly outputTokens?: number;
  /** Receives events as they happen. Must not throw; is not awaited. */
  readonly onEvent?: (event: NamiEvent) => void;
  /** Aborting gives up starting servers; those that are not there yet count as failed. */
  readonly signal?: AbortSignal;
  /** Environment for `NAMI_HOME` and `${VAR}` in the configuration; default `process.env`. */
  readonly environment?: Environment;
}

/** What happens while nami works. */
export type NamiEvent =
  | RunEvent
  /** Before anything else: the servers that are being started. */
  | { readonly kind: "servers-starting"; readonly servers: readonly string[] }
  | { readonly kind: "server-connected"; readonly server: string; readonly tools: number; readonly ms: number }
  | { readonly kind: "server-failed"; readonly server: string; readonly message: string }
  /** Something that a person should know, and that stops nothing. */
  | { readonly kind: "warning"; readonly message: string };

/** One run's own options. */
export interface ExecuteOptions {
  /** Aborting stops the run; its outcome is `stopped` with reason `aborted`. */
  readonly signal?: AbortSignal;
  /** Limits of this run alone. */
  readonly limits?: Partial<Limits>;
  /**
   * Plan mode: calls that no rule allows are not made at first but collected, and the snippet goes on with placeholders. At its
   * end a person is asked about all of them at once (`question.plan`); those that are allowed are then made, in their order
   * and one at a time, and the snippet goes on with their results.
   */
  readonly plan?: boolean;
}

/** Connected servers, their SDK and a sandbox, until closed. */
export interface Nami extends AsyncDisposable {
  readonly catalog: Catalog;
  /** As it is now: it grows as results are observed. */
  readonly sdk: Sdk;
  /** All tools of all connected servers. */
  readonly tools: readonly Tool[];
  /** Servers that are not there, and why. */
  readonly failed: readonly FailedServer[];
  /** Names that had to change, rules that name nothing, schemas that became `unknown`. */
  readonly warnings: readonly string[];
  /**
   * What a model reads before it writes a snippet: the signatures of the tools that match best, a line each, at most 50; for
   * an exact `server.tool` its full declaration.
   */
  search(query: string, limit?: number): string;
  /** Masks secrets in a text, as in everything that leaves a run: for what a model says and for logs. */
  redact(text: string): string;
  /** Checks and runs a snippet. Never throws because of what the snippet does. */
  execute(source: string, options?: ExecuteOptions): Promise<RunResult>;
  /** Ends runs, the sandbox and every server. */
  close(): Promise<void>;
}

/** Connected servers with their catalog and SDK, and no means to run anything. */
export interface Workspace extends AsyncDisposable {
  readonly config: Config;
  readonly connections: Connections;
  readonly catalog: Catalog;
  readonly sdk: Sdk;
  readonly learned: LearnedTypes;
  /** Servers that are not there: entries that are wrong, and those that did not start. Secrets are masked. */
  readonly failed: readonly FailedServer[];
}

/** Reads the configuration, starts the servers and builds the SDK. Throws `CONFIG_INVALID`; a bad server only costs itself. */
export async function openWorkspace(options: NamiOptions): Promise<Workspace> {
  const environment = options.environment ?? process.env;
  return await startWorkspace(options, environment, await readConfig(options, environment));
}

async function startWorkspace(options: NamiOptions, environment: Environment, config: Config): Promise<Workspace> {
  const redact = createRedactor(config.secrets);
  const emit = undisturbed<NamiEvent>(options.onEvent);
  for (const { server, message } of config.problems) emit({ kind: "server-failed", server, message: redact(message) });
  emit({ kind: "servers-starting", servers: config.servers.map(({ name }) => name) });
  const connections = await connectAll(
    config.servers,
    (server, result) => {
      if ("error" in result) emit({ kind: "server-failed", server, message: redact(result.error) });
      else emit({ kind: "server-connected", server, ...result });
    },
    options.signal ?? new AbortController().signal,
    redact,
  );
  try {
    const mask = createSecretMask(config.secrets);
    const catalog = buildCatalog(connections.connected.map(({ server }) => maskServer(server, mask)));
    const learned = await openLearned(...learnedFrom(options, environment, catalog));
    const sdk = await buildSdk(catalog, { observed: learned.of });
    const failed = [...config.problems, ...connections.failed].map(({ server, message }) => ({
      server,
      message: redact(message),
    }));
    return { config, connections, catalog, sdk, learned, failed, [Symbol.asyncDispose]: () => connections.close() };
  } catch (error) {
    await connections.close();
    throw error;
  }
}

/** Runs at the same time in one nami; further ones wait. Each has a process of about 50 MB, started when it is needed. */
const PARALLEL_RUNS = 4;

/** Makes a nami: starts the servers and a sandbox. Use it with `await using`, or call `close()`. */
export async function createNami(options: NamiOptions = {}): Promise<Nami> {
  const environment = options.environment ?? process.env;
  const config = await readConfig(options, environment);
  const { file } = config;
  const configured = readLimits(config.limits);
  const redact = createRedactor(config.secrets);
  // What is used first is ended last: runs, then the checker, the servers, the audit and the sandbox.
  await using cleanup = new AsyncDisposableStack();
  // First, so that its start and the servers' overlap.
  const sandbox = cleanup.use(createSandbox({ processes: PARALLEL_RUNS, ...config.sandbox, ...options.sandbox }));
  const { caller = "library" } = options;
  const audit = cleanup.use(openAudit(options.audit ?? auditFile(namiHome(environment)), { caller }));
  // Loads the tokenizer's tables (0.3 s) while there is nothing to do but wait for servers.
  const counter = loadTokenCounter();
  const workspace = cleanup.use(await startWorkspace(options, environment, config));
  const count = await counter;
  const { connections, catalog, learned, failed } = workspace;
  const emit = undisturbed<NamiEvent>(options.onEvent);
  const living = createLivingSdk(workspace.sdk, learned, (message) => emit({ kind: "warning", message }));
  const rules = createRules(catalog, config.servers, options.allow ?? [], failed, {
    rules: config.rules,
    days: openDayCounts(dayCountsFolder(namiHome(environment))),
  });
  const compiler = cleanup.use(createCompiler(living.current));
  // Ready by the time the first snippet is there.
  void compiler.warm();
  const runs = createRuns();
  cleanup.defer(() => runs.end());
  const search = createSearch(catalog);
  const ask = options.ask && oneAtATime(options.ask);
  const views = () => createViews(catalog, living.current(), count);
  const guide = {
    search: (query: string, limit = 10) =>
      renderSearch({ query, limit, catalog, search, views: views(), missing: failed.map(({ server }) => server) }),
    describe: (ref: string) => views().named(ref),
  };
  const shared = {
    catalog,
    guide,
    store: createStore(),
    compiler,
    sandbox,
    gate: {
      rules,
      connections: new Map(connections.connected.map((connection) => [connection.server.name, connection])),
      audit,
      validator: createArgumentValidator(),
      ask,
      always: createGrants(),
      ...(file !== undefined && { writeRule: writeRule(file) }),
    },
    redact,
    maskSecrets: createSecretMask(config.secrets),
    unavailable: failed,
    ...(options.outputTokens !== undefined && { outputTokens: options.outputTokens }),
    placeholder: (tool: Tool, sequence: number) => {
      const seen = learned.of(tool.server).get(tool.name);
      const shape = resultSchema(tool) ?? (seen && { schema: observedSchema(seen, "asSeen"), entry: "#" });
      return placeholderOf(shape, planMark(sequence));
    },
    observe: learned.observe,
    emit,
  };
  const owned = cleanup.move();

  return {
    catalog,
    get sdk() {
      return living.current();
    },
    tools: catalog.tools,
    failed,
    warnings: [
      ...(sandbox.notice === undefined ? [] : [sandbox.notice]),
      ...catalog.warnings,
      ...rules.warnings,
      ...workspace.sdk.warnings,
      ...learned.problems,
    ],
    search: guide.search,
    redact,
    execute: async (source, { signal, limits, plan = options.plan ?? false } = {}) =>
      await runs.add((ending) =>
        runSnippet(source, {
          ...shared,
          plan,
          limits: { ...configured, ...options.limits, ...limits },
          signal: signal ? AbortSignal.any([signal, ending]) : ending,
        }).finally(living.learn),
      ),
    close: () => owned.disposeAsync(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** What `openLearned` takes: with `learned: false` no servers, so that nothing is learned. */
function learnedFrom(
  { learned }: NamiOptions,
  environment: Environment,
  { servers }: Catalog,
): Parameters<typeof openLearned> {
  if (learned === false) return [undefined, []];
  return [learned ?? learnedFolder(namiHome(environment)), servers];
}

async function readConfig(options: NamiOptions, environment: Environment): Promise<Config> {
  if (options.servers && options.config) throw new NamiError("USAGE", "Give either servers or config, not both.");
  if (options.rules && !options.servers)
    throw new NamiError("USAGE", "Give rules with servers, or in the configuration.");
  if (options.servers) {
    const { servers, rules = [] } = options;
    return parseConfig(objectSource({ servers, rules }), environment);
  }
  return await loadConfig(options.config ?? configFile(namiHome(environment)), environment);
}

import type { ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";
import { API, type Project } from "typescript/unstable/async";
import type { Checked } from "./checker.ts";
import { CHECKER_MEMORY, START_TIMEOUT } from "./limits.ts";

/** One life of TypeScript's native process, with the declarations loaded. */
export interface NativeProcess {
  /** Checks a text. One at a time: the next check makes this one's types unavailable. */
  check(text: string): Promise<Checked>;
  hasEnded(): boolean;
  /** Never resolves; rejects when the process has ended, for whatever reason. */
  readonly ended: Promise<never>;
  /** Ends it at once, also in the middle of a check, and waits until it is gone. */
  kill(): Promise<void>;
}

const ROOT = "/nami";
const SNIPPET = `${ROOT}/snippet.ts`;
const CONFIG = `${ROOT}/tsconfig.json`;

/**
 * Strict, so that evolving arrays and `let` get types; complaints about missing annotations are dropped afterwards. What
 * only style guides want is off.
 */
const COMPILER_OPTIONS = {
  target: "esnext",
  module: "esnext",
  moduleResolution: "bundler",
  moduleDetection: "force",
  noEmit: true,
  noLib: true,
  noResolve: true,
  types: [],
  skipLibCheck: true,
  strict: true,
  noImplicitThis: false,
  useUnknownInCatchVariables: false,
  strictPropertyInitialization: false,
  allowUnreachableCode: true,
  allowUnusedLabels: true,
};

/** Starts the process and loads the declarations. Throws when TypeScript has no binary here or it does not answer. */
export async function startProcess(declarations: ReadonlyMap<string, string>): Promise<NativeProcess> {
  const files = new Map([...declarations].map(([name, text]) => [`${ROOT}/${name}`, text]));
  files.set(SNIPPET, "");
  files.set(CONFIG, JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: [...files.keys()] }));
  const api = new API({ cwd: ROOT, fs: closedFileSystem(files) });
  const { child, client } = await spawnFor(api);
  const end = Promise.withResolvers<never>();
  end.promise.catch(() => {});
  const gone = new Promise<void>((resolve) => {
    child.once("exit", (code, signal) => {
      running.delete(child);
      end.reject(new Error(`the type checker ended (${signal ?? `code ${code}`})`));
      // Rejects what still waits for an answer.
      client.close().catch(() => {});
      resolve();
    });
  });
  const slow = setTimeout(() => child.kill("SIGKILL"), START_TIMEOUT);
  let snapshot = await Promise.race([api.updateSnapshot({ openProjects: [CONFIG] }), end.promise]).finally(() =>
    clearTimeout(slow),
  );
  return {
    async check(text) {
      files.set(SNIPPET, text);
      const previous = snapshot;
      snapshot = await api.updateSnapshot({ fileChanges: { changed: [SNIPPET] } });
      previous.dispose().catch(() => {});
      const project = snapshot.getProject(CONFIG);
      if (!project) throw new Error("the type checker lost its project");
      return await checkedOf(project);
    },
    hasEnded: () => !running.has(child),
    ended: end.promise,
    async kill() {
      running.delete(child);
      child.kill("SIGKILL");
      await gone;
    },
  };
}

async function checkedOf({ program, checker }: Project): Promise<Checked> {
  const [syntax, types] = await Promise.all([
    program.getSyntacticDiagnostics(SNIPPET),
    program.getSemanticDiagnostics(SNIPPET),
  ]);
  return {
    findings: syntax.length > 0 ? syntax : types,
    async typeAt(offset) {
      const type = await checker.getTypeAtPosition(SNIPPET, offset);
      if (!type) return undefined;
      const [text, properties] = await Promise.all([checker.typeToString(type), checker.getPropertiesOfType(type)]);
      return { text, properties: properties.map(({ name }) => name) };
    },
  };
}

/** Answers every question itself: `undefined` would make TypeScript look at the real disk. */
function closedFileSystem(files: ReadonlyMap<string, string>) {
  return {
    readFile: (path: string) => files.get(path) ?? null,
    fileExists: (path: string) => files.has(path),
    directoryExists: (path: string) => path === "/" || path === ROOT,
    getAccessibleEntries: () => ({ files: [], directories: [] }),
    realpath: (path: string) => path,
  };
}

/** What we use of TypeScript's own client. */
interface Client {
  connect(): Promise<void>;
  close(): Promise<void>;
  readonly process?: ChildProcess;
}

/** Starts the process of an API that has not been used yet, with the memory limit in its environment. */
async function spawnFor(api: API): Promise<{ child: ChildProcess; client: Client }> {
  // Hack: version 7.0 keeps its client private, and with it the only ways to kill a check and to see a crash.
  const { client } = api as unknown as { client: Client };
  const { GOMEMLIMIT } = process.env;
  process.env["GOMEMLIMIT"] = GOMEMLIMIT ?? CHECKER_MEMORY;
  try {
    await client.connect();
  } finally {
    if (GOMEMLIMIT === undefined) delete process.env["GOMEMLIMIT"];
  }
  const child = client.process;
  if (!child) throw new Error("TypeScript's client has no process");
  killOnExit(child);
  if (child.stdin) neverFail(child.stdin);
  return { child, client };
}

/**
 * Makes writes to a process that has ended do nothing. Hack: the client of version 7.0 leaves the failure of a write as an
 * unhandled rejection, which would end nami; whoever waits for the answer learns of the end from `ended`.
 */
function neverFail(stdin: Writable): void {
  const write = stdin.write.bind(stdin);
  stdin.write = (chunk: unknown, ...rest: unknown[]): boolean => {
    const done = rest.at(-1);
    const settle = (): void => {
      if (typeof done === "function") done();
    };
    if (stdin.destroyed || stdin.writableEnded) {
      queueMicrotask(settle);
      return true;
    }
    const encoding = typeof rest[0] === "string" ? rest[0] : "utf8";
    // The client passes an encoding of Node's or none; the type wants to know which.
    return write(chunk, encoding as BufferEncoding, settle);
  };
}

/** Processes that must not outlive ours: a busy checker was seen to go on for minutes after its parent had gone. */
const running = new Set<ChildProcess>();

function killOnExit(child: ChildProcess): void {
  if (!listening) process.once("exit", killAll);
  listening = true;
  running.add(child);
}

let listening = false;

function killAll(): void {
  for (const child of running) child.kill("SIGKILL");
}

import type { ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";
import { API, type Snapshot } from "typescript/unstable/async";
import type { Checked } from "./checker.ts";
import { CERTAIN_PROJECT, createClosedWorld, type Declarations, PROJECT, SNIPPET } from "./closed-world.ts";
import { CHECKER_MEMORY, START_TIMEOUT } from "./limits.ts";
import { objectsAt } from "./object-types.ts";

/** One life of TypeScript's native process, with the declarations loaded. */
export interface NativeProcess {
  /**
   * Checks a text against declarations; what changed in them since the last check is told to the process. One at a time: the
   * next check makes this one's types unavailable.
   */
  check(text: string, declarations: Declarations): Promise<Checked>;
  hasEnded(): boolean;
  /** Never resolves; rejects when the process has ended, for whatever reason. */
  readonly ended: Promise<never>;
  /** Ends it at once, also in the middle of a check, and waits until it is gone. */
  kill(): Promise<void>;
}

/** Starts the process and loads the declarations. Throws when TypeScript has no binary here or it does not answer. */
export async function startProcess(
  library: ReadonlyMap<string, string>,
  declarations: Declarations,
): Promise<NativeProcess> {
  const world = createClosedWorld(library);
  const api = new API({ cwd: "/", fs: world.fileSystem });
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
  let snapshot: Snapshot | undefined;
  const show = async (text: string, shown: Declarations): Promise<Snapshot> => {
    let latest = snapshot;
    for (const update of world.change(shown, text)) {
      const previous = latest;
      latest = await api.updateSnapshot(update);
      previous?.dispose().catch(() => {});
      snapshot = latest;
    }
    if (!latest) throw new Error("the type checker has no files");
    return latest;
  };
  const slow = setTimeout(() => child.kill("SIGKILL"), START_TIMEOUT);
  await Promise.race([show("", declarations), end.promise]).finally(() => clearTimeout(slow));
  return {
    async check(text, shown) {
      const latest = await show(text, shown);
      const usual = await checkedOf(latest, PROJECT);
      return shown.certain.size === 0 ? usual : { ...usual, certain: () => checkedOf(latest, CERTAIN_PROJECT) };
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

async function checkedOf(snapshot: Snapshot, path: string): Promise<Checked> {
  const project = snapshot.getProject(path);
  if (!project) throw new Error("the type checker lost its project");
  const { program } = project;
  const [syntax, types] = await Promise.all([
    program.getSyntacticDiagnostics(SNIPPET),
    program.getSemanticDiagnostics(SNIPPET),
  ]);
  return {
    findings: syntax.length > 0 ? syntax : types,
    objectsAt: (ranges) => objectsAt(project, SNIPPET, ranges),
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

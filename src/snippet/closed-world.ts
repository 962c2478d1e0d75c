import type { API } from "typescript/unstable/async";

/** Declarations that snippets are checked against. Files of servers are texts by plain file name. */
export interface Declarations {
  readonly guest: string;
  readonly servers: ReadonlyMap<string, string>;
  /** Other texts of some servers' files, for a second opinion. When there are none, there is no second opinion. */
  readonly certain: ReadonlyMap<string, string>;
}

/** What the process must be told to see a new state of the files. */
export type Update = NonNullable<Parameters<API["updateSnapshot"]>[0]>;

/** All files that the checker sees. They exist in memory only. */
export interface ClosedWorld {
  readonly fileSystem: ReturnType<typeof closedFileSystem>;
  /** Replaces declarations and snippet. The updates must be made in their order; most often it is only the snippet's. */
  change(declarations: Declarations, snippet: string): readonly Update[];
}

const ROOT = "/nami";
const GUEST = `${ROOT}/guest.d.ts`;
const SERVERS = `${ROOT}/servers`;
const CERTAIN = `${ROOT}/certain`;

/** Where the snippet is. */
export const SNIPPET = `${ROOT}/snippet.ts`;

/** The project of all declarations. */
export const PROJECT = `${ROOT}/tsconfig.json`;

/**
 * The project with the certain declarations in place of their originals. It shares all other files with the first one:
 * asking both costs 1 ms more than asking one, while changing files for a second check costs 3 ms for each file.
 */
export const CERTAIN_PROJECT = `${CERTAIN}/tsconfig.json`;

/**
 * Strict, so that evolving arrays and `let` get types; complaints about missing annotations are dropped afterwards. What
 * only style guides want is off. Reads of what an open result does not declare are found by the rule for index signatures.
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
  noPropertyAccessFromIndexSignature: true,
  allowUnreachableCode: true,
  allowUnusedLabels: true,
};

/**
 * Files told in updates of their own. The process takes over one changed file at once but builds the whole program anew for
 * two (measured with 3000 tools: 3 ms for one, 20 ms for two to five).
 */
const SINGLE_UPDATES = 4;

/** A world of a library and nothing else. */
export function createClosedWorld(library: ReadonlyMap<string, string>): ClosedWorld {
  const libraryPaths = [...library.keys()].map((name) => `${ROOT}/${name}`);
  const files = new Map([...library].map(([name, text]) => [`${ROOT}/${name}`, text]));
  let told = new Map<string, string>();
  const open = new Set<string>();
  return {
    fileSystem: closedFileSystem(files),
    change(declarations, snippet) {
      const wanted = filesOf(declarations, libraryPaths);
      const created = [...wanted.keys()].filter((path) => !told.has(path));
      const deleted = [...told.keys()].filter((path) => !wanted.has(path));
      const changed = [...wanted].flatMap(([path, text]) => (told.has(path) && told.get(path) !== text ? [path] : []));
      for (const path of deleted) files.delete(path);
      for (const [path, text] of wanted) files.set(path, text);
      told = wanted;
      files.set(SNIPPET, snippet);
      const openProjects = [PROJECT, CERTAIN_PROJECT].filter((project) => wanted.has(project) && !open.has(project));
      const closeProjects = [...open].filter((project) => !wanted.has(project));
      for (const project of openProjects) open.add(project);
      for (const project of closeProjects) open.delete(project);
      const isReshaped = created.length + deleted.length > 0 || changed.length > SINGLE_UPDATES;
      const updates: Update[] = isReshaped
        ? [{ openProjects, closeProjects, fileChanges: { created, deleted, changed } }]
        : changed.map((path) => ({ fileChanges: { changed: [path] } }));
      return [...updates, { fileChanges: { changed: [SNIPPET] } }];
    },
  };
}

/** Whether a file holds declarations of a server. */
export const isOfServer = (path: string): boolean => path.startsWith(`${SERVERS}/`) || path.startsWith(`${CERTAIN}/`);

/** The files beside library and snippet, by path. */
function filesOf({ guest, servers, certain }: Declarations, libraryPaths: readonly string[]): Map<string, string> {
  const files = new Map([[GUEST, guest]]);
  const addProject = (path: string, declarations: readonly string[]): void => {
    const list = [...libraryPaths, GUEST, ...declarations, SNIPPET];
    files.set(path, JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: list }));
  };
  for (const [name, text] of servers) files.set(`${SERVERS}/${name}`, text);
  const names = [...servers.keys()];
  addProject(
    PROJECT,
    names.map((name) => `${SERVERS}/${name}`),
  );
  if (certain.size === 0) return files;
  for (const [name, text] of certain) files.set(`${CERTAIN}/${name}`, text);
  addProject(
    CERTAIN_PROJECT,
    names.map((name) => `${certain.has(name) ? CERTAIN : SERVERS}/${name}`),
  );
  return files;
}

/** Answers every question itself: `undefined` would make TypeScript look at the real disk. */
function closedFileSystem(files: ReadonlyMap<string, string>) {
  return {
    readFile: (path: string) => files.get(path) ?? null,
    fileExists: (path: string) => files.has(path),
    directoryExists: (path: string) => ["/", ROOT, SERVERS, CERTAIN].includes(path),
    getAccessibleEntries: () => ({ files: [], directories: [] }),
    realpath: (path: string) => path,
  };
}

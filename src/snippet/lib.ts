import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Libraries of the sandbox: ES2024, and what V8 13.6 (Node 24) has of later editions. */
const LIBRARIES = [
  "es2024",
  "es2025.collection",
  "es2025.iterator",
  "es2025.promise",
  "es2025.regexp",
  "esnext.array",
  "esnext.disposable",
  "esnext.error",
];

/** Libraries of what the sandbox takes out: weak references and shared memory. Their types must not look usable. */
const WITHOUT = /\.(?:weakref|sharedmemory)$/;

/**
 * The standard library that snippets are checked against, by file name: one file with everything that is plain
 * declarations (one file loads faster than forty), and one for each library that is a module. Taken from the installed
 * TypeScript, following its own references. Throws when TypeScript has no package for this platform.
 */
export function standardLibrary(): Map<string, string> {
  const folder = libraryFolder();
  const texts = new Map<string, string>();
  for (const name of LIBRARIES) collect(name, folder, texts);
  const isModule = (text: string): boolean => /^export \{\};/m.test(text);
  const plain = [...texts.values()].filter((text) => !isModule(text)).join("\n");
  const modules = [...texts]
    .filter(([, text]) => isModule(text))
    .map(([name, text]) => [`lib.${name}.d.ts`, text] as const);
  return new Map([["lib.d.ts", plain], ...modules]);
}

/** The folder of the platform's package, found from TypeScript's own place: it is TypeScript's dependency, not ours. */
function libraryFolder(): string {
  const fromHere = createRequire(import.meta.url);
  const fromTypeScript = createRequire(fromHere.resolve("typescript/package.json"));
  const manifest = fromTypeScript.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`);
  return join(dirname(manifest), "lib");
}

const REFERENCE = /^\/\/\/ <reference lib="([^"]+)" \/>$/gm;

/** Adds a library after those that it refers to, each once. */
function collect(name: string, folder: string, texts: Map<string, string>, seen = new Set(texts.keys())): void {
  if (seen.has(name) || WITHOUT.test(name)) return;
  seen.add(name);
  const text = readFileSync(join(folder, `lib.${name}.d.ts`), "utf8");
  for (const [, reference = ""] of text.matchAll(REFERENCE)) collect(reference, folder, texts, seen);
  texts.set(name, text.replace(REFERENCE, ""));
}

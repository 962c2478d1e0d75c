import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { ObservedSchema } from "./observe.ts";

/** What one version of a server's results looked like, as it is kept on disk. */
export interface LearnedFile {
  /** The name in the user's configuration. */
  readonly server: string;
  /** What the server calls itself, with its version. */
  readonly version: string;
  readonly tools: ReadonlyMap<string, ObservedSchema>;
}

const TYPES = z.array(z.enum(["array", "boolean", "null", "number", "object", "string"])).readonly();

const OBSERVED: z.ZodType<ObservedSchema> = z.lazy(() =>
  z
    .strictObject({
      type: TYPES.exactOptional(),
      properties: z.record(z.string(), OBSERVED).exactOptional(),
      required: z.array(z.string()).exactOptional(),
      additionalProperties: OBSERVED.exactOptional(),
      items: OBSERVED.exactOptional(),
    })
    .readonly(),
);

const FILE = z.strictObject({
  server: z.string(),
  version: z.string(),
  tools: z.array(z.strictObject({ tool: z.string(), result: OBSERVED })),
});

/** The file of a server's version in the folder of learned types. */
export function learnedPath(folder: string, server: string, version: string): string {
  const readable = server.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 40);
  const hash = createHash("sha256")
    .update(JSON.stringify([server, version]))
    .digest("hex")
    .slice(0, 12);
  return join(folder, `${readable}-${hash}.json`);
}

/** Reads a file; nothing when it is not there. Throws a plain Error when it holds something else. */
export async function readLearned(path: string): Promise<LearnedFile | undefined> {
  const text = await readFile(path, "utf8").catch((error) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const { server, version, tools } = FILE.parse(JSON.parse(text));
  return { server, version, tools: new Map(tools.map(({ tool, result }) => [tool, result])) };
}

/** Writes a file (mode 0600) so that a reader sees either the old or the new one; removes it when there is nothing to keep. */
export async function writeLearned(path: string, { server, version, tools }: LearnedFile): Promise<void> {
  if (tools.size === 0) return await rm(path, { force: true });
  const listed = [...tools].map(([tool, result]) => ({ tool, result }));
  const sorted = listed.sort((a, b) => (a.tool < b.tool ? -1 : 1));
  const draft = `${path}.${randomBytes(4).toString("hex")}`;
  await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
  await writeFile(draft, `${JSON.stringify({ server, version, tools: sorted })}\n`, { mode: 0o600 });
  await rename(draft, path);
}

/** All files in the folder of learned types; those that cannot be read are left out. */
export async function listLearned(
  folder: string,
): Promise<readonly { readonly path: string; readonly file: LearnedFile }[]> {
  const names = await readdir(folder).catch(() => []);
  const read = names
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map(async (name) => {
      const path = join(folder, name);
      const file = await readLearned(path).catch(() => undefined);
      return file ? [{ path, file }] : [];
    });
  return (await Promise.all(read)).flat();
}

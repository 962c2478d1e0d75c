import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** TypeScript's own compiler, which the project pins. */
export const TSC = join(import.meta.dirname, "../../node_modules/.bin/tsc");

/**
 * Compiles these files together, strictly and without skipping declarations, in one process. Gives the errors, each as
 * `file(line): message`.
 */
export async function typeErrors(files: ReadonlyMap<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "nami-sdk-"));
  try {
    for (const [name, text] of files) await writeFile(join(folder, name), text);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: "es2024",
      lib: ["es2024"],
      module: "esnext",
      moduleResolution: "bundler",
      moduleDetection: "force",
      types: [],
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
    const output = await run(TSC, ["-p", folder, "--pretty", "false"]);
    return [...output.matchAll(/^(?:.*\/)?([^/(\n]+)\((\d+),\d+\): error (TS\d+: .*)$/gm)].map(
      ([, file, line, message]) => `${file}(${line}): ${message}`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The output of a program, whatever its exit code. */
export async function run(program: string, args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, [...args], { maxBuffer: 1 << 28 })).stdout;
  } catch (error) {
    if (typeof error === "object" && error !== null && "stdout" in error && error.stdout) return String(error.stdout);
    throw error;
  }
}

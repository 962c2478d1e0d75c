import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Builds once before the tests: the sandbox's worker and the command line are tested as they are shipped. All temporary folders of
 * the tests lie in one, which is removed at the end.
 */
export default function setup(): () => void {
  execFileSync("npm", ["run", "build", "--silent"], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: "inherit",
  });
  const folder = mkdtempSync(join(tmpdir(), "nami-tests-"));
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

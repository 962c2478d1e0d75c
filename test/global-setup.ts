import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Builds once before the tests: the sandbox's worker and the command line are tested as they are shipped. */
export default function setup(): void {
  execFileSync("npm", ["run", "build", "--silent"], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: "inherit",
  });
}

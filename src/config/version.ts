import { createRequire } from "node:module";

/** nami's own version, from the package that this file belongs to. */
export const VERSION: string = readVersion();

function readVersion(): string {
  // The package's own name finds its package.json from the sources as well as from the build.
  const manifest: { version: string } = createRequire(import.meta.url)("nami-codemode/package.json");
  return manifest.version;
}

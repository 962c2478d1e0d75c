import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { PROOFS } from "./index.ts";

const root = new URL("../../", import.meta.url);

it.each(PROOFS)("$promise: $title", ({ file, title }) => {
  const path = new URL(file, root);
  expect(existsSync(path), `${file} is gone`).toBe(true);
  const source = readFileSync(path, "utf8");
  expect(source.includes(title), `${file} has no test of that title`).toBe(true);
});

it("every hazard is in the table", () => {
  const folder = fileURLToPath(new URL("test/hazards/", root));
  const files = readdirSync(folder).filter((name) => name.endsWith(".test.ts") && name !== "index.test.ts");
  const listed = new Set(PROOFS.map(({ file }) => file));
  expect(files.filter((name) => !listed.has(`test/hazards/${name}`))).toEqual([]);
});

it("every file that the README names is there", () => {
  const links = readFileSync(new URL("README.md", root), "utf8").matchAll(/\]\(((?:test|sandbox|src)\/[^)#]+)\)/g);
  const files = [...links].map(([, file = ""]) => file);
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
});

import { lstat, open, readFile, realpath, rename, rm } from "node:fs/promises";
import { findNodeAtLocation, type Node, parseTree, stripComments } from "jsonc-parser";
import { messageOf, NamiError } from "../errors.ts";
import { readSource } from "./source.ts";

/**
 * What adds a rule to the end of `rules` in a configuration file. Comments and formatting stay, the file's mode too; a link
 * stays a link. The file is replaced as a whole or not at all. Rejects with `CONFIG_INVALID` when it cannot be read, is not
 * valid, has changed while the rule was put in, or cannot be written.
 */
export function writeRule(file: string): (rule: object) => Promise<void> {
  let turn: Promise<void> = Promise.resolve();
  return (rule) => {
    const mine = turn.then(() => write(file, rule));
    turn = mine.catch(() => {});
    return mine;
  };
}

async function write(file: string, rule: object): Promise<void> {
  try {
    const target = await realpath(file);
    const before = await readFile(target, "utf8");
    const after = withRule(before, file, rule);
    const { mode } = await lstat(target);
    const draft = `${target}.${process.pid}.new`;
    try {
      await writeNew(draft, after, mode & 0o777);
      if ((await readFile(target, "utf8")) !== before) throw new Error("it has changed meanwhile");
      await rename(draft, target);
    } finally {
      await rm(draft, { force: true });
    }
  } catch (error) {
    if (error instanceof NamiError) throw error;
    throw new NamiError("CONFIG_INVALID", `Cannot write the rule into ${file}: ${messageOf(error)}.`, { cause: error });
  }
}

/** The text with one more rule. Throws `CONFIG_INVALID` for a text that is not valid or whose `rules` is no list. */
export function withRule(text: string, file: string, rule: object): string {
  const { value } = readSource(text, file);
  const rules = typeof value === "object" && value !== null && "rules" in value ? value.rules : [];
  if (!Array.isArray(rules)) throw new NamiError("CONFIG_INVALID", `${file}: rules must be a list.`);
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  const body = text.slice(mark.length).trim() === "" ? "{\n}\n" : text.slice(mark.length);
  const root = parseTree(body, [], { allowTrailingComma: true });
  if (root?.type !== "object") throw new NamiError("CONFIG_INVALID", `${file}: the configuration must be an object.`);
  const list = findNodeAtLocation(root, ["rules"]);
  const item = `{ ${Object.entries(rule)
    .map(([key, inside]) => `${JSON.stringify(key)}: ${JSON.stringify(inside)}`)
    .join(", ")} }`;
  const eol = body.includes("\r\n") ? "\r\n" : "\n";
  return mark + (list ? addLast(body, list, item, eol) : addLast(body, root, `"rules": [${item}]`, eol));
}

/**
 * Puts text behind the last item of a list or an object, on a line of its own if its end has one. `modify` of jsonc-parser
 * would do so too, but lays out the item before anew and moves the comment behind it.
 */
function addLast(text: string, container: Node, item: string, eol: string): string {
  const end = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  const lastEnd = last ? last.offset + last.length : end;
  const comma = last && !stripComments(text.slice(lastEnd, end)).includes(",") ? "," : "";
  const lineStart = text.lastIndexOf("\n", end - 1) + 1;
  const margin = text.slice(lineStart, end);
  const hasOwnLine = lineStart > container.offset && margin.trim() === "";
  const at = hasOwnLine ? lineStart : end;
  const unit = /^\t/m.test(text) ? "\t" : "  ";
  const added = hasOwnLine ? `${margin}${unit}${item}${eol}` : `${last ? " " : ""}${item}`;
  return text.slice(0, lastEnd) + comma + text.slice(lastEnd, at) + added + text.slice(at);
}

/** Writes a file that must not be there yet, through to the disk. */
async function writeNew(file: string, text: string, mode: number): Promise<void> {
  const handle = await open(file, "wx", mode);
  try {
    await handle.chmod(mode);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

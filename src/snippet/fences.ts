/** A snippet without the Markdown around it. */
export interface Unfenced {
  readonly text: string;
  readonly note?: string;
}

/** Languages after a fence that we take for a snippet; no language counts too. */
const SNIPPET_LANGUAGES = new Set(["", "ts", "tsx", "typescript", "js", "jsx", "mjs", "mts", "javascript"]);

interface Block {
  readonly language: string;
  readonly text: string;
}

/**
 * Takes the longest code block of a Markdown answer, with or without prose around it, also when the closing fence is
 * missing; leaves text without fences alone. A fence is a line that begins with ``` (or with ~~~ when the text opens
 * with it): code has no reason to begin a line so, since a backtick inside a template literal is written with a backslash.
 * Line ends become `\n` and a byte-order mark goes.
 */
export function removeFences(answer: string): Unfenced {
  const text = answer.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const blocks = codeBlocks(text).filter((block) => SNIPPET_LANGUAGES.has(block.language));
  const [first, ...rest] = blocks;
  if (first === undefined) return { text };
  const longest = rest.reduce((best, block) => (block.text.length > best.text.length ? block : best), first);
  const others = rest.length === 0 ? "" : `, the longest of ${blocks.length} code blocks`;
  return { text: longest.text, note: `removed the Markdown fence around the snippet${others}` };
}

function codeBlocks(text: string): Block[] {
  const fence = /^\s*~~~/.test(text) ? /^[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)/ : /^[ \t]*(`{3,})[ \t]*([\w+-]*)/;
  const blocks: Block[] = [];
  let open: { marker: string; language: string; lines: string[] } | undefined;
  const close = (): void => {
    if (open) blocks.push({ language: open.language.toLowerCase(), text: `${open.lines.join("\n").trimEnd()}\n` });
    open = undefined;
  };
  for (const line of text.split("\n")) {
    const [, marker = "", language = ""] = fence.exec(line) ?? [];
    if (open && line.trim().startsWith(open.marker)) close();
    else if (open) open.lines.push(line);
    else if (marker !== "") open = { marker, language, lines: [] };
  }
  close();
  return blocks;
}

import type { CallToolResult } from "@modelcontextprotocol/client";
import { STRUCTURED_CONTENT } from "./repair.ts";
import { isRecord } from "./wire.ts";

/** What a finished `tools/call` means: a plain value, or the tool's own failure (`isError`). */
export type ToolResult =
  | { readonly kind: "value"; readonly value: unknown; readonly bytes: number }
  | { readonly kind: "failed"; readonly message: string; readonly data: unknown; readonly bytes: number };

/** Longest message of a tool's failure, in characters. The whole content stays in `data`. */
const MESSAGE_LENGTH = 2000;

/**
 * Turns a result into the value that the snippet gets: structured content first, else a single text parsed as JSON when it is
 * JSON, else the text; several blocks become a list. FastMCP's wrapper `{ result }` is taken off when `isWrapped`, which the
 * tool's schema says; where it says nothing, the result's own mark counts. Images, audio and other bytes become
 * `{ kind, mimeType, bytes }`, since base64 is of no use in a snippet. `bytes` is the size of the result as JSON in UTF-16 units.
 * `redact` masks a failure's message before it is cut: what is left of a secret after that would not be found any more.
 */
export function readResult(
  result: CallToolResult,
  isWrapped?: boolean,
  redact: (text: string) => string = (text) => text,
): ToolResult {
  const bytes = JSON.stringify(result).length;
  if (result.isError) {
    const data = contentValue(result);
    const text = typeof data === "string" ? data : JSON.stringify(data);
    return {
      kind: "failed",
      message: redact(text).slice(0, MESSAGE_LENGTH) || "the tool failed without a message",
      data,
      bytes,
    };
  }
  return { kind: "value", value: structuredValue(result, isWrapped) ?? contentValue(result), bytes };
}

function structuredValue(result: CallToolResult, isWrapped: boolean | undefined): unknown {
  const meta = isRecord(result._meta) ? result._meta : {};
  const structured: unknown = result.structuredContent ?? meta[STRUCTURED_CONTENT];
  const fastmcp = isRecord(meta["fastmcp"]) ? meta["fastmcp"] : {};
  const unwrap = isWrapped ?? fastmcp["wrap_result"] === true;
  return unwrap && isRecord(structured) && "result" in structured ? structured["result"] : structured;
}

function contentValue(result: CallToolResult): unknown {
  const values = (result.content ?? []).map(blockValue);
  return values.length === 1 ? values[0] : values.length === 0 ? null : values;
}

function blockValue(block: CallToolResult["content"][number]): unknown {
  switch (block.type) {
    case "text":
      return parseIfJson(block.text);
    case "image":
    case "audio":
      return { kind: block.type, mimeType: block.mimeType, bytes: byteLength(block.data) };
    case "resource_link":
      return { kind: "link", uri: block.uri, name: block.name, ...(block.mimeType && { mimeType: block.mimeType }) };
    case "resource": {
      const { resource } = block;
      if ("text" in resource) return { kind: "resource", uri: resource.uri, text: resource.text };
      return { kind: "resource", uri: resource.uri, mimeType: resource.mimeType, bytes: byteLength(resource.blob) };
    }
  }
}

/** A text that is a JSON object or list becomes that; numbers and words stay text, as the server wrote them. */
function parseIfJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Bytes that a base64 text stands for. */
function byteLength(base64: string): number {
  return Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
}

/**
 * Makes results of sloppy servers acceptable to the official client, which rejects a whole `tools/list` for one
 * tool with a null description, and a finished call for a field that is null (measured: research on the protocol §2.4).
 * What cannot be repaired is dropped one tool or one content block at a time, never the whole answer.
 */

import { isRecord } from "./wire.ts";

/** Where a declared output schema waits: the client would refuse the call's result when it does not match. */
export const OUTPUT_SCHEMA = "nami/outputSchema";
/** Where structured content waits that is not an object: only newer revisions of the protocol allow it. */
export const STRUCTURED_CONTENT = "nami/structuredContent";

/** The result of a request of this method, repaired in place of the original. */
export function repairResult(method: string, result: unknown): unknown {
  if (!isRecord(result)) return result;
  const clean = withoutNulls(result);
  if (clean["nextCursor"] === "") delete clean["nextCursor"];
  if (method === "initialize") return repairInitialize(clean);
  if (method === "tools/list") return repairToolList(clean);
  if (method === "tools/call") return repairCall(clean);
  return clean;
}

function repairInitialize(result: Record<string, unknown>): unknown {
  const info = isRecord(result["serverInfo"]) ? withoutNulls(result["serverInfo"]) : {};
  const capabilities = isRecord(result["capabilities"]) ? withoutNulls(result["capabilities"]) : {};
  for (const [name, value] of Object.entries(capabilities)) {
    if (value === true) capabilities[name] = {};
    else if (!isRecord(value)) delete capabilities[name];
  }
  return {
    ...result,
    protocolVersion: result["protocolVersion"] ?? "2024-11-05",
    serverInfo: { ...info, name: String(info["name"] ?? "unknown"), version: String(info["version"] ?? "0") },
    capabilities,
  };
}

function repairToolList(result: Record<string, unknown>): unknown {
  const tools = Array.isArray(result["tools"]) ? result["tools"] : [];
  return { ...result, tools: tools.flatMap(repairTool) };
}

/** One tool in a list, or none: a tool without a name cannot be called. */
function repairTool(value: unknown): Record<string, unknown>[] {
  if (!isRecord(value) || typeof value["name"] !== "string" || value["name"] === "") return [];
  const { outputSchema, ...tool } = withoutNulls(value);
  for (const key of ["description", "title"]) if (typeof tool[key] !== "string") delete tool[key];
  if (!isRecord(tool["annotations"])) delete tool["annotations"];
  else tool["annotations"] = repairAnnotations(tool["annotations"]);
  tool["inputSchema"] = repairInputSchema(tool["inputSchema"]);
  const meta = isRecord(tool["_meta"]) ? tool["_meta"] : {};
  if (outputSchema !== undefined) tool["_meta"] = { ...meta, [OUTPUT_SCHEMA]: outputSchema };
  else if (tool["_meta"] !== undefined) tool["_meta"] = meta;
  // Fields that no code here reads, but whose wrong shape would cost the list.
  for (const key of ["execution", "icons"]) delete tool[key];
  return [tool];
}

function repairAnnotations(annotations: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(annotations).filter(([key, value]) => typeof value === (key === "title" ? "string" : "boolean")),
  );
}

/** Arguments are always an object, so the root says so. */
function repairInputSchema(schema: unknown): Record<string, unknown> {
  if (!isRecord(schema)) return { type: "object" };
  const clean = { ...withoutNulls(schema), type: "object" } as Record<string, unknown>;
  if (clean["required"] !== undefined && !Array.isArray(clean["required"])) delete clean["required"];
  if (clean["properties"] !== undefined && !isRecord(clean["properties"])) delete clean["properties"];
  return clean;
}

function repairCall(result: Record<string, unknown>): unknown {
  const { content, structuredContent, isError, ...rest } = result;
  const blocks = Array.isArray(content) ? content : content === undefined ? [] : [content];
  const repaired: Record<string, unknown> = { ...rest, content: blocks.map(repairBlock) };
  if (typeof isError === "boolean") repaired["isError"] = isError;
  if (isRecord(structuredContent)) repaired["structuredContent"] = structuredContent;
  else if (structuredContent !== undefined) {
    repaired["_meta"] = { ...(isRecord(rest["_meta"]) ? rest["_meta"] : {}), [STRUCTURED_CONTENT]: structuredContent };
  }
  return repaired;
}

function repairBlock(block: unknown): Record<string, unknown> {
  if (!isRecord(block)) return textBlock(block);
  const clean = withoutNulls(block);
  delete clean["annotations"];
  switch (clean["type"]) {
    case "text":
      return typeof clean["text"] === "string" ? clean : textBlock(clean["text"] ?? "");
    case "image":
    case "audio":
      return repairMedia(clean);
    case "resource":
      return isRecord(clean["resource"]) && typeof clean["resource"]["uri"] === "string" ? clean : textBlock(clean);
    case "resource_link":
      return typeof clean["uri"] === "string"
        ? { ...clean, name: String(clean["name"] ?? clean["uri"]) }
        : textBlock(clean);
    default:
      return textBlock(clean);
  }
}

/** Media as base64 with a type; a `data:` address is taken apart, other text becomes text. */
function repairMedia(block: Record<string, unknown>): Record<string, unknown> {
  const data = typeof block["data"] === "string" ? block["data"] : "";
  const address = /^data:([^;,]+);base64,/.exec(data);
  const base64 = data.slice(address?.[0].length ?? 0).replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(base64))
    return { type: "text", text: `[${String(block["type"])} with unreadable data]` };
  const mimeType =
    typeof block["mimeType"] === "string" ? block["mimeType"] : (address?.[1] ?? "application/octet-stream");
  return { ...block, data: base64.replaceAll("-", "+").replaceAll("_", "/"), mimeType };
}

const textBlock = (value: unknown): Record<string, unknown> => ({
  type: "text",
  text: typeof value === "string" ? value : JSON.stringify(value),
});

function withoutNulls(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null));
}

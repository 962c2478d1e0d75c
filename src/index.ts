/** nami as a library. Every name here is a decision; see README.md for an example. */
export type { Catalog, CatalogServer } from "./catalog/catalog.ts";
export type { JsonSchema, Tool, ToolAnnotations } from "./catalog/tool.ts";
export type { ServerEntry } from "./config/parse.ts";
export { NamiError, type NamiErrorCode } from "./errors.ts";
export type { Answer, Ask, Effect, PendingCall, Question, SnippetLine } from "./gate/ask.ts";
export type { AuditCaller } from "./gate/audit.ts";
export type { WrittenRule } from "./gate/grants.ts";
export type { FailedServer } from "./mcp/connect-all.ts";
export { createNami, type ExecuteOptions, type Nami, type NamiEvent, type NamiOptions } from "./nami.ts";
export type { CallRecord } from "./run/journal.ts";
export type { Receipt } from "./run/receipt.ts";
export type { LogLine, PlannedCallView, RunOutcome, RunResult, SnippetError } from "./run/result.ts";
export type { Limits } from "./run/sandbox.ts";

import type { Catalog } from "../catalog/catalog.ts";

/** Declares the globals of the sandbox that the language does not bring: what the sandbox's prelude defines. */
export function guestTypes(catalog: Catalog): string {
  const namespaces = catalog.servers.map(({ namespace }) => `  readonly ${namespace}: ${namespace};`);
  return `${GLOBALS}declare const nami: {\n${[...namespaces, OURS].join("\n")}\n};\n`;
}

/** What `nami` has beside the servers: no server has one of these names. */
export const NAMI_MEMBERS = ["search", "describe", "log", "store"] as const;

const OURS = `
  /** Signatures of the tools that match best, 10 or \`limit\`, at most 50; for an exact \`server.tool\` its declaration. */
  search(query: string, limit?: number): Promise<string>;
  /** The full declaration of \`server.tool\`. Rejects for a tool that does not exist. */
  describe(ref: string): Promise<string>;
  log(...values: any[]): void;
  /** Plain JSON by key, kept for the snippets that run later. */
  readonly store: {
    get<T = any>(key: string): Promise<T | undefined>;
    set(key: string, value: unknown): Promise<void>;
    delete(key: string): Promise<boolean>;
    keys(): Promise<string[]>;
  };`;

const GLOBALS = `
interface Console {
  log(...values: any[]): void;
  info(...values: any[]): void;
  warn(...values: any[]): void;
  error(...values: any[]): void;
  debug(...values: any[]): void;
  trace(...values: any[]): void;
  dir(value?: any, options?: any): void;
  dirxml(...values: any[]): void;
  table(rows?: any, columns?: readonly string[]): void;
  group(...values: any[]): void;
  groupCollapsed(...values: any[]): void;
  groupEnd(): void;
  count(label?: string): void;
  countReset(label?: string): void;
  time(label?: string): void;
  timeEnd(label?: string): void;
  timeLog(label?: string, ...values: any[]): void;
  assert(condition?: any, ...values: any[]): void;
}
declare const console: Console;
declare function sleep(ms: number): Promise<void>;
declare function setTimeout(callback: (...args: any[]) => void, ms?: number, ...args: any[]): number;
declare function clearTimeout(id: number | undefined): void;
declare function setInterval(callback: (...args: any[]) => void, ms?: number, ...args: any[]): number;
declare function clearInterval(id: number | undefined): void;
declare function queueMicrotask(callback: () => void): void;
declare function structuredClone<T>(value: T): T;
declare function atob(data: string): string;
declare function btoa(data: string): string;
/** As \`Date\`: the time of the last thing that reached the snippet, a result or a due timer. It stands still in between. */
declare const performance: { now(): number; readonly timeOrigin: number };
declare const crypto: {
  getRandomValues<T extends ArrayBufferView>(array: T): T;
  randomUUID(): string;
};
declare class ToolError extends Error {
  readonly tool: string;
  readonly data?: unknown;
}
declare class DOMException extends Error {
  constructor(message?: string, options?: string | { name?: string; cause?: unknown });
  readonly code: number;
}
declare class URL {
  constructor(url: string | URL, base?: string | URL);
  static canParse(url: string | URL, base?: string | URL): boolean;
  static parse(url: string | URL, base?: string | URL): URL | null;
  href: string;
  readonly origin: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  readonly searchParams: URLSearchParams;
  hash: string;
  toString(): string;
  toJSON(): string;
}
declare class URLSearchParams implements Iterable<[string, string]> {
  constructor(init?: string | URLSearchParams | Iterable<readonly [string, string]> | Record<string, string>);
  readonly size: number;
  append(name: string, value: string): void;
  delete(name: string, value?: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  set(name: string, value: string): void;
  sort(): void;
  forEach(callback: (value: string, name: string, params: URLSearchParams) => void, self?: any): void;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  entries(): IterableIterator<[string, string]>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
  toString(): string;
}
declare class TextEncoder {
  readonly encoding: string;
  encode(text?: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, bytes: Uint8Array): { read: number; written: number };
}
declare class TextDecoder {
  constructor(encoding?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(bytes?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string;
}
type EventListener = ((event: Event) => void) | { handleEvent(event: Event): void };
declare class Event {
  constructor(type: string, options?: { cancelable?: boolean });
  readonly type: string;
  readonly target: EventTarget | null;
  readonly currentTarget: EventTarget | null;
  readonly cancelable: boolean;
  readonly defaultPrevented: boolean;
  preventDefault(): void;
  stopPropagation(): void;
  stopImmediatePropagation(): void;
}
declare class EventTarget {
  addEventListener(type: string, callback: EventListener | null, options?: boolean | { once?: boolean; signal?: AbortSignal }): void;
  removeEventListener(type: string, callback: EventListener | null, options?: any): void;
  dispatchEvent(event: Event): boolean;
}
declare class AbortSignal extends EventTarget {
  private constructor();
  static abort(reason?: any): AbortSignal;
  static timeout(ms: number): AbortSignal;
  static any(signals: Iterable<AbortSignal>): AbortSignal;
  readonly aborted: boolean;
  readonly reason: any;
  onabort: ((event: Event) => void) | null;
  throwIfAborted(): void;
}
declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: any): void;
}
`;

import type { Catalog } from "../catalog/catalog.ts";

/** Declares the globals of the sandbox that the language does not bring: what the sandbox's prelude defines. */
export function guestTypes(catalog: Catalog): string {
  const namespaces = catalog.servers.map(({ namespace }) => `  readonly ${namespace}: ${namespace};`);
  return `${GLOBALS}declare const nami: {\n${namespaces.join("\n")}\n};\n`;
}

const GLOBALS = `
interface Console {
  log(...values: any[]): void;
  info(...values: any[]): void;
  warn(...values: any[]): void;
  error(...values: any[]): void;
  debug(...values: any[]): void;
  trace(...values: any[]): void;
  dir(value?: any, options?: any): void;
  table(rows?: any, columns?: any): void;
  group(...values: any[]): void;
  groupEnd(): void;
  time(label?: string): void;
  timeEnd(label?: string): void;
  assert(condition?: any, ...values: any[]): void;
}
declare const console: Console;
declare function sleep(ms: number): Promise<void>;
declare function setTimeout(callback: (...args: any[]) => void, ms?: number, ...args: any[]): number;
declare function clearTimeout(id: number | undefined): void;
declare function structuredClone<T>(value: T): T;
declare class ToolError extends Error {
  readonly tool: string;
  readonly data?: unknown;
}
`;

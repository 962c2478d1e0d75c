import type { GuestCall, HostReply } from "./contract.ts";

/** What a snippet asks of nami itself, not of a server: `nami.search(…)`, `nami.describe(…)`, `nami.store`. */
export type GuestAsk =
  | { readonly kind: "search"; readonly query: string; readonly limit?: number }
  | { readonly kind: "describe"; readonly ref: string }
  | { readonly kind: "get"; readonly key: string }
  /** `value` is plain data. */
  | { readonly kind: "set"; readonly key: string; readonly value: unknown }
  | { readonly kind: "delete"; readonly key: string }
  | { readonly kind: "keys" };

/**
 * Answers one ask. Its `signal` is aborted when the run ends before. Should not reject; if it does, the ask fails with the
 * message of what was thrown.
 */
export type HostAsk = (ask: GuestAsk, context: { readonly signal: AbortSignal }) => Promise<HostReply>;

/** The namespace of asks, which no server can have. */
export const ASKS = "nami";

/** Members of that namespace as frames name them, by index: `guest/nami.js` has the same places. */
export const ASK_MEMBERS: readonly string[] = [
  "search",
  "describe",
  "store.get",
  "store.set",
  "store.delete",
  "store.keys",
];

/** The ask that a call of the guest's is, or undefined if its arguments are none: our own code sends no others. */
export function parseAsk({ member, args }: Pick<GuestCall, "member" | "args">): GuestAsk | undefined {
  const { query, limit, ref, key, value } = args;
  switch (member) {
    case "search":
      if (typeof query !== "string" || (limit !== undefined && typeof limit !== "number")) return undefined;
      return { kind: "search", query, ...(limit !== undefined && { limit }) };
    case "describe":
      return typeof ref === "string" ? { kind: "describe", ref } : undefined;
    case "store.get":
      return typeof key === "string" ? { kind: "get", key } : undefined;
    case "store.set":
      return typeof key === "string" && value !== undefined ? { kind: "set", key, value } : undefined;
    case "store.delete":
      return typeof key === "string" ? { kind: "delete", key } : undefined;
    case "store.keys":
      return { kind: "keys" };
    default:
      return undefined;
  }
}

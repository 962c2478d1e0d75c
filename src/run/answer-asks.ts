import type { GuestAsk, HostAsk } from "../../sandbox/index.ts";
import { messageOf } from "../errors.ts";
import type { Redactor } from "../output/redact.ts";
import type { Store } from "./store.ts";

/** What tells a snippet about the tools, as it tells a model. */
export interface Guide {
  search(query: string, limit?: number): string;
  /** The declaration of a tool, or of a part of it; undefined for what names none. */
  describe(ref: string): string | undefined;
}

/** Answers what snippets ask of nami itself. Configured secrets are masked in texts about tools. */
export function answerAsks(guide: Guide, store: Store, maskSecrets: Redactor): HostAsk {
  return async (ask) => {
    try {
      return { kind: "value", json: toJson(ask, guide, store, maskSecrets) };
    } catch (error) {
      const name = error instanceof Error ? error.name : "Error";
      return { kind: "error", error: { name, message: maskSecrets(messageOf(error)) } };
    }
  };
}

function toJson(ask: GuestAsk, guide: Guide, store: Store, maskSecrets: Redactor): string | undefined {
  switch (ask.kind) {
    case "search":
      return JSON.stringify(maskSecrets(guide.search(ask.query, ask.limit)));
    case "describe": {
      const text = guide.describe(ask.ref);
      if (text !== undefined) return JSON.stringify(maskSecrets(text));
      throw new RangeError(`There is no tool "${ask.ref.slice(0, 200)}"; nami.search(words) finds tools.`);
    }
    case "get":
      return store.get(ask.key);
    case "set":
      return void store.set(ask.key, JSON.stringify(ask.value));
    case "delete":
      return String(store.delete(ask.key));
    case "keys":
      return JSON.stringify(store.keys());
    default:
      return ask satisfies never;
  }
}

import type { JsonSchema } from "../../../src/catalog/tool.ts";
import { type ArgumentCheck, createArgumentValidator } from "../../../src/sdk/arguments/validate.ts";
import { toolOf } from "../catalog.ts";

/** What a fresh validator says about arguments. */
export async function checkOnce(schema: JsonSchema, args: unknown): Promise<ArgumentCheck> {
  return await createArgumentValidator().check(toolOf(schema), args);
}

/** `valid`, why it was skipped, or what is wrong, without the words that every message begins with. */
export async function verdict(schema: JsonSchema, args: unknown): Promise<string> {
  const check = await checkOnce(schema, args);
  if (check.kind === "valid") return "valid";
  return check.kind === "skipped"
    ? `skipped: ${check.reason}`
    : check.message.replace("demo.tool was not called: ", "");
}

/** The verdict on one property `v`. */
export async function verdictOn(schema: unknown, value: unknown, more: object = {}): Promise<string> {
  return await verdict({ type: "object", properties: { v: schema }, ...more }, { v: value });
}

/** A condition: an object with a property `then` must not be written as a literal, since promises look for one. */
export function condition({ if: test, yes, no }: Readonly<Record<"if" | "yes" | "no", unknown>>): object {
  const parts = [test, yes, no];
  return Object.fromEntries(["if", "then", "else"].map((keyword, index) => [keyword, parts[index]]));
}

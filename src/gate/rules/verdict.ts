/**
 * What can be said of a condition: it holds, it does not, or nobody can tell from the arguments alone. An `allow` needs `yes`;
 * an `ask` or `deny` also applies at `unknown`.
 */
export type Verdict = "yes" | "no" | "unknown";

/** One verdict on several values: the same for all, or unknown. None at all is unknown too. */
export function onEvery(values: Iterable<unknown>, judge: (value: unknown) => Verdict): Verdict {
  let verdict: Verdict | undefined;
  for (const value of values) {
    const next = judge(value);
    if (next === "unknown" || (verdict !== undefined && verdict !== next)) return "unknown";
    verdict = next;
  }
  return verdict ?? "unknown";
}

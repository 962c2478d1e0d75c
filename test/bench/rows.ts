import type { Contender, ToolName } from "./contenders.ts";

/** One measure of a contender. The goal is in the row's own unit, on two idle cores. */
export interface Row {
  readonly name: string;
  readonly unit: "ms" | "µs";
  readonly goal?: number;
  measure(contender: Contender): Promise<number>;
}

const many = (tool: (name: ToolName) => string, name: ToolName, count: number) =>
  `const all = await Promise.all(Array.from({ length: ${count} }, (_, i) => ${tool(name)}({ i }))); return all.length`;

/** The first result from cold is measured apart, since it needs a process that has done nothing yet. */
export const FIRST: Omit<Row, "measure"> = { name: "first result from cold", unit: "ms", goal: 120 };

export const ROWS: readonly Row[] = [
  {
    name: "warm run, p50",
    unit: "ms",
    goal: 0.6,
    measure: async (one) => quantile(await times(one, "return 1", 100), 0.5),
  },
  {
    name: "warm run, p95",
    unit: "ms",
    goal: 1,
    measure: async (one) => quantile(await times(one, "return 1", 100), 0.95),
  },
  {
    name: "run right after another, p50",
    unit: "ms",
    goal: 3,
    measure: async (one) => quantile(await times(one, "return 1", 60, 0), 0.5),
  },
  {
    name: "one call in sequence",
    unit: "µs",
    goal: 150,
    measure: async (one) => {
      const body = `for (let i = 0; i < 500; i++) await ${one.tool("small")}({ i }); return 1`;
      return (quantile(await times(one, body, 5), 0.5) / 500) * 1000;
    },
  },
  {
    name: "10 tools of 5 ms at once",
    unit: "ms",
    goal: 7,
    measure: async (one) => quantile(await times(one, many(one.tool, "slow", 10), 15), 0.5),
  },
  {
    name: "5 tools of 300 ms at once",
    unit: "ms",
    measure: async (one) => quantile(await times(one, many(one.tool, "slower", 5), 3), 0.5),
  },
  {
    name: "1,000 calls at once",
    unit: "ms",
    goal: 8,
    measure: async (one) => quantile(await times(one, many(one.tool, "small", 1000), 10), 0.5),
  },
  {
    name: "10,000 calls at once",
    unit: "ms",
    goal: 70,
    measure: async (one) => quantile(await times(one, many(one.tool, "small", 10_000), 5), 0.5),
  },
  {
    name: "1 MB result",
    unit: "ms",
    goal: 6,
    measure: async (one) => quantile(await times(one, "return 'x'.repeat(1e6)", 20), 0.5),
  },
];

/** Milliseconds of each of some runs, with a pause in between in which a spare can be made, as while a model thinks. */
async function times(one: Contender, body: string, count: number, pauseMs = 8): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    await one.run(body);
    all.push(performance.now() - start);
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return all;
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

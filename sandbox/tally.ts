/** Counts the calls of a run by tool. */
export interface Tally {
  add(tool: string): void;
  /** A sentence on what was called, most often first. `answered` is how many of the calls were. */
  sentence(answered: number): string;
}

/** Starts to count. */
export function startTally(): Tally {
  const tools = new Map<string, number>();
  return {
    add: (tool) => void tools.set(tool, (tools.get(tool) ?? 0) + 1),
    sentence: (answered) => {
      const sorted = [...tools].sort(([, a], [, b]) => b - a);
      const total = sorted.reduce((sum, [, count]) => sum + count, 0);
      if (total === 0) return "No call was made before that.";
      const named = sorted.slice(0, NAMED).map(([tool, count]) => `${tool} ${count}`);
      const rest = sorted.length - named.length;
      if (rest > 0) named.push(`${rest} other ${rest === 1 ? "tool" : "tools"}`);
      const open = total - answered;
      const unanswered = open === 0 ? "" : `; ${open} of them ${open === 1 ? "was" : "were"} not answered`;
      return `Before that ${total} ${total === 1 ? "call was" : "calls were"} made: ${named.join(", ")}${unanswered}.`;
    },
  };
}

/** Tools that the sentence names. */
const NAMED = 5;

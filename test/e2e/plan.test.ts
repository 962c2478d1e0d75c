import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import type { Answer, Ask, Question } from "../../src/gate/ask.ts";
import { createNami, type NamiOptions } from "../../src/nami.ts";
import { makeHome, runCli, runOnTerminal } from "../fixtures/cli.ts";
import { fixturePath } from "../fixtures/config.ts";

const hasScript = spawnSync("script", ["--version"]).status === 0;
const TICKETS = fileURLToPath(new URL("../../dist/src/demo/tickets/server.js", import.meta.url));

let folder: string;
let touched: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "nami-plan-"));
  touched = join(folder, "touched");
  await writeFile(touched, "");
});

const servers = () => ({
  counting: {
    command: process.execPath,
    args: [fixturePath("counting"), "--file", touched],
    safe_tools: ["echo"],
  },
  tickets: { command: process.execPath, args: [TICKETS], safe_tools: ["get_ticket"] },
});

const open = (options: Partial<NamiOptions> = {}) =>
  createNami({ servers: servers(), audit: join(folder, "audit.jsonl"), learned: false, plan: true, ...options });

/** The arguments of the calls that reached the server, as JSON lines. */
const touches = async (): Promise<string[]> =>
  (await readFile(touched, "utf8")).split("\n").filter((line) => line !== "");

/** An Ask that answers each question by its place, and keeps them. */
function answering(...answers: readonly ((question: Question) => Answer)[]): { ask: Ask; questions: Question[] } {
  const questions: Question[] = [];
  return {
    questions,
    ask: async (question) => {
      questions.push(question);
      return answers[questions.length - 1]?.(question) ?? "stop";
    },
  };
}

const all = ({ calls }: Question): Answer => ({ kind: "calls", allow: calls.map(({ sequence }) => sequence) });
const only =
  (...allow: number[]) =>
  (): Answer => ({ kind: "calls", allow, others: "deny" });

const THREE = `
  const { n } = await counting.echo({ n: 7 });
  const [a, b] = await Promise.all([counting.touch({ n, at: Date.now() }), counting.touch({ n: 2 })]);
  await sleep(5);
  const c = await counting.touch({ n: 3, dice: Math.random() });
  const last = await counting.echo({ n: 8 });
  return { a, b, c, last };`;

describe("plan mode", () => {
  it("runs reads, asks about all else at once, makes just these calls in order and once, and goes on", async () => {
    const { ask, questions } = answering(all);
    await using nami = await open({ ask });
    const result = await nami.execute(THREE);
    expect(result).toMatchObject({
      ok: true,
      outcome: { value: { a: "touched", b: "touched", c: "touched", last: { n: 8 } } },
    });
    expect(questions).toHaveLength(1);
    expect(questions[0]).toMatchObject({ plan: true });
    const planned = questions[0]?.calls.map(({ args }) => `touch ${JSON.stringify(args)}`);
    expect(planned).toHaveLength(3);
    expect(await touches()).toEqual(planned);
    expect(result.calls.map(({ ref, decision }) => `${ref} ${decision}`)).toEqual([
      "counting.echo allowed",
      "counting.touch allowed",
      "counting.touch allowed",
      "counting.touch allowed",
      "counting.echo allowed",
    ]);
    const audit = (await readFile(join(folder, "audit.jsonl"), "utf8")).trim().split("\n");
    const decisions = audit.map((line) => JSON.parse(line) as { event: string; decision?: string });
    expect(decisions.flatMap(({ decision }) => decision ?? [])).toEqual([
      ...["allowed", "planned", "planned", "planned", "allowed"],
      ...["allowed", "allowed", "allowed"],
    ]);
  });

  it("sends nothing before the answer, and nothing of what was not allowed", async () => {
    const { ask } = answering((question) => {
      expect(question.calls).toHaveLength(3);
      expect(spawnSync("cat", [touched]).stdout.toString()).toBe("");
      return only(2, 4)();
    });
    await using nami = await open({ ask });
    const result = await nami.execute(
      THREE.replace("counting.touch({ n: 2 })", "counting.touch({ n: 2 }).catch((e) => e.name)"),
    );
    expect((await touches()).map((line) => line.slice(0, 13))).toEqual(['touch {"n":7,', 'touch {"n":3,']);
    expect(result).toMatchObject({ ok: false, outcome: { value: { a: "touched", b: "PermissionError" } } });
    expect(result.calls.map(({ decision }) => decision)).toEqual([
      ...["allowed", "allowed", "denied", "allowed", "allowed"],
    ]);
  });

  it.each([
    ["a no", { ask: answering(only()).ask }, "denied"],
    ["nobody to ask", {}, "refused"],
  ])("shows the plan and makes no call after %s", async (_, options, decision) => {
    await using nami = await open(options);
    const result = await nami.execute(THREE);
    expect(result).toMatchObject({
      ok: false,
      outcome: { kind: "planned", calls: [{ sequence: 2 }, { sequence: 3 }, { sequence: 4 }] },
    });
    expect(result.text).toContain("The plan has 3 calls, and none was made.");
    expect(result.text).toContain('#3 counting.touch {"n":2}');
    expect(result.calls.map((call) => call.decision)).toEqual(["allowed", decision, decision, decision, "allowed"]);
    expect(await touches()).toEqual([]);
  });

  it("is an ordinary run where nothing needs asking", async () => {
    const { ask, questions } = answering();
    await using nami = await open({ ask });
    const result = await nami.execute("await nami.store.set('k', 1); return [await counting.echo({ n: 1 }), 2]");
    expect(result).toMatchObject({ ok: true, outcome: { value: [{ n: 1 }, 2] } });
    expect(questions).toEqual([]);
    expect(await nami.execute("return await nami.store.get('k')")).toMatchObject({ outcome: { value: 1 } });
  });

  it("stops the run where the person stops it", async () => {
    await using nami = await open({ ask: answering(() => "stop").ask });
    expect(await nami.execute(THREE)).toMatchObject({ outcome: { kind: "stopped", reason: "denied" } });
    expect(await touches()).toEqual([]);
  });

  it("gives placeholders of the declared type, and asks by itself about a call that holds one", async () => {
    const { ask, questions } = answering(all, all);
    await using nami = await open({ ask });
    const result = await nami.execute(`
      const { id, title } = await tickets.add_comment({ id: 3, text: "first" });
      await counting.touch({ n: 1 });
      await counting.touch({ copied: title, id });
      return title.length > 0;`);
    expect(questions.map(({ calls }) => calls.length)).toEqual([2, 1]);
    expect(questions.map(({ plan }) => plan)).toEqual([true, undefined]);
    expect(result).toMatchObject({ ok: true, outcome: { value: true } });
    const lines = await touches();
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/"copied":"(?!<planned)[^"]+","id":3/);
    expect(result.notes.join("\n")).toContain("took another way than planned");
  });

  it("follows the way that real results lead: a planned call that is not made then is not sent", async () => {
    const { ask, questions } = answering(all, all);
    await using nami = await open({ ask });
    const result = await nami.execute(`
      const ticket = await tickets.add_comment({ id: 3, text: "x" });
      if (ticket.id === 3) await counting.touch({ real: true });
      else await counting.touch({ real: false });
      return ticket.id;`);
    expect(questions[0]?.calls.map(({ args }) => args)).toEqual([{ id: 3, text: "x" }, { real: false }]);
    expect(questions[1]?.calls.map(({ args }) => args)).toEqual([{ real: true }]);
    expect(await touches()).toEqual(['touch {"real":true}']);
    expect(result).toMatchObject({ ok: true, outcome: { value: 3 } });
  });

  it("goes on from where placeholders let the snippet fail", async () => {
    const { ask } = answering(all, all);
    await using nami = await open({ ask });
    const result = await nami.execute(`
      const word = await counting.touch({ n: 1 });
      if (word !== "touched") throw new Error("odd word " + word);
      await counting.touch({ n: 2 });
      return word;`);
    expect(result).toMatchObject({ ok: true, outcome: { value: "touched" } });
    expect(await touches()).toEqual(['touch {"n":1}', 'touch {"n":2}']);
    expect(result.notes.join("\n")).toContain("odd word <planned 1>");
  });

  it("keeps what the snippet stores once it has real results", async () => {
    await using nami = await open({ ask: answering(all).ask });
    await nami.execute("await nami.store.set('word', await counting.touch({ n: 1 }))");
    expect(await nami.execute("return await nami.store.get('word')")).toMatchObject({ outcome: { value: "touched" } });
    await using other = await open({});
    await other.execute("await nami.store.set('word', await counting.touch({ n: 1 }))");
    expect(await other.execute("return await nami.store.keys()")).toMatchObject({ outcome: { value: [] } });
  });

  it("never plans what a rule forbids", async () => {
    const { ask, questions } = answering(all);
    const rules = [{ tool: "counting.touch", decision: "deny" as const, when: { n: { is: 2 } } }];
    await using nami = await open({ ask, rules });
    const result = await nami.execute("return await Promise.allSettled([1, 2].map((n) => counting.touch({ n })))");
    expect(questions[0]?.calls.map(({ args }) => args)).toEqual([{ n: 1 }]);
    expect(await touches()).toEqual(['touch {"n":1}']);
    expect(result.calls.map(({ decision }) => decision)).toEqual(["allowed", "denied"]);
  });
});

describe("nami exec --plan", () => {
  it("prints the plan and exits with 5 where nobody can be asked", async () => {
    const home = await makeHome(servers());
    const { code, stdout, stderr } = await runCli(home, ["exec", "--plan", "-e", "await counting.touch({ n: 1 })"]);
    expect(code).toBe(5);
    expect(stdout).toBe("");
    expect(stderr).toContain('#1 counting.touch {"n":1}');
    expect(await touches()).toEqual([]);
  });

  it.skipIf(!hasScript)("shows the plan on the terminal, and makes the calls that are chosen", async () => {
    const home = await makeHome(servers());
    const source =
      "for (let n = 1; n <= 4; n++) await counting.touch({ n, text: '\\u001b[2J' }).catch(() => {}); return 'done'";
    const { code, stdout } = await runOnTerminal(home, ["exec", "--plan", "-e", source], ["1,3\n"]);
    expect(stdout).toContain("the plan: the snippet would make these 4 calls, in this order; none is mad");
    expect(stdout).toContain('3: counting.touch {"n":3,"text":"\\u001b[2J"}');
    expect(code).toBe(3);
    expect((await touches()).map((line) => line.slice(0, 12))).toEqual(['touch {"n":1', 'touch {"n":3']);
  });

  it.skipIf(!hasScript).each([
    ["an empty line", "\n", 3],
    ["Ctrl-C", "\u0003", 130],
  ])("takes %s for a no", async (_, keys, exit) => {
    const home = await makeHome(servers());
    const { code } = await runOnTerminal(home, ["exec", "--plan", "-e", "await counting.touch({ n: 1 })"], [keys]);
    expect(code).toBe(exit);
    expect(await touches()).toEqual([]);
  });
});

import { expect, it } from "vitest";
import { ruleFor, ruleForDestination } from "../../../src/gate/grants.ts";
import { ruleSet, type Servers } from "./rule-set.ts";

const MAIL: Servers = {
  mail: [{ name: "send", inputSchema: { type: "object", properties: { to: {}, bcc: {}, text: {} } } }],
};

it("allows, once it is read again, what the person was shown and nothing that goes elsewhere as well", () => {
  const tool = ruleSet(MAIL, []).tool("mail.send");
  const rule = ruleForDestination(tool, { to: "ann@example.test" });
  expect(rule).toEqual({
    tool: "mail.send",
    decision: "allow",
    when: { to: { is: "ann@example.test" }, bcc: { absent: true } },
    definition: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  const { rules } = ruleSet(MAIL, [JSON.parse(JSON.stringify(rule))]);
  const kindOf = (args: object) => rules.rule(tool, args).kind;
  expect(kindOf({ to: "ann@example.test", text: "hi" })).toBe("allow");
  expect(kindOf({ to: "eve@example.test", text: "hi" })).toBe("ask");
  expect(kindOf({ to: "ann@example.test", bcc: "eve@example.test" })).toBe("ask");
  expect(kindOf({ to: "ann@example.test", BCC: "eve@example.test" })).toBe("ask");
  expect(kindOf({ to: ["ann@example.test", "eve@example.test"] })).toBe("ask");
  expect(kindOf({ TO: "ann@example.test" })).toBe("ask");
});

it("asks about a tool whose definition is not the one that was allowed", () => {
  const { tool } = ruleSet(MAIL, []);
  const rule = JSON.parse(JSON.stringify(ruleFor(tool("mail.send"))));
  const kindOf = (description: string) => {
    const now: Servers = {
      mail: [{ name: "send", inputSchema: { type: "object", properties: { to: {}, bcc: {}, text: {} } }, description }],
    };
    const set = ruleSet(now, [rule]);
    return set.rules.rule(set.tool("mail.send"), {});
  };
  const before = ruleSet(MAIL, [rule]);
  expect(before.rules.rule(before.tool("mail.send"), {}).kind).toBe("allow");
  expect(kindOf("Sends mail, and a copy to us.")).toMatchObject({
    kind: "ask",
    reason: "the tool's definition is not the one that was allowed",
  });
});

it("is not offered for names that a rule would read as a path", () => {
  const tool = ruleSet(MAIL, []).tool("mail.send");
  expect(ruleForDestination(tool, { "to.x": "a" })).toBeUndefined();
  expect(ruleForDestination(tool, { "to[]": "a" })).toBeUndefined();
});

import { expect, it } from "vitest";
import { ruleForDestination } from "../../../src/gate/grants.ts";
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

it("is not offered for names that a rule would read as a path", () => {
  const tool = ruleSet(MAIL, []).tool("mail.send");
  expect(ruleForDestination(tool, { "to.x": "a" })).toBeUndefined();
  expect(ruleForDestination(tool, { "to[]": "a" })).toBeUndefined();
});

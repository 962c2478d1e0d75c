import { describe, expect, test } from "vitest";
import { createRedactor, createSecretMask, MIN_SECRET_LENGTH } from "../../src/output/redact.ts";
import { seeded } from "./random.ts";

const SECRET = 'p@ss/word+"quoted"\\ é漢 & more=1';

describe("a known secret", () => {
  const redact = createRedactor([SECRET]);
  const bytes = Buffer.from(SECRET);
  test.each([
    ["as it is", SECRET],
    ["JSON-escaped", JSON.stringify(SECRET).slice(1, -1)],
    ["JSON-escaped twice", JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
    ["JSON-escaped with slashes", JSON.stringify(SECRET).slice(1, -1).replaceAll("/", "\\/")],
    ["JSON-escaped to ASCII", JSON.stringify(SECRET).slice(1, -1).replace("é", "\\u00e9").replace("漢", "\\u6f22")],
    ["URL-encoded", encodeURIComponent(SECRET)],
    ["URL-encoded in small letters", encodeURIComponent(SECRET).replace(/%../g, (octet) => octet.toLowerCase())],
    ["encoded as a form", new URLSearchParams({ s: SECRET }).toString().slice(2)],
    ["in base64", bytes.toString("base64")],
    ["in base64 without padding", bytes.toString("base64").replace(/=+$/, "")],
    ["in base64url", bytes.toString("base64url")],
  ])("is masked %s", (_, form) => {
    expect(redact(`before ${form} after`)).toBe("before [secret] after");
    expect(redact(form)).toBe("[secret]");
  });

  test("is masked everywhere, also without anything between", () => {
    expect(redact(`${SECRET}${SECRET} and ${SECRET}`)).toBe("[secret] and [secret]");
  });

  test("is found with and without the end of line that it was read with", () => {
    expect(createRedactor(["hunter22\n"])(Buffer.from("hunter22\n").toString("base64"))).toBe("[secret]");
    expect(createRedactor(["hunter22\n"])("token: hunter22;")).toBe("token: [secret];");
  });
});

describe("several secrets", () => {
  test("the longer one goes first", () => {
    expect(createRedactor(["abcdef", "abcdefghij"])("x abcdefghij y")).toBe("x [secret] y");
  });

  test("no tail is left of one that overlaps another", () => {
    expect(createRedactor(["first-half", "half-and-second-part"])("x first-half-and-second-part y")).toBe(
      "x [secret] y",
    );
  });

  test("one inside the mark gets another mark", () => {
    const redact = createRedactor(["secret", "[secret]"]);
    expect(redact("my secret")).toBe("my [***]");
  });
});

describe("what is no secret", () => {
  test("is returned as it is", () => {
    const text = "The secretary's password field is empty. sk-learn-examples, Bearer authentication, eyJ, AKIA, xoxo.";
    expect(createRedactor([SECRET])(text)).toBe(text);
  });

  test("a value shorter than the limit is left alone, one at the limit is masked", () => {
    const short = "a".repeat(MIN_SECRET_LENGTH - 1);
    const long = "b".repeat(MIN_SECRET_LENGTH);
    const redact = createRedactor([short, long, ""]);
    expect(redact(`${short} ${long}`)).toBe(`${short} [secret]`);
  });

  test("signs with a meaning in patterns are taken literally", () => {
    const redact = createRedactor([".*.*.*", "(a|b)+[c-d]$^"]);
    expect(redact("harmless .*.*.* (a|b)+[c-d]$^ text")).toBe("harmless [secret] [secret] text");
  });
});

describe("a token of a well-known shape", () => {
  const redact = createRedactor([]);
  const tail = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
  test.each([
    ["OpenAI", `sk-proj-${tail}`],
    ["GitHub", `ghp_${tail}`],
    ["GitHub, fine-grained", `github_pat_11ABC_${tail}`],
    ["GitLab", `glpat-${tail}`],
    ["Slack", "xoxb-1234567890-abcdefghij"],
    ["AWS", "AKIAIOSFODNN7EXAMPLE"],
    ["Google", `AIza${tail.slice(0, 35)}`],
    ["npm", `npm_${tail}`],
    ["Stripe", `sk_live_${tail}`],
    ["JWT", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N"],
  ])("is masked: %s", (_, token) => {
    for (const [before, after] of [
      ["", ""],
      ["token=", "&x"],
      ['{"t":"', '"}'],
      ["\\n", "\\n"],
      ["(", ")."],
    ] as const) {
      expect(redact(`${before}${token}${after}`)).toBe(`${before}[secret]${after}`);
    }
  });

  test("is masked with its Bearer or Basic", () => {
    expect(redact(`Basic ${Buffer.from("user:passw0rd and more").toString("base64")}`)).toBe("[secret]");
    expect(redact(`Authorization: Bearer ${tail}==, next`)).toBe("Authorization: [secret], next");
  });

  test.each([
    ["with a digit at the limit is masked", `sk-${"a".repeat(64)}1`, "[secret]"],
    ["with a digit one further on is not", `sk-${"a".repeat(65)}1`, `sk-${"a".repeat(65)}1`],
    ["of letters alone is not", `sk-${"a".repeat(65)} 1`, `sk-${"a".repeat(65)} 1`],
    ["is masked after many that are none", `${"sk-".repeat(100)}${tail}`, `${"sk-".repeat(78)}[secret]`],
    ["that is too short is not", "sk-a-sk-b-sk-c1", "sk-a-sk-b-sk-c1"],
  ])("that begins with sk- and goes on %s", (_, text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });

  test("that begins with sk- is found wherever a plain pattern finds it", () => {
    const plain = /(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))sk-(?=[A-Za-z_-]{0,64}\d)[\w-]{16,}/g;
    const parts = ["sk-", "sk-", "-", "_", "a", "b".repeat(16), "c".repeat(60), "1", "\\n", "\n", " ", "é"] as const;
    for (let seed = 0; seed < 500; seed++) {
      const random = seeded(seed);
      const text = Array.from({ length: 40 }, () => random.pick(parts)).join("");
      expect(redact(text)).toBe(text.replace(plain, "[secret]"));
    }
  });

  test("a private key is masked as a block, also when its end is missing", () => {
    const block = `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${`${tail}\n`.repeat(9)}`;
    expect(redact(`key:\n${block}-----END RSA PRIVATE KEY-----\nend`)).toBe("key:\n[secret]\nend");
    expect(redact(`"${block.replaceAll("\n", "\\n")}"`)).toBe('"[secret]"');
    expect(redact("-----BEGIN PUBLIC KEY-----\nabc")).toBe("-----BEGIN PUBLIC KEY-----\nabc");
  });
});

test("a mask for secrets alone leaves tokens of well-known shapes as they are", () => {
  const token = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2";
  expect(createSecretMask(["hunter22"])(`${token} hunter22`)).toBe(`${token} [secret]`);
});

describe("on any input", () => {
  test("no form of a secret survives among random texts", () => {
    for (let seed = 0; seed < 300; seed++) {
      const random = seeded(seed);
      const secrets = Array.from({ length: 1 + random.below(4) }, () => `k${random.text(5 + random.below(30))}q`);
      const redact = createRedactor(secrets);
      const forms = secrets.flatMap((secret) => [
        secret,
        JSON.stringify(secret).slice(1, -1),
        encodeURIComponent(secret.toWellFormed()),
        Buffer.from(secret).toString("base64").replace(/=+$/, ""),
      ]);
      const text = forms.map((form) => random.text(random.below(30)) + form).join(random.text(3));
      const redacted = redact(text);
      for (const form of forms) expect(redacted).not.toContain(form);
      expect(redact(redacted)).toBe(redacted);
    }
  });

  test.each([
    ["of ordinary data", '{"id":12345,"name":"Item number 12345","tags":["alpha","beta"]},'],
    ["of beginnings of JWTs", "eyJeyJeyJ"],
    ["of beginnings of keys", "-----BEGIN PRIVATE KEY-----\n"],
    ["of beginnings of OpenAI tokens", "sk-sk-sk-"],
    ["of other beginnings of OpenAI tokens", "sk-a-_sk-b-"],
    ["of Bearers", "Bearer Bearer "],
    ["of a secret without end", "x".repeat(16)],
    ["of almost the secret", "aaaaaaaaaaaaaaaa"],
    ["of a key's body", "-----BEGIN PRIVATE KEY-----\n".padEnd(5e6, "MIIEv")],
    ["of one long token", "ghp_".padEnd(5e6, "a")],
    ["of one long JWT", "eyJhbGciOiJIUzI1NiJ9.eyJ".padEnd(5e6, "a")],
    ["of dashes", "-----------"],
  ])("takes no minutes for 10 MB %s", { timeout: 30_000 }, (_, unit) => {
    const redact = createRedactor([
      `${"a".repeat(40)}b`,
      SECRET,
      ...Array.from({ length: 20 }, (_, n) => `secret-no-${n}`),
    ]);
    const text = unit.repeat(Math.ceil(1e7 / unit.length));
    expect(redact(text).length).toBeGreaterThan(0);
  });
});

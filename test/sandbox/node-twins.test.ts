import { describe, expect, it } from "vitest";
import { openSandbox } from "./run-snippet.ts";

/** Evaluates expressions in the guest and here: both have the same API, and Node's is the measure. */
async function compare(prepare: string, expressions: readonly string[]): Promise<void> {
  await using guest = openSandbox();
  const body = (list: readonly string[]) =>
    `${prepare}
    const show = (value) => JSON.stringify(value === undefined ? "undefined" : value);
    return [${list.map((one) => `() => (${one})`).join(",\n")}].map((run) => {
      try { return show(run()) } catch (error) { return "throws " + error.name }
    })`;
  const here = new Function(body(expressions))() as string[];
  const there = (await guest.value(body(expressions))) as string[];
  const pairs = (results: string[]) => expressions.map((expression, at) => [expression, results[at]]);
  expect(pairs(there)).toEqual(pairs(here));
}

const PARTS =
  "const parts = (text, base) => { const u = new URL(text, base); return [u.href, u.origin, u.protocol, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.search, u.hash, u.searchParams.toString()] };";

const URLS = [
  ["http://example.org/a/b?c=d#e"], ["HTTP://EXAMPLE.org:80/%7Efoo/../a/./b/%2e%2E/c"], ["https://user:pa%20ss@h:8080/p"],
  ["https://u@x@h/"], ["https://a:b:c@h/"], ["http://h:65536/"], ["http://h:0/"], ["http://h:/"], ["http://h:8a/"], ["http:/h/p"], ["http:h"], ["https:///h//p"],
  ["//other/p", "https://base/x"], ["../up?q", "http://h/a/b/c"], ["?q", "http://h/a?b#c"], ["#f", "http://h/a?b"], ["", "http://h/a?b#c"], ["x", "http://h"],
  ["/a\\b", "http://h"], ["\\\\x\\y", "http://h"], ["x", "mailto:a"], ["#f", "mailto:a"], ["mailto:a@b.c?subject=x y"], ["data:text/plain,hello world #x"], ["javascript:alert(1)"],
  ["file:///C:/x/../.."], ["file:///C|/x"], ["file://host/x"], ["file://localhost/x"], ["C:/x", "file:///D:/y"], ["/x", "file:///D:/y"], ["..", "file:///D:/y"], ["file:c:\\foo\\bar"], ["file:///a//b"], ["//C:/x", "file:///y"],
  ["http://[::1]:3000/"], ["http://[1:2:0:0:5:0:0:8]/"], ["http://[::ffff:1.2.3.4]/"], ["http://[::1.2.3]/"], ["http://[1::2::3]/"], ["http://[g::]/"], ["http://[::1"], ["http://[1:2:3:4:5:6:7:8:9]/"], ["http://[1:2:3:4:5:6:7:]/"], ["http://[0:0:0:0:0:0:0:0]/"],
  ["http://1.2.3.4/"], ["http://1.2/"], ["http://0x7f.1/"], ["http://0300.1/"], ["http://256.1/"], ["http://1.256/"], ["http://1.2.3.256/"], ["http://1.2.3.4.5/"], ["http://4294967295/"], ["http://4294967296/"], ["http://0x/"], ["http://08/"], ["http://1.2.3.4./"], ["http://a.1/"], ["http://a.0x1/"], ["http://1..2/"],
  ["http://münchen.de/ä?ö#ü"], ["http://MÜNCHEN.de/"], ["http://日本語。jp/"], ["http://☃.net/"], ["http://💩.la/"], ["http://faß.de/"], ["http://ΑΣ.gr/"], ["http://ＧＯ.com/"], ["http://xn--mnchen-3ya.de/"], ["http://xn--/"], ["http://xn--a/"], ["http://a\u00adb/"], ["http://a b/"], ["http://a%20b/"], ["http://a%41b/"], ["http://%E2%98%83/"], ["http://a%/"], ["http://a<b/"], ["http://a^b/"], ["http://a|b/"], ["http://\u0300a/"], ["http://a\ufffdb/"], ["http://%ff/"],
  ["foo://h/p?q#f"], ["foo://ä/"], ["foo://a b/"], ["foo://[::1]/"], ["foo:/p"], ["foo:p/../q"], ["foo:/..//p"], ["foo:///p"], ["foo://"], ["foo:"], ["foo:/.//p"], ["web+x:/a/../../b"], ["foo://u:p@h:1/"],
  ["  http://h/  "], ["ht\ntp://h\t/p\r"], ["1http://h"], [":x"], [""], ["/x"], ["http://"], ["http://?q"], ["http:///"], ["http://u@/p"], ["http://@h"], ["http://:@h"], ["http://:p@h"],
  ["http://h/\u0000\u001f\u007f\"'<>^`{|}[]"], ["http://h/?\"'<>^`{|}"], ["http://h/#\"'<>^`{|}"], ["foo:/?'"], ["http://h/\ud800x"], ["http://h/%zz%a"], ["http://h?a=b&c"], ["http://h/😀?😀#😀"],
  ["blob:https://h:1/x"], ["blob:ftp://h/x"], ["blob:x"], ["ws://h:80/"], ["wss://h:443/"], ["ftp://h:21/"], ["non-special:opaque  ?x"], ["non-special:opaque  #x"], ["non-special:opaque  "], ["http://h/a/%2e"], ["http://h/a/.%2E/b"], ["http://h/a/..;/"],
] as const; // biome-ignore format: a table

it("parses URLs as Node does", async () => {
  await compare(
    PARTS,
    URLS.map(
      ([text, base]) => `parts(${JSON.stringify(text)}${base === undefined ? "" : `, ${JSON.stringify(base)}`})`,
    ),
  );
});

const SETTERS = ["href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"];
const STARTS = ["http://u:p@h:81/a/b?q#f", "file:///C:/x", "mailto:x?y#z", "foo://h/p", "https://h/"];
const VALUES = [
  "",
  "x",
  "https",
  "file:",
  "foo",
  "a:b",
  "other:99",
  "80",
  "443x",
  "/p/../q",
  "?a=b c",
  "#x y",
  "ä é",
  "[::1]",
  "1.2.3",
  "C|/y",
  "a@b",
  "a/b",
  "\t9\n",
  "//",
];

it.each(SETTERS)("sets %s of a URL as Node does", async (name) => {
  const prepare = `${PARTS} const set = (start, value) => { const u = new URL(start); const s = u.searchParams; u.${name} = value; return [u.href, s.toString()] };`;
  await compare(
    prepare,
    STARTS.flatMap((start) => VALUES.map((value) => `set(${JSON.stringify(start)}, ${JSON.stringify(value)})`)),
  );
});

it("keeps URLSearchParams as Node does", async () => {
  await compare("const p = (init) => new URLSearchParams(init);", [
    "p('?a=1&b=2&a=3').getAll('a')",
    "p('a=b=c&&=x&y').toString()",
    "p('a+b=%20%zz%e4%bd%a0').toString()",
    "p({ a: 1, b: [2, 3] }).toString()",
    "p([['a', 'b'], new Set(['c', 'd'])]).toString()",
    "p([['a']])",
    "p([1])",
    "p(null).toString()",
    "p(undefined).toString()",
    "p(5).toString()",
    "p(p('x=1')).toString()",
    "p(new Map([['m', 'n']])).toString()",
    "(() => { const s = p('b=1&a=2&b=0&\\u{1f600}=3&\\uffff=4'); s.sort(); return [...s] })()",
    "(() => { const s = p('a=1&b=2&a=3'); s.set('a', 9); s.append('c', '~*- !()'); s.delete('b'); return [s + '', s.size, s.has('a', '9'), s.has('a', '1')] })()",
    "(() => { const s = p('a=1&a=2'); s.delete('a', '2'); return [...s.entries(), ...s.keys(), ...s.values()] })()",
    "(() => { const u = new URL('http://h/?x=1#f'); u.searchParams.append('y', 'a b&c'); u.searchParams.delete('x'); return u.href })()",
    "(() => { const u = new URL('http://h/?x'); u.searchParams.delete('x'); return u.href })()",
    "(() => { const seen = []; p('a=1&b=2').forEach((v, k) => seen.push(k + v)); return seen })()",
    "p('a').get()",
    "p('a').get('zz')",
    "p('\\ud800').toString()",
    "p('a=1')[Symbol.toStringTag]",
    "p('a')[Symbol.iterator] === p('a').entries",
    "URL.canParse('x:y')",
    "URL.canParse('x')",
    "URL.parse('nope')",
    "URL.parse('/a', 'http://h').href",
    "JSON.stringify({ u: new URL('http://h') })",
    "new URL()",
    "Object.entries(new URLSearchParams('a=1').keys().next()).sort()",
  ]);
});

const BYTES = [
  "[]",
  "[104,105]",
  "[0xef,0xbb,0xbf,65]",
  "[0xc3,0xa9]",
  "[0xc3]",
  "[0xc3,65]",
  "[0xe2,0x82]",
  "[0xe2,0x82,0xac]",
  "[0xf0,0x9f,0x98,0x80]",
  "[0xf0,0x9f,0x98]",
  "[0xf0,0x80,0x80,0x80]",
  "[0xed,0xa0,0x80]",
  "[0xc0,0x80]",
  "[0xf4,0x90,0x80,0x80]",
  "[0xff,0xfe,65,0]",
  "[0x80,65]",
  "[65,0xe2,0x28,0xa1]",
  "[61,216,0,222]",
  "[0,216]",
  "[0,216,65,0]",
  "[0,220,65]",
  "[0x80,0x9f,0xa0,0xff,0x81]",
];

it("decodes bytes as Node does, whole and in parts", async () => {
  const prepare = `const decode = (label, options, list) => new TextDecoder(label, options).decode(new Uint8Array(list));
    const parts = (label, list) => { const d = new TextDecoder(label); return list.map((b) => d.decode(new Uint8Array([b]), { stream: true })).join("|") + d.decode() };`;
  const labels = ["utf-8", "utf-16le", "latin1"];
  await compare(prepare, [
    ...BYTES.flatMap((list) =>
      labels.flatMap((label) =>
        ["{}", "{ fatal: true }", "{ ignoreBOM: true }"].map((options) => `decode("${label}", ${options}, ${list})`),
      ),
    ),
    ...BYTES.flatMap((list) => labels.map((label) => `parts("${label}", ${list})`)),
    "new TextDecoder(' UTF8 ').encoding",
    "new TextDecoder('nope')",
    "new TextDecoder().decode()",
    "new TextDecoder().decode(new Uint16Array([0x4142]).buffer)",
    "new TextDecoder().decode(new DataView(new Uint8Array([1, 65, 66]).buffer, 1, 1))",
    "new TextDecoder().decode('x')",
    "new TextDecoder('ascii').encoding",
    "new TextDecoder('utf-8', { fatal: true }).fatal",
  ]);
});

it("encodes text as Node does", async () => {
  await compare("const e = new TextEncoder();", [
    ...["", "abc", "é€😀", "\\ud800", "\\udc00x", "a\\ud83d"].flatMap((text) => [
      `[...e.encode("${text}")]`,
      `e.encodeInto("${text}", new Uint8Array(4))`,
    ]),
    "[...e.encode()]",
    "[...e.encode(null)]",
    "e.encoding",
    "e.encodeInto('x', [])",
  ]);
});

it("reads and writes base64 as Node does", async () => {
  const texts = [
    "",
    "a",
    "ab",
    "abc",
    "abcd",
    "aGk=",
    "aGk",
    "aG k=",
    " a G k = ",
    "aGk==",
    "aA==",
    "aA=",
    "a===",
    "====",
    "=",
    "a=b",
    "ab=c",
    "aa_-",
    "Zm9v\\n",
    "ÿ",
    "€",
    "\\0\\xff",
    "YQ==YQ==",
  ];
  await compare(
    "",
    texts
      .flatMap((text) => [`atob("${text}")`, `btoa("${text}")`])
      .concat("atob()", "btoa(undefined)", "atob(null)", "btoa(5)"),
  );
});

describe("structuredClone", () => {
  it("clones and refuses as Node does", async () => {
    await compare("const c = structuredClone;", [
      "c(1)",
      "c('x')",
      "c(undefined)",
      "c(null)",
      "c([1, , 3])",
      "1 in c([1, , 3])",
      "c(new Date(5)).getTime()",
      "c(new Date(NaN)).getTime()",
      "[...c(new Map([[1, { a: 2 }]]))]",
      "[...c(new Set([1, 2]))]",
      "c(/x/gi).flags",
      "c(/x/gi) instanceof RegExp",
      "c(Object(5)).valueOf()",
      "typeof c(Object('s'))",
      "c(Object(true)) instanceof Boolean",
      "String(c(5n))",
      "[...c(new Uint8Array([1, 2]))]",
      "c(new Uint8Array([1, 2, 3]).subarray(1)).byteOffset",
      "c(new ArrayBuffer(3)).byteLength",
      "c(new DataView(new ArrayBuffer(4), 1)).byteLength",
      "c(new Float64Array([1.5]))[0]",
      "c(() => 1)",
      "c(Symbol('x'))",
      "c({ f() {} })",
      "c(Promise.resolve())",
      "c(new WeakMap())",
      "c(new TypeError('m')).name",
      "c(new TypeError('m')) instanceof TypeError",
      "c(Object.assign(new Error('m'), { x: 1 })).x",
      "c(new Error('m', { cause: 5 })).cause",
      "Object.getPrototypeOf(c(new (class A { x = 1 })())) === Object.prototype",
      "c({ get a() { return 1 } }).a",
      "c(Object.create({ up: 1 })).up",
      "(() => { const a = {}; a.a = a; const b = c(a); return b.a === b && b !== a })()",
      "(() => { const b = new ArrayBuffer(2); const [x, y] = c([new Uint8Array(b), new Uint8Array(b)]); return x.buffer === y.buffer })()",
      "c([].values())",
      "c({ __proto__: null, x: 1 }).toString === undefined",
      "c(JSON.parse('{\"__proto__\":1}'))",
      "c()",
    ]);
  });
});

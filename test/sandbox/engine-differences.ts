/** The engine that the tests of this folder run on: `NAMI_ENGINE`, or isolated-vm. */
export const ENGINE = process.env["NAMI_ENGINE"] === "quickjs" ? "quickjs" : "isolated-vm";

/** Where the engines differ, as far as these tests see it. All else is the same on both. */
const DIFFERENCES = {
  "isolated-vm": {
    /** The column of a call and of `new`: V8 has the name, QuickJS the bracket behind it. */
    columns: { call: 15, calledFunction: 3, thrown: 42, printed: 56, traced: 77 },
    syntaxError: "Unexpected token '='",
    hasIntl: true,
    /** Whether a rejection that nothing awaited becomes a warning. */
    warnsOfRejections: true,
    /** QuickJS's own JSON sets the items of arrays where V8's defines them: setters on the prototype make it fail. */
    bearsItemSetters: true,
    /** Whether stacks are V8's, which we format: QuickJS writes them itself, without a heading and with frames of our code. */
    formatsStacks: true,
    /** How a run ends that returns 100,000 levels, which QuickJS needs minutes to refuse. */
    endlessResult: { kind: "threw", error: { name: "RangeError" } },
    flags: ["--permission", "--jitless", "--no-node-snapshot"],
  },
  quickjs: {
    columns: { call: 19, calledFunction: 7, thrown: 55, printed: 70, traced: 82 },
    syntaxError: "variable name expected",
    hasIntl: false,
    warnsOfRejections: false,
    bearsItemSetters: false,
    formatsStacks: false,
    endlessResult: { kind: "stopped" },
    flags: ["--permission", "--stack-size=6000"],
  },
} as const;

/** How the engine under test behaves. */
export const EXPECTED = DIFFERENCES[ENGINE];

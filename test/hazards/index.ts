/** A promise about isolation, and where it is proved. `title` is the part of a test's title that says it. */
export interface Proof {
  readonly promise: string;
  readonly file: string;
  readonly title: string;
}

const prove = (promise: string, ...tests: readonly (readonly [file: string, title: string])[]): Proof[] =>
  tests.map(([file, title]) => ({ promise, file: `test/${file}.test.ts`, title }));

/** What the sandbox promises, and the tests that fail if it does not hold. Paths are relative to the project. */
export const PROOFS: readonly Proof[] = [
  // A snippet cannot reach file system, network, environment, process or other runs.
  ...prove(
    "no file system, network, environment or process",
    ["hazards/escape", "no chain of constructors leads to another realm"],
    ["hazards/escape", "no object of the host or of the engine's library is reachable"],
    ["hazards/code-from-text", "runs in the snippet's own realm and finds nothing else"],
    ["hazards/code-from-text", "is refused"],
    ["hazards/takeover", "is shut in by its process"],
    ["sandbox/wrap", "bubblewrap"],
  ),
  ...prove(
    "no other runs",
    ["hazards/other-runs", "are not seen by a run that follows in the same process"],
    ["hazards/other-runs", "that are stopped, cost no other one"],
    ["hazards/other-runs", "do not get the timers, calls or printed lines"],
    ["hazards/symbols", "shares none with another run"],
  ),
  ...prove(
    "a process of its own",
    ["sandbox/processes", "have no open descriptor but the channel"],
    ["sandbox/processes", "yield to other processes, and lead a session and a group of their own"],
    ["sandbox/processes", "are shut in by Node's permissions"],
    ["sandbox/processes", "are replaced after many runs"],
    ["sandbox/processes", "die with a host that is killed while a snippet %s"],
    ["sandbox/processes", "ends a worker that lost its host"],
    ["sandbox/processes", "are all gone after close"],
    ["hazards/soak", "leave no zombie, no descriptor"],
  ),
  // At worst it wastes its own limits.
  ...prove(
    "the host owns the clock and every limit",
    ["hazards/both-sides", "the deadline"],
    ["hazards/both-sides", "the processor time"],
    ["sandbox/limits", "computes more than its worker says"],
    ["sandbox/limits", "lets a snippet use %s up to the limit, and no more"],
    ["sandbox/limits", "to one server no more than inFlightPerServer"],
    ["hazards/both-sides", "the memory of the process"],
    ["hazards/both-sides", "the number of calls"],
    ["hazards/both-sides", "the number of asks"],
    ["hazards/both-sides", "the arguments of one call, which is not made"],
    ["hazards/both-sides", "the printed lines and bytes"],
    ["hazards/both-sides", "the size and the nesting of the result"],
    ["hazards/both-sides", "the number of timers"],
    ["hazards/both-sides", "the time of a stretch of code, also of what follows an await"],
    ["sandbox/sizes", "takes code up to the limit of source bytes"],
    ["sandbox/pause", "does not count the time in which a person is asked"],
    ["sandbox/pause", "stops a snippet that loops while a person is asked"],
    ["sandbox/parallel-calls", "lets calls over the limit of 16 in flight wait"],
  ),
  ...prove(
    "a certain kill",
    ["hazards/sync-loop", "is stopped at the deadline"],
    ["hazards/microtask-storm", "is stopped"],
    ["hazards/never-settling", "is stopped at the deadline"],
    ["hazards/slow-regex", "is stopped at the deadline"],
    ["hazards/deep-recursion", "costs only its run"],
    ["hazards/memory-bombs", "costs only its run"],
    ["hazards/floods", "of a million printed lines, is cut and said to be"],
    ["hazards/floods", "of calls that nothing awaits, stops the run before one is made"],
    ["hazards/floods", "of timers, is an error of the snippet"],
    ["hazards/huge-result", "stops the run and says the limit"],
    ["hazards/shared-memory", "none of what shares memory or watches the collector"],
  ),
  ...prove(
    "calls that are open at the kill are cancelled through to the server",
    ["hazards/open-calls", "is cancelled through to the host's signal"],
    ["hazards/open-calls", "and waits for its turn, is never made"],
    ["e2e/exec", "tells the model of a call that was under way at the deadline"],
  ),
  // The boundary.
  ...prove(
    "plain data only, and no pollution either way",
    ["hazards/pollution", "stays in its run"],
    ["hazards/pollution", "an argument's own __proto__ reaches the host as an own member"],
    ["hazards/pollution", "what stands on the host's prototypes is not seen"],
    ["sandbox/arguments", "path"],
    ["sandbox/values", "keeps an own __proto__ of a result as data"],
  ),
  ...prove(
    "patched built-ins never affect our runtime",
    ["hazards/patched-built-ins", "is served as ever"],
    ["hazards/symbols", "is served as ever"],
    ["sandbox/patched-built-ins", "sees no more of our runtime through a patched prototype"],
  ),
  ...prove(
    "errors are data, without stacks or paths of the host",
    ["hazards/odd-errors", "has thrown, and its error is plain data"],
    ["hazards/odd-errors", "shows no more than frames of its own file"],
    ["sandbox/hidden-frames", "shows no file, path or frame of ours"],
    ["hazards/escape", "the source of our functions and errors shows no closure and no path"],
  ),
  // A bad server or result costs only itself.
  ...prove(
    "a hostile result from a server is data too",
    ["hazards/hostile-replies", "with own members called __proto__ and constructor, is data"],
    ["hazards/hostile-replies", "with a member then, is data"],
    ["hazards/hostile-replies", "costs its call or its run"],
    ["hazards/hostile-replies", "of 16 MB, arrives whole"],
  ),
  // Secrets stay in the host process.
  ...prove(
    "secrets stay in the host",
    ["hazards/takeover", "is shut in by its process"],
    ["hazards/hostile-replies", "does not tell the snippet about the host where the host itself fails"],
    ["e2e/exec", "masks the secrets of the configuration"],
  ),
  ...prove(
    "a process that was taken over cannot harm the host",
    ["hazards/channel", "cannot harm the host"],
    ["hazards/channel", "does not bring the host down"],
    ["hazards/channel", "does not fill the host's memory"],
    ["hazards/fuzz-frames", "ends the run with an outcome, makes only calls that are allowed"],
    ["sandbox/protocol", "kills a process that sends %s"],
  ),
  ...prove("whatever the program", ["hazards/fuzz-programs", "end with an outcome within their limits"]),
];

/** What a worker process is told when it is started, as JSON in its one argument. */
export type WorkerSetup = EngineFiles & {
  /** Open descriptors that the host itself inherited and that are none of the worker's business: it closes them first. */
  readonly close: readonly number[];
  /** The host's, where the worker could not find out: it has no environment. */
  readonly timeZone?: string;
};

/** An engine and the paths of its code; `guest` is the folder of what shares the realm with the snippet. */
export type EngineFiles = { readonly guest: string } & (
  | { readonly engine: "isolated-vm"; readonly binary: string }
  /** The library that drives QuickJS, a build of QuickJS, and the WebAssembly of that. */
  | { readonly engine: "quickjs"; readonly core: string; readonly variant: string; readonly wasm: string }
);

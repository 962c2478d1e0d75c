/**
 * From a server's name to the global that holds its tools in a snippet.
 *
 * Tools keep their exact names (`everything["get-sum"]`), so only servers need an identifier. The result is a table: an
 * identifier is never turned back into a name by rule, since that loses characters (measured: research on code-mode
 * systems lists five bugs of this kind).
 */

/** Words that cannot name a `const` in a module: ECMAScript 2024 §12.7.2 reserved words and strict-mode words. */
const RESERVED = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false " +
    "finally for function if implements import in instanceof interface let new null package private protected public " +
    "return static super switch this throw true try typeof undefined var void while with yield async of NaN Infinity"
  ).split(" "),
);

/**
 * Globals that snippets use, and types of the standard library, which would merge with a server's interface: a server of
 * such a name gets another one.
 */
const TAKEN = new Set(
  // What `nami` has beside the servers.
  (
    "search describe log store " +
    "nami console sleep setTimeout clearTimeout queueMicrotask structuredClone URL URLSearchParams TextEncoder TextDecoder " +
    "atob btoa crypto AbortController AbortSignal Event EventTarget EventListener DOMException setInterval clearInterval " +
    "performance Console globalThis ToolError ProtocolError PermissionError Object Array String " +
    "Number Boolean Symbol BigInt Function Promise Map Set WeakMap WeakSet WeakRef FinalizationRegistry Date Math JSON Intl " +
    "RegExp Error AggregateError EvalError RangeError ReferenceError SuppressedError SyntaxError TypeError URIError Proxy " +
    "Reflect Iterator AsyncIterator Generator AsyncGenerator GeneratorFunction Iterable AsyncIterable ArrayBuffer " +
    "SharedArrayBuffer DataView Atomics Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array " +
    "Uint32Array Float16Array Float32Array Float64Array BigInt64Array BigUint64Array Temporal Disposable DisposableStack " +
    "AsyncDisposable AsyncDisposableStack isNaN isFinite parseInt parseFloat encodeURIComponent decodeURIComponent encodeURI " +
    "decodeURI escape unescape Record Partial Required Readonly Pick Omit Exclude Extract NonNullable Parameters ReturnType " +
    "InstanceType ConstructorParameters Awaited Uppercase Lowercase Capitalize Uncapitalize NoInfer ThisType PropertyKey " +
    "PropertyDescriptor PromiseLike ArrayLike ConcatArray ReadonlyArray ReadonlyMap ReadonlySet TemplateStringsArray " +
    "IArguments CallableFunction NewableFunction any unknown never string number boolean object symbol bigint declare type " +
    "namespace module"
  ).split(" "),
);

/** Namespaces by server name, and a warning for every name that had to change. */
export interface Namespaces {
  readonly namespaces: ReadonlyMap<string, string>;
  readonly warnings: string[];
}

/**
 * Gives each server name an identifier of its own. Names that are identifiers already keep them, whatever other servers
 * there are; of the rest, an identifier that is taken, also in another case, gets `_2`, `_3`, …
 */
export function assignNamespaces(names: readonly string[]): Namespaces {
  const namespaces = new Map<string, string>();
  const warnings: string[] = [];
  const used = new Set<string>();
  const claim = (name: string, identifier: string): void => {
    namespaces.set(name, identifier);
    used.add(identifier.toLowerCase());
  };
  const inOrder = [...new Set(names)].sort();
  for (const name of inOrder) if (toIdentifier(name) === name) claim(name, name);
  for (const name of inOrder) {
    if (namespaces.has(name)) continue;
    const wanted = toIdentifier(name);
    let identifier = wanted;
    for (let n = 2; used.has(identifier.toLowerCase()); n++) identifier = `${wanted}_${n}`;
    claim(name, identifier);
    if (identifier !== wanted) {
      warnings.push(
        `Server "${name}" is called ${identifier} in snippets, because another server already has ${wanted}. Rename one to choose.`,
      );
    }
  }
  return { namespaces, warnings };
}

/** The nearest identifier that TypeScript accepts as a global of its own. */
function toIdentifier(name: string): string {
  const cleaned = name.normalize("NFC").replace(/[^\p{ID_Continue}$]/gu, "_");
  const started = /^[\p{ID_Start}$_]/u.test(cleaned) ? cleaned : `_${cleaned}`;
  return RESERVED.has(started) || TAKEN.has(started) ? `${started}_` : started;
}

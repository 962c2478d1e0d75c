/**
 * Globals whose code is evaluated at their first use, evaluated before the prelude and under its rules. What they need of
 * the built-ins comes from `p`, which was taken before the snippet ran.
 */
(function makeLater(p, sources, host) {
  // biome-ignore lint/suspicious/noRedundantUseStrict: evaluated as a script, not as a module
  "use strict";
  const { byte, after, report, inspect, printAs } = host;
  // Called by another name, `eval` sees the global scope only.
  // biome-ignore lint/security/noGlobalEval: of our own files, whose text the host gave
  const evaluate = eval;
  const { parse } = JSON;
  const { apply } = p;

  const once = (make) => {
    let made;
    return () => {
      made ??= make();
      return made;
    };
  };
  const files = once(() => parse(sources));
  /** Evaluates a file and calls its function. */
  const part = (name, ...needs) => apply(evaluate(`${files()[name]}\n//# sourceURL=nami:${name}`), undefined, needs);

  const utf8 = once(() => part("utf8", p));
  const percent = once(() => part("percent", p, utf8()));
  const path = once(() => part("url-path", p, percent()));
  const params = once(() => {
    const made = part("search-params", p, percent());
    printAs(made.URLSearchParams.prototype, (value) => apply(made.write, value, []));
    return made;
  });
  const url = once(() => {
    const host = part("url-host", p, part("punycode", p));
    const parser = part("url-parser", p, percent(), host, path());
    const { URL, write } = part("url", p, percent(), parser, path(), params());
    printAs(URL.prototype, (value) => apply(write, value, []));
    return URL;
  });
  const text = once(() => part("text", p, utf8()));
  const abort = once(() => part("abort", p, after, report));
  const crypto = once(() => part("crypto", p, byte));
  const table = once(() => part("table", p, inspect));

  return {
    __proto__: null,
    abort,
    drawTable: (rows, columns) => table()(rows, columns),
    /** What makes each global. */
    globals: {
      __proto__: null,
      URL: url,
      URLSearchParams: () => params().URLSearchParams,
      TextEncoder: () => text().TextEncoder,
      TextDecoder: () => text().TextDecoder,
      atob: () => text().atob,
      btoa: () => text().btoa,
      crypto,
      Event: () => abort().Event,
      EventTarget: () => abort().EventTarget,
      AbortController: () => abort().AbortController,
      AbortSignal: () => abort().AbortSignal,
    },
  };
});

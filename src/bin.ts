#!/usr/bin/env node
// Syntax and imports that any Node with modules can read: an old one must get as far as the message.
const major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  console.error(
    `nami needs Node 24 or newer; this is ${process.version}. Install a current Node, or run it with: npx -p node@24 -p nami-codemode nami`,
  );
  process.exitCode = 1;
} else {
  // Compiled code is kept between starts: the tokenizer's tables alone take 0.3 s to compile.
  import("node:module").then(({ enableCompileCache }) => {
    enableCompileCache();
    return import("./cli/main.ts").then(({ main }) => main(process.argv.slice(2)));
  });
}

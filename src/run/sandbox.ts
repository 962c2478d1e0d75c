/** The sandbox as the rest of nami knows it: runs use it, nothing else reaches into its folder. */
export { createSandbox, type Limits, type Sandbox } from "../../sandbox/index.ts";

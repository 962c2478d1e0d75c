/** Measures one contender in a process of its own and prints the figures as JSON: `null` where it fails. */
const began = performance.now();
const { CONTENDERS } = await import("./contenders.ts");
const { ROWS } = await import("./rows.ts");
// Our own modules have no part in what a contender needs from cold.
const started = performance.now();

const make = CONTENDERS[process.argv[2] ?? ""];
if (make === undefined) throw new Error(`No contender is called ${process.argv[2]}.`);
const contender = await make();
await contender.run("return 1");
const first = performance.now() - started;
for (let i = 0; i < 20; i++) await contender.run("return 1");
const figures: (number | null)[] = [first];
for (const row of ROWS) figures.push(await row.measure(contender).catch(() => null));
await contender.close?.();
console.log(JSON.stringify({ figures, loading: started - began }));
process.exit();

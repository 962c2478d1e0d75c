/** A process that writes to an audit: `writer.ts <file> <run> <calls> <fullAt>`. Says `ready` before its first line. */
import { openAudit } from "../../../src/gate/audit.ts";
import { decision, outcome } from "./entries.ts";

const [file = "", run = "", calls = "", fullAt = ""] = process.argv.slice(2);
await using audit = openAudit(file, { caller: "exec", fullAt: Number(fullAt) });
process.stdout.write("ready\n");
const finished: Promise<void>[] = [];
for (let sequence = 1; sequence <= Number(calls); sequence++) {
  await audit.write(decision(run, sequence, 200));
  finished.push(audit.write(outcome(run, sequence)));
}
await audit.flush();
await Promise.all(finished);

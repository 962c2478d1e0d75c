/**
 * A worker process that was taken over: put before Node's own command line by `wrap`, it has the channel and says what its
 * first argument asks for. As long as it is a good worker it says that it is ready and answers every run with 1.
 */
import { writeSync } from "node:fs";

/** The channel's descriptor, which Node's types leave out. */
const { fd } = process.channel as unknown as { readonly fd: number };
const send = (message: unknown) => process.send?.(message);
/** Bytes on the channel, behind the length that Node puts there. */
const write = (length: number, bytes: Uint8Array) => {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(length);
  writeSync(fd, Buffer.concat([head, bytes]));
};
const settled = (run: number) => ({
  kind: "settled",
  run,
  result: { kind: "returned", json: "1" },
  open: 0,
  unawaited: 0,
});
/** Writes until the descriptor takes no more for a while, then goes on. */
const pour = (chunk: Uint8Array) => {
  try {
    for (;;) writeSync(fd, chunk);
  } catch {
    setTimeout(pour, 1, chunk);
  }
};

const TRICKS: Record<string, (run: number) => void> = {
  "a frame of an unknown kind": (run) => send({ kind: "odd", run }),
  "no object": () => send(null),
  "a frame before it was asked": () => {},
  "a frame with a text of 100 MB": (run) => send({ kind: "warning", run, text: "x".repeat(1e8) }),
  "frames without end": (run) => {
    const flood = () => {
      for (let i = 0; i < 200; i++) send({ kind: "warning", run, text: "x".repeat(1e4) });
      setTimeout(flood, 1);
    };
    flood();
  },
  "its result twice": (run) => {
    send(settled(run));
    send(settled(run));
  },
  "bytes that are no message": () => write(8, Buffer.from("garbage!")),
  "a message that is cut": () => write(4, Buffer.from([255, 15, 111, 34])),
  "the acknowledgement of a handle that nobody sent": () => send({ cmd: "NODE_HANDLE_ACK" }),
  "a message without an end": () => {
    write(2 ** 32 - 1, Buffer.from([255, 15]));
    pour(Buffer.alloc(65_536));
  },
};

const trick = process.argv[2] ?? "";
process.on("message", (frame: { readonly kind: string; readonly run: number }) => {
  if (frame.kind === "run") TRICKS[trick]?.(frame.run);
});
process.on("disconnect", () => process.exit());
if (trick === "a frame before it was asked") send(settled(1));
send({ kind: "ready" });

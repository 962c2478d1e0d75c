import type { ChildProcess } from "node:child_process";

/**
 * Guards this side of a worker's IPC channel against a worker that was taken over. Node reads the channel where nobody can
 * catch what it throws, and trusts the other end: bytes that are no message, or one of Node's own messages (`NODE_HANDLE_ACK`)
 * out of turn, would end the host, and a message may announce 4 GB, which Node collects. `breached` is told at most once,
 * whatever comes after it is dropped; it must kill the worker. `mostBytes` says how long a message may be just now.
 *
 * A hack: the stream is behind a symbol of Node's. It ends when Node reports such errors on the child process. Throws an
 * Error where this Node keeps the stream elsewhere.
 */
export function guardChannel(child: ChildProcess, mostBytes: () => number, breached: () => void): void {
  // They pass sockets, which is nothing that a worker has.
  child.removeAllListeners("internalMessage");
  const stream = streamOf(child);
  const { onread } = stream;
  let unread = 0;
  let over = false;
  const breach = () => {
    over = true;
    breached();
  };
  child.on("message", () => {
    unread = 0;
  });
  stream.onread = (bytes, ...rest) => {
    // Without bytes it is the end of the channel, which Node must see.
    if (over && bytes !== undefined) return;
    unread += bytes?.byteLength ?? 0;
    if (unread > mostBytes()) return breach();
    try {
      onread.call(stream, bytes, ...rest);
    } catch {
      breach();
    }
  };
}

interface Stream {
  onread: (bytes: ArrayBuffer | undefined, ...rest: readonly unknown[]) => void;
}

function streamOf(child: ChildProcess): Stream {
  const symbol = Object.getOwnPropertySymbols(child).find(({ description }) => description === "kChannelHandle");
  // Checked on the next line.
  const stream = symbol && (child as unknown as Record<symbol, Stream | null | undefined>)[symbol];
  if (typeof stream?.onread !== "function") {
    throw new Error(`Node ${process.version} keeps its IPC channel in another way than the sandbox knows.`);
  }
  return stream;
}

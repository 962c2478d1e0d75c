/**
 * Every failure that nami itself raises. A code is stable and may be matched by programs; the message names the thing
 * that failed and the way out, for a person.
 */
export type NamiErrorCode =
  /** The configuration file is missing, not JSON, or of the wrong shape as a whole. */
  | "CONFIG_INVALID"
  /** One server could not be started or did not answer the handshake. */
  | "SERVER_UNREACHABLE"
  /** A tool reference names nothing that is connected. */
  | "TOOL_UNKNOWN"
  /** The call was cancelled, timed out, or the connection died while it was in flight. */
  | "CALL_FAILED"
  /** The audit file cannot be written; no call is made without it. */
  | "AUDIT_UNWRITABLE"
  /** The sandbox process could not be started. */
  | "SANDBOX_UNAVAILABLE"
  /** The model's endpoint failed for good. */
  | "MODEL_FAILED"
  /** Bad command line or bad option. */
  | "USAGE";

/** nami's own exception. `cause` keeps the original error. */
export class NamiError extends Error {
  readonly code: NamiErrorCode;

  constructor(code: NamiErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "NamiError";
    this.code = code;
  }
}

/** The message of anything that was thrown, for use inside a sentence. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

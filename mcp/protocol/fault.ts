/** Faults of the protocol itself, as opposed to results that say what went wrong: the JSON-RPC codes this server answers with. */
export const FAULT_CODES = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  resourceNotFound: -32_002,
} as const;

/** Thrown by handlers; the message goes to the client as it is. */
export class ProtocolFault extends Error {
  readonly code: number;
  constructor(code: keyof typeof FAULT_CODES, message: string) {
    super(message);
    this.name = "ProtocolFault";
    this.code = FAULT_CODES[code];
  }
}

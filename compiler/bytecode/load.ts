/** Reads a bytecode file for `wf disasm`: decoded and verified. Hosts never run it; they flatten the IR themselves. */
import { type Decoded, decodeProgram } from "./encode.ts";
import { verifyProgram } from "./verify/verify.ts";

/** A program that may run, or why the bytes are not one. */
export type Loaded = Decoded;

/** Never throws. */
export function loadBytecode(bytes: Uint8Array): Loaded {
  const decoded = decodeProgram(bytes);
  if (!decoded.ok) return decoded;
  const verified = verifyProgram(decoded.program);
  return verified.ok ? decoded : verified;
}

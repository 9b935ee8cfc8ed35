/**
 * Bytecode from outside, ready to run: decoded and verified. Nothing may run decoded bytes that did not come through here.
 */
import { type Decoded, decodeProgram } from "./encode.ts";
import { verifyProgram } from "./verify.ts";

/** A program that may run, or why the bytes are none. */
export type Loaded = Decoded;

/** Never throws. */
export function loadBytecode(bytes: Uint8Array): Loaded {
  const decoded = decodeProgram(bytes);
  if (!decoded.ok) return decoded;
  const verified = verifyProgram(decoded.program);
  return verified.ok ? decoded : verified;
}

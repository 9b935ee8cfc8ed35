/** What the parts of the lexer share: the place in the file, and the tokens read so far. */
import type { TokenType } from "chevrotain";
import type { FaultName } from "../faults.ts";
import type { Said } from "../refusal.ts";

export type Reader = {
  readonly text: string;
  /** Where reading continues. */
  at: number;
  line: number;
  /** How many f-strings the place lies in. */
  formats: number;
  add(type: TokenType, image: string, start: number, end: number): void;
  fail(fault: FaultName, start: number, end: number, said?: Said): never;
  /** Reads tokens up to `limit`, or up to the line end that ends the logical line. */
  readTokens(limit: number): void;
  readComment(ownLine: boolean): void;
  /** Continues after a `\\` and the line end that follows it. */
  joinLine(): void;
};

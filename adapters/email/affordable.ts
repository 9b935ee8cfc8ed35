/**
 * How much of a received message is parsed. Messages come from anybody, and the parser pays for each line of text with a piece of memory of
 * its own, for a message inside a message with all of its lines again, and for a group of addresses with all groups before it.
 */

/** Options of the parser. A message that goes beyond the first two cannot be parsed; messages deeper inside are attachments. */
export const PARSER_LIMITS = { maxNestingDepth: 32, maxHeadersSize: 262_144, maxRfc822NestingDepth: 2 } as const;

/** Encoded attachments have longer lines, so they are as long as a message may be. */
const SHORT_LINE = 60;
const MAX_SHORT_LINES = 20_000;

const LF = 0x0a;
const CR = 0x0d;

/** The beginning of a message up to where it has had too many short lines; most messages as they are. */
export function affordable(source: Uint8Array): { readonly bytes: Uint8Array; readonly cut: boolean } {
  let short = 0;
  let start = 0;
  for (let at = 0; at < source.length; at++) {
    const byte = source[at];
    if (byte !== LF && byte !== CR) continue;
    if (at - start < SHORT_LINE) short += 1;
    if (byte === CR && source[at + 1] === LF) at += 1;
    start = at + 1;
    if (short === MAX_SHORT_LINES && start < source.length) return { bytes: source.subarray(0, start), cut: true };
  }
  return { bytes: source, cut: false };
}

/**
 * Comments of a program that say how to run it and what it returns, each on a line of its own: `# with: {"n": 3}`, `# result: 6`. The
 * documentation, `wf run` and `wf test` read the same ones (docs/testing.md, in comments).
 */

/** `# frame-value: name = JSON` is the older form for one variable. */
const FRAME_VALUE = /^frame-value: ([^\s=]+) = (.+)$/;
/** A sentence may begin with the word as well: a frame is an object. */
const FRAME = /^with:\s*(\{.*)$/;
const COMMENT = /^\s*#\s*(\S.*)$/;

/** What stands in each comment that has a line of its own, without the mark. */
export function commentsOf(source: string): readonly string[] {
  return source.split(/\r?\n/).flatMap((line) => COMMENT.exec(line)?.[1]?.trimEnd() ?? []);
}

/** A part of the frame as JSON: one variable, or an object of several (`variable` is null). `comment`: the word before it. */
export type GivenInComment = { readonly variable: string | null; readonly comment: string; readonly json: string };

export function givenInComments(source: string): readonly GivenInComment[] {
  return commentsOf(source).flatMap((text) => givenIn(text) ?? []);
}

/** The part of the frame that one comment states. */
export function givenIn(text: string): GivenInComment | null {
  const json = FRAME.exec(text)?.[1];
  if (json !== undefined) return { variable: null, comment: "with:", json };
  const [, variable, value] = FRAME_VALUE.exec(text) ?? [];
  return variable === undefined || value === undefined ? null : { variable, comment: "frame-value:", json: value };
}

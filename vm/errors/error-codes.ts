/**
 * Every RUNTIME_ code: its class, the short word surfaces show next to it, title, and how to fix it. The one table for error
 * objects, `wf explain` and the documentation; a test fails for a code without a program that produces it.
 */
export type RuntimeCodeEntry = {
  /** ordinary: Err catches, Retry repeats. fatal: the run ends. load: the run does not start. */
  readonly class: "ordinary" | "fatal" | "load";
  /** Surface word; null where it depends on the data (`surfaceWord`). */
  readonly word: string | null;
  readonly title: string;
  readonly fix: string;
};

/** By code, as `RUNTIME_OP_ERROR`. */
export const RUNTIME_CODES = {
  RUNTIME_OP_ERROR: {
    class: "ordinary",
    word: "runtime_error",
    title: "a step or function failed",
    fix: "check the values the step reads, or add an Err handler under it",
  },
  RUNTIME_ADAPTER_ERROR: {
    class: "ordinary",
    word: null,
    title: "an adapter reported an error",
    fix: "see data.adapter_code; add Retry or Err under the call",
  },
  RUNTIME_KEY_ERROR: {
    class: "ordinary",
    word: "runtime_error",
    title: "a key is not in a dict",
    fix: "ask with .get(key), or test `key in d`",
  },
  RUNTIME_INDEX_ERROR: {
    class: "ordinary",
    word: "runtime_error",
    title: "an index is outside of a list, tuple or text",
    fix: "compare with len(...) first",
  },
  RUNTIME_VALUE_ERROR: {
    class: "ordinary",
    word: "runtime_error",
    title: "a value of the right type cannot be used",
    fix: "check it, or catch ValueError",
  },
  RUNTIME_TYPE_ERROR: {
    class: "ordinary",
    word: "runtime_error",
    title: "a value has the wrong type",
    fix: "convert it, or check it with isinstance",
  },
  RUNTIME_ATTRIBUTE_ERROR: {
    class: "ordinary",
    word: "runtime_error",
    title: "a value has no such attribute or method",
    fix: 'read members of a dict as d["name"]',
  },
  RUNTIME_NAME_ERROR: {
    class: "ordinary",
    word: "runtime_error",
    title: "a name is read that is not set",
    fix: "set it on every path before it is read",
  },
  RUNTIME_ZERO_DIVISION_ERROR: {
    class: "ordinary",
    word: "runtime_error",
    title: "a division by zero",
    fix: "test the divisor first",
  },
  RUNTIME_OVERFLOW_ERROR: {
    class: "ordinary",
    word: "runtime_error",
    title: "a number is too large for the operation",
    fix: "use smaller numbers",
  },
  RUNTIME_ASSERTION_ERROR: {
    class: "ordinary",
    word: "runtime_error",
    title: "an assert does not hold",
    fix: "see what it asserts",
  },
  RUNTIME_EXCEPTION: {
    class: "ordinary",
    word: "runtime_error",
    title: "an exception of the program that nothing caught",
    fix: "catch it with try and except, or correct what raises it",
  },
  RUNTIME_ADAPTER_NOT_ALLOWED: {
    class: "fatal",
    word: "adapter_not_allowed",
    title: "the adapter is outside the allowlist",
    fix: "ask for a grant that admits the adapter, or leave the call out",
  },
  RUNTIME_MAX_STEPS: {
    class: "fatal",
    word: "max_steps_exceeded",
    title: "more steps than max_steps",
    fix: "raise max_steps, or do less per run",
  },
  RUNTIME_MAX_TIME: {
    class: "fatal",
    word: "max_time_ms_exceeded",
    title: "longer than max_time_ms",
    fix: "raise max_time_ms, or wait and compute less",
  },
  RUNTIME_MAX_FRAME_BYTES: {
    class: "fatal",
    word: "max_frame_bytes_exceeded",
    title: "frame larger than max_frame_bytes",
    fix: "raise max_frame_bytes, or keep less in variables",
  },
  RUNTIME_MAX_DEPTH: {
    class: "fatal",
    word: "max_depth_exceeded",
    title: "labels nest deeper than max_depth",
    fix: "raise max_depth, or end the recursion earlier",
  },
  RUNTIME_MAX_ADAPTER_CALLS: {
    class: "fatal",
    word: "max_adapter_calls_exceeded",
    title: "more adapter calls than max_adapter_calls",
    fix: "raise max_adapter_calls, or use the function form (X) for core functions",
  },
  RUNTIME_MAX_LOOP_ITERS: {
    class: "fatal",
    word: "max_loop_iters_exceeded",
    title: "a Loop over more elements than max_loop_iters",
    fix: "raise max_loop_iters, or loop over a slice",
  },
  RUNTIME_WHILE_LIMIT: {
    class: "fatal",
    word: null,
    title: "a While ran its bound and is still true",
    fix: "write limit=N, raise max_loop_iters, or make the condition false in the body",
  },
  RUNTIME_ERR_HANDLER_RECURSION: {
    class: "fatal",
    word: "runtime_error",
    title: "a handler's label is already active",
    fix: "use a separate label as handler",
  },
  RUNTIME_X_UNKNOWN_FN: {
    class: "fatal",
    word: "runtime_error",
    title: "unknown function",
    fix: "correct the name; `wf check` lists the nearest one",
  },
  RUNTIME_REPLAY_MISMATCH: {
    class: "fatal",
    word: "replay_mismatch",
    title: "a call differs from the replay log",
    fix: "replay with the program and frame that were recorded",
  },
  RUNTIME_REPLAY_EXHAUSTED: {
    class: "fatal",
    word: "replay_exhausted",
    title: "the replay log has no further entry",
    fix: "replay with the program and frame that were recorded",
  },
  RUNTIME_REPLAY_LEFTOVER: {
    class: "fatal",
    word: "replay_leftover",
    title: "the run ended before the replay log",
    fix: "replay with the program and frame that were recorded, or mark the log partial",
  },
  RUNTIME_JOURNAL_FULL: {
    class: "fatal",
    word: "journal_full",
    title: "the journal of a durable run is full",
    fix: "let calls answer with less, or raise WF_DURABLE_JOURNAL_MAX_BYTES",
  },
  RUNTIME_NOT_EXACT: {
    class: "fatal",
    word: "not_exact",
    title: "a value of Python that cannot be computed exactly here",
    fix: "write what the message says, such as sorted(s) for the order of a set",
  },
  RUNTIME_CANCELLED: { class: "fatal", word: "cancelled", title: "the run was cancelled", fix: "start it again" },
  RUNTIME_INTERNAL: {
    class: "fatal",
    word: "internal_error",
    title: "a defect of the executor",
    fix: "report the incident id",
  },
  RUNTIME_UNSUPPORTED_IR_VERSION: {
    class: "load",
    word: "unsupported_ir_version",
    title: "the IR's major version is not 1",
    fix: "compile the program again with this version",
  },
  RUNTIME_UNKNOWN_LABEL: {
    class: "load",
    word: "unknown_label",
    title: "a label does not exist",
    fix: "use one of the program's labels",
  },
  RUNTIME_UNKNOWN_OP: {
    class: "load",
    word: "invalid_ir",
    title: "the IR has an unknown op",
    fix: "compile the program again with this version",
  },
  RUNTIME_GRAPH_AMBIGUOUS_NEXT: {
    class: "load",
    word: "invalid_ir",
    title: "two successors or a cycle of next edges",
    fix: "repair the IR's next edges",
  },
  RUNTIME_X_MISSING_DST: {
    class: "load",
    word: "invalid_ir",
    title: "an X without destination",
    fix: "give the X node a name",
  },
  RUNTIME_UNKNOWN_POLICY: {
    class: "load",
    word: "invalid_ir",
    title: "an Enf of an undeclared policy",
    fix: "declare the policy",
  },
  RUNTIME_BAD_PROGRAM: {
    class: "load",
    word: "invalid_ir",
    title: "bytecode that fails verification",
    fix: "compile the program again with this version",
  },
} as const satisfies Record<string, RuntimeCodeEntry>;

/** Any code that the error of a run may have. */
export type RuntimeCode = keyof typeof RUNTIME_CODES;

/** Words of the codes whose word depends on the data: all that `surfaceWord` can say. */
export const WORDS_BY_DATA: Readonly<Partial<Record<RuntimeCode, readonly string[]>>> = {
  RUNTIME_ADAPTER_ERROR: ["adapter_error", "adapter_not_available"],
  RUNTIME_WHILE_LIMIT: ["max_loop_iters_exceeded", "runtime_error"],
};

/** The short word a surface shows for an error (docs/http.md, error codes). */
export function surfaceWord(code: RuntimeCode, data: { readonly [key: string]: unknown }): string {
  const word = RUNTIME_CODES[code].word;
  if (word !== null) return word;
  if (code === "RUNTIME_WHILE_LIMIT")
    return data["limit_source"] === "max_loop_iters" ? "max_loop_iters_exceeded" : "runtime_error";
  return data["adapter_code"] === "ADAPTER_NOT_CONFIGURED" ? "adapter_not_available" : "adapter_error";
}

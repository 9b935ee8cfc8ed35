/**
 * The syntax tree of one source file, faithful to the text: every line, slot, comment and spelling is kept, so that the
 * formatter can print it and diagnostics can point into it. It knows nothing of other files, of which labels exist, of
 * adapters or functions; that is the compiler's business. Words such as `add` in `X n add 1 2` are therefore operands here.
 */
import type { Finding } from "./diagnostic.ts";
import type { Span } from "./text/span.ts";

/** One word or string of a line, as text without quotes. */
export type Slot = { readonly span: Span; readonly text: string; readonly quoted: boolean };

export type CommentLine = {
  readonly span: Span /** Text after the `#`, untouched. */;
  readonly text: string /** No token before it on its line. */;
  readonly own_line: boolean;
};

export type Operand =
  | { readonly k: "str"; readonly v: string; readonly span: Span }
  /** Bare text that is not a name, number or path: `/orders`, `a-b`, `k="v w"`. Always that text. */
  | { readonly k: "word"; readonly v: string; readonly span: Span }
  | { readonly k: "num"; readonly v: number; readonly span: Span }
  | { readonly k: "bool"; readonly v: boolean; readonly span: Span }
  | { readonly k: "null"; readonly span: Span }
  /** `$x` */
  | { readonly k: "var"; readonly v: string; readonly span: Span }
  /** `x` */
  | { readonly k: "name"; readonly v: string; readonly span: Span }
  /** `x.a[0]` (text = as written) or `$x.a[0]` (text null). */
  | {
      readonly k: "path";
      readonly root: string;
      readonly segments: readonly string[];
      readonly text: string | null;
      readonly span: Span;
    }
  | {
      readonly k: "list";
      readonly items: readonly Operand[] /** Line break after the opening bracket. */;
      readonly multiline: boolean;
      readonly span: Span;
    }
  | { readonly k: "map"; readonly entries: readonly MapEntry[]; readonly multiline: boolean; readonly span: Span }
  /** `(fn a b)`; for `(a >= b)` `fn` is the comparator itself (`>=`) and args are both sides. */
  | {
      readonly k: "call";
      readonly fn: Slot;
      readonly args: readonly Operand[];
      readonly infix: boolean;
      readonly span: Span;
    };

export type MapEntry = { readonly key: Slot; readonly value: Operand };

export type Comparator = "==" | "!=" | "<" | "<=" | ">" | ">=";

export type Condition =
  | { readonly c: "truthy"; readonly of: Operand; readonly span: Span }
  /** `x?` */
  | { readonly c: "present"; readonly of: Operand; readonly span: Span }
  /** `a=b`; `right` is the empty str for `a=`. */
  | {
      readonly c: "text_eq";
      readonly left: Operand;
      readonly right: Operand;
      readonly op_span: Span;
      readonly span: Span;
    }
  | { readonly c: "cmp"; readonly op: Comparator; readonly left: Operand; readonly right: Operand; readonly span: Span }
  | { readonly c: "not"; readonly of: Condition; readonly span: Span };

/** A label reference. `text` is as written without a leading arrow and a trailing colon (`L2`, `2`, `chk/ENTRY`); "" when empty. */
export type Ref = { readonly text: string /** Written with `->`. */; readonly arrow: boolean; readonly span: Span };

/** A name that is written: the span is the name without its arrow. */
export type Name = { readonly name: string; readonly span: Span };

/** `@n3` or `n3`: number 3. */
export type NodeRef = { readonly number: number; readonly span: Span };

type StepBase = {
  /** The op word as written (an alias maybe). Its span is the place of step findings. */
  readonly word: Slot;
  /** From the op word to the last token. */
  readonly span: Span;
  /** It has a WF1xxx or WF2004 finding, or another that leaves it without meaning: it counts as writing `writes` and reading nothing. */
  readonly faulty: boolean;
  /** False for a step that produces no node (too few slots, fatal slot error). Then only `writes` means something. */
  readonly node: boolean;
  /** Names the step would set as far as they could be read; filled for every step. */
  readonly writes: readonly string[];
  /**
   * Slots without effect, each with its finding: surplus ones (WF9001), refused option words (WF2013), earlier or bad results
   * (WF2015, WF2008, text with `->`). Kept for the formatter.
   */
  readonly extra: readonly Slot[];
};

export type CallStep = StepBase & {
  readonly op: "R";
  /** As written; quoted false. A `$x` (WF5006) keeps its `$`. */
  readonly adapter: Slot;
  readonly verb: Slot;
  /** `R adapter VERB` instead of `R adapter.VERB`. */
  readonly split: boolean;
  readonly args: readonly Operand[];
  readonly out: Name | null;
};
type ReturnStep = StepBase & { readonly op: "J"; readonly value: Operand | null };
type IfStep = StepBase & {
  readonly op: "If";
  readonly cond: Condition;
  readonly then: Ref;
  readonly else: Ref | null;
};
export type ErrStep = StepBase & {
  readonly op: "Err";
  readonly protects: NodeRef | null /** null: WF2007 */;
  readonly handler: Ref | null;
};
export type RetryStep = StepBase & {
  readonly op: "Retry";
  readonly protects: NodeRef | null;
  readonly count: Operand | null;
  readonly backoff_ms: Operand | null;
  readonly strategy: Slot | null;
};
export type LabelCallStep = StepBase & {
  readonly op: "Call";
  readonly label: Ref;
  readonly out: Name | null;
  /** The call has variables of its own and begins with exactly these; absent: it shares the caller's variables. */
  readonly inputs?: readonly CallInput[];
};
/** A variable that a call begins with. */
type CallInput = { readonly name: Name; readonly value: Operand };
type SetStep = StepBase & { readonly op: "Set"; readonly name: Name; readonly value: Operand };
/** `X name first args…`: whether `first` names a function is decided by the compiler. */
export type FunctionStep = StepBase & {
  readonly op: "X";
  readonly name: Name;
  readonly first: Operand;
  readonly args: readonly Operand[];
};
export type FilterStep = StepBase & {
  readonly op: "Filt";
  readonly name: Name;
  readonly list: Operand;
  readonly field: Slot;
  readonly cmp: Slot;
  readonly value: Operand;
};
export type SortStep = StepBase & {
  readonly op: "Sort";
  readonly name: Name;
  readonly list: Operand;
  readonly field: Slot;
  readonly order: Slot | null;
};
export type LoopStep = StepBase & {
  readonly op: "Loop";
  readonly list: Operand;
  readonly item: Name;
  readonly body: Ref;
  readonly after: Ref;
  /** A variable that ends the loop when it is truthy at the end of a pass. */
  readonly until?: string;
};
export type WhileStep = StepBase & {
  readonly op: "While";
  readonly cond: Condition;
  readonly body: Ref;
  readonly after: Ref;
  /** The digits' value; null when not written or not valid (WF2013). */
  readonly limit: number | null;
  readonly limit_slot: Slot | null;
  /** As of a Loop. */
  readonly until?: string;
};
export type EachStep = StepBase & {
  readonly op: "Each";
  readonly name: Name;
  readonly list: Operand;
  readonly item: Name;
  readonly body: Ref;
  /** As of a While. */
  readonly limit: number | null;
  readonly limit_slot: Slot | null;
  readonly mode: Slot | null;
};
export type ParStep = StepBase & {
  readonly op: "Par";
  readonly name: Name;
  readonly bodies: readonly Ref[];
  readonly mode: Slot | null;
};
export type CacheGetStep = StepBase & {
  readonly op: "CacheGet";
  readonly cache: Slot;
  readonly key: Operand;
  readonly out: Name | null;
  readonly fallback: Operand | null;
};
export type CacheSetStep = StepBase & {
  readonly op: "CacheSet";
  readonly cache: Slot;
  readonly key: Operand;
  readonly value: Operand;
  readonly ttl_s: Slot | null;
};
type QueuePutStep = StepBase & {
  readonly op: "QueuePut";
  readonly queue: Slot;
  readonly value: Operand;
  readonly out: Name | null;
};
export type TxStep = StepBase & { readonly op: "Tx"; readonly action: Slot; readonly name: Slot };
export type EnforceStep = StepBase & { readonly op: "Enf"; readonly policy: Slot };
/** A step too broken to have its slots. `node` is false. */
export type BrokenStep = StepBase & {
  readonly op: "broken" /** Canonical op. */;
  readonly broken_op: StepOp;
  readonly slots: readonly Slot[];
};

export type Step =
  | CallStep
  | ReturnStep
  | IfStep
  | ErrStep
  | RetryStep
  | LabelCallStep
  | SetStep
  | FunctionStep
  | FilterStep
  | SortStep
  | LoopStep
  | WhileStep
  | EachStep
  | ParStep
  | CacheGetStep
  | CacheSetStep
  | QueuePutStep
  | TxStep
  | EnforceStep
  | BrokenStep;

/** Canonical names of the step ops, in the order of the op table. */
export type StepOp = Exclude<Step["op"], "broken">;

export type IncludeLine = {
  readonly kind: "include";
  readonly word: Slot;
  /** Slots after the word, for the formatter. */
  readonly slots: readonly Slot[];
  /** null when the form is wrong (WF3011 reported by the parser). */
  readonly path: Slot | null;
  /** The written alias, or null for the default one. */
  readonly alias: Slot | null;
  readonly span: Span;
};
export type DeclarationLine = {
  readonly kind: "declaration";
  /** Canonical op name (`ops.Env` for `Env`, `Svc` for `arch.Svc`). */
  readonly op: string;
  readonly word: Slot;
  readonly slots: readonly Slot[];
  /** Fewer slots than the minimum (WF2004): not stored. */
  readonly too_short: boolean;
  readonly span: Span;
};
export type LabelLine = {
  readonly kind: "label";
  /** Without the leading L and the colon. */
  readonly id: string;
  readonly word: Slot;
  /** Inline steps. */
  readonly steps: readonly Step[];
  readonly span: Span;
};
type StepLine = { readonly kind: "step"; readonly step: Step; readonly span: Span };
export type UnknownLine = {
  readonly kind: "unknown";
  readonly word: Slot;
  readonly slots: readonly Slot[];
  readonly span: Span;
};

export type Line = IncludeLine | DeclarationLine | LabelLine | StepLine | UnknownLine;

/** `# frame: name: type` */
export type InputDeclaration = {
  readonly name: string;
  readonly type: string;
  readonly span: Span;
  /** Written `name!: type`. `file`: every run needs it; `graph`: runs that begin at a graph which lists it. Absent: optional. */
  readonly required?: "file" | "graph";
};

/** One parsed file. `findings` holds everything the parser reports (WF1xxx, WF20xx and the WF9xxx of single lines). */
export type SourceFile = {
  /** null for the main source. */
  readonly file: string | null;
  /** The text as given, byte order mark included. */
  readonly text: string;
  readonly lines: readonly Line[];
  readonly comments: readonly CommentLine[];
  readonly inputs: readonly InputDeclaration[];
  readonly findings: readonly Finding[];
};

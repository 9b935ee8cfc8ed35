/**
 * The compiled form of a program for one entry label: shared tables and up to three variants of the same code.
 * Immutable; many runs share one. A frame array is `[variables | constants | temporaries]`, an operand is an index into it.
 */
import type { Task } from "../../grammar/text/task.ts";
import type { IrOperand } from "../ir/graph.ts";
import type { Json } from "../json.ts";

/** Variables that the machine itself writes, always slots 0 to 5. */
export const FIXED_VARIABLES = ["_call_result", "_loop_last", "_while_last", "_error", "_error_info", "_txid"] as const;
export const enum Fixed {
  CallResult = 0,
  LoopLast = 1,
  WhileLast = 2,
  Error = 3,
  ErrorInfo = 4,
  TxId = 5,
}

/** Names and options of one outside call. */
export type CallAux = {
  readonly kind: "call";
  /** Canonical names; null when computed: then the first two operands are adapter and verb. */
  readonly adapter: string | null;
  readonly verb: string | null;
  /** The second argument becomes text (cache keys). */
  readonly text_key: boolean;
  /** The last operand is not an argument but the replacement for a null result. */
  readonly fallback: boolean;
  /** Store `txn_id` of the answer, or the answer. */
  readonly txid: boolean;
  /** Answered by the machine from the arguments, neither counted nor recorded. */
  readonly enforce: boolean;
};

/** The branches of an Each or a Par. */
export type ForkAux = {
  readonly kind: "fork";
  /** Variable that holds a branch's element; null for a Par. */
  readonly item: string | null;
  /** What the branches run: one routine for all elements of an Each, else one for each branch. */
  readonly routines: readonly number[];
  readonly limit: number;
  readonly mode: "all" | "settle";
};

export type Aux =
  | { readonly kind: "path"; readonly segments: readonly string[] }
  | { readonly kind: "keys"; readonly keys: readonly string[] }
  /** `written`: the verb as the IR spells it, for calls (R). */
  | { readonly kind: "fn"; readonly name: string; readonly form: "call" | "verb"; readonly written: string }
  /** `counted`: written as an adapter call (R), not as a function. */
  | { readonly kind: "host"; readonly name: string; readonly counted: boolean; readonly written: string }
  /** How a trace describes the edge that a node took. `condition`: only for If. */
  | {
      readonly kind: "edge";
      readonly port: string | null;
      readonly to_kind: "node" | "label";
      readonly to: string;
      readonly condition: boolean | null;
    }
  | { readonly kind: "filt"; readonly field: string; readonly cmp: string }
  | { readonly kind: "sort"; readonly field: string; readonly order: "asc" | "desc" }
  | { readonly kind: "unknown_fn"; readonly name: string }
  /** Variables that a called label begins with. */
  | { readonly kind: "inputs"; readonly names: readonly string[] }
  | ForkAux
  | CallAux;

/** One visit place: a node of a label, once per place where the label was inlined. */
export type NodeSite = {
  readonly label: string;
  readonly id: string;
  readonly op: string;
  readonly line: number | null;
  readonly file: string | null;
  /** Site of the node that entered the inlined label; -1 at the label of a routine. */
  readonly parent: number;
  /** Position in its label's chain, 0-based. */
  readonly position: number;
  /** Retry and Err that protect it, as indexes of `retries` and `handlers`; -1 for none. `handler` is the own or the active one. */
  readonly retry: number;
  readonly handler: number;
  /** Loop register of a Loop, -1 for other nodes. */
  readonly loop: number;
  /** Slot of a Loop's item variable, -1 for other nodes. */
  readonly item: number;
};

/** Its operands are read only when the node fails, so they stay operands. */
export type RetrySite = {
  readonly count: IrOperand;
  readonly backoff_ms: IrOperand;
  readonly strategy: "fixed" | "exponential";
};

export type HandlerSite = { readonly label: string; readonly routine: number };

export type Routine = {
  readonly label: string;
  readonly pc: number /** Steps of its first block. */;
  readonly charge: number;
  readonly loops: number;
};

/** One variant of the code with the tables that depend on positions in it. */
export type CodeVariant = {
  readonly code: Int32Array;
  /** pc → site, -1 where none. Same length as `code`, meaningful at instruction heads. */
  readonly site_at: Int32Array;
  /** pc → steps of the block that are charged but lie after the node at pc. */
  readonly refund_at: Int32Array;
  /** Word position of an operand → slot of what an unset variable means there. */
  readonly unset_at: Int32Array;
  readonly routines: readonly Routine[];
  /** Routine → its pc: what the loop reads of it, and so not through an object. */
  readonly routine_pc: Int32Array;
  /** Site → pc of its first instruction. */
  readonly site_pc: Int32Array;
  /** Site → steps to charge when it is visited again from `site_pc`: its own and the rest of its block (0 where code charges itself). */
  readonly site_charge: Int32Array;
  /** Rows (pc, steps, mark or -1, first site) of charged blocks, sorted by pc. */
  readonly blocks: Int32Array;
  /** Places that are the same in `fast` and `stepped`, by mark: pcs. */
  readonly marks: Int32Array;
  /** pcs of Call and CallValue, in emission order (the same order in every variant). */
  readonly calls: Int32Array;
  /** Pairs per entering instruction: (pc, then or body label, else or after label) as indexes of `labels`; -1 none. Sorted by pc. */
  readonly entries: Int32Array;
};

/**
 * `fast`: blocks charged as a whole, fused instructions, small labels inlined. `stepped`: the same layout with one charge per
 * node, used when the remaining steps do not cover a block. `traced`: every label a routine, every node announced.
 */
export type VariantKind = "fast" | "stepped" | "traced";

export type Program = {
  readonly format: "weft-bytecode";
  /** 2: it has branches. */
  readonly version: 1 | 2;
  readonly ir_checksum: string;
  readonly entry: string;
  /** Variable names of slots 0 … n-1. */
  readonly names: readonly string[];
  /** Name → slot. */
  readonly slots: ReadonlyMap<string, number>;
  /** Tables of a variant; built on first use. */
  variant(kind: VariantKind): VariantTables;
  /** Builds the tables of a variant in pieces, for large programs; `variant` returns them then. */
  variantTask(kind: VariantKind): Task<void>;
};

/** A variant with everything its code refers to. `fast` and `stepped` have equal tables but for positions. */
export type VariantTables = CodeVariant & {
  readonly constants: readonly Json[];
  readonly temporaries: number;
  readonly aux: readonly Aux[];
  readonly labels: readonly string[];
  readonly sites: readonly NodeSite[];
  readonly retries: readonly RetrySite[];
  readonly handlers: readonly HandlerSite[];
};

/**
 * The IR: the JSON form of a compiled program, a graph of nodes and edges with typed operands. It holds no source text.
 * Everything that reads programs (policy, report, requirements, bytecode) reads this. Shapes: docs/ir.md.
 */
import type { JsonObject } from "../json.ts";

export type IrOperand =
  | { readonly k: "str"; readonly v: string }
  | { readonly k: "num"; readonly v: number }
  | { readonly k: "bool"; readonly v: boolean }
  | { readonly k: "null" }
  | { readonly k: "var"; readonly v: string }
  | { readonly k: "name"; readonly v: string }
  | { readonly k: "path"; readonly root: string; readonly segments: readonly string[]; readonly text?: string }
  | { readonly k: "list"; readonly items: readonly IrOperand[] }
  | { readonly k: "map"; readonly entries: readonly (readonly [string, IrOperand])[] }
  | { readonly k: "call"; readonly fn: string; readonly args: readonly IrOperand[] }
  | PyOperand;

/** IR 1.2, only in labels of the Python form (docs/ir.md, Python). Numbers that JSON would not keep are written as texts. */
type PyOperand =
  /** An int beyond 2^53 - 1, in decimal. */
  | { readonly k: "int"; readonly v: string }
  /** A float that is whole or not finite: `5.0`, `1e+16`, `-0.0`, `inf`. */
  | { readonly k: "float"; readonly v: string }
  /** Code units from 0 to 255. */
  | { readonly k: "bytes"; readonly v: string }
  /** A global of the file; where it is not set, the builtin of that name. */
  | { readonly k: "global"; readonly v: string }
  /** A builtin or member of a module: `len`, `math.floor`. */
  | { readonly k: "lib"; readonly v: string }
  /** The code of a function: a label. */
  | { readonly k: "label"; readonly v: string };

export type IrComparator = "==" | "!=" | "<" | "<=" | ">" | ">=";

export type IrCondition =
  | { readonly c: "truthy"; readonly of: IrOperand }
  | { readonly c: "present"; readonly of: IrOperand }
  | { readonly c: "text_eq"; readonly left: IrOperand; readonly right: IrOperand }
  | { readonly c: "cmp"; readonly op: IrComparator; readonly left: IrOperand; readonly right: IrOperand }
  | { readonly c: "not"; readonly of: IrCondition };

/** `adapter` and `verb` are operands only when computed (WF5006). */
export type CallData = {
  readonly adapter: string | IrOperand;
  readonly verb: string | IrOperand;
  readonly args: readonly IrOperand[];
  readonly out: string | null;
};

/** Name in the called label, and its value. */
export type CallInput = readonly [name: string, value: IrOperand];

/** `all`: the step fails when a branch failed. `settle`: the values say which ones did. */
export type BranchMode = "all" | "settle";
/** Most branches of one Each that are under way at once, and how many when it does not say. */
export const MAX_BRANCHES_AT_ONCE = 64;
export const BRANCHES_AT_ONCE = 8;
/** Most labels of one Par. */
export const MAX_PAR_BRANCHES = 16;

export type NodeData = {
  readonly R: CallData;
  readonly CacheGet: CallData & { readonly fallback: IrOperand | null };
  readonly CacheSet: CallData;
  readonly QueuePut: CallData;
  readonly Tx: CallData;
  readonly Enf: CallData;
  readonly J: { readonly value: IrOperand };
  readonly Set: { readonly name: string; readonly value: IrOperand };
  readonly X: { readonly name: string; readonly value: IrOperand };
  /** `cmp` is any text in a non-strict program with an unknown comparator: it fails when reached. */
  readonly Filt: {
    readonly name: string;
    readonly list: IrOperand;
    readonly field: string;
    readonly cmp: string;
    readonly value: IrOperand;
  };
  readonly Sort: {
    readonly name: string;
    readonly list: IrOperand;
    readonly field: string;
    readonly order: "asc" | "desc";
  };
  readonly If: { readonly cond: IrCondition };
  /** `until` (IR 1.1): set to false at the end of each pass; the loop ends when it was truthy. */
  readonly Loop: { readonly list: IrOperand; readonly item: string; readonly until?: string };
  readonly While: { readonly cond: IrCondition; readonly limit: number; readonly until?: string };
  /** `inputs` (IR 1.1): the label has variables of its own and begins with exactly these. */
  readonly Call: { readonly out: string; readonly inputs?: readonly CallInput[] };
  /** IR 1.1: a branch of the run for each element, at most `limit` at once; `out` gets their values in the order of the elements. */
  readonly Each: {
    readonly list: IrOperand;
    readonly item: string;
    readonly out: string;
    readonly limit: number;
    readonly mode: BranchMode;
  };
  /** IR 1.1: a branch for each label of `branches`, in this order. */
  readonly Par: { readonly out: string; readonly branches: readonly string[]; readonly mode: BranchMode };
  readonly Err: Record<string, never>;
  readonly Retry: {
    readonly count: IrOperand;
    readonly backoff_ms: IrOperand;
    readonly strategy: "fixed" | "exponential";
  };
  readonly Py: PyData;
};

/** What a step of a Python function does. Variables are those of its label; names that begin with `$` are the compiler's own. */
export type PyData =
  | { readonly do: "set"; readonly name: string; readonly value: IrOperand }
  | { readonly do: "set_global"; readonly name: string; readonly value: IrOperand }
  | { readonly do: "del"; readonly name: string }
  | { readonly do: "del_global"; readonly name: string }
  /** A cell of its own for a captured variable, from here on. */
  | { readonly do: "cell"; readonly name: string }
  | { readonly do: "eval"; readonly value: IrOperand }
  /** Ports then and else. */
  | { readonly do: "if"; readonly cond: IrOperand }
  /** The next value of the iterator `iter` into `name` and on by port body; port after at its end. One pass of a loop. */
  | { readonly do: "next"; readonly iter: string; readonly name: string }
  /** Counts one pass of a `while`. `loop`: which one of the label. */
  | { readonly do: "pass"; readonly loop: number }
  /** A place where ways meet. */
  | { readonly do: "join" }
  | { readonly do: "return"; readonly value: IrOperand }
  | { readonly do: "raise"; readonly value: IrOperand; readonly cause: IrOperand | null }
  /** Raises what `name` holds once more, as it was. */
  | { readonly do: "reraise"; readonly name: string }
  /** Where port err of other steps leads: what they raised, into `name`. */
  | { readonly do: "catch"; readonly name: string }
  /** The same in front of a `finally`: the cancellation of the run leads here too. */
  | { readonly do: "cleanup"; readonly name: string }
  /** Raises what `name` holds once more where that is the cancellation of the run; does nothing otherwise. */
  | { readonly do: "recancel"; readonly name: string }
  /** `star`: position of the name that takes the rest as a list; -1: none. */
  | { readonly do: "unpack"; readonly names: readonly string[]; readonly star: number; readonly value: IrOperand }
  | { readonly do: "yield"; readonly value: IrOperand };

export type NodeOp = keyof NodeData;
export const CALL_OPS: ReadonlySet<string> = new Set<NodeOp>(["R", "CacheGet", "CacheSet", "QueuePut", "Tx", "Enf"]);

export type Effect = "pure" | "meta" | "io";
export type EffectTier = "pure" | "control" | "io-read" | "io-write";

type NodeBase<O extends NodeOp> = {
  readonly id: string;
  readonly label: string;
  readonly op: O;
  readonly effect: Effect;
  readonly effect_tier: EffectTier;
  readonly effect_kinds: readonly string[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Absent only in supplied IR that did not give it. */
  readonly line?: number;
  readonly file?: string;
  /** Of a Python step: it counts as a step of the run. */
  readonly step?: true;
  readonly data: NodeData[O];
};
/** One step (docs/ir.md, nodes). */
export type IrNode = { readonly [O in NodeOp]: NodeBase<O> }[NodeOp];
export type NodeOf<O extends NodeOp> = Extract<IrNode, { op: O }>;

export type Port = "next" | "err" | "retry" | "handler" | "then" | "else" | "body" | "after" | "call" | "branch";
/** What follows a node (docs/ir.md, edges). */
export type IrEdge = {
  readonly label: string;
  readonly from: string;
  readonly to: string;
  readonly to_kind: "node" | "label";
  readonly port: Port;
};

export type IrLabel = {
  readonly entry: string | null;
  readonly exits: readonly string[];
  /** Only of the Python form. */
  readonly python?: PyLabel;
};

/** A parameter: given by position only, by position or name, by name only, `*name`, `**name`. */
export type PyParameter = {
  readonly name: string;
  readonly kind: "position" | "any" | "name" | "rest" | "names";
  readonly optional: boolean;
  /** What its annotation admits where a run begins here, in the types of inputs; one of them is enough. Absent: any value. */
  readonly types?: readonly string[];
  /** Its dicts are data that Weft itself makes, whose members dots read. Only of expressions of the compiler's own (`compiler/python/expression.ts`). */
  readonly made?: "record";
};
/** A function of the Python form. */
export type PyLabel = {
  /** `module` runs first in every run; `generator` gives its values one by one. */
  readonly kind: "module" | "function" | "generator";
  /** Its `__qualname__`, as messages show it: `main`, `main.<locals>.inner`. */
  readonly name: string;
  readonly params: readonly PyParameter[];
  /** Own variables that inner functions see, in order of their cells. */
  readonly cells: readonly string[];
  /** Variables of functions around it, in the order in which they are handed over. */
  readonly free: readonly string[];
  /** While loops in it. */
  readonly loops: number;
  /** Its docstring, of functions where runs begin. */
  readonly doc?: string;
};

export type IrEndpoint = {
  readonly method: string;
  readonly path: string;
  readonly label: string;
  readonly returns: string | null;
  readonly type: string | null;
  readonly description: string | null;
  /** What `@api` of the Python form sets, as the settings of a deployment name it. */
  readonly settings?: JsonObject;
  readonly line: number;
  readonly file?: string;
};
export type IrDeclaration = {
  readonly op: string;
  readonly slots: readonly string[];
  /** What `@cron` and `@job` of the Python form set, as the schedules and the members of a deployment name it. */
  readonly settings?: JsonObject;
  readonly line: number;
  readonly file?: string;
};

export type LimitSet = {
  readonly max_steps: number;
  readonly max_depth: number;
  readonly max_adapter_calls: number;
  readonly max_time_ms: number;
  readonly max_frame_bytes: number;
  readonly max_loop_iters: number;
};

/** Advice for sizing a sandbox; no check reads it. */
export type ExecutionRequirements = {
  readonly isolation_level: "none" | "process" | "container";
  readonly required_capabilities: readonly string[];
  readonly network: { readonly required: boolean; readonly hosts: readonly string[]; readonly dynamic: boolean };
  readonly filesystem: { readonly required: boolean; readonly paths: readonly string[]; readonly dynamic: boolean };
  readonly resource_profile: "small" | "standard" | "large";
  readonly suggested_limits: LimitSet;
  readonly ephemeral: boolean;
  readonly sandbox_policy_fragment: {
    readonly allowed_adapters: readonly string[];
    readonly forbidden_privilege_tiers: readonly string[];
    readonly limits: LimitSet;
  };
};

/** A program as a graph (docs/ir.md, top level). */
export type Ir = {
  readonly ir_version: string;
  readonly entry: string | null;
  readonly labels: { readonly [id: string]: IrLabel };
  readonly nodes: readonly IrNode[];
  readonly edges: readonly IrEdge[];
  readonly endpoints: readonly IrEndpoint[];
  readonly declarations: readonly IrDeclaration[];
  readonly execution_requirements: ExecutionRequirements;
  readonly checksum: string;
};

/** The newest IR that this compiler writes. Another major version is refused. */
export const IR_VERSION = "1.2";
/** Every version that is accepted. */
export const IR_VERSIONS = ["1.0", "1.1", IR_VERSION];

/** The version of IR with these nodes: 1.1 only where it has something that 1.0 lacks, 1.2 only with Python. */
export function irVersionOf(nodes: readonly Pick<IrNode, "op" | "data">[]): string {
  if (nodes.some(({ op }) => op === "Py")) return IR_VERSION;
  return nodes.some(({ data }) => "inputs" in data || "until" in data || "mode" in data) ? "1.1" : "1.0";
}
/** Label of steps that stand above the first label line. */
export const ANONYMOUS_LABEL = "_anon";

const DIGIT_0 = 0x30;

/** `n12` → 12; NaN where no number stands after the first character. */
export function nodeNumber(id: string): number {
  // Asked some hundred times a compile: cutting and reading a text takes three times as long as these digits.
  let number = 0;
  for (let at = 1; at < id.length; at++) {
    const digit = id.charCodeAt(at) - DIGIT_0;
    if (digit < 0 || digit > 9) return Number(id.slice(1));
    number = number * 10 + digit;
  }
  return number;
}

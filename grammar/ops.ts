/**
 * The one op table (docs/reference.md, statements). It drives the parser, arity messages, completion, the formatter's canonical
 * names and every generated grammar; nothing about an op's slots is written down anywhere else. Slots are given in the
 * notation of the reference: `name:class`, `?` optional, `*` repeated (0 or more), `+` repeated (1 or more), `=x` default.
 * It knows nothing of tokens, of adapters' verbs or of what a declaration means to the compiler.
 */
import { listed } from "./text/english.ts";

export type SlotClass =
  | "name"
  | "operand"
  | "key"
  | "lenient"
  | "cond"
  | "ref"
  | "eref"
  | "node"
  | "out"
  | "call"
  | "fn"
  | "cmp"
  | "int"
  | "enum"
  | "limit"
  | "word"
  | "rest"
  | "kv"
  | "field"
  | "type"
  | "method"
  | "file"
  | "step";

export type Slot = {
  readonly name: string;
  readonly class: SlotClass;
  /** May be left out. A repeated slot that wants at least one (`+`) is repeated and not optional. */
  readonly optional: boolean;
  readonly repeat: boolean;
  readonly default: string | null;
  /** The words of an `enum`. */
  readonly values: readonly string[] | null;
};

type OpKind = "step" | "label" | "include" | "declaration";

export type Op = {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly kind: OpKind;
  readonly slots: readonly Slot[];
  /** Ends its label's linear flow. */
  readonly terminal: boolean;
  /** `verb` "*": the verb depends on a slot. */
  readonly lowers_to: { readonly adapter: string; readonly verb: string } | null;
  /** A declaration that means something for checking or running (docs/language.md, declarations). */
  readonly meaning: boolean;
  readonly doc: string;
};

const SLOT = /^(\w+):(\w+)(?:\(([^)]*)\))?([?*+]?)(?:=(.*))?$/;

/** Reads `name:class(values)?=default`. A malformed text is a mistake in this file, so it throws at start. */
function slotOf(notation: string): Slot {
  const match = SLOT.exec(notation);
  if (match === null) throw new Error(`bad slot notation: ${notation}`);
  const [, name = "", slotClass = "", values, mark = "", fallback] = match;
  return {
    name,
    class: slotClass as SlotClass,
    optional: mark === "?" || mark === "*",
    repeat: mark === "*" || mark === "+",
    default: fallback ?? null,
    values: values === undefined ? null : values.split(","),
  };
}

function slotsOf(notation: string): readonly Slot[] {
  return notation === "" ? [] : notation.split(" ").map(slotOf);
}

type StepExtras = { aliases?: readonly string[]; terminal?: boolean; adapter?: string; verb?: string };

function step(name: string, slots: string, doc: string, extras: StepExtras = {}): Op {
  const { aliases = [], terminal = false, adapter, verb } = extras;
  const lowersTo = adapter === undefined ? null : { adapter, verb: verb ?? "*" };
  return { name, aliases, kind: "step", slots: slotsOf(slots), terminal, lowers_to: lowersTo, meaning: true, doc };
}

const MEANINGFUL = new Set(["S", "D", "E", "Q", "Cr", "C", "Pol", "Txn"]);

function declare(name: string, slots: string, doc: string, aliases: readonly string[] = []): Op {
  return {
    name,
    aliases,
    kind: "declaration",
    slots: slotsOf(slots),
    terminal: false,
    lowers_to: null,
    meaning: MEANINGFUL.has(name),
    doc,
  };
}

const STEPS: readonly Op[] = [
  step("R", "target:call args:operand* out:out?=res", "Call a verb of an adapter.", { adapter: "*" }),
  step("J", "value:operand?=data", "End the label with a value.", { terminal: true }),
  step("If", "cond:cond then:ref else:ref?", "Run one of two labels.", { terminal: true }),
  step("Err", "node:node? handler:ref", "Run a handler label when the protected step fails."),
  step(
    "Retry",
    "node:node? count:operand?=3 backoff_ms:operand?=0 strategy:enum(fixed,exponential)?=fixed",
    "Visit the protected step again when it fails.",
  ),
  step("Call", "label:ref out:out?=_call_result", "Run a label as a subroutine."),
  step("Set", "name:name value:operand", "Store a value in a variable."),
  step("X", "name:name fn:fn args:operand*", "Store the value of a function in a variable."),
  step(
    "Filt",
    "name:name list:operand field:word cmp:cmp value:operand",
    "Keep the elements whose field compares true.",
    {
      aliases: ["Filter"],
    },
  ),
  step("Sort", "name:name list:operand field:word order:enum(asc,desc)?=asc", "Sort a list of maps by a field."),
  step("Loop", "list:operand item:name body:ref after:ref", "Run a label for each element of a list.", {
    aliases: ["ForEach"],
    terminal: true,
  }),
  step("While", "cond:cond body:ref after:ref limit:limit?=10000", "Run a label while a condition holds.", {
    terminal: true,
  }),
  step(
    "Each",
    "dst:name list:operand item:name body:ref limit:limit?=8 mode:enum(all,settle)?=all",
    "Run a branch for each element of a list, some at a time, and keep their values in order.",
  ),
  step("Par", "dst:name bodies:ref+ mode:enum(all,settle)?=all", "Run labels as branches, all at a time."),
  step("CacheGet", "cache:word key:operand out:out?=data fallback:operand?", "Read a cache entry.", {
    adapter: "cache",
    verb: "get",
  }),
  step("CacheSet", "cache:word key:operand value:operand ttl_s:int?", "Write a cache entry.", {
    adapter: "cache",
    verb: "set",
  }),
  step("QueuePut", "queue:word value:operand out:out?", "Put a value on a queue.", { adapter: "queue", verb: "Put" }),
  step("Tx", "action:enum(begin,commit,rollback) name:word", "Begin, commit or roll back a transaction.", {
    adapter: "txn",
  }),
  step("Enf", "policy:word", "Fail unless a declared policy holds.", { adapter: "auth", verb: "enforce" }),
];

/** Steps whose first word is one that a declaration introduces, and that declaration. */
export const DECLARED_BY: Readonly<Record<string, string>> = {
  CacheGet: "C",
  CacheSet: "C",
  QueuePut: "Q",
  Tx: "Txn",
  Enf: "Pol",
};

const LABEL: Op = {
  name: "L<id>:",
  aliases: [],
  kind: "label",
  slots: slotsOf("steps:step*"),
  terminal: false,
  lowers_to: null,
  meaning: true,
  doc: "Open a label, a named block of steps.",
};

const INCLUDE: Op = {
  name: "include",
  aliases: [],
  kind: "include",
  slots: slotsOf("path:file as:enum(as)? alias:name?"),
  terminal: false,
  lowers_to: null,
  meaning: true,
  doc: "Merge another file under an alias.",
};

/** The first table of declarations: the ones that take the prefixes `arch.` and `test.`. */
const DECLARATIONS: readonly Op[] = [
  declare("S", "name:word mode:word path:word? more:word*", "Name the service, its mode and base path."),
  declare("D", "type:word fields:field*", "Declare a record type."),
  declare("E", "path:word method:method label:eref returns:out? type:type? description:word?", "Declare an endpoint."),
  declare("U", "name:word?=Anon props:word*", "Declare a user interface."),
  declare("T", "var:word type:type?=any", "Declare a state variable of the latest user interface."),
  declare("Q", "name:word max:int?=100 retry:int?=3", "Declare a queue."),
  declare("Sc", "name:word url:word selectors:kv*", "Declare a scraper."),
  declare("Cr", "label:ref expr:rest", "Run a label by a cron expression."),
  declare("P", "name:word amount:word currency:word desc:word?", "Declare a payment."),
  declare("C", "name:word key:word ttl:int default:word?", "Declare a cache."),
  declare("A", "kind:word arg:word extra:word?", "Declare an authentication scheme."),
  declare("Pol", "name:word constraints:kv*", "Declare a policy for Enf."),
  declare("Txn", "name:word adapter:word? mode:word?", "Declare a transaction name."),
  declare("Rt", "path:word ui:word", "Route a path to a user interface."),
  declare("Lay", "name:word slots:word+", "Declare a layout."),
  declare("Fm", "name:word type:word fields:word*", "Declare a form."),
  declare("Tbl", "name:word type:word columns:word*", "Declare a table."),
  declare("Ev", "component:word event:word target:word", "Bind an event of a component."),
  declare("Bind", "ui:word path:word method:method?=G var:out", "Bind an endpoint to a variable of a user interface."),
  declare("Inc", "path:word", "Has no effect; use include."),
  declare("Role", "name:word", "Declare a role."),
  declare("Allow", "role:word target:word method:method?", "Allow a role to use a path or user interface."),
  declare("Aud", "event:word days:int", "Keep an audit event for some days."),
  declare("Adm", "ui:word entities:word*", "Declare an admin interface."),
  declare("Ver", "version:word", "The program's own version."),
  declare("Compat", "mode:word", "State a compatibility mode."),
  declare("Tst", "label:ref", "Declare a test of a label."),
  declare("Mock", "adapter:word key:word values:word+", "Give the latest test a prepared answer."),
  declare("Desc", "target:word text:rest", "Describe something in words."),
  declare("Rel", "type:word kind:word other:word key:word", "Relate two types."),
  declare("Idx", "type:word fields:word+", "Declare an index of a type."),
  declare("API", "style:word prefix:word?", "State the style of the API."),
  declare("Dep", "path:word version:word", "Mark a path as deprecated."),
  declare("SLA", "path:word ms:word availability:word", "State a service level."),
  declare("Run", "name:word steps:word+", "Declare a runbook."),
  declare("Svc", "name:word path:word?", "Declare a service."),
  declare("Contract", "path:word method:method type:word", "Declare the contract of an endpoint."),
];

const KEY_VALUE = "key:word value:word";
const KEY_TEXT = "key:word text:rest";

const MODULE_OPS: readonly Op[] = [
  declare("ops.Env", "name:word need:word?=optional default:word?", "An environment variable.", ["Env"]),
  declare("ops.Sec", "name:word ref:word", "A secret by reference.", ["Sec"]),
  declare("ops.M", "name:word type:word", "A metric.", ["M"]),
  declare("ops.Tr", "state:enum(on,off)", "Tracing on or off.", ["Tr"]),
  declare("ops.Deploy", "strategy:word", "The deployment strategy.", ["Deploy"]),
  declare("ops.EnvT", "target:word", "The target environment.", ["EnvT"]),
  declare("ops.Flag", "name:word state:word?=on", "A feature flag.", ["Flag"]),
  declare("ops.Lim", "scope:word n:int", "A rate limit.", ["Lim"]),
  declare("fe.Tok", KEY_VALUE, "A design token.", ["Tok"]),
  declare("fe.Brk", KEY_VALUE, "A breakpoint.", ["Brk"]),
  declare("fe.Sp", KEY_VALUE, "A spacing.", ["Sp"]),
  declare("fe.A11y", KEY_VALUE, "An accessibility note.", ["A11y"]),
  declare("fe.Help", KEY_VALUE, "A help text.", ["Help"]),
  declare("fe.Copy", KEY_TEXT, "A text of the interface.", ["Copy"]),
  declare("fe.i18n", KEY_TEXT, "A translated text.", ["i18n"]),
  declare("fe.Comp", "name:word slots:word*", "A component.", ["Comp"]),
  declare("fe.Theme", "name:word", "A theme.", ["Theme"]),
  declare("fe.Off", "path:word ttl:int?=3600", "A path that works offline.", ["Off"]),
  declare("fe.Wiz", "ui:word steps:word*", "A wizard.", ["Wiz"]),
  declare("fe.FetchRetry", "count:int ms:int", "Retries of the front end's fetches.", ["FRetry"]),
  declare("rag.Src", "name:word kind:word source:word", "A source of documents.", ["RagSrc"]),
  declare("rag.Chunk", "name:word source:word strategy:word size:word overlap:word?", "How documents are cut.", [
    "RagChunk",
  ]),
  declare("rag.Embed", "name:word model:word dims:word?", "An embedding model.", ["RagEmbed"]),
  declare("rag.Store", "name:word kind:word", "A vector store.", ["RagStore"]),
  declare("rag.Idx", "name:word source:word chunk:word embed:word store:word", "An index of documents.", ["RagIdx"]),
  declare("rag.Ret", "name:word index:word k:word filter:word?", "A retriever.", ["RagRet"]),
  declare("rag.Aug", "name:word template:word source:word var:word out:word", "A prompt augmentation.", ["RagAug"]),
  declare("rag.Gen", "name:word model:word prompt:word out:word?", "A generator.", ["RagGen"]),
  declare("rag.Pipe", "name:word retriever:word augment:word generate:word", "A whole pipeline.", ["RagPipe"]),
];

export const OPS: readonly Op[] = [...STEPS, LABEL, INCLUDE, ...DECLARATIONS, ...MODULE_OPS];

/** Prefixes under which any declaration of the first table may be written. */
export const DECLARATION_PREFIXES: readonly string[] = ["arch.", "test."];

function indexOps(): ReadonlyMap<string, Op> {
  const index = new Map<string, Op>();
  for (const op of OPS) {
    if (op.kind === "label") continue;
    for (const word of [op.name, ...op.aliases]) index.set(word, op);
  }
  for (const op of DECLARATIONS) {
    for (const prefix of DECLARATION_PREFIXES) index.set(prefix + op.name, op);
  }
  return index;
}

const BY_WORD = indexOps();

/** Every word that can start a step, a declaration or an include, prefixed spellings left out. */
export const OP_WORDS: readonly string[] = OPS.filter((op) => op.kind !== "label").flatMap((op) => [
  op.name,
  ...op.aliases,
]);

/** The op a bare word names: by name, alias or prefixed name. Case-sensitive, `include` apart. */
export function findOp(word: string): Op | undefined {
  const op = BY_WORD.get(word);
  if (op !== undefined) return op;
  return word.length === INCLUDE.name.length && word.toLowerCase() === INCLUDE.name ? INCLUDE : undefined;
}

/** The step op that a word begins with when an arrow touches it: `J->x`. */
export function stepBeforeArrow(word: string): Op | undefined {
  const arrow = word.indexOf("->");
  const op = arrow > 0 ? findOp(word.slice(0, arrow)) : undefined;
  return op?.kind === "step" ? op : undefined;
}

/** True for the ops of the module groups, however written: their arity is never an error. */
export function isModuleOp(op: Op, word: string): boolean {
  return (op.kind === "declaration" && op.name.includes(".")) || DECLARATION_PREFIXES.some((p) => word.startsWith(p));
}

/** How many slots an op needs at least. */
export function minimumSlots(op: Op): number {
  return op.slots.filter((slot) => !slot.optional).length;
}

export function isRequired(slot: Slot): boolean {
  return !slot.optional;
}

/** `name`, `->label`, `limit=N`: how a slot looks in a program. */
function slotText(slot: Slot): string {
  switch (slot.class) {
    case "call":
      return "adapter.VERB";
    case "cond":
      return "condition";
    case "ref":
    case "eref":
      return `->L_${slot.name}`;
    case "out":
      return `->${slot.name}`;
    case "node":
      return "@n1";
    case "limit":
      return "limit=N";
    case "enum":
      return (slot.values ?? []).join("|");
    case "cmp":
      return "comparator";
    default:
      return slot.name;
  }
}

/** The usage line of an op: `CacheGet cache key ->out? fallback?`. */
export function signatureOf(op: Op): string {
  const parts = op.slots.map((slot) => {
    const mark = slot.repeat ? (slot.optional ? "*" : "+") : slot.optional ? "?" : "";
    return slotText(slot) + mark;
  });
  return [op.name, ...parts].join(" ");
}

/** `name and value`, `condition, ->L_body and ->L_after`: the required slots in words. */
export function requiredSlotsText(op: Op): string {
  return listed(op.slots.filter(isRequired).map(slotText)) || "nothing";
}

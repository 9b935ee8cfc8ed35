/**
 * Facts of one node: what it can touch, judged by its operation and arguments alone (docs/policy.md, the policy). The only source
 * of facts: annotations, validator, report, requirements and dispatcher all read these. What it cannot know is worst case.
 */
import {
  type AdapterCatalog,
  type AdapterEntry,
  findAdapter,
  findVerb,
  type PrivilegeTier,
  type VerbEntry,
} from "../catalog.ts";
import { findFunction, isHostCall } from "../functions.ts";
import {
  CALL_OPS,
  type CallData,
  type Effect,
  type EffectTier,
  type IrOperand,
  type NodeData,
  type NodeOp,
} from "../ir/graph.ts";
import { operandsOf, walkOperands } from "../ir/operands.ts";
import { type ArgumentFacts, argumentFacts, NO_ARGUMENT_FACTS } from "./argument-facts.ts";

export type NodeFacts = ArgumentFacts & {
  /** Catalog spelling when known, else as written; null when computed and for ops that call no adapter. */
  readonly adapter: string | null;
  readonly verb: string | null;
  readonly effect: Effect;
  readonly effect_tier: EffectTier;
  readonly effect_kind: string;
  /** All kinds that come into question: more than one only for an unknown or computed verb. */
  readonly effect_kinds: readonly string[];
  readonly privilege_tier: PrivilegeTier;
  readonly destructive: boolean;
  readonly network_facing: boolean;
  readonly sandbox_safe: boolean;
  /** Adapter and verb are in the catalog. */
  readonly known: boolean;
  /** The adapter is in the catalog; true for ops that call none. */
  readonly listed: boolean;
  /** Adapter or verb is computed at run time. */
  readonly dynamic: boolean;
};

const TIER_RANK: Readonly<Record<EffectTier, number>> = { pure: 0, control: 1, "io-read": 2, "io-write": 3 };

/** One entry for the operation itself, and one for each host function among its operands. */
export function capabilitiesOf(
  op: NodeOp,
  data: NodeData[NodeOp],
  catalog: AdapterCatalog,
  operands: readonly IrOperand[] = operandsOf(op, data),
): NodeFacts[] {
  // CALL_OPS says that data is that of a call node.
  const facts = [CALL_OPS.has(op) ? callFacts(data as CallData, catalog) : plainFacts[kindOf(op)]];
  walkOperands(operands, (operand) => {
    const name = hostFunctionOf(operand);
    if (name !== null) facts.push(adapterFacts("core", name, operand.k === "call" ? operand.args : [], catalog));
  });
  return facts;
}

/** The canonical name of the host function that `operand` calls, null when it calls none. */
function hostFunctionOf(operand: IrOperand): string | null {
  if (operand.k !== "call" || !isHostCall(operand.fn, operand.args.length)) return null;
  return findFunction(operand.fn)?.name ?? null;
}

function callFacts(data: CallData, catalog: AdapterCatalog): NodeFacts {
  if (typeof data.adapter !== "string") {
    return { ...unknownAdapterFacts(null, typeof data.verb === "string" ? data.verb : null), dynamic: true };
  }
  return adapterFacts(data.adapter, typeof data.verb === "string" ? data.verb : null, data.args, catalog);
}

/** `verb` null: computed. */
function adapterFacts(
  adapter: string,
  verb: string | null,
  args: readonly IrOperand[],
  catalog: AdapterCatalog,
): NodeFacts {
  const entry = findAdapter(catalog, adapter);
  if (entry === undefined) return { ...unknownAdapterFacts(adapter, verb), dynamic: verb === null };
  const known = verb === null ? undefined : findVerb(entry, verb);
  const effects = known === undefined ? worstEffects(entry) : effectsOf(known);
  return {
    adapter: entry.name,
    verb: known?.name ?? verb,
    ...effects,
    privilege_tier: entry.privilege_tier,
    // Adapter-level, as the published capabilities say: `fs.read` falls under a destructive rule too.
    destructive: entry.destructive,
    network_facing: entry.network_facing,
    sandbox_safe: entry.sandbox_safe,
    known: known !== undefined,
    listed: true,
    dynamic: verb === null,
    ...argumentFacts(known, args),
  };
}

function unknownAdapterFacts(adapter: string | null, verb: string | null): NodeFacts {
  return {
    adapter,
    verb,
    effect: "io",
    effect_tier: "io-write",
    effect_kind: "unknown",
    effect_kinds: ["unknown"],
    privilege_tier: "operator_sensitive",
    destructive: true,
    network_facing: true,
    sandbox_safe: false,
    known: false,
    listed: false,
    dynamic: adapter === null,
    ...NO_ARGUMENT_FACTS,
  };
}

type PlainKind = "call" | "control" | "compute";

const CONTROL: ReadonlySet<NodeOp> = new Set(["If", "Loop", "While", "Each", "Par", "Err", "Retry"]);

function kindOf(op: NodeOp): PlainKind {
  if (op === "Call") return "call";
  return CONTROL.has(op) ? "control" : "compute";
}

/** Of ops that call no adapter. Shared by all their nodes: making them anew took a tenth of reading an IR. */
const plainFacts: Readonly<Record<PlainKind, NodeFacts>> = {
  call: factsOfKind("call"),
  control: factsOfKind("control"),
  compute: factsOfKind("compute"),
};

function factsOfKind(kind: PlainKind): NodeFacts {
  const pure = kind === "compute";
  return Object.freeze({
    adapter: null,
    verb: null,
    effect: pure ? "pure" : "meta",
    effect_tier: pure ? "pure" : "control",
    effect_kind: kind,
    effect_kinds: Object.freeze([kind]),
    privilege_tier: "pure",
    destructive: false,
    network_facing: false,
    sandbox_safe: true,
    known: true,
    listed: true,
    dynamic: false,
    ...NO_ARGUMENT_FACTS,
  });
}

type EffectFacts = Pick<NodeFacts, "effect" | "effect_tier" | "effect_kind" | "effect_kinds">;

function effectsOf(verb: Pick<VerbEntry, "effect_tier" | "kind">): EffectFacts {
  const effect = verb.effect_tier === "pure" ? "pure" : verb.effect_tier === "control" ? "meta" : "io";
  return { effect, effect_tier: verb.effect_tier, effect_kind: verb.kind, effect_kinds: [verb.kind] };
}

/** Facts of a verb that is computed or not in the catalog: never `pure`, the strongest tier, every kind of the adapter. */
function worstEffects(entry: AdapterEntry): EffectFacts {
  let worst: Pick<VerbEntry, "effect_tier" | "kind"> | undefined;
  for (const verb of entry.verbs) {
    if (worst === undefined || TIER_RANK[verb.effect_tier] > TIER_RANK[worst.effect_tier]) worst = verb;
  }
  worst ??=
    entry.effect_default === "pure"
      ? { effect_tier: "pure", kind: "compute" }
      : { effect_tier: "io-write", kind: "unknown" };
  const kinds = new Set(entry.verbs.map((verb) => verb.kind));
  return {
    effect: "io",
    effect_tier: worst.effect_tier,
    effect_kind: worst.kind,
    effect_kinds: kinds.size === 0 ? [worst.kind] : [...kinds].sort(),
  };
}

/**
 * The policy check: every step of a program against the rules of a policy, from the facts of `capabilities-of.ts` alone, before
 * anything runs. What cannot be known (unknown or computed adapters) violates every rule it could violate. Linear in steps.
 */
import type { AdapterCatalog } from "../catalog.ts";
import { compareText } from "../ir/checksum.ts";
import type { Ir, IrNode } from "../ir/graph.ts";
import { quoted } from "../ir/issues.ts";
import { capabilitiesOf, type NodeFacts } from "./capabilities-of.ts";
import { POLICY_LISTS, type Policy, type PolicyList, type PolicyMember } from "./policy.ts";

export const POLICY_CODES = {
  POLICY_ADAPTER_FORBIDDEN: {
    title: "a step uses a forbidden adapter",
    fix: "leave the call out, or ask for a policy without this adapter",
  },
  POLICY_EFFECT_FORBIDDEN: {
    title: "a step has a forbidden effect",
    fix: "use a verb without this effect, or ask for a policy that admits it",
  },
  POLICY_TIER_FORBIDDEN: {
    title: "a step has a forbidden effect tier",
    fix: "use a verb of another tier, or ask for a policy that admits it",
  },
  POLICY_PRIVILEGE_TIER_FORBIDDEN: {
    title: "a step uses an adapter of a forbidden privilege tier",
    fix: "use an adapter of a weaker tier, or ask for a policy that admits it",
  },
  POLICY_DESTRUCTIVE_FORBIDDEN: {
    title: "a step uses an adapter that can destroy data",
    fix: "leave the call out, or ask for a policy without forbidden_destructive",
  },
  POLICY_DYNAMIC_ADAPTER: {
    title: "an adapter or verb is computed at run time",
    fix: "write adapter and verb as plain words, one step for each",
  },
} as const;
export type PolicyCode = keyof typeof POLICY_CODES;

/** Which rule was broken, and who set it: every side that did, the server's first. */
export type Rule = {
  readonly member: PolicyMember;
  readonly value: string | true;
  readonly source: string;
  /** Only when there is more than one. */
  readonly sources?: readonly string[];
};

export type Violation = {
  readonly code: PolicyCode;
  readonly message: string;
  readonly data: {
    readonly label_id: string;
    readonly node_id: string;
    readonly adapter?: string;
    readonly verb?: string;
    readonly effect?: string;
    readonly effect_tier?: string;
    readonly privilege_tier?: string;
    readonly matched?: readonly string[];
    readonly lineno?: number;
    readonly file?: string;
    readonly rule: Rule;
  };
};

/** The sides that set a rule, the server first; empty when no side set it. */
export type RuleSources = (member: PolicyMember, value: string | true) => readonly string[];
export type PolicyVerdict = {
  readonly ok: boolean;
  readonly errors: readonly Violation[];
  readonly warnings: readonly string[];
};

type Rules = { readonly [List in PolicyList]: ReadonlySet<string> } & {
  readonly destructive: boolean;
  /** Any rule at all, named in what a computed adapter violates. */
  readonly first: { readonly member: PolicyMember; readonly value: string | true } | null;
  readonly sources: RuleSources;
};
type Broken = {
  readonly code: PolicyCode;
  readonly member: PolicyMember;
  readonly value: string | true;
  readonly message: string;
  readonly data: object;
};

const BY_REQUEST: RuleSources = () => ["request"];

export function validatePolicy(
  ir: Pick<Ir, "nodes">,
  policy: Policy,
  catalog: AdapterCatalog,
  sources: RuleSources = BY_REQUEST,
): PolicyVerdict {
  const rules = rulesOf(policy, sources);
  if (rules.first === null) return { ok: true, errors: [], warnings: [] };
  const errors: Violation[] = [];
  for (const node of nodesInOrder(ir.nodes)) {
    const seen = new Set<string>();
    for (const facts of capabilitiesOf(node.op, node.data, catalog)) {
      for (const broken of brokenRules(facts, rules)) {
        // At most one per code and node.
        if (seen.has(broken.code)) continue;
        seen.add(broken.code);
        errors.push(violation(node, facts, broken, rules));
      }
    }
  }
  return { ok: errors.length === 0, errors, warnings: [] };
}

/** All words a rule about effects can match, in the order in which they are reported. */
export function tagsOf(facts: NodeFacts): readonly string[] {
  const tags = [
    facts.effect,
    facts.effect_tier,
    ...facts.effect_kinds.map((kind) => kind.toLowerCase()),
    facts.privilege_tier,
  ];
  if (facts.network_facing) tags.push("network");
  // What an unknown call does may be reading as well.
  if (!facts.known) tags.push("io-read");
  return [...new Set(tags)];
}

function rulesOf(policy: Policy, sources: RuleSources): Rules {
  const lists = POLICY_LISTS.map((list) => [list, new Set(policy[list])] as const);
  const destructive = policy.forbidden_destructive === true;
  const [list, value] =
    lists.flatMap(([name, values]) => [...values].slice(0, 1).map((one) => [name, one] as const))[0] ?? [];
  return {
    forbidden_adapters: new Set(policy.forbidden_adapters),
    forbidden_effects: new Set(policy.forbidden_effects),
    forbidden_effect_tiers: new Set(policy.forbidden_effect_tiers),
    forbidden_privilege_tiers: new Set(policy.forbidden_privilege_tiers),
    destructive,
    first:
      list !== undefined && value !== undefined
        ? { member: list, value }
        : destructive
          ? { member: "forbidden_destructive", value: true }
          : null,
    sources,
  };
}

function nodesInOrder(nodes: readonly IrNode[]): readonly IrNode[] {
  const byLabel = new Map<string, IrNode[]>();
  for (const node of nodes) {
    const list = byLabel.get(node.label);
    if (list === undefined) byLabel.set(node.label, [node]);
    else list.push(node);
  }
  return [...byLabel].sort(([a], [b]) => compareText(a, b)).flatMap(([, list]) => list);
}

function brokenRules(facts: NodeFacts, rules: Rules): readonly Broken[] {
  const found: Broken[] = [];
  const { adapter } = facts;
  const folded = adapter?.toLowerCase() ?? null;
  if (adapter !== null && folded !== null && rules.forbidden_adapters.has(folded)) {
    const message = `Adapter ${quoted(adapter)} is forbidden by policy`;
    found.push({ code: "POLICY_ADAPTER_FORBIDDEN", member: "forbidden_adapters", value: folded, message, data: {} });
  }
  const wanted = rules.forbidden_effects.size + rules.forbidden_effect_tiers.size > 0;
  const tags = wanted ? tagsOf(facts) : [];
  const effects = tags.filter((tag) => rules.forbidden_effects.has(tag));
  if (effects[0] !== undefined) {
    const message = `Effect ${quoted(effects[0])} is forbidden by policy`;
    const data = { effect: effects[0], matched: effects };
    found.push({ code: "POLICY_EFFECT_FORBIDDEN", member: "forbidden_effects", value: effects[0], message, data });
  }
  const tiers = tags.filter((tag) => rules.forbidden_effect_tiers.has(tag));
  if (tiers[0] !== undefined) {
    const message = `Effect tier ${quoted(tiers[0])} is forbidden by policy`;
    const data = { effect_tier: tiers[0], matched: tiers };
    found.push({ code: "POLICY_TIER_FORBIDDEN", member: "forbidden_effect_tiers", value: tiers[0], message, data });
  }
  return adapter === null
    ? [...found, ...computed(facts, rules)]
    : [...found, ...adapterRules(adapter, facts, rules), ...computed(facts, rules)];
}

function adapterRules(adapter: string, facts: NodeFacts, rules: Rules): readonly Broken[] {
  const found: Broken[] = [];
  const tier = facts.privilege_tier;
  if (rules.forbidden_privilege_tiers.has(tier)) {
    const message = `Privilege tier '${tier}' is forbidden by policy`;
    const data = { privilege_tier: tier };
    found.push({
      code: "POLICY_PRIVILEGE_TIER_FORBIDDEN",
      member: "forbidden_privilege_tiers",
      value: tier,
      message,
      data,
    });
  }
  if (rules.destructive && facts.destructive) {
    const message = `Adapter ${quoted(adapter)} is marked destructive and destructive adapters are forbidden by policy`;
    found.push({
      code: "POLICY_DESTRUCTIVE_FORBIDDEN",
      member: "forbidden_destructive",
      value: true,
      message,
      data: {},
    });
  }
  return found;
}

function computed(facts: NodeFacts, rules: Rules): readonly Broken[] {
  if (!facts.dynamic || rules.first === null) return [];
  const message = "The adapter or verb of this step is computed at run time and cannot be checked";
  return [{ code: "POLICY_DYNAMIC_ADAPTER", ...rules.first, message, data: {} }];
}

function violation(node: IrNode, facts: NodeFacts, broken: Broken, rules: Rules): Violation {
  const { code, message, member, value } = broken;
  const sources = rules.sources(member, value);
  return {
    code,
    message,
    data: {
      label_id: node.label,
      node_id: node.id,
      ...(facts.adapter === null ? {} : { adapter: facts.adapter }),
      ...(facts.verb === null ? {} : { verb: facts.verb }),
      ...broken.data,
      ...(node.line === undefined ? {} : { lineno: node.line }),
      ...(node.file === undefined ? {} : { file: node.file }),
      rule: { member, value, source: sources[0] ?? "request", ...(sources.length > 1 ? { sources } : {}) },
    },
  };
}

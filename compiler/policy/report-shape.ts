/** The shapes of the security report (docs/policy.md, security report). */
import type { SettingTable } from "../catalog/settings.ts";
import type { PrivilegeTier } from "../catalog.ts";
import type { LabelBounds } from "../ir/analysis.ts";
import type { Effect, EffectTier, IrNode, LimitSet } from "../ir/graph.ts";
import type { Place } from "../ir/unbounded.ts";
import type { NodeFacts } from "./capabilities-of.ts";
import type { Policy } from "./policy.ts";
import type { Violation } from "./validate.ts";

export type AdapterUse = { readonly verbs: readonly string[]; readonly privilege_tiers: readonly PrivilegeTier[] };
export type ReportNode = {
  readonly node_id: string;
  /** null: computed at run time. */
  readonly adapter: string | null;
  readonly verb: string | null;
  readonly privilege_tier: PrivilegeTier;
  readonly effect: Effect;
  readonly effect_tier: EffectTier;
  readonly destructive: boolean;
  readonly network_facing: boolean;
  readonly sandbox_safe: boolean;
  readonly dynamic: boolean;
  readonly known: boolean;
  readonly lineno?: number;
  readonly file?: string;
};
export type LabelReport = {
  readonly adapters: Readonly<Record<string, AdapterUse>>;
  readonly nodes: readonly ReportNode[];
  readonly max_privilege: PrivilegeTier;
  readonly reachable: boolean;
  readonly bounds: LabelBounds;
};
type Places = { readonly dynamic: boolean };
/** Most iterations of one visit; null when only a run knows the list. */
export type LoopBound = Place & {
  readonly op: "Loop" | "While" | "Each" | "Par" | "For";
  readonly max_iterations: number | null;
  /** Of Each and Par: how many of its branches are under way at once. */
  readonly branches_at_once?: number;
};
/** A wait of the program. `names`: signals, or people who are asked; empty for a time, and for questions that name no people. */
export type Wait = Place & {
  readonly adapter: string;
  readonly verb: string;
  readonly names: readonly string[];
  /** Only a run knows the names. */
  readonly computed: boolean;
  /** Seconds; null: without a literal time-out. */
  readonly longest_s: number | null;
  /** False: it may take as long as its job lives. */
  readonly bounded: boolean;
};
/** Something that only a run knows, and why. Lists of the summary are complete unless one of these names them. */
export type Unknown = Place & {
  readonly what:
    | ("adapters" | "verbs" | "hosts" | "paths" | "tables" | "tools" | "modules" | "queues" | "environment" | "models")
    | ("signals" | "approvers" | "programs" | "events" | "waits")
    | ("steps" | "adapter_calls" | "depth" | "iterations");
  readonly reason: string;
};
export type ReportSummary = {
  readonly adapters: Readonly<Record<string, AdapterUse>>;
  readonly privilege_tiers: readonly PrivilegeTier[];
  readonly max_privilege: PrivilegeTier;
  readonly destructive: boolean;
  readonly network_facing: boolean;
  readonly effects: readonly Effect[];
  readonly effect_tiers: readonly EffectTier[];
  readonly egress: Places & { readonly hosts: readonly string[] };
  readonly files: Places & { readonly paths: readonly string[] };
  readonly tables: readonly string[];
  readonly tools: readonly string[];
  readonly modules: readonly string[];
  readonly queues: readonly string[];
  readonly signals: readonly string[];
  /** Those whom questions are put before. */
  readonly approvers: readonly string[];
  /** Deployments of which calls start jobs. */
  readonly programs: readonly string[];
  /** Names of events that calls emit. */
  readonly events: readonly string[];
  /** Names of events that start its jobs, or that calls wait for. */
  readonly accepts: readonly string[];
  /**
   * Language models that calls name; `default`: the operator's, null: computed. `max_calls`: most calls in one run; null when only a run
   * knows. Of calls with a computed adapter or verb nothing stands here.
   */
  readonly models: readonly { readonly model: string | null; readonly max_calls: number | null }[];
  readonly environment: readonly string[];
  /** Places whose target only a run knows: `L1 n2 http.Get url`. */
  readonly dynamic_targets: readonly string[];
  /** Of a run from the entry or an endpoint; null without either. */
  readonly bounds: LabelBounds | null;
  /** Most labels inside one another in such a run; null when labels can lead back to themselves, or without entry. */
  readonly max_depth: number | null;
  readonly loops: readonly LoopBound[];
  readonly waits: readonly Wait[];
  /** How many copies of the variables a run holds at the same time, each bounded by max_frame_bytes: its own, and one for each live branch. */
  readonly frames_at_once: number;
  readonly unknown: readonly Unknown[];
};
export type LeastGrant = {
  readonly allowed_adapters: readonly string[] | null;
  readonly forbidden_adapters: readonly string[];
  readonly forbidden_effects: readonly string[];
  readonly forbidden_effect_tiers: readonly string[];
  readonly forbidden_privilege_tiers: readonly string[];
  readonly forbidden_destructive: boolean;
  readonly limits: Partial<LimitSet>;
  readonly adapter_constraints: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
};
/** A profile as far as admitting a program goes. */
export type ProfileTerms = {
  readonly name: string;
  readonly allowed_adapters: readonly string[] | null;
  readonly policy: Policy;
  readonly limits: Partial<LimitSet>;
  readonly required_settings: Readonly<Record<string, readonly string[]>>;
};
export type ProfileVerdict = {
  readonly admitted: boolean;
  readonly policy_errors: readonly Violation[];
  readonly not_allowed: readonly string[];
  readonly limits_exceeded: readonly { readonly limit: string; readonly needs: number; readonly granted: number }[];
  /** Settings that must be given for adapters the program uses: `http.allow_hosts`. */
  readonly needs: readonly string[];
};
export type SecurityReport = {
  readonly schema_version: "1.0";
  readonly labels: Readonly<Record<string, LabelReport>>;
  readonly summary: ReportSummary;
  readonly least_privilege_grant: LeastGrant;
  readonly profiles: Readonly<Record<string, ProfileVerdict>>;
};
export type ReportOptions = { readonly profiles?: readonly ProfileTerms[]; readonly settings?: SettingTable };

/** One fact of a step, with the step. */
export type Use = { readonly node: IrNode; readonly facts: NodeFacts };

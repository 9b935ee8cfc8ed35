/** Questions to people: what a program asks, what a person may answer, and what the program is given (docs/approvals.md). */
import type { Json, JsonObject } from "../../compiler/json.ts";
import { isObject } from "../../compiler/json.ts";
import { exactResult } from "../inputs/exact-text.ts";
import type { FamilyDesk } from "./families.ts";

/** By field: the kind of value, or the texts to choose from. */
export type ApprovalForm = Readonly<Record<string, "text" | "number" | "boolean" | readonly string[]>>;

/** What is put before people. `expiresMs`: milliseconds since 1970; null: as long as the job lives. */
export type ApprovalAsked = {
  readonly title: string;
  readonly details: Json;
  /** Its JSON text, where that says more. */
  readonly details_text?: string;
  /** The first one approves. */
  readonly choices: readonly string[];
  /** `user:ann` and `group:leads`; empty: all who may decide. */
  readonly to: readonly string[];
  /** How many people must make the first choice. Any other choice decides at once. */
  readonly need: number;
  readonly form: ApprovalForm | null;
  readonly expiresMs: number | null;
};

/** How somebody decided: through the proxy that names him, at the endpoint without one, by a link, or asked by the program's own host. */
export type DecidedVia = "proxy" | "api" | "cli" | "link" | "terminal" | "elicitation";

/** `by`: null: not named. `atMs`: milliseconds since 1970. */
export type ApprovalAnswer = {
  readonly choice: string;
  readonly by: string | null;
  readonly via: DecidedVia;
  readonly comment: string | null;
  readonly data: JsonObject | null;
  /** Its JSON text, where that says more. */
  readonly data_text?: string | undefined;
  readonly atMs: number;
};

/** Decisions that no person makes: the time was over, the program took it back, or who was asked declined to answer. */
export const NO_CHOICES = ["expired", "cancelled", "declined"] as const;

export const MAX_TITLE = 200;
export const MAX_CHOICES = 8;
export const MAX_CHOICE = 64;
export const MAX_PEOPLE = 16;
export const MAX_NEED = 5;
export const MAX_FIELDS = 16;
export const MAX_COMMENT = 2000;
const MAX_FIELD_TEXT = 4000;
const FIELD = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** Forms that hosts show for others must not ask for these: the Model Context Protocol demands it. */
const SECRETS = /password|token|secret|key|card/i;
export const PERSON = /^(user|group):[^\s\p{C}]{1,128}$/u;

export function isFieldName(name: string): boolean {
  return FIELD.test(name);
}

/** The first field of a form that asks for a secret; undefined: none does. */
export function secretField(fields: object): string | undefined {
  return Object.keys(fields).find((name) => SECRETS.test(name));
}

/** What the program is given of a decision. `decision`: a choice, or one of `NO_CHOICES`. */
export type ApprovalResult = {
  readonly decision: string;
  readonly approved: boolean;
  readonly by: string | null;
  readonly comment: string | null;
  readonly data: Json;
  /** null: never. */
  readonly at: string | null;
  readonly id: string;
};

export function approvalResult(
  id: string,
  { choices }: Pick<ApprovalAsked, "choices">,
  answer: ApprovalAnswer,
): ApprovalResult {
  const { choice, by, comment, atMs } = answer;
  const data = exactResult({ result: answer.data, result_text: answer.data_text });
  const approved = choice === choices[0];
  return { decision: choice, approved, by, comment, data, at: new Date(atMs).toISOString(), id };
}

/** What it is given where no person chose. */
export function noChoice(id: string, decision: (typeof NO_CHOICES)[number], atMs: number | null): ApprovalResult {
  const at = atMs === null ? null : new Date(atMs).toISOString();
  return { decision, approved: false, by: null, comment: null, data: null, at, id };
}

/** What is wrong with an answer, by JSON pointer; empty: nothing. Fields may be left out with every choice but the first. */
export function answerIssues(
  { choices, form }: Pick<ApprovalAsked, "choices" | "form">,
  { choice, data }: { readonly choice: string; readonly data: Json },
): readonly { readonly path: string; readonly message: string }[] {
  if (!choices.includes(choice)) return [{ path: "/decision", message: `must be one of ${choices.join(", ")}` }];
  if (data !== null && !isObject(data)) return [{ path: "/data", message: "must be an object" }];
  const given = data ?? {};
  const fields = form ?? {};
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(fields, name));
  const issues = unknown.map((name) => ({ path: `/data/${name}`, message: "is not a field of the form" }));
  for (const [name, kind] of Object.entries(fields)) {
    const value = Object.hasOwn(given, name) ? (given[name] ?? null) : null;
    if (value === null) {
      if (choice === choices[0]) issues.push({ path: `/data/${name}`, message: "is missing" });
    } else if (!isOfKind(kind, value)) {
      const wanted = typeof kind === "string" ? `a ${kind}` : `one of ${kind.join(", ")}`;
      issues.push({ path: `/data/${name}`, message: `must be ${wanted}` });
    }
  }
  return issues;
}

function isOfKind(kind: ApprovalForm[string], value: Json): boolean {
  if (typeof kind !== "string") return typeof value === "string" && kind.includes(value);
  if (kind === "text") return typeof value === "string" && value.length <= MAX_FIELD_TEXT;
  return typeof value === kind;
}

/** How long a job lives. */
export type JobLife = {
  /** Milliseconds since 1970, by the clock of the store. */
  readonly endsMs: number;
  /** Milliseconds from its queuing to its end. */
  readonly lengthMs: number;
  /** Whether the program says how long the wait of a call is. */
  readonly isWritten: (at: { readonly label: string; readonly node: string }) => boolean;
};

/**
 * What verbs may do in the store that their run belongs to. All of it may be repeated: the same id, or call, is the same thing. The
 * methods reject with AdapterError.
 */
export interface RunDesk {
  /** Of the job. Absent: it has no end of its own. */
  readonly life?: JobLife;
  /** Throws AdapterError where the run cannot wait at this point. Absent: it can. */
  checkMayWait?(): void;
  /** Puts a question before people. `most`: open ones that the job may have. */
  openApproval(id: string, asked: ApprovalAsked, most: number): Promise<void>;
  /** Whether the run has asked this. */
  hasApproval(id: string): Promise<boolean>;
  /** False: it is decided or over. */
  cancelApproval(id: string): Promise<boolean>;
  /** What became of a question that the run has asked, as soon as it is over, for a call that cannot park. Absent: no call waits like that. */
  awaitDecision?(id: string, signal: AbortSignal): Promise<ApprovalResult>;
  sendSignal(signal: DeskSignal): Promise<"now" | "kept">;
  /** The address that takes the signal once, until `expiresMs`. */
  signalLink(name: string, expiresMs: number): Promise<string>;
  /** The jobs that belong together with this one. Absent: it has none. */
  readonly family?: FamilyDesk;
  /** Absent: the run has no events. */
  readonly events?: EventDesk;
}

type DeskSignal = {
  readonly id: string;
  readonly name: string;
  readonly target: { readonly job: string } | { readonly key: string };
  readonly data: Json;
};

/** An event that a run emits (docs/adapters/event.md). */
type EventAsked = {
  /** Of the call in the run: the same place of the same job emits one event. */
  readonly place: string;
  readonly name: string;
  readonly data: Json;
  readonly key: string | null;
  /** Events that cause each other, one after the other, at most. */
  readonly maxHops: number;
};

/** Events that a run emits or waits for. The methods reject with AdapterError. */
export interface EventDesk {
  /** The id of the event that this call emitted, now or before. */
  emit(asked: EventAsked): Promise<string>;
  /** Whether the run may wait for events of this name. */
  accepts(name: string): boolean;
}

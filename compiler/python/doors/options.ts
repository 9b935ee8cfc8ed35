/**
 * What `@api`, `@cron`, `@on` and `@job` take: the settings of endpoints, schedules, events and jobs that docs/programs.md names, as arguments by name. The service reads
 * them like those of a deployment, and checks what only the service can know (names of secrets, templates of paths).
 */
import { listed } from "../../../grammar/text/english.ts";
import { isZone } from "../../catalog/written-forms.ts";
import type { Json, JsonObject } from "../../json.ts";
import { isObject } from "../../json.ts";

export type Option = {
  /** Its name in the settings of a deployment. */
  readonly setting: string;
  /** What it is, after "must be". */
  readonly what: string;
  /** Words, where it is one of them. */
  readonly words?: readonly string[];
  readonly takes: (value: Json) => boolean;
  /** A Python program sees its value: where its JSON text says more, the text stands next to it in the settings. */
  readonly isExact?: true;
};

/** Ends the name of the setting that has its text. */
export const TEXT_OF = "_text";

export const METHODS: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const SCHEMES = [
  "standard",
  "svix",
  "github",
  "stripe",
  "slack",
  "shopify",
  "twilio",
  "twitch",
  "gitlab",
  "bearer",
  "basic",
  "token",
  "hmac",
  "ed25519",
];
const CHALLENGES = ["slack", "twitch", "discord", "meta"];
const MOST_DELAY_S = 3600;
const YEAR_S = 31_536_000;
const MOST_WINDOW_S = 31 * 24 * 3600;

function text(setting: string, what: string): Option {
  return { setting, what, takes: (value) => typeof value === "string" && value !== "" };
}

function oneOf(setting: string, words: readonly string[]): Option {
  const what = words.length === 1 ? `"${words[0]}"` : `one of ${words.map((word) => `"${word}"`).join(", ")}`;
  return { setting, what, words, takes: (value) => typeof value === "string" && words.includes(value) };
}

function whole(setting: string, low: number, high: number): Option {
  const takes = (value: Json): boolean =>
    typeof value === "number" && Number.isInteger(value) && value >= low && value <= high;
  return { setting, what: `a whole number from ${low} to ${high}`, takes };
}

function seconds(setting: string): Option {
  const takes = (value: Json): boolean => typeof value === "number" && value >= 0 && value <= YEAR_S;
  return { setting, what: `a number of seconds up to ${YEAR_S}`, takes };
}

/** A rule, or several in a list. */
function rules(setting: string, needs: readonly string[]): Option {
  const one = withMembers(setting, needs);
  return {
    setting,
    what: `${one.what}, or a list of such`,
    takes: (value) => (Array.isArray(value) ? value.length > 0 && value.every(one.takes) : one.takes(value)),
  };
}

function withMembers(setting: string, needs: readonly string[]): Option {
  const takes = (value: Json): boolean => isObject(value) && needs.every((name) => Object.hasOwn(value, name));
  return { setting, what: `a dict with ${listed(needs.map((name) => `"${name}"`))}`, takes };
}

function key(setting: string): Option {
  const isPath = (value: Json): boolean => typeof value === "string" && value !== "";
  const takes = (value: Json): boolean => isPath(value) || (Array.isArray(value) && value.every(isPath));
  return { setting, what: 'the path of an input such as "customer" or "order.region", or a list of such', takes };
}

/** When jobs begin, and for how long they run. */
const FLOW_OPTIONS: Readonly<Record<string, Option>> = {
  concurrency: rules("concurrency", ["limit"]),
  rate: rules("rate", ["limit", "per_s"]),
  priority: {
    setting: "priority",
    what: "a whole number from -100 to 100, or the path of an input",
    takes: (value) => key("priority").takes(value) || whole("priority", -100, 100).takes(value),
  },
  fair: key("fair"),
  unique: withMembers("unique", ["key"]),
  debounce: withMembers("debounce", ["key", "wait_s", "max_s"]),
  batch: withMembers("batch", ["max", "wait_s"]),
  delay_s: seconds("delay_s"),
  timeout_s: seconds("timeout_s"),
  start_by_s: seconds("start_by_s"),
};

export const JOB_OPTIONS = FLOW_OPTIONS;

export const API_OPTIONS: Readonly<Record<string, Option>> = {
  mode: oneOf("mode", ["run", "job"]),
  headers: {
    setting: "headers",
    what: "a list of names of headers",
    takes: (value) => Array.isArray(value) && value.every((name) => typeof name === "string" && name !== ""),
  },
  body: oneOf("body", ["whole", "form", "text"]),
  files: { setting: "files", what: "True or False", takes: (value) => typeof value === "boolean" },
  cors: {
    setting: "cors",
    what: 'a dict with "origins", a list such as ["https://shop.example.com"]',
    takes: (value) => isObject(value) && Array.isArray((value as JsonObject)["origins"]),
  },
  challenge: {
    setting: "challenge",
    what: `a dict with "kind", one of ${CHALLENGES.join(", ")}`,
    takes: (value) => isObject(value) && CHALLENGES.includes(String((value as JsonObject)["kind"])),
  },
  verify: {
    setting: "verify",
    what: `a dict with "kind", one of ${SCHEMES.join(", ")}, and "secrets"`,
    takes: (value) =>
      isObject(value) && SCHEMES.includes(String((value as JsonObject)["kind"])) && Object.hasOwn(value, "secrets"),
  },
  dedupe: text("dedupe", 'the name of a header, or a JSON pointer into the body such as "/event/id"'),
  ...FLOW_OPTIONS,
};

export const ON_OPTIONS: Readonly<Record<string, Option>> = {
  when: text("when", 'an expression over data in a text, such as "data.total > 100"'),
  key: text("key", 'an expression over data in a text, such as "data.customer"'),
  ...FLOW_OPTIONS,
};

export const CRON_OPTIONS: Readonly<Record<string, Option>> = {
  tz: {
    setting: "tz",
    what: 'the name of a time zone that exists, such as "Europe/Vienna"',
    takes: (value) => typeof value === "string" && isZone(value),
  },
  frame: { setting: "frame", what: "a dict with values of inputs", takes: (value) => isObject(value), isExact: true },
  jitter_s: whole("jitter_s", 0, MOST_DELAY_S),
  overlap: oneOf("overlap", ["skip", "queue", "replace", "allow"]),
  catch_up: oneOf("catch_up", ["none", "last", "all"]),
  catch_up_window_s: whole("catch_up_window_s", 1, MOST_WINDOW_S),
  // Without the underscore it is a word of Python.
  from_: text("from", "a time in ISO 8601"),
  until: text("until", "a time in ISO 8601"),
  paused: { setting: "paused", what: "True or False", takes: (value) => typeof value === "boolean" },
  ...FLOW_OPTIONS,
};

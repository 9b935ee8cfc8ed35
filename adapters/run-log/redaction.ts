/**
 * Taking secrets out of texts and data that leave the process: values known to be secret, and what looks like a credential by the
 * key it stands under or the words before it. A second net; results and records are the caller's data and are left alone.
 */
import { type Json, setMember } from "../../compiler/json.ts";
import { readUrl } from "../../compiler/read-url.ts";
import type { RunAnswer } from "../../vm/host.ts";
import type { RunError } from "../../vm/run.ts";
import type { HostConfig } from "../operator/host-config.ts";
import { HiddenValues, type Secrets } from "../operator/secrets.ts";

const REDACTED = "[REDACTED]";
const SECRET_KEYS: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "set-cookie",
  "password",
  "passwd",
  "secret",
  "token",
  "api-key",
  "apikey",
  "x-api-key",
  "private-key",
  "credential",
]);
const KEY_WORDS = "authorization|cookie|password|passwd|secret|token|(?:api|access|private)[_-]?key|credential";
const VALUE = `("[^"]*"|'[^']*'|[^\\s,;&"']+)`;
/** No pattern begins with a run of letters of any length: it would be tried at each of them, and messages are as long as programs make them. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g, REDACTED],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${REDACTED}`],
  // Up to the last @: passwords hold that character unencoded, too.
  [/:\/\/[^\s/"]+@/g, `://${REDACTED}@`],
  [new RegExp(`\\b(${KEY_WORDS})(\\s*[=:]\\s*)${VALUE}`, "gi"), `$1$2${REDACTED}`],
  // As variables are written (`DB_PASSWORD=`, `SECRET_KEY_BASE=`), and as members of JSON within a text.
  [new RegExp(`(?<=_)((?:${KEY_WORDS})(?:_[a-z0-9]{1,32}){0,3}=)${VALUE}`, "gi"), `$1${REDACTED}`],
  [new RegExp(`\\b((?:${KEY_WORDS})_[a-z0-9_]{1,64}=)${VALUE}`, "gi"), `$1${REDACTED}`],
  [new RegExp(`((?:${KEY_WORDS})\\\\?"\\s*:\\s*\\\\?")[^"]*`, "gi"), `$1${REDACTED}`],
  [new RegExp(`\\b(${KEY_WORDS})\\s+[A-Za-z0-9+/_=-]{32,}`, "gi"), `$1 ${REDACTED}`],
];
const DEEPEST = 64;

export type Redaction = {
  text(text: string): string;
  data(value: Json): Json;
};

/** `scrubbed` takes known secret values out of a text. */
export function createRedaction(scrubbed: (text: string) => string): Redaction {
  const text = (given: string): string =>
    PATTERNS.reduce((clean, [pattern, instead]) => clean.replace(pattern, instead), scrubbed(given));
  const data = (value: Json, depth: number): Json => {
    if (typeof value === "string") return text(value);
    if (value === null || typeof value !== "object") return value;
    if (depth > DEEPEST) return REDACTED;
    if (Array.isArray(value)) return value.map((element: Json) => data(element, depth + 1));
    const clean: { [key: string]: Json } = {};
    for (const [key, member] of Object.entries(value as { readonly [key: string]: Json }))
      setMember(clean, text(key), isSecretKey(key) ? REDACTED : data(member, depth + 1));
    return clean;
  };
  return { text, data: (value) => data(value, 0) };
}

/** Shorter ones are settings such as `on`, whatever their variable is called. */
const SHORTEST_CREDENTIAL = 8;

/**
 * The redaction of one host: its secrets, the values that its operator exposed to programs, which programs may use but must not be logged,
 * and environment variables whose name suggests a credential, because declared programs receive such variables.
 */
export function createHostRedaction(
  secrets: Pick<Secrets, "scrubbed">,
  { exposed, variables, databaseUrl }: Pick<HostConfig, "exposed" | "variables" | "databaseUrl">,
): Redaction {
  const credentials = Object.entries(variables).map(([name, value = ""]) => (isSecretKey(name) ? value : ""));
  credentials.push(...passwordsOf(databaseUrl ?? ""));
  const hidden = new HiddenValues(
    [...exposed.values(), ...credentials.filter((value) => value.length >= SHORTEST_CREDENTIAL)],
    REDACTED,
  );
  return createRedaction((text) => hidden.scrubbed(secrets.scrubbed(text)));
}

/** The password in an address, as it is written and as it is meant. */
function passwordsOf(address: string): readonly string[] {
  const written = readUrl(address)?.password ?? "";
  try {
    return [written, decodeURIComponent(written)];
  } catch {
    return [written];
  }
}

/** The events of a run as they leave the process: without the values that must not be logged. */
export function redactedTrace(trace: NonNullable<RunAnswer["trace"]>, redaction: Redaction) {
  return trace.map((event) => {
    const { out, message } = event;
    return {
      ...event,
      ...(out === undefined ? {} : { out: redaction.data(out) }),
      ...(typeof message === "string" ? { message: redaction.text(message) } : {}),
    };
  });
}

/**
 * An answer as the operator is shown it: with everything but secrets. A server may send back what it was given, and errors tell what
 * servers sent.
 */
export function withoutSecrets(answer: RunAnswer, { scrubbed }: Pick<Secrets, "scrubbed">): RunAnswer {
  if (answer.ok) return answer;
  const { error } = answer;
  const data: RunError["data"] = JSON.parse(JSON.stringify(error.data), (_, one: unknown) =>
    typeof one === "string" ? scrubbed(one) : one,
  );
  return { ...answer, error: { ...error, message: scrubbed(error.message), data } };
}

/** Whole words only, so that `max_tokens` and `tokenizer` pass. */
function isSecretKey(key: string): boolean {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[_\-.\s]+/);
  return (
    words.some((word) => SECRET_KEYS.has(word)) ||
    words.some((word, at) => SECRET_KEYS.has(`${word}-${words[at + 1] ?? ""}`))
  );
}

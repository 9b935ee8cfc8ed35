/**
 * Taking secrets out of texts and data that leave the process: values known to be secret, and what looks like a credential by the
 * key it stands under or the words before it. A second net; results and records are the caller's data and are left alone.
 */
import { type Json, setMember } from "../compiler/json.ts";
import type { HostConfig } from "./host-config.ts";
import type { Secrets } from "./secrets.ts";

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
const KEY_WORDS = "authorization|cookie|password|passwd|secret|token|api[_-]?key|private[_-]?key|credential";
/** No pattern begins with a run of letters of any length: it would be tried at each of them, and messages are as long as programs make them. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g, REDACTED],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${REDACTED}`],
  [/:\/\/[^\s/@]+@/g, `://${REDACTED}@`],
  [new RegExp(`\\b(${KEY_WORDS})(\\s*[=:]\\s*)("[^"]*"|'[^']*'|[^\\s,;&"']+)`, "gi"), `$1$2${REDACTED}`],
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
      setMember(clean, key, isSecretKey(key) ? REDACTED : data(member, depth + 1));
    return clean;
  };
  return { text, data: (value) => data(value, 0) };
}

const SHORTEST_HIDDEN = 4;

/** The redaction of one host: its secrets, and the values that its operator exposed to programs, which are theirs to use and nobody's to log. */
export function createHostRedaction(
  secrets: Pick<Secrets, "scrubbed">,
  { exposed }: Pick<HostConfig, "exposed">,
): Redaction {
  const hidden = [...exposed.values()].filter((value) => value.length >= SHORTEST_HIDDEN);
  return createRedaction((text) =>
    hidden.reduce((clean, value) => clean.replaceAll(value, REDACTED), secrets.scrubbed(text)),
  );
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

/** Settings of programs and options of adapters in words: `http (timeout 5 s; allow hosts api.example.com)`. */
import { RULES } from "../rules.ts";
import { number, spaced } from "../words.ts";
import { Fact } from "./fact.tsx";
import { shapeOf } from "./value.tsx";

/** Characters of a setting that are shown: a list may have thousands of members. */
const MAX_TEXT = 2000;
/** Lists and dicts inside each other that are looked into. */
const MAX_DEPTH = 6;
const UNITS: Readonly<Record<string, string>> = { s: "s", ms: "ms", bytes: "bytes" };

export function settingText(value: unknown): string {
  const text = words(value, MAX_DEPTH);
  return text.length <= MAX_TEXT
    ? text
    : `${text.slice(0, MAX_TEXT)}… (${number(text.length - MAX_TEXT)} more characters)`;
}

function words(value: unknown, depth: number): string {
  if (value === null || value === undefined) return "not set";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return number(value);
  if (typeof value !== "object") return String(value);
  if (depth === 0) return "…";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map((one) => words(one, depth - 1)).join(", ");
  const members = Object.entries(value);
  return members.length === 0 ? "no options" : members.map((member) => memberText(member, depth - 1)).join("; ");
}

/** `timeout_s: 5` is `timeout 5 s`. */
function memberText([name, value]: readonly [string, unknown], depth: number): string {
  const [, stem = name, unit = ""] = /^(.+)_(s|ms|bytes)$/.exec(name) ?? [];
  const text = words(value, depth);
  if (typeof value === "number") return `${spaced(stem)} ${text} ${UNITS[unit] ?? ""}`.trimEnd();
  const isDict = typeof value === "object" && value !== null && !Array.isArray(value);
  return isDict ? `${spaced(name)} (${text})` : `${spaced(name)} ${text}`;
}

export function SettingsList({ settings }: { readonly settings: Readonly<Record<string, unknown>> }) {
  return (
    <dl class="facts">
      {Object.entries(settings).map(([name, value]) => (
        <Fact key={name} term={spaced(name)}>
          {RULES.values ? settingText(value) : shapeOf(value)}
        </Fact>
      ))}
    </dl>
  );
}

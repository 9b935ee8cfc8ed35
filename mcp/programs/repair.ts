/**
 * What to do about a failed run, in sentences for a model: at most three, by error code. They fix the call or the program; none of them
 * says to take the work out of it.
 */
import type { Json } from "../../compiler/json.ts";
import type { Violation } from "../../compiler/policy/validate.ts";
import { RUNTIME_CODES } from "../../vm/errors/error-codes.ts";
import type { RunError } from "../../vm/run.ts";

const MAX_SENTENCES = 3;
const MAX_INPUTS = 12;

/** `notGiven`: inputs that the program declares and the call gave no value for. */
export function repairOf({ code, data }: RunError, notGiven: readonly string[] = []): readonly string[] {
  const inputs = RUNTIME_CODES[code].class === "ordinary" ? byInputs(notGiven) : [];
  return [...inputs, ...byOperand(data), ...byAdapterCode(data), ...byCode(code, data)].slice(0, MAX_SENTENCES);
}

function byInputs(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > MAX_INPUTS ? ` and ${names.length - MAX_INPUTS} more` : "";
  return [
    `Give values in \`frame\` for what the program declares as inputs: ${names.slice(0, MAX_INPUTS).join(", ")}${more}.`,
  ];
}

function byOperand({ operand, operand_type: type }: Data): string[] {
  if (typeof operand !== "string") return [];
  if (type === "null")
    return [`\`${operand}\` is null here: give it a value, or test \`${operand} is not None\` before.`];
  return [`\`${operand}\` is of type ${type} here: convert it first, as with \`int(…)\`, \`float(…)\` or \`str(…)\`.`];
}

/** For a program whose adapters are not there. */
export function repairMissing(suggested: object): readonly string[] {
  return [`Add ${JSON.stringify(suggested)} as \`adapters\`; if the grant forbids it, ask the operator.`];
}

/** For a program that the policy does not admit: who set the rules, and so who can admit it. */
export function repairViolations(errors: readonly Violation[]): readonly string[] {
  const rules = errors.flatMap(({ data: { rule } }) =>
    (rule.sources ?? [rule.source]).map((source) => ({ source, member: rule.member })),
  );
  const asked = new Set(rules.filter(({ source }) => source === "request").map(({ member }) => `\`policy.${member}\``));
  const others = new Set(rules.map(({ source }) => source).filter((source) => source !== "request"));
  return [
    ...(asked.size === 0 ? [] : [`This call set ${[...asked].join(" and ")}: leave out what forbids the program.`]),
    ...(others.size === 0 ? [] : ["Leave the calls in: only the operator of this server can admit them."]),
    ...(others.has("default") ? ["The operator sets WF_MCP_PROFILE to a security profile that does."] : []),
  ];
}

type Data = { readonly [key: string]: Json };

/** Adapters whose calls wait for what a run of this server does not get. */
const WAITING: readonly string[] = ["approval", "signal", "timer"];

function byAdapterCode(data: Data): string[] {
  const { adapter_code: code, suggested_adapters: suggested, retryable, adapter } = data;
  if (typeof code !== "string") return [];
  if (code === "ADAPTER_NOT_CONFIGURED" && suggested !== undefined && suggested !== null)
    return [...repairMissing(Object(suggested))];
  if (code === "ADAPTER_NOT_CONFIGURED" && WAITING.includes(String(adapter)))
    return ["Queue it as a job of a service, which can wait: wf jobs submit FILE."];
  if (code === "ADAPTER_BAD_ARGS")
    return ["Correct the arguments of the call: `error_structured.data` names the place."];
  if (/_(BLOCKED|FORBIDDEN|ESCAPE|NOT_ALLOWED)$/.test(code))
    return ["Use a target that the settings admit, or ask the operator to admit this one.", HANDLE];
  return [
    retryable === true ? "Put the call into `with retry(3, backoff_ms=1000):`, because trying again may help." : HANDLE,
  ];
}

const HANDLE = "Put the call into a `try:` block with `except AdapterError:` to continue without its answer.";

function byCode(code: RunError["code"], data: Data): string[] {
  const { meter, limit } = data;
  if (typeof meter === "string" && typeof limit === "number")
    return [
      `Pass a higher \`limits.${meter}\` than ${limit} if you set it; the server's own limit cannot be raised.`,
      `${capitalized(fixOf(code))}.`,
    ];
  if (code === "RUNTIME_ADAPTER_ERROR") return [];
  if (code === "RUNTIME_ADAPTER_NOT_ALLOWED") return ["Ask the operator for a grant that admits the adapter."];
  return [`${capitalized(fixOf(code))}.`];
}

function fixOf(code: RunError["code"]): string {
  return RUNTIME_CODES[code].fix;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

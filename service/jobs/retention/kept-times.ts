/** How long results are kept, by program and by how the job ended: `WF_JOBS_KEPT_DAYS` (docs/jobs.md, retention). */
import { PROGRAM_NAME } from "../../programs/program-name.ts";
import { type JobStatus, type KeptTimes, TERMINAL_STATUSES } from "../job.ts";

/** `program`, `status`: null: any. */
type KeptRule = { readonly program: string | null; readonly status: JobStatus | null; readonly ms: number };
export type KeptRules = readonly KeptRule[];

const DAY_MS = 86_400_000;
const MOST_DAYS = 3650;
const MOST_RULES = 200;
/** `7`, `:failed=30`, `payroll=90`, `payroll:failed=365.5`. */
const RULE = /^(?:([^:=]+)?(?::([a-z_]+))?=)?([0-9]{1,4}(?:\.[0-9]{1,3})?)$/;

export const KEPT_FORM = `must be days such as 7 or payroll:failed=365, with commas between them; a state is one of ${TERMINAL_STATUSES.join(", ")}`;

/** null: the text has another form, or says one thing twice. */
export function readKeptRules(text: string): KeptRules | null {
  const rules: KeptRule[] = [];
  const said = new Set<string>();
  for (const word of text.split(",").map((one) => one.trim())) {
    if (word === "") continue;
    const found = RULE.exec(word);
    if (found === null) return null;
    const [, program = null, status = null, days] = found;
    const isState = status === null || TERMINAL_STATUSES.includes(status as JobStatus);
    const isProgram = program === null || PROGRAM_NAME.test(program);
    const isNamed = !word.includes("=") || program !== null || status !== null;
    const ms = Number(days) * DAY_MS;
    const key = `${program ?? ""}:${status ?? ""}`;
    if (!isState || !isProgram || !isNamed || ms === 0 || ms > MOST_DAYS * DAY_MS || said.has(key)) return null;
    said.add(key);
    rules.push({ program, status: status as JobStatus | null, ms });
  }
  return rules.length > MOST_RULES ? null : rules;
}

/** What the rules say of jobs of a program: that of the program in its state, else of the program, else of the state, else of all. `program`: null: of none. */
export function keptTimes(rules: KeptRules, program: string | null): KeptTimes | null {
  const ruleOf = (name: string | null, status: JobStatus | null): KeptRule | undefined =>
    rules.find((rule) => rule.program === name && rule.status === status);
  const times: { [status in JobStatus]?: number } = {};
  for (const status of TERMINAL_STATUSES) {
    const own = program === null ? undefined : (ruleOf(program, status) ?? ruleOf(program, null));
    const rule = own ?? ruleOf(null, status) ?? ruleOf(null, null);
    if (rule !== undefined) times[status] = rule.ms;
  }
  return Object.keys(times).length === 0 ? null : times;
}

/** As stores keep them. */
export function keepsText(times: KeptTimes | null | undefined): string | null {
  return times == null ? null : JSON.stringify(times);
}

export function keepsIn(text: string | null): KeptTimes | null {
  return text === null ? null : (JSON.parse(text) as KeptTimes);
}

/** `keepS`: of the request or the deployment, in seconds. */
export function keptFor(
  jobs: { readonly kept: KeptRules; readonly resultTtlS: number },
  program: string | null,
  keepS: number | null | undefined,
): { readonly keepMs: number; readonly keeps: KeptTimes | null } {
  const keepMs = (keepS ?? jobs.resultTtlS) * 1000;
  return { keepMs, keeps: keepS == null ? keptTimes(jobs.kept, program) : null };
}

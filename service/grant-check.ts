/**
 * Deployments that today's grant refuses (rule P-7 of docs/programs.md): looked for when the service starts, and whenever another process
 * changes one. They stay, answer 403, and are listed by /ready.
 */
import type { JsonObject } from "../compiler/json.ts";
import { checkSubscriptions } from "./events/check-subscriptions.ts";
import { Conditions } from "./events/conditions.ts";
import { needsOf, noteNeeds } from "./programs/deploy/needs.ts";
import { servedEndpoints } from "./programs/endpoints/served-endpoints.ts";
import { type LoadedProgram, loaded } from "./programs/loaded-programs.ts";
import type { ProgramStore } from "./programs/store.ts";
import { planRun } from "./run/plan.ts";
import { readAdmitted } from "./run/read-request.ts";
import type { Services } from "./services.ts";
import { ServiceFault } from "./wire/errors.ts";

const PAGE = 50;

/** The key under which `readiness.warn` receives the warning. */
export const warningKey = (name: string): string => `program ${name}`;

/** Looks at every deployment, one after the other. */
export async function checkDeployments(services: Services, store: ProgramStore): Promise<void> {
  let after: string | null = null;
  for (;;) {
    const page = await store.list({ limit: PAGE, after, tag: null, q: null });
    for (const { name } of page) await checkDeployment(services, store, name);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.name;
  }
}

/** A store that is away leaves everything as it was. */
export async function checkDeployment(services: Services, store: ProgramStore, name: string): Promise<void> {
  const current = await store.current(name).catch(() => undefined);
  if (current === undefined) return;
  const { refused, needs } =
    current === null ? GONE : await findingsOf(services, await loaded(current.version, services.clock));
  const warning = refused === null ? null : `program_refused: ${name}: ${refused}`;
  services.readiness.warn(warningKey(name), warning);
  noteNeeds(services, name, needs);
  if (warning !== null) services.events.note("warn", "program_refused", { program: name, message: refused ?? "" });
}

type Findings = { readonly refused: string | null; readonly needs: readonly string[] };
const GONE: Findings = { refused: null, needs: [] };

async function findingsOf(services: Services, program: LoadedProgram): Promise<Findings> {
  const { ir, settings, within } = program;
  const unsigned = services.signatures.refusal(program);
  if (unsigned !== null) return { refused: unsigned.message, needs: [] };
  try {
    const body = { ir: ir as unknown as JsonObject, label: settings.label };
    const { request, admission } = readAdmitted({ body, fault: undefined }, services.gateway, within);
    const { prepared } = await planRun(services, request, admission, null);
    checkSubscriptions(ir, settings, admission, new Conditions(services.gateway.host));
    const { endpoints } = servedEndpoints(ir, settings);
    return { refused: null, needs: await needsOf(prepared.warnings, endpoints, services, settings.notices) };
  } catch (cause) {
    if (cause instanceof ServiceFault) return { refused: cause.message, needs: [] };
    throw cause;
  }
}

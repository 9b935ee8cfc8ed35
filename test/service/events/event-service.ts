/** A service whose programs emit events and hear of them. */
import { afterAll } from "vitest";
import { type JobServing, type JobServingOptions, servingJobs, temporaryFolder } from "../jobs/serving-jobs.ts";

const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end();
}, 60_000);

type Start = {
  readonly program: string | null;
  readonly label: string | null;
  readonly outcome: string;
  readonly job_id: string | null;
  readonly error: string | null;
};
type ShownEvent = {
  readonly id: string;
  readonly state: string;
  readonly started: number;
  readonly starts: readonly Start[];
};

export type Eventful = JobServing & {
  /** Deploys a program with these settings of the adapter `event`. */
  deployed(name: string, code: string, event: object): Promise<void>;
  begun(program: string, frame?: object): Promise<string>;
  emitted(event: object): Promise<{ readonly id: string; readonly duplicate: boolean }>;
  /** The event, as soon as all have it. */
  delivered(id: string): Promise<ShownEvent>;
  /** The first job of a list, as soon as there is one. */
  first(list: string): Promise<{ readonly job_id: string }>;
};

const LOOK_MS = 20;
const LOOKS = 1500;

export async function eventful(options: JobServingOptions = {}): Promise<Eventful> {
  let { stateDir = null } = options;
  if (options.databaseUrl === undefined && stateDir === null) {
    const folder = await temporaryFolder();
    ends.push(() => folder.remove());
    stateDir = folder.path;
  }
  const variables = { WF_ENABLE_ADAPTERS: "core,ext,signal,timer,event", WF_DEPLOY: "on", ...options.variables };
  const service = await servingJobs({ ...options, stateDir, variables });
  ends.push(() => service.stop());
  const looked = async <T>(what: string, look: () => Promise<T | null>): Promise<T> => {
    for (let at = 0; at < LOOKS; at++) {
      const found = await look();
      if (found !== null) return found;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    throw new Error(`never: ${what}`);
  };
  return {
    ...service,
    async deployed(name, code, event) {
      const { status, text } = await service.call("PUT", `/programs/${name}`, { code, adapters: { event } });
      if (status !== 201 && status !== 200) throw new Error(`not deployed: ${status} ${text}`);
    },
    // A job whose program emits events is durable by itself.
    begun: (program, frame = {}) => service.queued({ program, frame }),
    async emitted(event) {
      const { status, text, body } = await service.call("POST", "/events", event);
      if (status !== 202) throw new Error(`not taken: ${status} ${text}`);
      return body;
    },
    delivered: (id) =>
      looked(`event ${id} is delivered`, async () => {
        const { body } = await service.call("GET", `/events/${id}`);
        return body.state === "done" ? body : null;
      }),
    first: (list) => looked(list, async () => (await service.call("GET", list)).body.jobs[0] ?? null),
  };
}

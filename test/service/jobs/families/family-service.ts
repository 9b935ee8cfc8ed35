/** A service whose jobs may start jobs of its deployments. */
import { afterAll } from "vitest";
import { type JobServing, type JobServingOptions, servingJobs, temporaryFolder } from "../serving-jobs.ts";

const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end();
}, 60_000);

type ChildJob = { readonly job_id: string; readonly status: string; readonly program: string };

export type Families = JobServing & {
  /** Deploys a program, which may start jobs of `programs`. */
  deployed(name: string, code: string, programs?: readonly string[], more?: object): Promise<void>;
  /** Queues a job of the deployment and answers with its id. */
  begun(program: string, frame?: object, more?: object): Promise<string>;
  /** Jobs that this one started, the first first. */
  children(id: string): Promise<readonly ChildJob[]>;
  leave(): Promise<void>;
};

export async function families(options: JobServingOptions = {}): Promise<Families> {
  let { stateDir = null } = options;
  if (options.databaseUrl === undefined && stateDir === null) {
    const folder = await temporaryFolder();
    ends.push(() => folder.remove());
    stateDir = folder.path;
  }
  const variables = {
    WF_ENABLE_ADAPTERS: "core,ext,signal,timer,job",
    WF_GRANT_JSON: JSON.stringify({ adapter_constraints: { job: { max_child_jobs: 100 } } }),
    WF_DEPLOY: "on",
    ...options.variables,
  };
  const service = await servingJobs({ ...options, stateDir, variables });
  let isGone = false;
  const leave = async (): Promise<void> => {
    if (!isGone) await service.stop();
    isGone = true;
  };
  ends.push(leave);
  return {
    ...service,
    leave,
    async deployed(name, code, programs = [], more = {}) {
      const { status, text } = await service.call("PUT", `/programs/${name}`, {
        code,
        adapters: { job: { programs } },
        ...more,
      });
      if (status !== 201 && status !== 200) throw new Error(`not deployed: ${status} ${text}`);
    },
    begun: (program, frame = {}, more = {}) => service.queued({ program, frame, durable: true, ...more }),
    async children(id) {
      const { body } = await service.call("GET", `/jobs?parent=${id}&order=oldest`);
      return body.jobs;
    },
  };
}

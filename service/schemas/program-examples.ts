/** Examples of the bodies of deployments, held against the schemas and the real answers like the others (`examples.ts`). */

const CODE = '@api("/double", method="POST")\ndef double(a: float):\n    return a * 2\n';
const TIME = "2030-01-01T00:00:00.000Z";
const CHECKSUM = "sha256:2f6b…";
const endpoint = { method: "POST", path: "/double", url: "/app/doubler/double", label: "double", mode: "run" };
const facts = {
  name: "doubler",
  version: 2,
  checksum: CHECKSUM,
  enabled: true,
  source: "api",
  tags: { team: "ops" },
  description: "Doubles a number",
  created_at: TIME,
  updated_at: TIME,
  deployed_at: TIME,
  accepted: null,
  signed: null,
  next: { version: 3, weight: 10, key: null, abort: { failures_percent: 5, of: 50 }, since: TIME },
};
const activity = {
  last_job: {
    job_id: "01980c1e-7a50-7c3e-9d7e-2f6f0c1b2a3d",
    status: "succeeded",
    queued_at: TIME,
    finished_at: "2030-01-01T00:00:01.000Z",
  },
  next_fire_at: "2030-01-01T07:00:00.000Z",
};
const power = { change: "added", kind: "host", value: "api.example.com", steps: [] };
const difference = {
  from: 1,
  newly_reaches: [power],
  same: false,
  settings: [],
  powers: [power],
  entry: null,
  labels: [],
  endpoints: [],
  declarations: [],
  functions: [
    {
      change: "changed",
      name: "double",
      lines: [
        { change: "changed", before: { line: 2, text: "return n * 2" }, after: { line: 2, text: "return n * 3" } },
      ],
    },
  ],
};
const version = {
  version: 2,
  current: true,
  checksum: CHECKSUM,
  source_hash: "sha256:9a1c…",
  compiler: "1.0.0",
  semantics: 1,
  created_at: TIME,
  accepted: {
    by: "ann",
    via: "proxy",
    at: TIME,
    comment: "looks right",
    proposal: "3f0c9a51d2b84e6f9b1c7d8e2a4f6b90",
    proposed_by: "agent-7",
  },
  signed: { by: "ann", key: "ed25519:0f34…", at: TIME, trusted: true },
};

export const EXAMPLES = {
  DeployRequest: [{ code: CODE, tags: { team: "ops" }, description: "Doubles a number" }],
  RollbackRequest: [{ version: 1 }],
  ProgramChange: [{ enabled: false }],
  ProgramList: [{ programs: [{ ...facts, ...activity }], next_cursor: null }],
  Program: [{ ...facts, endpoints: [endpoint], schedules: [], emits: null, warnings: [] }],
  ProgramDifference: [difference],
  Deployed: [
    {
      ok: true,
      trace_id: "6f0c1d7e4b2a49d08c35a1b2c3d4e5f6",
      name: "doubler",
      version: 2,
      checksum: CHECKSUM,
      unchanged: false,
      dry_run: false,
      difference,
      endpoints: [endpoint],
      schedules: [],
      emits: null,
      report: { adapters: { core: { verbs: ["MUL"], privilege_tiers: ["pure"] } }, tables: [] },
      warnings: ["not_durable: deployments are kept in memory and end with the process"],
    },
  ],
  ProgramVersionList: [{ name: "doubler", versions: [version], next_cursor: null }],
  ProgramVersion: [
    {
      name: "doubler",
      ...version,
      code: CODE,
      attestation: null,
      settings: {},
      warnings: [],
      ir: { ir_version: "1.0", nodes: [] },
    },
  ],
  ProgramRemoved: [{ ok: true, name: "doubler" }],
};

/** Examples of the bodies of proposals, held against the schemas and the real answers like the others (`examples.ts`). */

const CODE =
  '# with: {"a": 21}\n# result: 42\n@api("/double", method="POST")\ndef double(a: float):\n    return a * 2\n';
const TIME = "2030-01-01T00:00:00.000Z";
const CHECKSUM = "sha256:2f6b…";
const facts = {
  id: "3f0c9a51d2b84e6f9b1c7d8e2a4f6b90",
  name: "doubler",
  state: "accepted",
  base: 1,
  current: 2,
  stale: false,
  checksum: CHECKSUM,
  source: "api",
  proposed_by: "agent-7",
  proposed_via: "proxy",
  comment: "answers numbers with a fraction as well",
  proposed_at: TIME,
  expires_at: "2030-01-31T00:00:00.000Z",
  decision: { by: "ann", via: "proxy", comment: "looks right", at: TIME },
  version: 2,
  signed: { by: "ann", key: "ed25519:0f34…", at: TIME, trusted: true },
};

export const PROPOSAL_EXAMPLES = {
  ProposalTest: [
    {
      name: "the service answers",
      frame: { url: "https://api.example.com/x" },
      mocks: { "http.Get": { result: { status: 200, body: "42" } } },
      expect: { result: 42 },
    },
  ],
  ProposalList: [{ proposals: [facts], next_cursor: null }],
  Proposal: [
    {
      ...facts,
      newly_reaches: [],
      settings_changes: [{ name: "limits", before: null, after: { max_steps: 1000 } }],
      source_difference:
        "--- program\n+++ program\t(proposed)\n@@ -1,2 +1,2 @@\n-def double(a: int):\n+def double(a: float):\n     return a * 2\n",
      difference: { from: 1, newly_reaches: [], same: false, settings: ["limits"], powers: [] },
      report: { adapters: { core: { verbs: ["MUL"], privilege_tiers: ["pure"] } }, tables: [] },
      tests: { total: 1, passed: 1, fault: null, results: [{ name: "comments", ok: true, problems: [] }] },
      endpoints: [{ method: "POST", path: "/double", url: "/app/doubler/double", label: "double", mode: "run" }],
      schedules: [],
      emits: null,
      warnings: [],
      code: CODE,
      settings: { limits: { max_steps: 1000 } },
    },
  ],
  AcceptRequest: [{ checksum: CHECKSUM, base: 1, comment: "looks right" }],
  DeclineRequest: [{ comment: "it reads more than it needs" }],
};

/** The three surfaces side by side: the same program under the same grant gives the same result, error word and policy verdict. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documentOf, wf } from "../cli/console.ts";
import { folderWith } from "../cli/folders.ts";
import { type OpenedServer, openServer } from "../mcp/opened.ts";
import { type Serving, serving } from "../service/serving.ts";
import { verifies } from "../support/requirements.ts";

const PROFILE = "local_minimal";
type Case = {
  readonly code: string;
  readonly frame?: object;
  readonly limits?: Record<string, number>;
  readonly policy?: object;
};
const CASES: Readonly<Record<string, Case>> = {
  "a sum": { code: "L1:\n  R core.ADD 2 3 ->x\n  J x\n" },
  "a frame": {
    code: '# frame: who: text\nL1:\n  X greeting concat "Hello " who\n  J greeting\n',
    frame: { who: "Ann" },
  },
  "a list": { code: "L1:\n  X xs range 0 5\n  Filt even xs _ > 2\n  J even\n" },
  "a fault": { code: "L1:\n  R core.DIV 1 0 ->x\n  J x\n" },
  "a limit of the caller": { code: "L1:\n  X xs range 0 50\n  J xs\n", limits: { max_steps: 1 } },
  "a limit of the profile": {
    code: "L1:\n  While true ->L2 ->L3 limit=100000\nL2:\n  Set x 1\n  J null\nL3:\n  J x\n",
  },
  Python: {
    code: "def total(a, b):\n    total = 0\n    for n in [a, b]:\n        total += n\n    return total\n",
    frame: { a: 2, b: 3 },
  },
  "a fault of Python": { code: 'def main():\n    raise ValueError("no")\n' },
  "a program of Python that does not compile": { code: "def main():\n    if True\n        return ghost\n" },
  "a program that does not compile": { code: "L1:\n  J ghost\n" },
  "an effect that the profile forbids": { code: 'L1:\n  R core.ENV "X" ->x\n  J x\n' },
  "an adapter that the profile forbids": { code: 'L1:\n  R http.Get "https://a.example/" ->r\n  J r\n' },
  "an adapter that the caller forbids": {
    code: "L1:\n  R core.ADD 1 2 ->x\n  J x\n",
    policy: { forbidden_adapters: ["core"] },
  },
};

let server: OpenedServer;
let service: Serving;
beforeAll(async () => {
  server = await openServer({ variables: { WF_MCP_PROFILE: PROFILE } });
  service = await serving({ variables: { WF_SECURITY_PROFILE: PROFILE } });
});
afterAll(async () => {
  await server.close();
  await service.stop();
});

/** What must be the same everywhere. */
// biome-ignore lint/suspicious/noExplicitAny: answers of three surfaces
function verdictOf(answer: any): object {
  const { ok, out, error, error_structured, policy_errors, diagnostics } = answer;
  return {
    ok,
    out,
    error,
    code: error_structured?.code,
    line: error_structured?.line,
    policy: policy_errors?.map((one: { code: string; data: object }) => [one.code, one.data]),
    diagnostics: diagnostics?.map((one: { code: string; line: number }) => [one.code, one.line]),
  };
}

describe("one core", () => {
  it.each(Object.entries(CASES))("%s", async (_name, { code, frame = {}, limits = {}, policy }) => {
    verifies("service.one-core");
    const cwd = folderWith({ "p.wf": code, "policy.json": JSON.stringify(policy ?? {}) });
    const flags = Object.entries(limits).map(([key, value]) => `--${key.replaceAll("_", "-")}=${value}`);
    const argv = ["run", "p.wf", "--strict", "--json", "--profile", PROFILE, "--policy", "policy.json", ...flags];
    const cli = documentOf(await wf([...argv, "--frame", JSON.stringify(frame)], { cwd }));
    const request = { code, frame, limits, ...(policy === undefined ? {} : { policy }) };
    const mcp = (await server.call("wf_run", request)).payload;
    const http = (await service.run(request)).body;
    const verdict = verdictOf(mcp);
    expect(verdictOf(http)).toEqual(verdict);
    expect(verdictOf(cli)).toEqual(verdict);
    if (mcp.usage === undefined) return;
    const { steps } = mcp.usage;
    expect([http, cli]).toMatchObject([{ usage: { steps } }, { usage: { steps } }]);
  });
});

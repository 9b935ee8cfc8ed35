/** `wf sandbox`: what a program does not need its container does not have, and the command in it runs. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { yamlText } from "../../../cli/sandbox/yaml.ts";
import { documentOf, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const PURE = 'L1:\n  X x concat "cost: $" 5\n  J x\n';
const BUSY = `L1:
  R http.Get "https://api.example.com/v1" ->r
  R fs.write "out.json" r.body ->written
  R memory.put "workflow" "job" "1" {"done": true} ->put
  R sqlite.execute "DELETE FROM t" ->gone
  R core.ENV "API_TOKEN" ->token
  J token
`;

type Container = { command: string[]; [member: string]: unknown };

async function documents(program: string, ...flags: string[]): Promise<Record<string, unknown>[]> {
  const cwd = folderWith({ "My flow.wf": program });
  const result = documentOf(await wf(["sandbox", "My flow.wf", "--json", ...flags], { cwd }));
  return result["documents"] as Record<string, unknown>[];
}

describe("wf sandbox", () => {
  it("gives a pure program neither network nor state, and its command runs it under the grant", async () => {
    const [compose] = await documents(PURE);
    expect(compose).toMatchObject({
      name: "weft-my-flow",
      services: { program: { image: "weft-runner:1.0.0", network_mode: "none", read_only: true, cap_drop: ["ALL"] } },
    });
    const { services, configs } = compose as {
      services: { program: Container };
      configs: Record<string, { content: string }>;
    };
    expect(services.program["volumes"]).toBeUndefined();
    const cwd = folderWith({});
    mkdirSync(join(cwd, "work"));
    for (const [name, { content }] of Object.entries(configs))
      writeFileSync(join(cwd, "work", `${name}.json`), content.replaceAll("$$", "$"));
    const words = services.program.command.slice(2).map((word) => word.replace(/^\/work\//, "work/"));
    expect(documentOf(await wf(words, { cwd }))).toMatchObject({ ok: true, out: "cost: $5" });
  });

  it("gives what is needed: network, folders, variables, flags", async () => {
    const [compose] = await documents(BUSY, "--image", "registry.example.com/weft:1.0.0");
    expect(compose).toMatchObject({
      services: {
        program: {
          image: "registry.example.com/weft:1.0.0",
          environment: [
            "WF_STATE_DIR=/var/lib/weft",
            "WF_AGENT_ROOT=/var/lib/weft/agents",
            "WF_MEMORY_DB=/var/lib/weft/memory.db",
            "WF_EXPOSE_ENV=API_TOKEN",
            "API_TOKEN",
          ],
          volumes: ["state:/var/lib/weft", "./data:/data"],
        },
      },
    });
    const { program } = (compose as { services: { program: Container } }).services;
    expect(program["network_mode"]).toBeUndefined();
    expect(program.command.join(" ")).toContain(
      "--enable-adapter fs --enable-adapter http --enable-adapter sqlite --fs-root /data --sqlite-db /var/lib/weft/data.db --sqlite-allow-write",
    );
  });

  it("writes Kubernetes resources: no egress without need, no token, no privileges", async () => {
    const pure = await documents(PURE, "--target", "kubernetes");
    expect(pure.map(({ kind }) => kind)).toEqual(["ConfigMap", "NetworkPolicy", "Job"]);
    expect(pure[1]).toMatchObject({ spec: { policyTypes: ["Ingress", "Egress"], ingress: [], egress: [] } });
    expect(pure[2]).toMatchObject({
      spec: {
        backoffLimit: 0,
        template: {
          spec: {
            automountServiceAccountToken: false,
            securityContext: { runAsNonRoot: true },
            containers: [{ env: [], securityContext: { readOnlyRootFilesystem: true } }],
          },
        },
      },
    });
    const busy = await documents(BUSY, "--target", "kubernetes");
    expect(busy.map(({ kind }) => kind)).toEqual(["ConfigMap", "NetworkPolicy", "PersistentVolumeClaim", "Job"]);
    expect(JSON.stringify(busy[1])).toContain("169.254.0.0/16");
    expect(JSON.stringify(busy[3])).toContain('"secretKeyRef":{"name":"weft-my-flow-environment","key":"API_TOKEN"}');
  });

  it("prints YAML, or writes it", async () => {
    const cwd = folderWith({ "a.wf": PURE });
    const { stdout } = await wf(["sandbox", "a.wf"], { cwd });
    expect(stdout).toMatch(/^name: "weft-a"\nservices:\n {2}program:\n {4}image: "weft-runner:1\.0\.0"\n/);
    expect(await wf(["sandbox", "a.wf", "-o", "c.yaml"], { cwd })).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "note c.yaml written\n",
    });
    expect(readFileSync(join(cwd, "c.yaml"), "utf8")).toBe(stdout);
    const kubernetes = await wf(["sandbox", "a.wf", "--target", "kubernetes"], { cwd });
    expect(kubernetes.stdout.split("---\n")).toHaveLength(3);
  });

  it("notes what only a run knows", async () => {
    const cwd = folderWith({ "a.wf": "# frame: url\nL1:\n  R http.Get url ->r\n  R tools.Call r ->x\n  J x\n" });
    const { stderr } = await wf(["sandbox", "a.wf"], { cwd });
    expect(stderr).toContain("note adapter tools needs settings of its own");
    expect(stderr).toContain("note which hosts it reaches only a run knows");
  });

  it.each([
    [["a.wf", "--target", "vm"], 2, "option --target needs one of docker, kubernetes, found 'vm'"],
    [["none.wf"], 2, "none.wf does not exist"],
    [["bad.wf", "--strict"], 1, "error WF"],
  ])("%j ends with %i", async (argv, code, message) => {
    const result = await wf(["sandbox", ...argv], { cwd: folderWith({ "a.wf": PURE, "bad.wf": "L1:\n  Nope\n" }) });
    expect(result).toMatchObject({ code, stdout: "" });
    expect(result.stderr).toContain(message);
  });
});

describe("YAML", () => {
  it("nests lists and objects", () => {
    expect(yamlText({ a: [], b: {}, c: [{ d: 1, e: [true, null] }, "x: y"], "k 1": "line\n" })).toBe(
      'a: []\nb: {}\nc:\n  - d: 1\n    e:\n      - true\n      - null\n  - "x: y"\n"k 1": "line\\n"\n',
    );
  });
});

/** The container for one program: it can do nothing but run it, and its command runs a program under the grant that the report prints. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { documentOf, wf } from "../cli/console.ts";
import { folderWith } from "../cli/folders.ts";

const FOLDER = join(import.meta.dirname, "../../deploy/program");
const read = (file: string): string => readFileSync(join(FOLDER, file), "utf8");
const compose = parse(read("compose.yaml")) as { services: { program: Container } };
const [policy, job] = parseAllDocuments(read("kubernetes.yaml")).map((document) => document.toJS() as unknown);

type Container = { image: string; command: string[] };
type Job = { spec: { template: { spec: { containers: Container[] } } } };

describe("deploy/program", () => {
  it("has a command that runs a compiled program under its least grant", async () => {
    const cwd = folderWith({ "flow.py": "def main(x: int):\n    return f'cost: ${x}'\n" });
    const grant = await wf(["security-report", "flow.py", "--grant"], { cwd });
    expect((await wf(["compile", "flow.py", "-o", "program.json"], { cwd })).code).toBe(0);
    const [container] = (job as Job).spec.template.spec.containers;
    expect(compose.services.program.command).toEqual(container?.command);
    const words = compose.services.program.command.slice(2).map((word) => word.replace("/work/", ""));
    writeFileSync(join(cwd, "grant.json"), grant.stdout);
    const result = documentOf(await wf([...words, "--frame", '{"x": 5}'], { cwd }));
    expect(result).toMatchObject({ ok: true, out: "cost: $5" });
  });

  it("gives the program no network, no privileges and nothing to write on", () => {
    expect(compose.services.program).toMatchObject({
      network_mode: "none",
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      user: "1000:1000",
    });
    expect(policy).toMatchObject({ spec: { policyTypes: ["Ingress", "Egress"], ingress: [], egress: [] } });
    expect(job).toMatchObject({
      spec: {
        template: {
          spec: {
            automountServiceAccountToken: false,
            securityContext: { runAsNonRoot: true, runAsUser: 1000 },
            containers: [
              {
                securityContext: {
                  allowPrivilegeEscalation: false,
                  readOnlyRootFilesystem: true,
                  capabilities: { drop: ["ALL"] },
                },
              },
            ],
          },
        },
      },
    });
  });

  it("uses the image that docs/deploy.md builds", () => {
    const { version } = JSON.parse(readFileSync(join(FOLDER, "../../package.json"), "utf8")) as { version: string };
    const [container] = (job as Job).spec.template.spec.containers;
    for (const { image } of [compose.services.program, container as Container])
      expect(image).toBe(`weft-runner:${version}`);
  });
});

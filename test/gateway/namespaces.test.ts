/** Namespaces of memory that the operator adds are known when programs are compiled. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readHostConfig } from "../../adapters/operator/host-config.ts";
import { openRuntime } from "../../adapters/runtime.ts";
import { fakeClock } from "../support/mock-adapters.ts";

const PROGRAM = 'def main():\n    return memory.get("tickets", "open", "t1")\n';

async function codesUnder(operator: object): Promise<readonly string[]> {
  const path = join(mkdtempSync(join(tmpdir(), "wf-namespaces-")), "adapters.json");
  writeFileSync(path, JSON.stringify(operator));
  const read = readHostConfig({ WF_ADAPTERS_CONFIG: path });
  if (!read.ok) throw new Error(read.message);
  const runtime = openRuntime({ config: read.config, clock: fakeClock(), uuid: () => "id", log: () => {} });
  const { diagnostics } = runtime.gateway.host.compile(PROGRAM);
  await runtime.close();
  return diagnostics.map(({ code }) => code);
}

it.each([
  ["one without a declaration is refused", { enable: ["memory"] }, ["WF6054"]],
  ["one of the operator is not", { enable: ["memory"], memory: { extra_namespaces: ["tickets"] } }, []],
])("%s", async (_title, operator, expected) => {
  expect(await codesUnder(operator)).toEqual(expected);
});

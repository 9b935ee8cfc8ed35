/** Files that the operator names for one adapter are kept from the others in the command line tools, too. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { realClock } from "../../service/serving.ts";
import { wf } from "../console.ts";
import { folderWith } from "../folders.ts";

it.each([
  ["queue.db", "write"],
  ["ca.pem", "write"],
  ["adapters.json", "read"],
])("%s, which the adapters file names, is kept from fs of wf run", async (name, verb) => {
  const cwd = folderWith({ "ca.pem": "kept", "free.txt": "free" });
  const adapters = join(cwd, "adapters.json");
  const account = { from: "a@example.com", smtp: { host: "mail.example.com", ca_file: join(cwd, "ca.pem") } };
  const named = { queue: { path: join(cwd, "queue.db") }, email: { accounts: { a: account } } };
  writeFileSync(adapters, JSON.stringify(named));
  const run = (file: string) =>
    wf(["run", "-", "--enable-adapter", "fs", "--fs-root", cwd], {
      cwd,
      clock: realClock,
      stdin: `L1:\n  R fs.${verb} "${file}"${verb === "write" ? ' "x"' : ""} ->r\n  J "done"\n`,
      environment: { WF_ADAPTERS_CONFIG: adapters },
    });
  const refused = await run(name);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain("the operator keeps this place for another use");
  expect(await run("free.txt")).toMatchObject({ code: 0, stdout: "done\n" });
});

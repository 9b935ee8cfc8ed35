/** `wf doctor`: the packages that do not come with weft-runner, named and installed where they are needed. */
import { expect, it } from "vitest";
import type { PackageName } from "../../../adapters/packages.ts";
import { packagesFinding, packagesNeeded } from "../../../cli/doctor/packages.ts";
import { folderWith } from "../folders.ts";

const DATABASE: readonly PackageName[] = packagesNeeded({ enabled: ["core"], postgres: true, otlp: false });
const INSTALL = /npm install pg@[\d.]+ graphile-worker@[\d.]+$/;

type Fakes = { readonly missing?: readonly PackageName[]; readonly project?: string | null; readonly code?: number };

/** What is found, and what npm was asked for. */
async function found(needed: readonly PackageName[], fix: boolean, fakes: Fakes = {}) {
  const folder = folderWith({});
  const asked: (readonly string[])[] = [];
  const finding = await packagesFinding(
    needed,
    {
      has: (name) => !(fakes.missing ?? DATABASE).includes(name),
      project: () => (fakes.project === undefined ? folder : fakes.project),
      npm: async (project, args) => {
        asked.push([project, ...args]);
        return { code: fakes.code ?? 0, said: "E404 no such package" };
      },
    },
    fix,
  );
  return { finding, asked, folder };
}

it("needs nothing for the adapters that are enabled from the beginning", () => {
  const enabled = ["core", "cache", "memory", "queue", "txn", "agent"];
  expect(packagesNeeded({ enabled, postgres: false, otlp: false })).toEqual([]);
});

it("needs what adapters, the database and the exporter use, once", () => {
  const needed = packagesNeeded({ enabled: ["calendar", "videomon", "auth"], postgres: true, otlp: true });
  expect(needed).toHaveLength(new Set(needed).size);
  expect(needed).toEqual(
    expect.arrayContaining(["ical.js", "fast-xml-parser", "jose", "pg", "@opentelemetry/resources"]),
  );
});

it("says how to install what is missing, and installs nothing unasked", async () => {
  const { finding, asked } = await found(DATABASE, false);
  expect(finding).toMatchObject({ state: "warn", message: "pg, graphile-worker cannot be loaded" });
  expect(finding.fix).toMatch(INSTALL);
  expect(asked).toEqual([]);
  expect((await found(DATABASE, true, { missing: [] })).finding.state).toBe("ok");
});

it("installs it next to weft-runner: in a project, or where global packages are", async () => {
  const global = await found(DATABASE, true);
  expect(global.asked[0]?.[0]).toBe(global.folder);
  expect(global.asked[0]?.at(-1)).toBe("--global");
  const project = folderWith({ "package.json": "{}" });
  const local = await found(DATABASE, true, { project });
  expect(local.asked[0]?.slice(0, 2)).toEqual([project, "install"]);
  expect(local.asked[0]).not.toContain("--global");
  expect(local.finding).toMatchObject({ state: "ok", message: `installed pg, graphile-worker in ${project}` });
});

it("says what npm complained of", async () => {
  const { finding } = await found(DATABASE, true, { code: 1 });
  expect(finding).toMatchObject({ state: "fail", message: expect.stringContaining("E404 no such package") });
  expect(finding.fix).toMatch(INSTALL);
});

it("leaves a checkout alone", async () => {
  const { finding, asked } = await found(DATABASE, true, { project: null });
  expect(finding).toMatchObject({ state: "warn", fix: "run npm ci in the checkout" });
  expect(asked).toEqual([]);
});

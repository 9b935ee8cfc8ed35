/** What all adapters of a kind do alike, for the built-in ones, with real services; and that each check can fail. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { AdapterDefinition } from "../../../adapters/definition/define.ts";
import { BUILTIN_LOADERS } from "../../../adapters/registry.ts";
import { KINDS, kindReports } from "../../../adapters/testing/kinds/suite.ts";
import { brokenBy, FAULTS } from "./broken.ts";
import { KIND_CASES, startOf } from "./kinds-of.ts";

async function builtin(name: string): Promise<AdapterDefinition> {
  const load = BUILTIN_LOADERS[name];
  if (load === undefined) throw new Error(`unknown adapter ${name}`);
  return load();
}

for (const one of KIND_CASES) {
  const definition = await builtin(one.adapter);
  describe(one.adapter, () => {
    for (const { title, check } of kindReports(definition, one.kind, () => startOf(one)))
      it(title, { timeout: 60_000 }, async ({ skip }) => {
        const { findings, skipped } = await check();
        if (skipped !== undefined) skip(skipped);
        expect(findings).toEqual([]);
      });
  });
}

describe.each(Object.entries(FAULTS))("a broken adapter of the kind %s", (kind, { adapter, faults }) => {
  it("is there for every check", () => {
    expect(Object.keys(faults)).toEqual(KINDS[kind as keyof typeof KINDS].checks.map(({ title }) => title));
  });

  it.each(Object.keys(faults))("does not pass: %s", { timeout: 60_000 }, async (title) => {
    const one = KIND_CASES.find((known) => known.adapter === adapter);
    const fault = faults[title];
    if (one === undefined || fault === undefined) throw new Error(`${adapter} is not of the kind ${kind}`);
    const reports = kindReports(brokenBy(await builtin(adapter), fault), one.kind, () => startOf(one));
    const { findings } = (await reports.find((report) => report.title === `${kind}: ${title}`)?.check()) ?? {};
    expect(findings?.length).toBeGreaterThan(0);
    expect(findings?.join()).not.toContain("a crash");
  });
});

describe("docs/adapters/writing.md", () => {
  const page = readFileSync(new URL("../../../docs/adapters/writing.md", import.meta.url), "utf8");

  it.each(Object.entries(KINDS))("has the roles of %s", (kind, { roles }) => {
    const [, told = ""] =
      page
        .split("\n")
        .find((line) => line.startsWith(`| \`${kind}\` |`))
        ?.split(" | ") ?? [];
    const written = [...told.matchAll(/(?:\*\*)?([a-z_]+)(?:\*\*)?\(([a-z_, ]*)\)/g)].map(([role, name, inputs]) => ({
      name,
      inputs: inputs === "" ? [] : inputs?.split(", "),
      ...(role.startsWith("**") ? { needed: true } : {}),
    }));
    expect(written).toEqual(Object.entries(roles).map(([name, role]) => ({ name, ...role })));
  });
});

describe("the roles of a kind", () => {
  const roles = { get: "get", set: "set", delete: "delete", set_for: "setex", get_in: "get", set_in: "set" };
  const lacks = { set_forbidden: "the setting does not exist" };
  const withoutGet = Object.fromEntries(Object.entries(roles).filter(([role]) => role !== "get"));
  it.each([
    { title: "are all told", verbs: { ...roles, set_forbidden: "set" }, lacks: {}, found: [] },
    { title: "may be lacking with a reason", verbs: roles, lacks, found: [] },
    {
      title: "are not left out",
      verbs: roles,
      lacks: {},
      found: ["set_forbidden has neither a verb nor, in lacks, a reason"],
    },
    {
      title: "are those of the kind",
      verbs: { ...roles, pop: "get" },
      lacks,
      found: ["key_value has no role pop; its roles: get, set, delete, set_for, get_in, set_in, set_forbidden"],
    },
    { title: "are played by verbs", verbs: { ...roles, set: "store" }, lacks, found: ["set: cache has no verb store"] },
    {
      title: "are not lacking where nothing works without",
      verbs: withoutGet,
      lacks: { ...lacks, get: "it cannot read" },
      found: ["key_value needs a verb for get"],
    },
  ])("$title", async ({ verbs, lacks, found }) => {
    const [first] = kindReports(await builtin("cache"), { name: "key_value", verbs, lacks }, () => {
      throw new Error("nothing is started to read a mapping");
    });
    expect(await first?.check()).toEqual({ findings: found });
  });

  it("that are lacking leave out their checks, with the reason", async () => {
    const kind = { name: "key_value", verbs: roles, lacks } as const;
    const reports = kindReports(await builtin("cache"), kind, () => {
      throw new Error("a check that does not apply starts nothing");
    });
    const last = await reports.at(-1)?.check();
    expect(last).toEqual({ findings: [], skipped: "no set_forbidden: the setting does not exist" });
  });
});

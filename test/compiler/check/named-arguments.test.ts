/** Arguments with names, which Python has: a fix puts those of an adapter's call in the order that its catalog gives. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { KNOWN_OPTIONS } from "../../../compiler/catalog/parameters.ts";
import { type AdapterEntry, createCatalog } from "../../../compiler/catalog.ts";
import { compile } from "../../../compiler/compile.ts";
import { repair } from "../../support/applied-edits.ts";

const compiled = (source: string, catalog = builtinCatalog) => compile(source, { catalog, strict: true });

describe("arguments with names", () => {
  it.each([
    ["http.Get(url=u)", "http.Get(u)"],
    ["http.Get(u, timeout=5)", "http.Get(u, None, 5)"],
    ['http.Get(u, headers={"a": "1"}, timeout=5)', 'http.Get(u, {"a": "1"}, 5)'],
    ['http.Get(u, params={"q": u})', 'http.Get(u, None, None, {"query": {"q": u}})'],
    ['http.Get(u, options={"redirect": "manual"})', 'http.Get(u, None, None, {"redirect": "manual"})'],
    ['http.Post(u, json={"a": [1]}, headers={})', 'http.Post(u, {"a": [1]}, {})'],
    ['requests.post(u, json={"a": 1})', 'http.Post(u, {"a": 1})'],
    ['db.F("User", limit=2, order_by=["age"])', 'db.F("User", None, {"limit": 2, "order_by": ["age"]})'],
    ['email.send(to=u, subject="a", body="b")', 'email.send(u, "a", "b")'],
    ['llm.chat(u, model="m")', 'llm.chat(u, {"model": "m"})'],
    ["queue.Put(u, {}, delay=5)", 'queue.Put(u, {}, {"delay_s": 5})'],
    ['memory.put("session", "a", u, {}, ttl=60)', 'memory.put("session", "a", u, {}, 60)'],
    ["len(http.Get(u, timeout=2).body)", "len(http.Get(u, None, 2).body)"],
  ])("%s", (written, meant) => {
    const program = (call: string) => `main(u):\n  r = ${call}\n  return r\n`;
    expect(repair(program(written), compiled).source).toBe(program(meant));
  });

  it.each([
    ["an argument that must be given is missing", "email.send(u, body=u)"],
    ["one stands in its place already", "http.Get(u, url=u)"],
    ["two are for the same place", "http.Post(u, json=1, body=2)"],
    ["options have a map and a name", "http.Get(u, options={}, query={})"],
    ["the verb is not known to have one as an option", "http.Get(u, retries=3)"],
    ["the adapter takes no options", "queue.len(u, n=2)"],
    ["their number says what they are", "cache.set(u, 1, ttl=300)"],
    ["a name is one that every object has", "http.Get(u, constructor=1)"],
    ["the adapter is not known", "other.do(u, n=2)"],
  ])("are left to the author where %s", (_why, call) => {
    const { diagnostics } = compiled(`main(u):\n  r = ${call}\n  return r\n`);
    expect(diagnostics.filter(({ fix, code }) => fix !== null && code === "WF5014")).toEqual([]);
    expect(diagnostics.some(({ code }) => code === "WF1009")).toBe(true);
  });

  it("say what the call takes where no fix is known", () => {
    const [first] = compiled("main(u):\n  r = email.send(u, body=u)\n  return r\n").diagnostics;
    expect(first?.suggestion).toMatch(
      /^email\.send takes to, subject, body, cc\?, .*, in this order and without names$/,
    );
  });

  it("are put in order for adapters of the host, too", () => {
    const names = ["a", "b"].map(
      (name) => ({ name, class: "operand", optional: name === "b", repeat: false }) as const,
    );
    const http = builtinCatalog.adapter("http") as AdapterEntry;
    const own: AdapterEntry = {
      ...http,
      name: "own",
      verbs: [{ ...(http.verbs[0] as AdapterEntry["verbs"][0]), name: "do", parameters: names }],
    };
    const fixed = repair("main(u):\n  r = own.do(b=1, a=u)\n  return r\n", (text) =>
      compiled(text, createCatalog([own])),
    );
    expect(fixed.source).toContain("own.do(u, 1)");
  });

  it.each([...KNOWN_OPTIONS])("become options that %s has, as the page of its adapter says", (call, names) => {
    const [adapter, verb] = call.split(".");
    const page = readFileSync(new URL(`../../../docs/adapters/${adapter}.md`, import.meta.url), "utf8");
    for (const name of names)
      expect(page).toMatch(new RegExp(`^\\| \`${name}\` \\| option \\|.*\\| (?:all|.*\`${verb}\`.*) \\|$`, "m"));
  });
});

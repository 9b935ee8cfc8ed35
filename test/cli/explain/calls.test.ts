/** What `wf explain` shows of codes of adapters and of the policy check is complete, compiles, and gets the code it is shown for. */
import { describe, expect, it } from "vitest";
import { ADAPTER_CODES } from "../../../adapters/errors.ts";
import { ADAPTER_PAGES, POLICY_PAGES } from "../../../cli/explain/call-pages.ts";
import { POLICY_CODES } from "../../../compiler/policy/validate.ts";
import { realClock } from "../../service/serving.ts";
import { documentOf, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const PAGES = Object.entries({ ...POLICY_PAGES, ...ADAPTER_PAGES });

function program(shown: string): string {
  const [step = ""] = shown.split(" | ");
  const isProtector = /^(?:Err|Retry) /.test(step);
  const steps = isProtector ? ['R http.Get "https://api.example.com/" ->r', step] : [step];
  return ["L1:", '  Set which "http"', ...steps.map((one) => `  ${one}`), "  J 1", "L_handler:", "  J 0", ""].join(
    "\n",
  );
}

const flagsOf = (shown: string): string[] => (shown.split(" | ")[1] ?? "").split(" ");

describe("wf explain of a code that a call meets", () => {
  it("has a page for every code of the tables", () => {
    expect(Object.keys(ADAPTER_PAGES)).toEqual(Object.keys(ADAPTER_CODES));
    expect(Object.keys(POLICY_PAGES)).toEqual(Object.keys(POLICY_CODES));
  });

  it.each(PAGES)("%s: its steps compile", async (code, { wrong, right }) => {
    for (const shown of [wrong, right]) {
      const strict = code === "POLICY_DYNAMIC_ADAPTER" ? "--loose" : "--strict";
      const result = await wf(["check", "-", strict], { stdin: program(shown) });
      expect(result.code, `${shown}\n${result.stdout}`).toBe(0);
    }
  });

  it.each(Object.entries(POLICY_PAGES))("%s: the first step gets it, the second does not", async (code, page) => {
    const violations = async (shown: string) =>
      (await wf(["run", "-", "--plan", ...flagsOf(shown)], { stdin: program(shown) })).stderr;
    expect(await violations(page.wrong)).toContain(code);
    expect(await violations(page.right)).not.toContain("POLICY_");
  });

  it.each([
    "ADAPTER_EXTENSION_BLOCKED",
    "ADAPTER_DELETE_FORBIDDEN",
    "ADAPTER_TOO_LARGE",
    "ADAPTER_HOST_BLOCKED",
  ] as const)("%s: the call gets it", async (code) => {
    const cwd = folderWith({ "data/notes.txt": "more than ten bytes" });
    const flags = flagsOf(ADAPTER_PAGES[code].wrong);
    const root = code === "ADAPTER_HOST_BLOCKED" || flags.includes("--fs-root") ? [] : ["--fs-root", "data"];
    const result = await wf(["run", "-", "--json", ...flags, ...root], {
      cwd,
      clock: realClock,
      stdin: program(ADAPTER_PAGES[code].wrong),
    });
    expect(result.stdout).toContain(code);
  });

  it("shows them, in JSON too", async () => {
    const { stdout } = await wf(["explain", "POLICY_ADAPTER_FORBIDDEN"]);
    expect(stdout).toMatch(/^ {2}wrong {5}R http\.Get .*\n {12}--forbid-adapter http$/m);
    const [shown] = documentOf(await wf(["explain", "ADAPTER_BAD_ARGS", "--json"]))["codes"] as object[];
    expect(shown).toMatchObject({ kind: "adapter", wrong: ["R fs.read 42 ->t"], right: ['R fs.read "notes.txt" ->t'] });
  });
});

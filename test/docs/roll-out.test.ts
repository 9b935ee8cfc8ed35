/** Who rolls out a version by its page sees what it says. Out of date: `WEFT_DOCS=write npx vitest run test/docs/roll-out.test.ts`. */
import { expect, it } from "vitest";
import { follow } from "./followed.ts";
import { lacksCurl } from "./shell.ts";

const isAbsent = lacksCurl("test/docs/roll-out.test.ts");

async function isNext(server: string): Promise<boolean> {
  const { next } = (await (await fetch(`${server}/programs/price`)).json()) as { readonly next: object | null };
  return next !== null;
}

it.skipIf(isAbsent)(
  "a version gets a share, becomes current, is gone back from, and ends by itself",
  {
    timeout: 120_000,
  },
  async () => {
    let hasFailed = false;
    const text = await follow("how-to/roll-out-and-go-back.md", {
      startsBefore: "wf deploy",
      async ready(line, server) {
        // An outcome is counted after its answer.
        if (hasFailed) await expect.poll(() => isNext(server)).toBe(false);
        hasFailed = line.includes("http_code");
      },
    });
    expect(text).toContain("price  version 1 is current");
    expect(text.match(/^422$/gm)).toHaveLength(4);
  },
);

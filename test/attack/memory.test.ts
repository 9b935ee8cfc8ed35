/**
 * Small requests that make a service hold much: it stays alive with the heap that it has, and answers probes in between. How much memory it
 * takes at most is measured in `test/measured/memory.test.ts`.
 */
import { afterAll, describe, it } from "vitest";
import { endServices, isBuilt } from "../service/jobs/faults/serve-process.ts";
import { ATTACKS, probed } from "./holding-attacks.ts";

afterAll(endServices);

describe.skipIf(!isBuilt || process.platform !== "linux")("a service that is asked to hold much survives", () => {
  it.each(ATTACKS.map((attack) => [attack.what, attack] as const))("%s", { timeout: 300_000 }, (_what, { run }) =>
    run(probed),
  );
});

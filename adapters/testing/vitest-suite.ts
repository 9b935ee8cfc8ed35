/**
 * The conformance suite as tests of vitest, one for each point and case. The only module that knows a test runner; it is the author's
 * own, a peer of this package.
 */
import { describe, expect, it } from "vitest";
import type { AdapterDefinition } from "../definition/define.ts";
import { type PluginTests, suiteChecks } from "./plugin-suite.ts";

/** A point may run each program many times. */
const POINT_MS = 120_000;

/** Declares the tests of a definition; called at the top of a test file. A point that does not apply is skipped with its reason. */
export function runConformance(definition: AdapterDefinition, tests: PluginTests = {}): void {
  describe(`conformance of ${definition.name}`, () => {
    for (const { number, title, report } of suiteChecks(definition, tests))
      it(number === null ? title : `${number} ${title}`, { timeout: POINT_MS }, async ({ skip }) => {
        const { findings, skipped } = await report();
        if (skipped !== undefined) skip(skipped);
        expect(findings).toEqual([]);
      });
  });
}

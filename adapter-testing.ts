/**
 * For tests of adapters (`weft-runner/adapter-testing`): the rules that every adapter keeps, as tests of vitest (`runConformance`) and for
 * any other runner (`runSuite`). `wf adapter test` runs the same suite without one.
 */
export { type Bench, type Fixture, openBench } from "./adapters/testing/bench.ts";
export { CONFORMANCE, type ConformanceOptions, checkPoint, type PointResult } from "./adapters/testing/conformance.ts";
export type { RoleMapping } from "./adapters/testing/kinds/kind.ts";
export type { KindName, KindOptions } from "./adapters/testing/kinds/suite.ts";
export {
  type PluginCase,
  type PluginFixture,
  type PluginTests,
  runSuite,
  type SuiteReport,
} from "./adapters/testing/plugin-suite.ts";
export { codeOf } from "./adapters/testing/suite.ts";
export { runConformance } from "./adapters/testing/vitest-suite.ts";

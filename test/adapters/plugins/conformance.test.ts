/** The rules of every adapter, for a plugin in this process and in one of its own: the suite that authors use, as they use it. */
import { afterAll } from "vitest";
import { runConformance } from "../../../adapter-testing.ts";
import { readPluginEntries } from "../../../adapters/plugins/entries.ts";
import { loadPlugin } from "../../../adapters/plugins/load.ts";
import { folderWith, WEATHER } from "./plugin-files.ts";

const baseFolder = folderWith({ "w.mjs": WEATHER }, (remove) => afterAll(remove));
const entries = readPluginEntries(["./w.mjs", { module: "./w.mjs", isolation: "process" }], "WF_ADAPTERS");

for (const entry of entries) {
  const deps = { baseFolder, environment: { PATH: process.env["PATH"] }, log: () => {} };
  const { definition, close } = await loadPlugin(entry, deps);
  afterAll(close);
  runConformance(definition, {
    start: () => ({ settings: { allow_cities: ["Oslo"] }, secrets: { WEATHER_KEY: "canary-key-51d0" } }),
    cases: [
      { title: "a city", source: 'R weather.current "Oslo" ->w', result: { city: "Oslo", degrees: 3, units: "si" } },
      { title: "another city", source: 'R weather.current "Rome" ->w', error: "ADAPTER_NOT_ALLOWED" },
    ],
  });
}

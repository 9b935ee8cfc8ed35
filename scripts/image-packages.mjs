/**
 * Run in the image of the Dockerfile before what only development needs is removed: the packages of single adapters, which an
 * installation gets from `wf doctor --fix`, become dependencies in package.json, so they stay in the versions of the lock file.
 */
import { readFileSync, writeFileSync } from "node:fs";

const FOR_TESTS = ["vitest"];

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
for (const name of Object.keys(manifest.peerDependencies)) {
  if (FOR_TESTS.includes(name)) continue;
  manifest.dependencies[name] = manifest.devDependencies[name];
  delete manifest.devDependencies[name];
  delete manifest.peerDependencies[name];
  delete manifest.peerDependenciesMeta[name];
}
writeFileSync("package.json", `${JSON.stringify(manifest, null, 2)}\n`);

/** A folder for one test file: a root for programs, and places outside of it that must stay untouched. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fsAdapter } from "../../../../adapters/builtin/fs/definition.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import { type AdapterBench, openBench } from "../../../support/adapter-bench.ts";

export type Scratch = {
  readonly folder: string;
  readonly root: string;
  /** An absolute path below the folder; its folders are made. */
  at(path: string): string;
  put(path: string, content: string | Uint8Array): string;
  remove(): void;
};

export function scratch(): Scratch {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "weft-fs-")));
  const at = (path: string): string => {
    const absolute = join(folder, path);
    mkdirSync(dirname(absolute), { recursive: true });
    return absolute;
  };
  mkdirSync(join(folder, "root"));
  return {
    folder,
    root: join(folder, "root"),
    at,
    put(path, content) {
      writeFileSync(at(path), content);
      return join(folder, path);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The fs adapter on a root. */
export function fsOn(root: string, settings: JsonObject = {}): Promise<AdapterBench> {
  return openBench(fsAdapter, { settings: { sandbox_root: root, ...settings } });
}

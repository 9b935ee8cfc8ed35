/** Modules for the tests: from text, compiled with wabt, and those that the shared cases name. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import createWabt from "wabt";

const FEATURES = { threads: true, simd: true, tail_call: true, memory64: true, multi_memory: true, exceptions: true };

export async function fromText(text: string): Promise<Uint8Array> {
  const wabt = await createWabt();
  const module = wabt.parseWat("module.wat", text, FEATURES);
  try {
    return module.toBinary({}).buffer;
  } finally {
    module.destroy();
  }
}

const M =
  "AGFzbQEAAAABFARgAn9/AX9gAAJ/f2AAAGABfAF8AwUEAAECAwUEAQEBAQcjBQNhZGQAAAN0d28AAQR0cmFwAAIDbmVnAAMGbWVtb3J5AgAKGgQHACAAIAFqCwYAQQFBAgsDAAALBQAgAJoL";
const IMP = "AGFzbQEAAAABBAFgAAACCQEDZW52AWYAAAMCAQAHBQEBeAABCgQBAgAL";

/** The two modules of the shared cases. */
export const SHARED = { m: Buffer.from(M, "base64"), imp: Buffer.from(IMP, "base64") };

export type ModuleFolder = {
  readonly path: string;
  /** Writes `<name>.wasm`; its path. */
  add(name: string, content: Uint8Array | string): Promise<string>;
  remove(): Promise<void>;
};

export async function moduleFolder(): Promise<ModuleFolder> {
  const path = await mkdtemp(join(tmpdir(), "weft-wasm-"));
  return {
    path,
    async add(name, content) {
      const file = join(path, `${name}.wasm`);
      await writeFile(file, typeof content === "string" ? await fromText(content) : content);
      return file;
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

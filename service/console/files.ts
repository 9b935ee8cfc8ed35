/** The files of the console as the build left them, read once at the start. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** A file, which is compressed when it is first asked for: all of them take a twentieth of the start of a service. */
class ConsoleFile {
  readonly type: string;
  readonly plain: Buffer;
  #gzipped: Buffer | null = null;

  constructor(type: string, plain: Buffer) {
    this.type = type;
    this.plain = plain;
  }

  get gzipped(): Buffer {
    this.#gzipped ??= gzipSync(this.plain, { level: 9 });
    return this.#gzipped;
  }
}

export type ConsoleFiles = {
  /** The page, with `{{rules}}` where its rules belong and `{{service}}` where the version and the environment do. */
  readonly page: string;
  /** By name. Names contain a hash of the content. */
  readonly assets: ReadonlyMap<string, ConsoleFile>;
};

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** In a checkout, seen from this module; else next to the command, seen from it or from a chunk of it. */
function folderSeenFrom(url: string): string {
  if (url.endsWith(".ts")) return fileURLToPath(new URL("../../dist/ui/", url));
  return fileURLToPath(new URL(url.includes("/chunks/") ? "../ui/" : "./ui/", url));
}

/** null: they were not built. */
export function consoleFiles(url: string = import.meta.url): ConsoleFiles | null {
  const folder = folderSeenFrom(url);
  if (!existsSync(join(folder, "index.html"))) return null;
  const names = readdirSync(folder).filter((name) => TYPES[extname(name)] !== undefined);
  const assets = names.map((name): [string, ConsoleFile] => [
    name,
    new ConsoleFile(TYPES[extname(name)] as string, readFileSync(join(folder, name))),
  ]);
  return { page: readFileSync(join(folder, "index.html"), "utf8"), assets: new Map(assets) };
}

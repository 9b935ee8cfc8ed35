/**
 * The compile cache: finished compiles by what they depend on, bounded by bytes and entries, least recently
 * used out first. Compiles that failed are kept for a short time only, so that a fixed catalog or grant shows soon.
 * Programs are cached without the names of a frame; those are applied per request. What hosts attach to an entry (bytecode,
 * capabilities) lives and goes with it. Knows no clock but the one handed in.
 */
import type { AdapterCatalog } from "./catalog.ts";
import { bindInputs, COMPILER_VERSION, compileUnbound, type UnboundProgram } from "./compile.ts";
import type { Ir } from "./ir/graph.ts";
import type { CompileOptions, CompileResult } from "./options.ts";

export type CompileCacheDeps = {
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  readonly max_bytes?: number;
  readonly max_entries?: number;
  readonly failed_ms?: number;
};

/** What a host keeps next to a compiled program, with its estimated size. */
type Attachment<T> = { readonly value: T; readonly bytes: number };

type CachedCompile<T> = {
  readonly result: CompileResult;
  readonly hit: boolean;
  /** The host's value for this program, made on first use; null when the program has no IR. */
  attached(make: (ir: Ir) => Attachment<T>): T | null;
};

/** Compiles without regard to the names of a frame, as `compileUnbound` does. */
export type OtherCompiler = (source: string, options: CompileOptions) => Promise<UnboundProgram>;

export type CompileCache<T> = {
  compile(source: string, options: CompileOptions): CachedCompile<T>;
  /** The same by another compiler, which may be in another thread; it is not asked for what is known. */
  compileBy(compile: OtherCompiler, source: string, options: CompileOptions): Promise<CachedCompile<T>>;
  clear(): void;
  readonly stats: () => CacheStats;
};

type CacheStats = {
  readonly entries: number;
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
  readonly evictions: number;
};

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
const DEFAULT_MAX_ENTRIES = 4096;
const DEFAULT_FAILED_MS = 60_000;

/** Rough sizes in memory; the bound is on their sum, not on exact bytes. */
const BYTES_PER_ENTRY = 1024;
const BYTES_PER_NODE = 1200;
const BYTES_PER_FINDING = 600;

type Entry<T> = {
  readonly unbound: UnboundProgram;
  /** When a failed compile is forgotten; null for a good one. */
  readonly expires: number | null;
  attachment: Attachment<T> | null;
  bytes: number;
};

export function createCompileCache<T = never>(deps: CompileCacheDeps): CompileCache<T> {
  const maxBytes = deps.max_bytes ?? DEFAULT_MAX_BYTES;
  const maxEntries = deps.max_entries ?? DEFAULT_MAX_ENTRIES;
  const failedMs = deps.failed_ms ?? DEFAULT_FAILED_MS;
  /** Least recently used first. */
  const entries = new Map<string, Entry<T>>();
  /** Used last. Who asks for it again is spared the key, which has to be put together and hashed from the whole source. */
  let newest: (Asked & { readonly entry: Entry<T> }) | null = null;
  let bytes = 0;
  let hits = 0;
  let misses = 0;
  let evictions = 0;

  const drop = (key: string, entry: Entry<T>): void => {
    entries.delete(key);
    bytes -= entry.bytes;
    if (newest?.entry === entry) newest = null;
  };
  const makeRoom = (): void => {
    for (const [key, entry] of entries) {
      if (bytes <= maxBytes && entries.size <= maxEntries) return;
      drop(key, entry);
      evictions += 1;
    }
  };
  const find = (asked: Asked): Entry<T> | undefined => {
    const isNewest = newest !== null && newest.head === asked.head && newest.source === asked.source;
    const entry = isNewest ? newest?.entry : entries.get(keyOf(asked));
    if (entry === undefined) return undefined;
    if (entry.expires !== null && deps.now() >= entry.expires) {
      drop(keyOf(asked), entry);
      return undefined;
    }
    if (isNewest) return entry;
    const key = keyOf(asked);
    entries.delete(key);
    entries.set(key, entry);
    newest = { ...asked, entry };
    return entry;
  };
  const attach = (asked: Asked | null, entry: Entry<T>, make: (ir: Ir) => Attachment<T>): T | null => {
    if (entry.attachment !== null) return entry.attachment.value;
    if (entry.unbound.ir === null) return null;
    entry.attachment = make(entry.unbound.ir);
    // An entry that went in the meantime is not counted any more.
    if (asked !== null && entries.get(keyOf(asked)) === entry) {
      entry.bytes += entry.attachment.bytes;
      bytes += entry.attachment.bytes;
      makeRoom();
    }
    return entry.attachment.value;
  };
  const view = (asked: Asked | null, entry: Entry<T>, options: CompileOptions, hit: boolean): CachedCompile<T> => ({
    result: options.inputs === undefined ? entry.unbound.result : bindInputs(entry.unbound, options.inputs),
    hit,
    attached: (make) => attach(asked, entry, make),
  });

  const askedOf = (source: string, options: CompileOptions): Asked | null => {
    const head = headOf(options);
    return head === null ? null : { head, source };
  };
  const cached = (asked: Asked | null, options: CompileOptions): CachedCompile<T> | null => {
    const known = asked === null ? undefined : find(asked);
    if (known === undefined) return null;
    hits += 1;
    return view(asked, known, options, true);
  };

  const keep = (
    asked: Asked | null,
    source: string,
    options: CompileOptions,
    unbound: UnboundProgram,
  ): CachedCompile<T> => {
    misses += 1;
    const expires = unbound.ir === null ? deps.now() + failedMs : null;
    const entry: Entry<T> = { unbound, expires, attachment: null, bytes: estimatedBytes(source, unbound) };
    if (asked !== null && entry.bytes <= maxBytes) {
      // Somebody else may have compiled it meanwhile.
      const other = entries.get(keyOf(asked));
      if (other !== undefined) drop(keyOf(asked), other);
      entries.set(keyOf(asked), entry);
      newest = { ...asked, entry };
      bytes += entry.bytes;
      makeRoom();
    }
    return view(asked, entry, options, false);
  };

  return {
    compile(source, options) {
      const asked = askedOf(source, options);
      return cached(asked, options) ?? keep(asked, source, options, compileUnbound(source, options));
    },
    async compileBy(compile, source, options) {
      const asked = askedOf(source, options);
      return cached(asked, options) ?? keep(asked, source, options, await compile(source, options));
    },
    clear() {
      entries.clear();
      newest = null;
      bytes = 0;
    },
    stats: () => ({ entries: entries.size, bytes, hits, misses, evictions }),
  };
}

/** Everything a compile depends on but the frame's names. */
type Asked = { readonly head: string; readonly source: string };

/** The source itself, because a hash of it would cost more than a short run. */
function keyOf({ head, source }: Asked): string {
  return head + source;
}

/** What a compile depends on besides its source; null where files take part, which may change unseen, and with advice or notes, which look at the frame's names. */
function headOf(options: CompileOptions): string | null {
  if (options.includes !== undefined || options.advice === true || options.compat_notes === true) return null;
  if (options.lifetime_s !== undefined) return null;
  const { catalog, strict, reachability, allowed_adapters } = options;
  const flags = (strict !== false ? 1 : 0) + (reachability === true ? 2 : 0);
  if (allowed_adapters === undefined || allowed_adapters === null) return knownHead(catalog, flags);
  return `${knownHead(catalog, flags + 4)}${JSON.stringify(allowed_adapters)}\n`;
}

const heads = new WeakMap<AdapterCatalog, string[]>();

/** Kept, because putting it together takes longer than finding the program. */
function knownHead(catalog: AdapterCatalog, flags: number): string {
  let known = heads.get(catalog);
  if (known === undefined) {
    known = [];
    heads.set(catalog, known);
  }
  known[flags] ??= `${COMPILER_VERSION} ${catalog.version} ${flags}\n`;
  return known[flags];
}

function estimatedBytes(source: string, unbound: UnboundProgram): number {
  const { ir, findings, result } = unbound;
  const nodes = ir?.nodes.length ?? 0;
  const said = Math.max(findings.length, result.diagnostics.length);
  return BYTES_PER_ENTRY + 4 * source.length + nodes * BYTES_PER_NODE + said * BYTES_PER_FINDING;
}

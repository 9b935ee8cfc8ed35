/**
 * Versions of deployments that are ready to run, by name: the IR is parsed once, so that whatever reads and checks it does so once
 * (`service/run/plan.ts`). Bounded in number and size; the least recently used goes first. A store reports what changes; where several
 * processes share it, a version is also looked up again after a second, because signals may be lost.
 */
import type { Ir } from "../../compiler/ir/graph.ts";
import type { CallerRequest } from "../../vm/admission/caller-request.ts";
import { keepMemberText, readExactly } from "../../vm/inputs/exact-text.ts";
import type { Clock } from "../../vm/run.ts";
import { ServiceFault } from "../wire/errors.ts";
import type { NextChannel } from "./channels/channel.ts";
import type { DeployedVersion, Deployment } from "./deployment.ts";
import { askedBy, type DeploymentSettings } from "./deployment-settings.ts";
import { parsedIr } from "./parsed-ir.ts";
import type { KeptVersion } from "./signing/signatures.ts";
import type { ProgramStore } from "./store.ts";

/** A version of a deployment. Its IR is the same object as long as it is kept. */
export type LoadedProgram = {
  readonly name: string;
  readonly version: number;
  readonly ir: Ir;
  readonly settings: DeploymentSettings;
  /** What its runs may ask for at most. */
  readonly within: CallerRequest;
  readonly sourceHash: string | null;
  /** As the store has it. */
  readonly attestation: string | null;
  readonly createdMs: number;
};
/** The current version of a deployment. */
export type CurrentLoaded = {
  readonly enabled: boolean;
  readonly program: LoadedProgram;
  /** The version next to it; null: none. */
  readonly next: NextChannel | null;
};

export type LoadedProgramsOptions = {
  /** Other processes change the store, too. */
  readonly isShared: boolean;
  /** Why a version may not run now; null: it may. */
  readonly refusal: (version: KeptVersion) => ServiceFault | null;
  readonly clock: Pick<Clock, "now">;
};

const MAX_KEPT = 256;
/** Characters of IR that are kept. */
const MAX_LENGTH = 64 * 1024 * 1024;
const TRUSTED_MS = 1000;

type Kept = CurrentLoaded & {
  /** As the store has it. */
  readonly nextText: string | null;
  readonly length: number;
  /** Of the version: another one under the same number, after a removal, differs in it. */
  readonly createdMs: number;
  checkedAt: number;
};

export class LoadedPrograms {
  readonly #store: ProgramStore;
  readonly #options: LoadedProgramsOptions;
  /** By `name` for the current version, by `name@version` for others; last used last. */
  readonly #kept = new Map<string, Kept>();
  #length = 0;
  /** Counts changes: what was read before one is not kept. */
  #changes = 0;

  constructor(store: ProgramStore, options: LoadedProgramsOptions) {
    this.#store = store;
    this.#options = options;
    store.onChanged((name) => this.#changed(name));
  }

  /** Rejects with ServiceFault program_not_found, or for a version whose signature does not count. */
  async current(name: string): Promise<CurrentLoaded> {
    const found = await this.#current(name);
    this.#check(found.program);
    return found;
  }

  /** Rejects with ServiceFault as `current`. */
  async version(name: string, number: number): Promise<LoadedProgram> {
    const found = await this.kept(name, number);
    this.#check(found);
    return found;
  }

  /** The version next to the current one; null: none. Rejects with ServiceFault program_not_found. */
  async next(name: string): Promise<NextChannel | null> {
    return (await this.#current(name)).next;
  }

  #check(program: LoadedProgram): void {
    const refusal = this.#options.refusal(program);
    if (refusal !== null) throw refusal;
  }

  async #current(name: string): Promise<CurrentLoaded> {
    const known = this.#fresh(name);
    if (known !== null) return known;
    const changes = this.#changes;
    const stale = this.#kept.get(name);
    const found = stale === undefined ? await this.#store.current(name) : await this.#again(name, stale);
    if (found === null) throw noProgram(name);
    if ("program" in found) return found;
    const { deployment, version } = found;
    return this.#keep(name, version, deployment, changes);
  }

  /** A version that is looked at and not run, whether or not its signature counts. Rejects with ServiceFault program_not_found. */
  async kept(name: string, number: number): Promise<LoadedProgram> {
    const key = `${name}@${number}`;
    const known = this.#fresh(key);
    if (known !== null) return known.program;
    const changes = this.#changes;
    const version = await this.#store.version(name, number);
    if (version === null) throw noProgram(name, number);
    const stale = this.#kept.get(key);
    if (stale?.createdMs === version.createdMs && stale.program.attestation === version.attestation) {
      stale.checkedAt = this.#options.clock.now();
      return stale.program;
    }
    return (await this.#keep(key, version, { enabled: true, next: null }, changes)).program;
  }

  /** The program that a request names: `digest`, or `digest@7`. Rejects with ServiceFault as `current`. */
  async named(text: string): Promise<LoadedProgram> {
    const [name = "", version, ...rest] = text.split("@");
    if (rest.length > 0 || (version !== undefined && !/^[1-9][0-9]{0,8}$/.test(version))) throw noProgram(text);
    return version === undefined ? (await this.current(name)).program : this.version(name, Number(version));
  }

  #fresh(key: string): Kept | null {
    const kept = this.#kept.get(key);
    if (kept === undefined) return null;
    if (this.#options.isShared && this.#options.clock.now() - kept.checkedAt > TRUSTED_MS) return null;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept;
  }

  /** Only the facts are read where the version is the one that is kept. */
  async #again(name: string, stale: Kept) {
    const deployment: Deployment | null = await this.#store.find(name);
    if (deployment === null) return null;
    const { version, deployedMs, enabled, attestation, next } = deployment;
    const { program } = stale;
    const isSame = program.version === version && stale.createdMs === deployedMs && program.attestation === attestation;
    if (!isSame || stale.enabled !== enabled || stale.nextText !== next) return this.#store.current(name);
    stale.checkedAt = this.#options.clock.now();
    return stale;
  }

  async #keep(
    key: string,
    version: DeployedVersion,
    { enabled, next: nextText }: Pick<Deployment, "enabled" | "next">,
    changes: number,
  ): Promise<Kept> {
    const program = await loaded(version, this.#options.clock);
    const checkedAt = this.#options.clock.now();
    const next = nextText === null ? null : (JSON.parse(nextText) as NextChannel);
    const facts = { length: version.ir.length, createdMs: version.createdMs, checkedAt };
    const kept = { enabled, program, next, nextText, ...facts };
    if (changes !== this.#changes || kept.length > MAX_LENGTH) return kept;
    this.#drop(key);
    this.#kept.set(key, kept);
    this.#length += kept.length;
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= MAX_KEPT && this.#length <= MAX_LENGTH) break;
      this.#drop(oldest);
    }
    return kept;
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#length -= kept.length;
  }

  #changed(name: string | null): void {
    this.#changes += 1;
    for (const key of [...this.#kept.keys()])
      if (name === null || key === name || key.startsWith(`${name}@`)) this.#drop(key);
  }
}

export async function loaded(
  { name, version, ir, settings, sourceHash, attestation, createdMs }: DeployedVersion,
  clock: Pick<Clock, "now">,
): Promise<LoadedProgram> {
  const read = readExactly(settings) as DeploymentSettings;
  keepMemberText(read, "frame", read.frame);
  const facts = { name, version, sourceHash, attestation, createdMs };
  return { ...facts, ir: await parsedIr(ir, clock), settings: read, within: askedBy(read) };
}

export function noProgram(name: string, version?: number): ServiceFault {
  const shown = /^[a-z0-9][a-z0-9-]{0,62}(@[0-9]+)?$/.test(name) ? `'${name}'` : "that name";
  const message = version === undefined ? `no program is deployed as ${shown}` : `${shown} has no version ${version}`;
  return new ServiceFault("program_not_found", message);
}

/**
 * What a deployment is: a name, numbered versions that never change, one of which is current, and whether it is enabled
 * (docs/programs.md). Stores keep the larger parts of a version as JSON strings that they do not look into.
 */

/** Who may change a deployment: callers over HTTP, or the files that the service was started with. */
export type DeploymentSource = "api" | "file";

/** Times are milliseconds since 1970. */
export type Deployment = {
  readonly name: string;
  /** Number of the current version. */
  readonly version: number;
  /** A disabled deployment answers no endpoint and fires no schedule. */
  readonly enabled: boolean;
  readonly source: DeploymentSource;
  readonly tags: Readonly<Record<string, string>>;
  readonly description: string | null;
  readonly createdMs: number;
  readonly updatedMs: number;
  /** Checksum of the current version's IR. */
  readonly checksum: string;
  /** When the current version was deployed. */
  readonly deployedMs: number;
  /** Of the current version (`VersionFacts`). */
  readonly acceptance: string | null;
  readonly attestation: string | null;
  /** JSON of NextChannel (`channels/channel.ts`); null: only the current version is served. */
  readonly next: string | null;
};

/** A version as its list shows it. */
export type VersionFacts = {
  readonly version: number;
  /** Of the IR. */
  readonly checksum: string;
  /** Version of the compiler that made the IR. */
  readonly compiler: string;
  /** What the machine meant by a program when the version was deployed. */
  readonly semantics: number;
  /** Hash of the source; null for a version that was deployed as IR. */
  readonly sourceHash: string | null;
  readonly createdMs: number;
  /** JSON of VersionAcceptance; null: it was deployed without a proposal. */
  readonly acceptance: string | null;
  /** JSON of Attestation (`vm/attestation/`); null: it is not signed. */
  readonly attestation: string | null;
};

/** What a version keeps about its acceptance, as JSON. */
export type VersionAcceptance = {
  readonly by: string | null;
  readonly via: "proxy" | "api" | "file";
  readonly at: string;
  readonly comment: string;
  readonly proposal: string;
  readonly proposed_by: string | null;
};

/** The parts of a version that are stored as JSON strings. */
type VersionTexts = {
  /** Canonical JSON of the IR. */
  readonly ir: string;
  /** JSON of ProgramSource (`program-settings.ts`). */
  readonly source: string;
  /** JSON of ProgramSettings (`program-settings.ts`). */
  readonly settings: string;
  /** JSON of the warnings of compiling, a list of strings. */
  readonly warnings: string;
  /** JSON of the schedules as the part for schedules planned them; `[]`: none. */
  readonly schedules: string;
};

export type DeployedVersion = VersionFacts & VersionTexts & { readonly name: string };

/** A new version on its way to the store, which gives it its number. */
export type NewVersion = Omit<DeployedVersion, "version" | "acceptance"> & {
  /** Hash of source, IR and settings: an equal one is the same content. */
  readonly content: string;
};

/**
 * What a store reports inside the transaction that makes a version current, or enables, disables or removes a deployment
 * (`service/state/rules/programs/changes.ts`). A failure takes the whole change back.
 */
export type CurrentChange = {
  readonly name: string;
  /** The version that is current from now on; null: the deployment is gone. */
  readonly version: number | null;
  readonly enabled: boolean;
  /** Schedules of that version (`VersionTexts`). */
  readonly schedules: string;
  /** By the clock of the store. */
  readonly now: number;
};

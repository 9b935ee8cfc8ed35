/** All sides of the comparison, by the names the figures have in JSON. */
import { HOW_TO_BUILD, isolatedVmSide } from "./peers/isolated-vm.ts";
import { luaSide } from "./peers/lua.ts";
import { HOW_TO_INSTALL } from "./peers/peer-package.ts";
import { quickJsSide } from "./peers/quickjs.ts";
import { callingSide, type Side } from "./peers/side.ts";
import type { Workload } from "./workloads.ts";

export type SideFacts = {
  readonly title: string;
  /** Only for short runs: for long ones it is what another side is. */
  readonly shortOnly: boolean;
  /** Flags of Node that its process needs. */
  readonly flags: readonly string[];
  /** null: not installed. */
  open(workload: Workload, root: string): Side | null | Promise<Side | null>;
};

/** Only in a process that measures it. */
const weft = () => import("./peers/weft.ts");

const plain = { shortOnly: false, flags: [] } as const;

export const SIDES = {
  native: { ...plain, title: "native JavaScript", open: nativeSide },
  weft: { ...plain, title: "Weft", open: async (workload, root) => (await weft()).weftSide(workload, root) },
  weft_sync: {
    ...plain,
    title: "Weft, at once",
    shortOnly: true,
    open: async (workload, root) => (await weft()).weftSyncSide(workload, root),
  },
  weft_prepared: {
    ...plain,
    title: "Weft, prepared",
    shortOnly: true,
    open: async (workload, root) => (await weft()).weftPreparedSide(workload, root),
  },
  weft_batch: {
    ...plain,
    title: "Weft, as a batch",
    shortOnly: true,
    open: async (workload, root) => (await weft()).weftBatchSide(workload, root),
  },
  quickjs: {
    ...plain,
    title: "QuickJS, evaluated",
    open: (workload, root) => quickJsSide(workload, root, "evaluated"),
  },
  quickjs_fresh: {
    ...plain,
    title: "QuickJS, fresh context",
    shortOnly: true,
    open: (workload, root) => quickJsSide(workload, root, "fresh"),
  },
  quickjs_called: {
    ...plain,
    title: "QuickJS, only called",
    shortOnly: true,
    open: (workload, root) => quickJsSide(workload, root, "called"),
  },
  lua: { ...plain, title: "Lua, unmetered", open: (workload, root) => luaSide(workload, root, false) },
  lua_hook: { ...plain, title: "Lua, count hook", open: (workload, root) => luaSide(workload, root, true) },
  isolated_vm: { ...plain, title: "isolated-vm", flags: ["--no-node-snapshot"], open: isolatedVmSide },
} as const satisfies Record<string, SideFacts>;

export type SideName = keyof typeof SIDES;
const SIDE_NAMES = Object.keys(SIDES) as SideName[];

/** What to say of a side that is not there. */
export function absent(side: SideName): string {
  return `not installed (${side === "isolated_vm" ? HOW_TO_BUILD : HOW_TO_INSTALL})`;
}

export function sidesOf({ short }: Workload): SideName[] {
  return SIDE_NAMES.filter((name) => short || !SIDES[name].shortOnly);
}

function nativeSide(workload: Workload): Side {
  const given = workload.prepare();
  return callingSide(
    () => {},
    (index) => given.native(index),
  );
}

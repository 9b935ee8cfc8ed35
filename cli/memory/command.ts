/** `wf memory ACTION`: the records of the adapter memory as a whole: out, in, counted, and rid of what has expired. */
import type { Json } from "../../compiler/json.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { actionOf } from "../commands/base.ts";
import { AdapterFlags, flagsOfOtherAdapters } from "../commands/flags/adapter-flags.ts";
import { listOf } from "../grant/limit-flags.ts";
import { writeAtomically } from "../input/files.ts";
import { readText } from "../input/input.ts";
import { jsonLine } from "../output/terminal/json.ts";
import { counted, table } from "../output/terminal/table.ts";
import type { CallVerb } from "../run/verb-caller.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Session } from "../session/session.ts";

type Records = typeof import("./records.ts");

const ACTIONS = ["export", "import", "report", "prune"] as const;
const MAX_IMPORT_BYTES = 256 * 1024 * 1024;

export class MemoryCommand extends AdapterFlags {
  static override paths = [["memory"]];
  static override readonly actions = {
    export: { operands: "", summary: "Write all records, one JSON object per line." },
    import: { operands: "FILE", summary: "Write the records of an export that do not exist yet." },
    report: { operands: "", summary: "Count the records by namespace and kind." },
    prune: { operands: "", summary: "Delete expired records." },
  };
  static override readonly idleFlags = flagsOfOtherAdapters("memory");
  static override usage = Command.Usage({
    description: "Export, import, count and prune the records of memory.",
    details: `${ACTIONS.join("|")} [FILE]`,
    examples: [
      ["all records, one per line", "wf memory export --out memory.ndjson"],
      ["restore missing records", "wf memory import memory.ndjson"],
      ["count records", "wf memory report"],
      ["delete expired records", "wf memory prune --yes"],
    ],
  });
  static override readonly notes = [
    "It works on the store that programs use (`WF_MEMORY_DB`, `--memory-db`, the database of `WF_DATABASE_URL`); its calls go through policy and settings like those of a program. Namespaces that the operator added must be named with `--namespace`.",
    "With `import`, lifetimes start again, and times and versions are those of the new records. Nothing is written when a line is not a record (`invalid_record`). A record that the store refuses is reported with its line, and those before it are written. Ctrl-C stops after a whole record.",
    "With `--json`: `export` `{ok, records}`, with `--out` `{ok, path, exported}`; `import` `{ok, imported, kept}`; `report` `{ok, kinds: [{namespace, kind, records, updated_at}]}`; `prune` `{ok, pruned}`.",
  ];
  static override readonly pages = ["adapters/memory.md"];

  action = Option.String({ required: false });
  file = Option.String({ required: false });
  namespace = Option.Array("--namespace", { description: "<NAME> only this namespace (repeatable)" });
  out = Option.String("--out", { description: "<FILE> export: write to FILE (created with mode 0600)" });
  force = Option.Boolean("--force", false, { description: "import: overwrite existing records; requires --yes" });
  yes = Option.Boolean("--yes", false, { description: "import, prune: confirm an irreversible operation" });

  async execute(): Promise<number> {
    const session = this.session();
    const action = actionOf(this.action, ACTIONS);
    if ((action === "import") !== (this.file !== undefined))
      throw usageFault(action === "import" ? "missing FILE; use - for standard input" : "too many operands");
    if (!this.yes && (action === "prune" || (action === "import" && this.force)))
      throw usageFault(
        `${action === "prune" ? "pruning" : "overwriting"} records cannot be undone; add --yes to confirm`,
      );
    const [records, { verbCaller }] = await Promise.all([import("./records.ts"), import("../run/verb-caller.ts")]);
    const grant = this.grantFor(session, "memory");
    // Ctrl-C stops between two calls, because the effect of a cancelled call would be unknown.
    const call = verbCaller(session, grant, "memory", new AbortController().signal);
    const { result, by } = await interruptible(session.io, (signal) =>
      this[action](session, call, records, signal),
    ).finally(() => grant.close());
    if (by !== null) return exitOf(by);
    return result ?? EXIT.failed;
  }

  private async export(session: Session, call: CallVerb, records: Records, signal: AbortSignal): Promise<number> {
    const { screen } = session;
    const all: Json[] = [];
    const kept = screen.json || this.out !== undefined;
    for await (const record of records.recordsOf(call, this.namespaces(records))) {
      if (signal.aborted) return EXIT.interrupted;
      if (kept) all.push(record);
      else screen.out(jsonLine(record));
    }
    if (this.out !== undefined) {
      writeAtomically(session.cwd, this.out, all.map(jsonLine).join(""), 0o600);
      if (screen.json) screen.document({ ok: true, path: this.out, exported: all.length });
      else screen.note(`${counted(all.length, "record")} exported`);
    } else if (screen.json) screen.document({ ok: true, records: all });
    return EXIT.success;
  }

  private async import(session: Session, call: CallVerb, records: Records, signal: AbortSignal): Promise<number> {
    const { screen, cwd, io } = session;
    const file = this.file ?? "-";
    // Read all lines before writing the first record.
    const lines = records.readLines(file, await readText(io, cwd, file, MAX_IMPORT_BYTES));
    const wanted = this.namespace === undefined ? null : this.namespaces(records);
    let imported = 0;
    let kept = 0;
    for (const [number, line] of lines) {
      if (signal.aborted) break;
      if (wanted?.includes(line.namespace) === false) continue;
      if (await records.writeRecord(call, `${file}:${number}`, line, this.force)) imported += 1;
      else kept += 1;
    }
    if (screen.json) screen.document({ ok: true, imported, kept });
    else screen.note(`${counted(imported, "record")} imported, ${counted(kept, "record")} already present`);
    return EXIT.success;
  }

  private async report({ screen }: Session, call: CallVerb, records: Records, signal: AbortSignal): Promise<number> {
    const kinds = new Map<string, { namespace: string; kind: string; records: number; updated_at: string }>();
    for (const namespace of this.namespaces(records)) {
      for await (const { record_kind: kind, updated_at } of records.headsOf(call, namespace, false)) {
        if (signal.aborted) return EXIT.interrupted;
        const key = JSON.stringify([namespace, kind]);
        const row = kinds.get(key) ?? { namespace, kind, records: 0, updated_at };
        const latest = updated_at > row.updated_at ? updated_at : row.updated_at;
        kinds.set(key, { ...row, records: row.records + 1, updated_at: latest });
      }
    }
    const rows = [...kinds.values()];
    if (screen.json) screen.document({ ok: true, kinds: rows });
    else if (rows.length === 0) screen.note("no records");
    else {
      const head = ["namespace", "kind", "records", "last written"];
      const cells = rows.map((row) => [row.namespace, row.kind, String(row.records), row.updated_at]);
      screen.out(`${table([head, ...cells], screen.tableWidth).join("\n")}\n`);
    }
    return EXIT.success;
  }

  private async prune({ screen }: Session, call: CallVerb, records: Records): Promise<number> {
    let pruned = 0;
    for (const namespace of this.namespace === undefined ? [null] : this.namespaces(records)) {
      const answer = await call("prune", namespace === null ? [] : [namespace]);
      pruned += records.prunedOf(answer);
    }
    if (screen.json) screen.document({ ok: true, pruned });
    else screen.note(`${counted(pruned, "record")} removed`);
    return EXIT.success;
  }

  private namespaces(records: Records): readonly string[] {
    return this.namespace === undefined ? records.NAMESPACES : listOf(this.namespace);
  }
}

/** Idempotency keys and their answers in SQLite, each call inside the transaction of its batch. Times come with the calls. */
import { createHash } from "node:crypto";
import type { Database, Statement } from "better-sqlite3";
import type { KeptAnswer, KeyOfRequest } from "../../../run/idempotency-store.ts";
import { MAX_INLINE_BYTES } from "../../../state/store.ts";
import type { TextAnswer } from "../../../wire/answer.ts";
import { interruptedAnswer } from "../../answers/bodies.ts";
import { type KeyClaim, type KeyState, mayHaveActed } from "../../keys.ts";
import type { MemoryRoom } from "./memory-bound.ts";
import type { PlacedText, TextFiles } from "./text-files.ts";

export type KeyEnd = KeyOfRequest & { readonly answer: TextAnswer };

type Row = {
  readonly body_hash: string;
  readonly trace_id: string;
  readonly owner: string | null;
  readonly status: number | null;
  readonly headers: string | null;
  readonly body_file: string | null;
  /** null also when it is large. */
  readonly body: string | null;
  readonly expires_ms: number;
};

export type KeyTables = ReturnType<typeof keyTables>;

/** `room`: of a database in memory. */
export function keyTables(db: Database, files: TextFiles, room: MemoryRoom | null) {
  const select: Statement = db.prepare(
    `SELECT body_hash, trace_id, owner, status, headers, body_file, expires_ms, CASE WHEN octet_length(body) <= ${MAX_INLINE_BYTES} THEN body END AS body
     FROM idempotency WHERE scope = ? AND key = ?`,
  );
  const selectBody: Statement = db.prepare(
    "SELECT body AS text, body_file AS file FROM idempotency WHERE scope = ? AND key = ? AND owner IS NULL",
  );
  const insert = db.prepare(
    "INSERT INTO idempotency (scope, key, body_hash, trace_id, owner, expires_ms) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const update = db.prepare(
    "UPDATE idempotency SET owner = NULL, status = ?, headers = ?, body = ?, body_file = ? WHERE scope = ? AND key = ? AND owner IS NOT NULL",
  );
  const release = db.prepare("DELETE FROM idempotency WHERE scope = ? AND key = ? AND owner = ?");
  const due = db.prepare(
    "SELECT scope, key, body_file FROM idempotency WHERE expires_ms <= ? AND owner IS NULL LIMIT ?",
  );
  const remove = db.prepare("DELETE FROM idempotency WHERE scope = ? AND key = ?");
  const named = db.prepare("SELECT 1 FROM idempotency WHERE body_file = ?");

  const drop = ({ scope, key }: KeyOfRequest, file: string | null): void => {
    remove.run(scope, key);
    files.drop(file);
    room?.left(nameOf({ scope, key }));
  };
  const makeRoom = (from: MemoryRoom, of: KeyOfRequest): void => {
    from.entered(nameOf(of));
    for (let oldest = from.surplus(); oldest !== null; oldest = from.surplus()) drop(keyNamed(oldest), null);
  };
  const finish = ({ scope, key, answer }: KeyEnd): void => {
    const { text, file } = files.place(fileOf({ scope, key }), answer.body);
    const { changes } = update.run(answer.status, JSON.stringify(answer.headers), text, file, scope, key);
    if (room !== null && changes > 0) makeRoom(room, { scope, key });
  };
  const kept = (of: KeyOfRequest, row: Row): KeptAnswer => ({
    status: row.status ?? 200,
    headers: JSON.parse(row.headers ?? "{}"),
    body: row.body === null ? null : files.open(row.body, fileOf(of)),
    traceId: row.trace_id,
  });

  return {
    claimKey({ scope, key, bodyHash, traceId, owner, now, keepMs }: KeyClaim): KeyState {
      const row = select.get(scope, key) as Row | undefined;
      const first = (): KeyState => {
        if (row !== undefined) drop({ scope, key }, row.body_file);
        insert.run(scope, key, bodyHash, traceId, owner, now + keepMs);
        return { state: "first" };
      };
      if (row === undefined || (row.expires_ms <= now && row.owner === null)) return first();
      if (row.body_hash !== bodyHash) return { state: "other_body" };
      if (row.owner === owner) return { state: "running" };
      if (row.owner === null) return { state: "finished", answer: kept({ scope, key }, row) };
      // Every other owner is dead: this process has the lock of the folder.
      if (!mayHaveActed({ scope, key })) return first();
      const answer = interruptedAnswer(row.trace_id);
      finish({ scope, key, answer });
      return { state: "finished", answer: { ...answer, traceId: row.trace_id } };
    },

    finish,

    keyBody({ scope, key }: KeyOfRequest): string | null {
      const stored = selectBody.get(scope, key) as PlacedText | undefined;
      return stored === undefined ? null : files.read(fileOf({ scope, key }), stored);
    },

    releaseKey({ scope, key, owner }: KeyOfRequest & { readonly owner: string }): void {
      release.run(scope, key, owner);
    },

    expireKeys({ now, most }: { readonly now: number; readonly most: number }): void {
      for (const row of due.all(now, most) as { scope: string; key: string; body_file: string | null }[]) {
        drop(row, row.body_file);
      }
    },

    isKeyFileUsed: (file: string): boolean => named.get(file) !== undefined,
  };
}

/** What the answer of a key is called among the texts. */
function fileOf({ scope, key }: KeyOfRequest): string {
  return `key-${createHash("sha256").update(`${scope} ${key}`, "utf8").digest("hex")}`;
}

/** What a key is called where room is counted. */
function nameOf({ scope, key }: KeyOfRequest): string {
  return JSON.stringify([scope, key]);
}

function keyNamed(name: string): KeyOfRequest {
  const [scope, key] = JSON.parse(name) as [string, string];
  return { scope, key };
}

/** A process that ends its connections to PostgreSQL and has nothing else to do. Arguments: the URL. Built and started by `postgres-close.test.ts`. */
import { writeSync } from "node:fs";
import { createPostgresService } from "../../../adapters/engine/postgres/postgres.ts";

const service = createPostgresService();
const database = await service.open({ url: process.argv[2] ?? "", pool: 1 });
const rules = { readOnly: false, statementTimeoutMs: 1_000, lockTimeoutMs: 1_000, idleInTransactionMs: 1_000 };
const session = await database.session(rules, { timeoutMs: 10_000 });
// Listening keeps no process alive: the session does until it is heard that the other listens.
await new Promise<void>((resolve) => database.listen("weft_test", () => resolve()));
session.release();
await service.close();
writeSync(1, "closed");

/** The durable example of docs/embedding.md, word for word after this comment. */
import { type DurableEnd, type Host, type Ir, sqliteJournal } from "../../index.ts";

/** `id`: the same for the same run; call ids, and keys of writes with them, begin with it. */
export async function surviving(host: Host, ir: Ir, path: string, id: string): Promise<DurableEnd> {
  const journal = sqliteJournal(path, id);
  try {
    return await host.durable({ ir, traceId: id, journal }).result;
  } finally {
    journal.close();
  }
}

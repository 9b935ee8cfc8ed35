/** The journal of a job as one document that the playground opens again, also after the service has forgotten the job. */
import { get } from "../../../api.ts";
import type { Job, JournalPage, JournalRecord } from "../../../data.ts";
import { saveFile } from "../../../save.ts";

const PAGE = 1000;

/** `values`: with the values in it, where the service shows them. Rejects with Refused. */
export async function exportJournal(
  id: string,
  { values, code }: { readonly values: boolean; readonly code: string | undefined },
): Promise<void> {
  const { result, ...job } = await get<Job>(`/result/${id}`);
  const records: JournalRecord[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: JournalPage = await get(
      `/result/${id}/journal?after=${after}&limit=${PAGE}${values ? "&values=1" : ""}`,
    );
    records.push(...page.records);
    after = page.next_after;
  }
  const document = { format: "weft-journal", version: 1, job, ...(code === undefined ? {} : { code }), records };
  saveFile(`journal-${id}.json`, `${JSON.stringify(document, null, 1)}\n`, "application/json");
}

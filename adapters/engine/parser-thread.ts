/**
 * The thread that parses documents of others: mail, feeds, answers of calendar servers and calendars. Each request names what it is; what the
 * parser throws is told by its code. Loaded in the thread only: what is imported here ends in its bundle.
 */
import { parentPort } from "node:worker_threads";
import { AdapterError } from "../../vm/errors.ts";
import { resourcesIn } from "../calendar/dav-xml.ts";
import { parseCalendars } from "../calendar/ical.ts";
import { parsedMail } from "../email/parsing.ts";
import { parseFeed } from "../videomon/feed-text.ts";
import type { ParserJob, ParserReply } from "./document-parsers.ts";

/** By kind of document. */
const PARSERS = {
  mail: parsedMail,
  feed: parseFeed,
  multistatus: resourcesIn,
  calendars: parseCalendars,
} as const;
export type Parsers = typeof PARSERS;

async function reply({ kind, source }: ParserJob): Promise<ParserReply> {
  try {
    const parse: (...source: readonly never[]) => unknown = PARSERS[kind];
    return { document: await parse(...(source as readonly never[])) };
  } catch (thrown) {
    if (!(thrown instanceof AdapterError)) return { error: null };
    return { error: { code: thrown.code, message: thrown.message, data: thrown.data } };
  }
}

parentPort?.on("message", async (job: ParserJob) => parentPort?.postMessage(await reply(job)));
parentPort?.postMessage("ready");

/**
 * Requests with which senders try an address before they use it: answered by a setting, without a run. What is sent back is a short plain word, so
 * that no page can be made of it.
 */
import type { IncomingHttpHeaders } from "node:http";
import { isObject, type Json } from "../../../compiler/json.ts";
import type { Answer } from "../../wire/answer.ts";
import { jsonAnswer } from "../../wire/answers.ts";
import { faults } from "../../wire/errors.ts";
import type { ChallengeSettings, EndpointSettings } from "./endpoint-settings.ts";
import { isOneOf } from "./verify/delivery.ts";
import type { SecretReader } from "./verify/signatures.ts";

const WORD = /^[A-Za-z0-9_.-]{1,256}$/;
const DISCORD_PING = 1;

/** Of a delivery whose signature is valid; null: it is not a challenge. Throws ServiceFault invalid_request. */
export function challengeAnswer(
  challenge: ChallengeSettings | undefined,
  headers: IncomingHttpHeaders,
  body: Json | undefined,
): Answer | null {
  if (challenge === undefined || !isObject(body)) return null;
  const { type, challenge: word } = body as { readonly type?: Json; readonly challenge?: Json };
  switch (challenge.kind) {
    case "slack":
      return type === "url_verification" ? echoed(word) : null;
    case "twitch":
      return headers["twitch-eventsub-message-type"] === "webhook_callback_verification" ? echoed(word) : null;
    case "discord":
      return type === DISCORD_PING ? jsonAnswer(200, { type: DISCORD_PING }) : null;
    default:
      return null;
  }
}

/** Meta asks by GET, with the word that the operator gave it. `wrong`: the word is another, or is not there. */
export async function metaAnswer(
  { secrets }: Extract<ChallengeSettings, { kind: "meta" }>,
  query: URLSearchParams,
  secretOf: SecretReader,
): Promise<Answer | "wrong"> {
  const found = await Promise.all([secrets].flat().map((name) => secretOf(name)));
  const present = found.filter((secret) => secret !== undefined && secret !== "") as string[];
  const given = Buffer.from(query.get("hub.verify_token") ?? "", "utf8").toString("latin1");
  if (query.get("hub.mode") !== "subscribe" || !isOneOf(present, given)) return "wrong";
  return echoed(query.get("hub.challenge"));
}

function echoed(word: Json | undefined): Answer {
  if (typeof word !== "string" || !WORD.test(word))
    throw faults.invalidRequest([
      {
        path: "",
        code: "challenge",
        message: "the challenge must be 1 to 256 letters, digits, dots, dashes and underscores",
      },
    ]);
  const headers = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
  return { status: 200, headers, body: word };
}

/** What keeps these settings from being served; null: nothing. `hasGet`: the program itself answers GET at the path. */
export function challengeFault(
  method: string,
  { challenge, verify }: Pick<EndpointSettings, "challenge" | "verify">,
  hasGet: boolean,
): string | null {
  if (challenge === undefined) return null;
  if (method !== "POST") return "challenge: belongs to the endpoint for POST, to which deliveries come";
  if (challenge.kind === "meta")
    return hasGet ? "challenge: Meta asks by GET, and the program has an endpoint for GET at this path" : null;
  return verify === undefined
    ? `challenge: that of ${challenge.kind} is answered after its signature: set verify`
    : null;
}

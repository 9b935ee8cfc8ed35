/** Settings of an endpoint, as `endpoints` of a deployment gives them (docs/programs.md). */
import * as z from "zod";
import { flowMembers } from "../../jobs/flow/members.ts";
import { headerName, Verify } from "./verify/settings.ts";

const secrets = z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(8)]);

const origin = z.union([
  z.literal("*"),
  z.string().regex(/^https?:\/\/[^\s/?#*@,]{1,253}$/, 'must be an origin such as https://shop.example.com, or "*"'),
]);

/** Pages of other origins that may ask. */
const Cors = z.strictObject({
  origins: z.array(origin).min(1).max(32),
  /** With cookies and credentials of the reader. */
  credentials: z.boolean().optional(),
  /** Headers that they may send besides the usual ones. */
  headers: z.array(headerName).max(32).optional(),
  max_age_s: z.int().min(0).max(86_400).optional(),
});
export type CorsSettings = z.output<typeof Cors>;

/** What senders ask of an address before they use it. `secrets`: the word that the operator gave Meta. */
const Challenge = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("slack") }),
  z.strictObject({ kind: z.literal("twitch") }),
  z.strictObject({ kind: z.literal("discord") }),
  z.strictObject({ kind: z.literal("meta"), secrets }),
]);
export type ChallengeSettings = z.output<typeof Challenge>;

export const Endpoint = z.strictObject({
  verify: Verify.optional(),
  /** `job`: answers 202 with the job that runs the label. */
  mode: z.enum(["run", "job"]).optional(),
  /** What makes a delivery the same as another one: the name of a header, or a JSON pointer into the body such as `/event/id`. */
  dedupe: z.union([headerName, z.string().regex(/^\/.{1,255}$/, "must be a JSON pointer")]).optional(),
  /** `whole`: the input `body` is the whole body, whatever other inputs there are. `form`, `text`: such bodies are read without `verify`, too. */
  body: z.enum(["whole", "form", "text"]).optional(),
  /** Files of a form are read. */
  files: z.boolean().optional(),
  /** Headers that `_request` has. */
  headers: z.array(headerName).max(32).optional(),
  cors: Cors.optional(),
  challenge: Challenge.optional(),
  ...flowMembers,
});
export type EndpointSettings = z.output<typeof Endpoint>;

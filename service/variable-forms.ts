/** The forms that variables of the environment have (`config.ts`): each one reads a text, and says what it must look like. */
import * as z from "zod";
import { isTrue, SWITCH, SWITCH_FORM } from "../adapters/operator/host-config.ts";
import { KEPT_FORM, readKeptRules } from "./jobs/retention/kept-times.ts";

export const whole = (fallback: number, least: number, most: number) => {
  const form = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^[0-9]{1,15}$/, form)
    .transform(Number)
    .refine((value) => value >= least && value <= most, form)
    .default(fallback);
};
export const flag = (fallback: boolean) => z.string().regex(SWITCH, SWITCH_FORM).transform(isTrue).default(fallback);
/** Number of trusted proxies; `true` means one. */
export const proxies = z
  .string()
  .regex(/^([0-9]|[12][0-9]|3[0-2]|true|false|yes|no|on|off)$/i, "must be a whole number from 0 to 32")
  .transform((word) => (/^[0-9]/.test(word) ? Number(word) : Number(isTrue(word))))
  .default(0);
/** Compared as they are: one that no request can name would be refused without a word. */
export const list = (pattern: RegExp, form: string) =>
  z
    .string()
    .transform((text) =>
      text
        .split(",")
        .map((word) => word.trim().toLowerCase())
        .filter((word) => word !== ""),
    )
    .refine((words) => words.every((word) => pattern.test(word)), form)
    .default([]);
export const keptDays = z
  .string()
  .refine((text) => readKeptRules(text) !== null, KEPT_FORM)
  .transform((text) => readKeptRules(text) ?? [])
  .default([]);
/** It stands in the head of pages and in titles of tabs, with a sign between it and other names that it cannot contain. */
export const shownName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,31}$/,
    "must be a name of up to 32 letters, digits, spaces, dots, dashes and underscores",
  )
  .optional();
export const PORT_FORM = "must be a whole number from 0 to 65535";
export const ORIGIN = /^(null|[a-z][a-z0-9+.-]*:\/\/[^\s/?#*@]+)$/;
export const HOST = /^(\[[0-9a-f:.]+\](:[0-9]+)?|[0-9a-f]*:[0-9a-f:.]*|[^\s/?#*@:]+(:[0-9]+)?)$/;
export const rate = z
  .string()
  .regex(/^(off|[1-9][0-9]{0,8}\/[1-9][0-9]{0,5}s)$/, "must look like 100/1s, or be off")
  .transform((text) => {
    if (text === "off") return null;
    const [requests = 0, seconds = 0] = text.slice(0, -1).split("/").map(Number);
    return { requests, seconds };
  })
  .optional();

/** Names of headers are compared in lower case. */
export const header = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, "must be the name of a header such as X-Forwarded-User")
  .transform((name) => name.toLowerCase())
  .optional();

/** Whether callers may deploy, or only propose. */
export const deployMode = z
  .string()
  .refine((text) => text === "proposals" || SWITCH.test(text), "must be on, off or proposals")
  .transform((text) => (text === "proposals" ? text : isTrue(text) ? "on" : "off"))
  .optional();

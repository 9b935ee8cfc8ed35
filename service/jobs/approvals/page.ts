/**
 * The page of a link, as text. Everything that a program or a person wrote stands there as plain text; what cannot be seen is shown as an
 * escape. It works without scripts, and has none.
 */
import { createHash } from "node:crypto";
import type { Json } from "../../../compiler/json.ts";
import type { ApprovalForm } from "../../../vm/durable/approvals.ts";
import { exactText, isJsonNumber, keepComposed } from "../../../vm/inputs/exact-text.ts";

export type AskingPage = {
  readonly title: string;
  readonly details: Json;
  /** Name and value, such as the program and who queued it. */
  readonly facts: readonly (readonly [string, string])[];
  readonly choices: readonly string[];
  readonly form: ApprovalForm | null;
  readonly nonce: string;
  /** What was wrong with the answer before. */
  readonly problems: readonly string[];
  readonly comment: string;
};

const STYLE = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:42rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}
pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid #8888;padding:.75rem;max-height:24rem;overflow:auto}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}
dd{margin:0;overflow-wrap:anywhere}
fieldset{border:1px solid #8888;margin:1rem 0}
label{display:block;margin:.5rem 0}
textarea,input[type=text],input[type=number],select{width:100%;font:inherit;box-sizing:border-box}
button{font:inherit;padding:.5rem 1.5rem}
[role=alert]{border-left:.3rem solid #c33;padding-left:1rem}
`;
const STYLE_HASH = createHash("sha256").update(STYLE, "utf8").digest("base64");

/** Nothing is kept, framed, sent on or asked for elsewhere. */
export const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "x-robots-tag": "noindex, nofollow",
} as const;

export function askingPage({ title, details, facts, choices, form, nonce, problems, comment }: AskingPage): string {
  const radios = choices.map(
    (choice) =>
      `<label><input type="radio" name="choice" value="${attribute(choice)}" required> ${plain(choice)}</label>`,
  );
  const said = problems.map((problem) => `<li>${plain(problem)}</li>`).join("");
  return page(
    title,
    [
      said === "" ? "" : `<div role="alert"><p>Nothing was decided.</p><ul>${said}</ul></div>`,
      factList(facts),
      details === null ? "" : `<pre tabindex="0" aria-label="Details">${plain(detailsText(details), true)}</pre>`,
      '<form method="post">',
      `<input type="hidden" name="page" value="${attribute(nonce)}">`,
      `<fieldset><legend>Your decision</legend>${radios.join("")}</fieldset>`,
      Object.entries(form ?? {})
        .map(([name, kind]) => field(name, kind))
        .join(""),
      `<label>Comment<textarea name="comment" rows="3" maxlength="2000">${plain(comment, true)}</textarea></label>`,
      "<p>The decision counts at once and cannot be taken back.</p>",
      '<button type="submit">Decide</button></form>',
    ].join("\n"),
  );
}

/** What has become of a question, or why it cannot be shown. */
export function messagePage(title: string, lines: readonly string[], facts: AskingPage["facts"] = []): string {
  return page(title, [...lines.map((line) => `<p>${plain(line)}</p>`), factList(facts)].join("\n"));
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${plain(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${plain(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

function factList(facts: AskingPage["facts"]): string {
  if (facts.length === 0) return "";
  return `<dl>${facts.map(([name, value]) => `<dt>${plain(name)}</dt><dd>${plain(value)}</dd>`).join("")}</dl>`;
}

function field(name: string, kind: ApprovalForm[string]): string {
  const id = attribute(`field-${name}`);
  if (kind === "boolean" || typeof kind !== "string") {
    const options = (typeof kind === "string" ? ["true", "false"] : kind).map(
      (one) => `<option value="${attribute(one)}">${plain(one)}</option>`,
    );
    return `<label>${plain(name)}<select name="${id}"><option value=""></option>${options.join("")}</select></label>`;
  }
  const type = kind === "number" ? 'type="number" step="any"' : 'type="text"';
  return `<label>${plain(name)}<input ${type} name="${id}"></label>`;
}

/** The data of a form that was posted, as `answerIssues` checks it: text in a field for a number stays text. */
export function postedData(
  form: ApprovalForm | null,
  posted: URLSearchParams,
): { readonly [field: string]: Json } | null {
  if (form === null) return null;
  const pieces = new Map<string, string>();
  const given = Object.entries(form).flatMap(([name, kind]): [string, Json][] => {
    const text = posted.get(`field-${name}`) ?? "";
    if (text === "") return [];
    if (kind === "boolean" && /^(true|false)$/.test(text)) return [[name, text === "true"]];
    if (kind === "number" && Number.isFinite(Number(text))) {
      // One that is written as JSON keeps its digits, and 5.0 stays a float.
      if (isJsonNumber(text)) pieces.set(name, text);
      return [[name, Number(text)]];
    }
    return [[name, text]];
  });
  const data = Object.fromEntries(given);
  keepComposed(data, pieces);
  return data;
}

function detailsText(details: Json): string {
  return typeof details === "string" ? details : (exactText(details) ?? JSON.stringify(details, null, 2));
}

/** Controls, marks of direction and what has no width would show something else than what is there. */
function plain(text: string, hasLines = false): string {
  const visible = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (mark) => {
    if (hasLines && (mark === "\n" || mark === "\t")) return mark;
    return `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`;
  });
  return visible.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** A value that comes back as it is. */
function attribute(text: string): string {
  return text.replace(/[&<>"'\r\n]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

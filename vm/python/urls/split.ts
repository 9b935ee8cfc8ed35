/** URLs in parts, as CPython's `urllib.parse` takes them apart and puts them together. */
import { raised, raisedLoosely, VALUE_ERROR } from "../exceptions.ts";
import { notExact } from "../not-exact.ts";
import { isAscii } from "../unicode/case.ts";
import { trimEnd, trimStart } from "../unicode/trim.ts";

export type SplitUrl = {
  readonly scheme: string;
  readonly netloc: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
};
export type ParsedUrl = SplitUrl & { readonly params: string };

const set = (words: string): ReadonlySet<string> => new Set(["", ...words.split(" ")]);
const USES_RELATIVE = set(
  "ftp http gopher nntp imap wais file https shttp mms prospero rtsp rtsps rtspu sftp svn svn+ssh ws wss",
);
const USES_NETLOC = set(
  "ftp http gopher nntp telnet imap wais file mms https shttp snews prospero rtsp rtsps rtspu rsync svn svn+ssh sftp nfs git git+ssh ws wss",
);
const USES_PARAMS = set("ftp hdl prospero http imap https shttp rtsp rtsps rtspu sip sips mms sftp tel");

const isControl = (unit: number): boolean => unit <= 32;
const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;

export function splitUrl(given: string, defaultScheme: string, allowsFragments: boolean): SplitUrl {
  let url = trimStart(given, isControl).replace(/[\t\r\n]/g, "");
  let scheme = trimEnd(trimStart(defaultScheme, isControl), isControl).replace(/[\t\r\n]/g, "");
  const found = SCHEME.exec(url);
  if (found !== null) {
    scheme = (found[1] as string).toLowerCase();
    url = url.slice(found[0].length);
  }
  let netloc = "";
  if (url.startsWith("//")) {
    const end = /[/?#]/.exec(url.slice(2))?.index ?? url.length - 2;
    netloc = url.slice(2, 2 + end);
    url = url.slice(2 + end);
    checkBrackets(netloc);
  }
  let fragment = "";
  let query = "";
  if (allowsFragments) [url, fragment] = cut(url, "#");
  [url, query] = cut(url, "?");
  checkNormalized(netloc);
  return { scheme, netloc, path: url, query, fragment };
}

function cut(text: string, sign: string): [string, string] {
  const at = text.indexOf(sign);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function checkBrackets(netloc: string): void {
  const [opens, closes] = [netloc.includes("["), netloc.includes("]")];
  if (opens !== closes) throw raised(VALUE_ERROR, "Invalid IPv6 URL");
  if (!opens) return;
  const host = cut(netloc, "[")[1].split("]")[0] as string;
  if (host.startsWith("v") || host.includes("%")) throw notExact("this kind of host in brackets is not supported");
  if (!/^[0-9a-fA-F:.]+$/.test(host) || !URL.canParse(`http://[${host}]/`))
    throw raisedLoosely(VALUE_ERROR, "the host in brackets is not an IPv6 address");
}

/** Characters that would become delimiters when they are normalized. */
function checkNormalized(netloc: string): void {
  if (netloc === "" || isAscii(netloc)) return;
  const name = netloc.replace(/[@:#?]/g, "");
  const normalized = name.normalize("NFKC");
  if (name !== normalized && /[/?#@:]/.test(normalized))
    throw raised(VALUE_ERROR, `netloc '${netloc}' contains invalid characters under NFKC normalization`);
}

export function parseUrl(url: string, scheme: string, allowsFragments: boolean): ParsedUrl {
  const parts = splitUrl(url, scheme, allowsFragments);
  const { path } = parts;
  if (!USES_PARAMS.has(parts.scheme) || !path.includes(";")) return { ...parts, params: "" };
  const at = path.indexOf(";", Math.max(0, path.lastIndexOf("/")));
  if (at < 0) return { ...parts, params: "" };
  return { ...parts, path: path.slice(0, at), params: path.slice(at + 1) };
}

export function joinSplit({ scheme, netloc, path, query, fragment }: SplitUrl): string {
  let url = path;
  if (netloc !== "" || (scheme !== "" && USES_NETLOC.has(scheme) && !url.startsWith("//"))) {
    if (url !== "" && !url.startsWith("/")) url = `/${url}`;
    url = `//${netloc}${url}`;
  }
  if (scheme !== "") url = `${scheme}:${url}`;
  if (query !== "") url = `${url}?${query}`;
  return fragment === "" ? url : `${url}#${fragment}`;
}

export function joinParsed(parts: ParsedUrl): string {
  return joinSplit(parts.params === "" ? parts : { ...parts, path: `${parts.path};${parts.params}` });
}

export function joinUrls(base: string, url: string, allowsFragments: boolean): string {
  if (base === "") return url;
  if (url === "") return base;
  const from = parseUrl(base, "", allowsFragments);
  const to = parseUrl(url, from.scheme, allowsFragments);
  if (to.scheme !== from.scheme || !USES_RELATIVE.has(to.scheme)) return url;
  let { netloc } = to;
  if (USES_NETLOC.has(to.scheme)) {
    if (netloc !== "") return joinParsed(to);
    netloc = from.netloc;
  }
  if (to.path === "" && to.params === "") {
    const query = to.query === "" ? from.query : to.query;
    return joinParsed({ ...to, netloc, path: from.path, params: from.params, query });
  }
  return joinParsed({ ...to, netloc, path: resolved(from.path, to.path) });
}

function resolved(base: string, path: string): string {
  const parts = base.split("/");
  if (parts.at(-1) !== "") parts.pop();
  let segments = path.split("/");
  if (!path.startsWith("/")) {
    segments = [...parts, ...segments];
    segments = segments.filter((part, index) => index === 0 || index >= segments.length - 1 || part !== "");
  }
  const result: string[] = [];
  for (const segment of segments)
    if (segment === "..") result.pop();
    else if (segment !== ".") result.push(segment);
  const last = segments.at(-1);
  if (last === "." || last === "..") result.push("");
  return result.join("/") || "/";
}

/** User, password, host and port of a netloc; null: missing. */
export function hostParts(netloc: string): {
  readonly username: string | null;
  readonly password: string | null;
  readonly hostname: string | null;
  readonly port: string | null;
} {
  const at = netloc.lastIndexOf("@");
  const info = at < 0 ? null : netloc.slice(0, at);
  const [username, password] = info === null ? [null, null] : pair(info);
  const host = netloc.slice(at + 1);
  let [name, port] = ["", ""];
  const bracket = host.indexOf("[");
  if (bracket >= 0) {
    const [inner, rest] = cut(host.slice(bracket + 1), "]");
    [name, port] = [inner, cut(rest, ":")[1]];
  } else [name, port] = cut(host, ":");
  return { username, password, hostname: name === "" ? null : name, port: port === "" ? null : port };
}

function pair(info: string): [string, string | null] {
  const at = info.indexOf(":");
  return at < 0 ? [info, null] : [info.slice(0, at), info.slice(at + 1)];
}

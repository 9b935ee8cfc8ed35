/** Rows of the modules urllib.parse, textwrap, string, unicodedata and uuid. */
import { type Row, row } from "./row.ts";

const linear = { cost: "n" } as const;
const faulty = { raises: "ValueError", cost: "n" } as const;
const URL = "'http://u@h:8/p;x?q=1#f'";
const coding = "encoding='utf-8', errors='replace'";
const query = `qs, keep_blank_values=False, strict_parsing=False, ${coding}, max_num_fields=None, separator='&'`;

const URLS: readonly Row[] = [
  row(
    "urllib.parse.urlparse",
    "url, scheme='', allow_fragments=True",
    "urllib.parse.ParseResult",
    "a URL in six parts",
    `urllib.parse.urlparse(${URL}).port == 8`,
    faulty,
  ),
  row(
    "urllib.parse.urlsplit",
    "url, scheme='', allow_fragments=True",
    "urllib.parse.SplitResult",
    "a URL in five parts",
    `urllib.parse.urlsplit(${URL}).query == 'q=1'`,
    faulty,
  ),
  row(
    "urllib.parse.urlunparse",
    "components",
    "str",
    "a URL of six parts",
    `urllib.parse.urlunparse(urllib.parse.urlparse(${URL})) == ${URL}`,
    linear,
  ),
  row(
    "urllib.parse.urlunsplit",
    "components",
    "str",
    "a URL of five parts",
    `urllib.parse.urlunsplit(urllib.parse.urlsplit(${URL})) == ${URL}`,
    linear,
  ),
  row(
    "urllib.parse.urljoin",
    "base, url, allow_fragments=True",
    "str",
    "a URL as seen from another one",
    "urllib.parse.urljoin('http://h/a/b', '../c') == 'http://h/c'",
    faulty,
  ),
  row(
    "urllib.parse.urldefrag",
    "url",
    "urllib.parse.DefragResult",
    "a URL without its fragment",
    "urllib.parse.urldefrag('a#b').url == 'a'",
    faulty,
  ),
  row(
    "urllib.parse.quote",
    "string, safe='/', encoding=None, errors=None",
    "str",
    "with percent signs for a path",
    "urllib.parse.quote('a b/é') == 'a%20b/%C3%A9'",
    { raises: "UnicodeEncodeError", cost: "n", size: "len(string) * 12" },
  ),
  row(
    "urllib.parse.quote_plus",
    "string, safe='', encoding=None, errors=None",
    "str",
    "with percent signs for a query",
    "urllib.parse.quote_plus('a b/') == 'a+b%2F'",
    { raises: "UnicodeEncodeError", cost: "n", size: "len(string) * 12" },
  ),
  row(
    "urllib.parse.unquote",
    `string, ${coding}`,
    "str",
    "without percent signs",
    "urllib.parse.unquote('a%20b') == 'a b'",
    linear,
  ),
  row(
    "urllib.parse.unquote_plus",
    `string, ${coding}`,
    "str",
    "without percent and plus signs",
    "urllib.parse.unquote_plus('a+b%20') == 'a b '",
    linear,
  ),
  row(
    "urllib.parse.unquote_to_bytes",
    "string",
    "bytes",
    "bytes without percent signs",
    "urllib.parse.unquote_to_bytes('a%20') == b'a '",
    linear,
  ),
  row(
    "urllib.parse.urlencode",
    "query, doseq=False, safe='', encoding=None, errors=None, quote_via=...",
    "str",
    "a query of pairs",
    "urllib.parse.urlencode({'a': 1, 'b': 'x y'}) == 'a=1&b=x+y'",
    { raises: "ValueError", cost: "n", size: "n" },
  ),
  row(
    "urllib.parse.parse_qs",
    query,
    "dict[str, list[str]]",
    "the values of a query by name",
    "urllib.parse.parse_qs('a=1&a=2') == {'a': ['1', '2']}",
    faulty,
  ),
  row(
    "urllib.parse.parse_qsl",
    query,
    "list[tuple[str, str]]",
    "the pairs of a query",
    "urllib.parse.parse_qsl('a=1&b=2') == [('a', '1'), ('b', '2')]",
    faulty,
  ),
  ...(["ParseResult", "SplitResult", "DefragResult"] as const).flatMap((name) => {
    const make = { ParseResult: "urlparse", SplitResult: "urlsplit", DefragResult: "urldefrag" }[name];
    const field = name === "DefragResult" ? "fragment" : "path";
    return [
      row(
        `urllib.parse.${name}.geturl`,
        "self, /",
        "str",
        "the URL of the parts",
        `urllib.parse.${make}('http://h/p').geturl() == 'http://h/p'`,
        linear,
      ),
      row(
        `urllib.parse.${name}._asdict`,
        "self, /",
        "dict",
        "its parts by name",
        `urllib.parse.${make}('x')._asdict()['${field}'] == urllib.parse.${make}('x').${field}`,
      ),
      row(
        `urllib.parse.${name}._replace`,
        "self, /, **kwds",
        `urllib.parse.${name}`,
        "with other parts",
        `urllib.parse.${make}('x')._replace(${field}='y').${field} == 'y'`,
        { raises: "ValueError" },
      ),
    ];
  }),
];

const WRAPS: readonly Row[] = [
  row(
    "textwrap.wrap",
    "text, width=70, **kwargs",
    "list[str]",
    "lines of at most some width",
    "textwrap.wrap('a bc d', 4) == ['a bc', 'd']",
    faulty,
  ),
  row(
    "textwrap.fill",
    "text, width=70, **kwargs",
    "str",
    "the same as one text",
    "textwrap.fill('a bc d', 4) == 'a bc\\nd'",
    faulty,
  ),
  row(
    "textwrap.shorten",
    "text, width, **kwargs",
    "str",
    "cut at a word",
    "textwrap.shorten('Hello  world!', width=11) == 'Hello [...]'",
    faulty,
  ),
  row(
    "textwrap.dedent",
    "text",
    "str",
    "without common white space in front",
    "textwrap.dedent('  a\\n   b') == 'a\\n b'",
    linear,
  ),
  row(
    "textwrap.indent",
    "text, prefix, predicate=None",
    "str",
    "with a prefix in front of lines",
    "textwrap.indent('a\\n\\nb', '> ') == '> a\\n\\n> b'",
    { cost: "n", size: "len(text) * (1 + len(prefix))" },
  ),
  row(
    "string.capwords",
    "s, sep=None",
    "str",
    "each word with a capital letter",
    "string.capwords('a  bc') == 'A Bc'",
    faulty,
  ),
];

const GREETING = "string.Template('$a ${b}')";

const TEMPLATES: readonly Row[] = [
  row(
    "string.Template",
    "template",
    "string.Template",
    "a text with places for values, as $name",
    `${GREETING}.template == '$a ${"${b}"}'`,
  ),
  row(
    "string.Template.substitute",
    "self, mapping=..., /, **kws",
    "str",
    "the text with all values",
    `${GREETING}.substitute({'a': 1}, b=2) == '1 2'`,
    { raises: "KeyError ValueError", cost: "n", size: "n" },
  ),
  row(
    "string.Template.safe_substitute",
    "self, mapping=..., /, **kws",
    "str",
    "the text with the values that are given",
    `${GREETING}.safe_substitute(a=1) == '1 ${"${b}"}'`,
    { cost: "n", size: "n" },
  ),
  row("string.Template.is_valid", "self", "bool", "whether all places have names", `${GREETING}.is_valid()`, linear),
  row(
    "string.Template.get_identifiers",
    "self",
    "list[str]",
    "the names of the places",
    `${GREETING}.get_identifiers() == ['a', 'b']`,
    linear,
  ),
];

const CHARACTERS: readonly Row[] = [
  row(
    "unicodedata.normalize",
    "form, unistr, /",
    "str",
    "a text in a form of Unicode: NFC, NFD, NFKC or NFKD",
    "len(unicodedata.normalize('NFD', 'é')) == 2",
    { raises: "ValueError", cost: "n", size: "len(unistr) * 18" },
  ),
  row(
    "unicodedata.is_normalized",
    "form, unistr, /",
    "bool",
    "whether a text has that form",
    "unicodedata.is_normalized('NFC', 'é')",
    faulty,
  ),
  row("unicodedata.category", "chr, /", "str", "the category of a character", "unicodedata.category('a') == 'Ll'"),
  row(
    "unicodedata.combining",
    "chr, /",
    "int",
    "the class of a mark that combines, else 0",
    "unicodedata.combining('\\u0301') == 230",
  ),
];

const HTML: readonly Row[] = [
  row("html.unescape", "s", "str", "with the characters of its references", "html.unescape('&lt;') == '<'", {
    cost: "n",
  }),
  row(
    "html.escape",
    "s, quote=True",
    "str",
    "a text as it stands in HTML",
    "html.escape('<b> & \"c\"') == '&lt;b&gt; &amp; &quot;c&quot;'",
    { cost: "n", size: "n" },
  ),
];

const UUIDS: readonly Row[] = [
  row(
    "uuid.UUID",
    "hex=None, bytes=None, bytes_le=None, fields=None, int=None, version=None, *, is_safe=...",
    "uuid.UUID",
    "a UUID",
    "uuid.UUID('{12345678-1234-5678-1234-567812345678}').variant[:8] == 'reserved'",
    { raises: "ValueError" },
  ),
  row(
    "uuid.uuid3",
    "namespace, name",
    "uuid.UUID",
    "the UUID of a name by MD5",
    "uuid.uuid3(uuid.NAMESPACE_DNS, 'a').version == 3",
    linear,
  ),
  row(
    "uuid.uuid5",
    "namespace, name",
    "uuid.UUID",
    "the UUID of a name by SHA-1",
    "uuid.uuid5(uuid.NAMESPACE_DNS, 'a').version == 5",
    linear,
  ),
];

export const WORDS: readonly Row[] = [...URLS, ...WRAPS, ...TEMPLATES, ...CHARACTERS, ...HTML, ...UUIDS];
